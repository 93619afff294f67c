"""Takes more memory than a bot may."""

WASTE = b"x" * (600 * 2**20)


def decide(decision):
    return decision.options[0]
