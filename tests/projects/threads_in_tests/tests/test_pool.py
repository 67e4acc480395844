from threading import Thread

from pool import work, work_all


def test_pool():
    assert work_all([1, 2, 3]) == [1, 4, 9]


def test_thread():
    results = []
    thread = Thread(target=lambda: results.append(work(3)))
    thread.start()
    thread.join()
    assert results == [9]
