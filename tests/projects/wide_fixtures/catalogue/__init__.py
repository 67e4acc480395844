def build(rows):
    table = {}
    for name, price in rows:
        table[name] = price * 2
    return table


def label(name):
    return name.title()
