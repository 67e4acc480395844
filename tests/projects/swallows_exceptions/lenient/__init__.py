def to_number(text):
    try:
        return int(text.strip())
    except Exception:
        return 0


def ratio(a, b):
    if b == 0:
        raise ZeroDivisionError("nothing to divide by")
    return a / b
