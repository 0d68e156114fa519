import multiprocessing as mp


async def launch(kind):
    if kind:
        def target(): print("working")
    mp.Process(target=target).start()
