"""Prints what a terminal would act upon, then fails."""

import sys


def decide(decision):
    sys.stdout.write("\x1b[2Jlast words \x9b1m [bold]loud[/bold]\n")
    raise ValueError("\x1b[31m[red]the end\x1b[0m")
