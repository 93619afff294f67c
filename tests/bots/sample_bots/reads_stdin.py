"""Asks a person."""


def decide(decision):
    return input("which? ")
