import torch.distributed as dist


def main():
    dist.init_process_group("gloo")
    model = build()
    train(model)
    evaluate(model)
    dist.destroy_process_group()


if __name__ == "__main__":
    main()
