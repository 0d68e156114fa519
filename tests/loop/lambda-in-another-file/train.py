"""Train on what another process prepares."""

import data


def main():
    results = data.ctx.Queue()
    worker = data.make_worker([1, 2, 3], results)
    worker.start()
    print("total", results.get(timeout=60))
    worker.join()


if __name__ == "__main__":
    main()
