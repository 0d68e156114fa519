import multiprocessing as mp


def worker():
    pass


if __name__ == "__main__":
    args = parse()
    # as the user wants
    mp.set_start_method("spawn", force=True)
    run(args)
