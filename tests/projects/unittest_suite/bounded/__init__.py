"""A stack with a limit."""


class Stack:
    def __init__(self, limit):
        self._items = []
        self._limit = limit

    def push(self, item):
        if len(self._items) >= self._limit:
            raise OverflowError("the stack is full")
        self._items.append(item)

    def pop(self):
        return self._items.pop()

    def __len__(self):
        return len(self._items)
