"""What a container shows of the machine."""

import os
from pathlib import Path
from typing import Any

import pytest

from bots.discovery.manifest import Manifest, Source
from bots.sandbox import visible_paths


def test_a_library_in_a_folder_that_may_not_be_entered_is_not_shown(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """As where an interpreter was copied out of somebody else's home."""
    stat = os.stat

    def locked(path: Any, **options: Any) -> os.stat_result:
        if str(path).startswith("/locked/"):
            raise PermissionError(13, "Permission denied")
        return stat(path, **options)

    monkeypatch.setattr(visible_paths, "library_path", lambda: "/locked/lib")
    monkeypatch.setattr(os, "stat", locked)
    shown = visible_paths.for_python(Manifest("", "", Source.HOUSE, ""))
    assert not [path for path in shown.shown if Path(path).is_relative_to("/locked")]
