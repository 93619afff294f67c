"""Leaves a mark where it is told to, if any of its code runs."""

import os
from pathlib import Path

Path(os.environ["MARK"]).write_text("was here", encoding="utf-8")


def decide(decision):
    return decision.options[0]
