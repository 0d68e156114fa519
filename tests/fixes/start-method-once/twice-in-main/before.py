import multiprocessing


def main():
    multiprocessing.set_start_method("fork")
    queue = []
    multiprocessing.set_start_method("spawn")
    print(multiprocessing.get_start_method(), queue)


if __name__ == "__main__":
    main()
