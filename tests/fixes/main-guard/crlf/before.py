
from multiprocessing import Process


def work():
    print("work")


p = Process(target=work)
p.start()

p.join()
