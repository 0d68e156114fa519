import multiprocessing.dummy
from concurrent.futures import ThreadPoolExecutor
from multiprocessing.pool import ThreadPool
from torch.utils.data import DataLoader

loader = DataLoader(data, collate_fn=lambda rows: rows)
same = DataLoader(data, num_workers=0, collate_fn=lambda rows: rows)
with ThreadPool(4) as pool:
    pool.map(lambda x: x + 1, [1])
ThreadPoolExecutor().submit(lambda: 1)
rows = sorted(rows, key=lambda row: row.id)
