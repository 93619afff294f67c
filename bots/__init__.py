"""Bots decide: programs that answer the questions the engine asks."""
