"""Training of the learned value: `python -m bots.house.training GAME`; needs numpy."""
