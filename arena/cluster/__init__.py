"""Matches on several machines: Dask hands them out, the bots travel, results are stored here."""
