import asyncio


def numbers(limit):
    for number in range(limit):
        yield number


def chained(limit):
    yield from numbers(limit)
    yield -1


async def add(a, b):
    await asyncio.sleep(0)
    return a + b


async def stream(limit):
    for number in range(limit):
        yield number * 2
