"""Never answers."""

import time


def decide(decision):
    time.sleep(600)
