import threading

_stop = threading.Event()
_thread = threading.Thread(target=_stop.wait, daemon=True)
_thread.start()


def alive():
    return _thread.is_alive()


def add(a, b):
    return a + b
