def snake(name):
    return name.replace(" ", "_").lower()
