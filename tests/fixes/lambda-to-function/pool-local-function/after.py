import functools
from multiprocessing import get_context


def _square(offset, n):
    return n * n + offset


def squares(numbers, offset):
    square = functools.partial(_square, offset)

    with get_context("forkserver").Pool(2) as pool:
        return pool.map(square, numbers)


if __name__ == "__main__":
    print(squares([1, 2, 3], offset=1))
