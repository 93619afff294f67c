"""Rolls dice in each of the ways there are, by its parameter `how`, at every verb of its life."""

import random
from random import randint

from bots.api import Bot

LOADED = random.random()  # a roll that must not move those of a match


class Rolls(Bot):
    def __init__(self, how: str) -> None:
        self.how = how
        self.first = random.random()

    def start(self, seating):
        self.own = seating.random
        self.first += random.random()
        if self.how == "seed":
            random.seed(int(10 * self.first))

    def place(self, count):
        if self.how == "random":
            return int(count * random.random())
        if self.how == "gauss":  # which keeps a second number for the next call
            return int(abs(random.gauss(0, count))) % count
        if self.how == "seed":
            random.seed(random.randrange(99))
            return random.randrange(count)
        if self.how == "imported":
            return randint(0, count - 1)
        if self.how == "own":
            return self.own.randrange(count)
        assert self.how == "seldom"  # if ever
        return random.randrange(count) if self.own.random() < 0.1 else 0

    def decide(self, decision):
        if self.how == "choice":
            return random.choice(decision.options)
        return decision.options[self.place(len(decision.options))]

    def observe(self, view):
        self.first += random.random()

    def finish(self, outcome):
        self.first += random.random() + self.own.random()
