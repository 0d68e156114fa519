import multiprocessing as mp

manager = mp.Manager()
scores = manager.dict()


def work(i):
    scores[i] = i


ps = [mp.Process(target=work, args=(i,)) for i in range(4)]
for p in ps:
    p.start()
