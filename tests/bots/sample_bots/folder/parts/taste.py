def last(options):
    return options[-1]
