def half(number):
    return number // 2
