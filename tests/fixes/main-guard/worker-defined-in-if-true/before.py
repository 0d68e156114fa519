from multiprocessing import Process

if True:
    def work():
        print("working")

    Process(target=work).start()
