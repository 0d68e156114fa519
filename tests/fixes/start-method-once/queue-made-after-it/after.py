import multiprocessing as mp

if __name__ == "__main__":
    mp.set_start_method("spawn", force=True)

queue = mp.Queue()


def main():
    mp.Process(target=print, args=(queue,)).start()


if __name__ == "__main__":
    main()
