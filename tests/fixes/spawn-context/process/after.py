import torch.multiprocessing as mp


def work(queue):
    queue.put(1)


if __name__ == "__main__":
    queue = mp.get_context("spawn").Queue()
    p = mp.get_context("spawn").Process(target=work, args=(queue,))
    p.start()
    p.join()
