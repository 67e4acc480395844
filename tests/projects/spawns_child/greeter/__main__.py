import sys

from greeter.core import greet


def main(arguments):
    print(greet(arguments[0]))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
