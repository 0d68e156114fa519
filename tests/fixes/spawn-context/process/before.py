import torch.multiprocessing as mp


def work(queue):
    queue.put(1)


if __name__ == "__main__":
    queue = mp.Queue()
    p = mp.Process(target=work, args=(queue,))
    p.start()
    p.join()
