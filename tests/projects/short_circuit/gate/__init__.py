def allowed(age, member):
    return member or age >= 18


def sign(number):
    if number > 0: return 1
    return -1 if number else 0
