"""Scale features in a pool; the factor comes from the settings."""

import multiprocessing as mp


def main(factor=3):
    def collate(row):
        return row * factor

    with mp.get_context("forkserver").Pool(2) as pool:
        print(sum(pool.map(collate, range(10))))


if __name__ == "__main__":
    main()
