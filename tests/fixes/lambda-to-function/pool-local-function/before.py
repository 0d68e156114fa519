from multiprocessing import get_context


def squares(numbers, offset):
    def square(n):
        return n * n + offset

    with get_context("forkserver").Pool(2) as pool:
        return pool.map(square, numbers)


if __name__ == "__main__":
    print(squares([1, 2, 3], offset=1))
