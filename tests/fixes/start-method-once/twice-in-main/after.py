import multiprocessing


def main():
    queue = []
    print(multiprocessing.get_start_method(), queue)


if __name__ == "__main__":
    multiprocessing.set_start_method("spawn", force=True)
    main()
