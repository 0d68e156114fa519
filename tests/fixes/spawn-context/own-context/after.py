import multiprocessing
from multiprocessing import Queue

ctx = multiprocessing.get_context('spawn')


if __name__ == '__main__':
    queue = ctx.Queue()
    p = ctx.Process(target=work, args=(queue,))
