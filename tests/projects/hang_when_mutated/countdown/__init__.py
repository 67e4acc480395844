def steps(number):
    taken = 0
    while number > 0:
        number -= 1
        taken += 1
    return taken
