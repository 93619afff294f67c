"""The command `arena`, also as `python -m arena`."""


def main() -> None:
    """Run the command; every worker process imports this file again, and needs none of it."""
    from arena.cli import main as run_command

    run_command()


if __name__ == "__main__":
    main()
