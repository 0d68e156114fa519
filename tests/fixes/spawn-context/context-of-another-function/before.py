import multiprocessing as mp

queue = mp.Queue()


def main():
    ctx = mp.get_context("spawn")
    ctx.Process(target=work, args=(queue,)).start()
