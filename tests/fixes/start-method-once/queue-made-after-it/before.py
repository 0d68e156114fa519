import multiprocessing as mp

mp.set_start_method("spawn")
queue = mp.Queue()


def main():
    mp.Process(target=print, args=(queue,)).start()


if __name__ == "__main__":
    main()
