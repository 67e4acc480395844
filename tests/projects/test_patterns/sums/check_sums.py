from sums import add, bench


def check_add():
    assert add(1, 2) == 3


class CheckBench:
    def check_bench(self):
        assert bench(2) == 20
