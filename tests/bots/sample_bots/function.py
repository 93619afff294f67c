"""A plain function."""

import random


def decide(decision):
    return random.choice(decision.options)
