def total(name):
    return 1
