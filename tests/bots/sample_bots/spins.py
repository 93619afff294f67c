"""Never answers, and prints as fast as it can."""

import os


def decide(decision):
    while True:
        os.write(2, b"\x1b[31mspam " * 5000)
