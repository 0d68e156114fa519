
from multiprocessing import Process


def work():
    print("work")


if __name__ == "__main__":
    p = Process(target=work)
    p.start()

    p.join()
