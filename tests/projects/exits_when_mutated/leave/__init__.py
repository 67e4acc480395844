import os
import sys


def finish(code):
    if code < 0:
        os._exit(3)
    return code


def leave(code):
    if code < 0:
        sys.exit(code)
    return code


def signalled(code):
    if code < 0:
        os.kill(os.getpid(), 9)
    return code
