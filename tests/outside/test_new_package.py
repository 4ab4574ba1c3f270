"""``python -m metrologue.author new``: what it makes passes its tests, and what it refuses is left as it was."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from metrologue.author.package import new_package
from metrologue.errors import InputError


def contents(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_a_new_package_passes_its_tests(tmp_path: Path) -> None:
    folder = tmp_path / "word-share"
    command = [sys.executable, "-m", "metrologue.author", "new", "word_share", str(folder)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert {*map(Path, done.stdout.splitlines())} == {*contents(folder)}
    assert not [path for path, text in contents(folder).items() if b"etric_name" in text or b"NAME" in text]
    # As an installer leaves it.
    facts = folder / "src" / "word_share-0.1.dist-info"
    facts.mkdir()
    (facts / "METADATA").write_text("Metadata-Version: 2.1\nName: word-share\nVersion: 0.1\n")
    (facts / "entry_points.txt").write_text("[metrologue.metrics]\nword_share = word_share:WordShare\n")
    environment = {**os.environ, "PYTHONPATH": str(folder / "src")}
    tests = ["-m", "pytest", "-q", "-p", "no:cacheprovider", "--doctest-modules", "src", "tests"]
    done = subprocess.run([sys.executable, *tests], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout
    scored = [
        sys.executable,
        "-c",
        "import metrologue; print(metrologue.score('word_share', ['a b'], ['a']).signature)",
    ]
    done = subprocess.run(scored, cwd=tmp_path, env=environment, capture_output=True, text=True, check=True)
    assert "|package=word-share-0.1|" in done.stdout
    again = subprocess.run(command, capture_output=True, text=True)
    assert (again.returncode, again.stdout) == (2, "")
    assert "which is there and holds something" in again.stderr


@pytest.mark.parametrize("name", ["", "Share", "2gram", "a__b", "a_", "../share", "lambda", "a\n", "bleu"])
def test_a_name_that_is_refused_makes_nothing(name: str, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"^new: NAME is "):
        new_package(name, tmp_path / "made")
    assert [*tmp_path.iterdir()] == []


def test_a_run_that_ends_midway_leaves_nothing_and_can_be_run_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = Path.write_text

    def full(self: Path, text: str, *arguments: Any) -> int:
        if self.suffix == ".bib":
            raise OSError("no space left")
        return written(self, text, *arguments)

    with monkeypatch.context() as patched:
        patched.setattr(Path, "write_text", full)
        with pytest.raises(OSError, match="no space left"):
            new_package("share", tmp_path / "made")
    assert [*tmp_path.iterdir()] == []
    (tmp_path / "made").mkdir()  # an empty folder is as good as none
    assert all(path.is_file() for path in new_package("share", tmp_path / "made"))
