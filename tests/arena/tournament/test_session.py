"""How a session begins: its workers get ready while what stores results is imported."""

import subprocess
import sys

LIGHT = "import sys, arena.tournament.session; print({'sqlalchemy', 'numpy'} & set(sys.modules))"


def test_workers_need_not_wait_for_what_stores_results() -> None:
    done = subprocess.run([sys.executable, "-c", LIGHT], capture_output=True, text=True, check=True)
    assert done.stdout == "set()\n"
