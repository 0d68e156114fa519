from multiprocessing import Process
