from concurrent.futures import ThreadPoolExecutor


def work(number):
    return number * number


def work_all(numbers):
    with ThreadPoolExecutor(2) as executor:
        return list(executor.map(work, numbers))
