"""Where compiled kernels are kept, and what a terminal hears while they are made."""

from __future__ import annotations

import importlib
import os
import pkgutil
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metrologue import folders, jit, kernels

SCORE = "from metrologue.scorers import Bleu; print(Bleu().corpus(['a b c d'], ['a b c d']).value)"


def test_the_folder_is_chosen_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "chosen"))
    assert folders.cache_folder() == tmp_path / "chosen"
    monkeypatch.delenv("METROLOGUE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert folders.cache_folder() == tmp_path / "user" / "metrologue"
    (tmp_path / "file").write_text("a file, where a folder is wanted")
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "file"))
    temporary = folders.cache_folder()
    assert temporary is not None
    assert temporary.name.startswith("metrologue-")
    assert temporary.stat().st_mode & 0o077 == 0  # what lies there is run: it is nobody else's

    def full_disk() -> Path:
        raise OSError("no space")

    monkeypatch.setattr(folders, "_temporary", full_disk)
    with pytest.warns(UserWarning, match="Set METROLOGUE_CACHE"):
        assert folders.cache_folder() is None


@pytest.mark.parametrize("home", ["a folder", "nowhere"])
def test_kernels_run_wherever_home_is(home: str, tmp_path: Path) -> None:
    place = tmp_path / "cache" if home == "a folder" else tmp_path / "file" / "cache"
    (tmp_path / "file").write_text("")
    environment = {**os.environ, "METROLOGUE_CACHE": str(place)}
    done = subprocess.run([sys.executable, "-c", SCORE], env=environment, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "100.0"
    assert done.stderr == ""  # no terminal, no progress
    assert place.is_dir() == (home == "a folder")
    assert not place.is_dir() or list(place.rglob("*.nbi"))


def test_a_change_in_any_file_compiles_again(tmp_path: Path) -> None:
    (tmp_path / "kernels").mkdir()
    for name in ("jit.py", "kernels/one.py", "kernels/other.py"):
        (tmp_path / name).write_text("")
    editions = {jit._edition(tmp_path)}
    for name in ("jit.py", "kernels/one.py"):
        (tmp_path / name).write_text("# changed")
        editions.add(jit._edition(tmp_path))
    assert len(editions) == 3


def test_a_long_compilation_is_told_on_a_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True, raising=False)
    with folders.progress_line("compiling tokenize"):
        pass
    assert capsys.readouterr().err == ""
    with folders.progress_line("compiling tokenize"):
        time.sleep(1.3)
    assert "compiling tokenize; this happens once" in capsys.readouterr().err


def test_a_helper_that_gives_an_array_back_says_so() -> None:
    """The others count no references: such an array would be freed while it is in use."""
    helpers = 0
    for module in pkgutil.iter_modules(kernels.__path__):
        for name, found in vars(importlib.import_module(f"{kernels.__name__}.{module.name}")).items():
            if getattr(found, "targetoptions", {}).get("_nrt") is False:
                helpers += 1
                given = found.py_func.__annotations__["return"]
                assert set(re.findall(r"\w+", given)) <= {"None", "Number", "tuple"}, name
    assert helpers
