def day():
    return 24 * 60


def week(days=7):
    return day() * days
