def main():
    train()


if __name__ == "__main__":
    main()
