"""Prints a lot, on both streams, with what a terminal would act upon; plays well."""

import sys

from bots.api import Bot


class Talks(Bot):
    def decide(self, decision):
        sys.stdout.write("\x1b]0;title\x07\x1b[2J[bold]loud[/bold] \x9b1m\n" * 3000)
        sys.stderr.write("\x1b[31m[red]louder[/red]\r" * 3000)
        return decision.options[-1]
