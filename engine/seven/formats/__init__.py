"""Text forms of actions, deals and positions."""
