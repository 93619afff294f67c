"""Starts a child that does not go by itself, and says which."""

import os
import time

from bots.api import Bot


class Forks(Bot):
    def __init__(self, die: str = "no") -> None:
        self.die = die == "yes"

    def start(self, seating):
        child = os.fork()
        if not child:
            time.sleep(600)
            os._exit(0)
        os.write(2, b"child %d\n" % child)

    def decide(self, decision):
        if self.die:  # the child still holds its pipes
            os._exit(4)
        return decision.options[0]
