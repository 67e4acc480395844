import threading

from summing import total


def test_in_threads():
    results, errors = [], []

    def work():
        try:
            results.append(total([1, 2]))
        except Exception as error:
            errors.append(error)

    threads = [threading.Thread(target=work) for _ in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not errors
    assert results == [3] * 10
