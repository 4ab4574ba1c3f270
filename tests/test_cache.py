"""Where things are kept that are made once, and what is said about it."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from metrologue import cache


@pytest.fixture(autouse=True)
def fresh(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path))
    monkeypatch.setattr(cache, "_said", set())
    monkeypatch.setattr(cache, "_spent", 0.0)


def never() -> bytes:
    raise AssertionError("made again")


def test_the_folder_is_chosen_in_order(monkeypatch: pytest.MonkeyPatch, tmp_path: Path):
    assert cache.cache_folder() == tmp_path
    monkeypatch.delenv("METROLOGUE_CACHE")
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "user"))
    assert cache.cache_folder() == tmp_path / "user" / "metrologue"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    assert cache.cache_folder() == tmp_path / "home" / ".cache" / "metrologue"


def test_what_was_made_is_kept(capsys: pytest.CaptureFixture[str]):
    assert bytes(cache.kept("a/b", lambda: b"content")) == b"content"
    assert bytes(cache.kept("a/b", never)) == b"content"
    assert bytes(cache.kept("a/nothing", lambda: b"")) == b""
    assert bytes(cache.kept("a/nothing", never)) == b""
    assert capsys.readouterr().err == ""


def test_a_file_without_its_digest_is_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    cache.kept("a", lambda: b"content")
    whole = (tmp_path / "a").read_bytes()
    for damaged in (b"", whole[:30], whole[:-1], whole + b"x", whole.replace(b"content", b"contest")):
        (tmp_path / "a").write_bytes(damaged)
        assert bytes(cache.kept("a", lambda: b"content")) == b"content"
        assert (tmp_path / "a").read_bytes() == whole
    assert capsys.readouterr().err.count("made again") == 1  # once for each file


def test_a_full_disk_is_said_once(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def full(*arguments: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", full)
    for name in ("a", "b"):
        assert bytes(cache.kept(name, lambda: b"content")) == b"content"
    assert [*tmp_path.iterdir()] == []
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "cannot be written (No space left on device)" in said


def test_without_a_home_nothing_is_kept(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
    def homeless() -> Path:
        raise RuntimeError("Could not determine home directory.")

    monkeypatch.delenv("METROLOGUE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(Path, "home", homeless)
    for _ in range(2):
        assert bytes(cache.kept("a", lambda: b"content")) == b"content"
    assert capsys.readouterr().err.count("set METROLOGUE_CACHE to a folder") == 1


def test_what_nobody_uses_goes(tmp_path: Path):
    names = ("k/unused", "k/used", "k/.left")
    for name in names:
        cache.kept(name, lambda: b"content")
    for name in names:
        os.utime(tmp_path / name, (0, 0))
    cache.kept("k/used", never)
    cache.kept("k/new", lambda: b"content")
    assert {path.name for path in (tmp_path / "k").iterdir()} == {"used", "new"}


def test_long_work_is_told_and_short_work_is_not(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Terminal or not; once in a process, also where many short pieces of work add up."""
    monkeypatch.setattr(cache, "_PATIENCE", 0.3)
    with cache.told_if_long("compiling one"):
        pass
    assert capsys.readouterr().err == ""
    for name in ("two", "three", "four"):
        with cache.told_if_long(f"compiling {name}"):
            time.sleep(0.2)
    assert capsys.readouterr().err == "metrologue: compiling three; this happens once on a machine.\n"


FORK = """
import os, sys
from metrologue.cache import temporary_folder
folder = temporary_folder("test")
child = os.fork()
if child == 0:
    sys.exit(0)  # a normal end, with all that is registered for it
os.waitpid(child, 0)
print(folder.exists(), folder)
"""


def test_a_temporary_folder_is_its_process_own(tmp_path: Path):
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    with subprocess.Popen([sys.executable, "-c", ""]) as ended:
        pass
    old, young, used, others = (
        tmp_path / f"metrologue-test-{name}"
        for name in (f"{ended.pid}-old", f"{ended.pid}-young", f"{os.getpid()}-used", "of-others")
    )
    for folder in (old, young, used, others):
        folder.mkdir()
    for folder in (old, used, others):  # the first was left by a process that was killed
        os.utime(folder, (0, 0))
    done = subprocess.run([sys.executable, "-c", FORK], env=environment, capture_output=True, text=True, check=True)
    there, folder = done.stdout.split()
    assert there == "True"
    assert not Path(folder).exists()
    assert {*tmp_path.iterdir()} == {young, used, others}
