import multiprocessing as mp


def target(): print("working")


async def launch(kind):
    if kind:
        pass
    mp.Process(target=target).start()
