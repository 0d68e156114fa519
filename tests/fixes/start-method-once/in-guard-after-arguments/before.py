import multiprocessing as mp


def worker():
    mp.set_start_method("fork")


if __name__ == "__main__":
    args = parse()
    # as the user wants
    mp.set_start_method("fork")

    mp.set_start_method("spawn")
    run(args)
