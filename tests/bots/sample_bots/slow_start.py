"""Takes its time to be imported, then plays well."""

import time

time.sleep(0.5)


def decide(decision):
    return decision.options[0]
