from torch.utils.data import DataLoader
from mydata import Images

NUM_WORKERS = 4

if __name__ == "__main__":
	data = Images()

	if True:
		loader = DataLoader(data, num_workers=NUM_WORKERS)
		for batch in loader:
			print(batch)
