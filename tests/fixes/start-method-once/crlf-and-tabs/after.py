import multiprocessing as mp

def main():
	print(1)

if __name__ == "__main__":
	mp.set_start_method("spawn", force=True)
	main()
