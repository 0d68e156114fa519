import asyncio
from concurrent.futures import ProcessPoolExecutor


def crunch(n: int) -> int:
    return n * n


async def main() -> None:
    loop = asyncio.get_running_loop()
    with ProcessPoolExecutor() as pool:
        print(await loop.run_in_executor(pool, crunch, 3))


asyncio.run(main())
