import multiprocessing as mp
mp.set_start_method("spawn")

def main():
	print(1)

if __name__ == "__main__":
	main()
