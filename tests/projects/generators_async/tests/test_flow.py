import asyncio

from flow import add, chained, numbers, stream


def test_numbers():
    assert list(numbers(3)) == [0, 1, 2]


def test_chained():
    assert list(chained(2)) == [0, 1, -1]


def test_add():
    assert asyncio.run(add(1, 2)) == 3


def test_stream():
    async def collect():
        return [number async for number in stream(3)]

    assert asyncio.run(collect()) == [0, 2, 4]
