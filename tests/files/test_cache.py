"""Where things are kept that are made once, and what is said about it."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path
from typing import BinaryIO

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


def test_a_file_under_another_name_is_made_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    cache.kept("a/one", lambda: b"one")
    cache.kept("a/two", lambda: b"two")
    (tmp_path / "a" / "two").write_bytes((tmp_path / "a" / "one").read_bytes())
    assert bytes(cache.kept("a/two", lambda: b"two")) == b"two"
    assert "two is damaged" in capsys.readouterr().err


PERMISSIONS = pytest.mark.skipif(not hasattr(os, "geteuid"), reason="permissions do not apply here")
ROOT = pytest.mark.skipif(
    not hasattr(os, "geteuid") or os.geteuid() != 0, reason="only root gives files to other users"
)
OTHER = 65534


@pytest.fixture
def no_umask():
    before = os.umask(0)
    yield
    os.umask(before)


def read(file: BinaryIO) -> bytes | None:
    content = file.read()
    return content if content == b"content" else None


def long_file(name: str) -> bytes:
    return cache.kept_file(name, lambda path: path.write_bytes(b"content"), read)


@PERMISSIONS
@pytest.mark.usefixtures("no_umask")
def test_nobody_else_may_write(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "user" / "cache"))
    cache.kept("kernels/deep/a", lambda: b"content")
    long_file("tables/b")
    modes = {str(path.relative_to(tmp_path)): path.stat().st_mode & 0o777 for path in tmp_path.rglob("*")}
    folders = {name: mode for name, mode in modes.items() if (tmp_path / name).is_dir()}
    assert folders == dict.fromkeys(
        ("user", "user/cache", "user/cache/kernels", "user/cache/kernels/deep", "user/cache/tables"), 0o700
    )
    assert {mode for name, mode in modes.items() if name not in folders} == {0o644}


@PERMISSIONS
def test_readers_of_the_folder_may_read_what_is_in_it(tmp_path: Path):
    """A folder that root has made for all and fills."""
    tmp_path.chmod(0o755)
    cache.kept("kernels/a", lambda: b"content")
    assert (tmp_path / "kernels").stat().st_mode & 0o777 == 0o755
    for path in (tmp_path / "kernels" / "a", tmp_path / "kernels", tmp_path):
        path.chmod(path.stat().st_mode & 0o555)
    assert bytes(cache.kept("kernels/a", never)) == b"content"


@PERMISSIONS
@pytest.mark.parametrize("place", ["", "kernels", "kernels/deep"])
@pytest.mark.parametrize("mode", [0o777, 0o770, 0o707, 0o1777])
def test_a_folder_that_others_can_write_is_not_used(
    place: str, mode: int, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
):
    monkeypatch.setattr(cache, "_made", {})
    cache.kept("kernels/deep/a", lambda: b"planted")
    (tmp_path / place).chmod(mode)
    for _ in range(2):
        assert bytes(cache.kept("kernels/deep/a", lambda: b"own")) == b"own"
        assert long_file("kernels/deep/b") == b"content"
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert f"{tmp_path / place} can be written by other users, so nothing in it is used".replace("/ ", " ") in said
    assert [path.name for path in (tmp_path / "kernels" / "deep").iterdir()] == ["a"]
    (tmp_path / place).chmod(0o700)
    assert bytes(cache.kept("kernels/deep/a", never)) == b"planted"


@ROOT
@pytest.mark.parametrize("place", ["", "kernels"])
def test_a_folder_of_another_user_is_not_used(place: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]):
    cache.kept("kernels/a", lambda: b"planted")
    os.chown(tmp_path / place, OTHER, OTHER)
    assert bytes(cache.kept("kernels/a", lambda: b"own")) == b"own"
    assert capsys.readouterr().err.count("belongs to another user, so nothing in it is used") == 1


@PERMISSIONS
@pytest.mark.parametrize("change", [pytest.param("owner", marks=ROOT), "group", "others"])
def test_a_file_that_others_own_or_can_write_is_made_anew(
    change: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
):
    cache.kept("a", lambda: b"planted")
    long_file("b")
    for path in (tmp_path / "a", tmp_path / "b"):
        if change == "owner":
            os.chown(path, OTHER, OTHER)
        else:
            path.chmod(0o664 if change == "group" else 0o646)
    assert bytes(cache.kept("a", lambda: b"own")) == b"own"
    assert long_file("b") == b"content"
    assert capsys.readouterr().err.count("so it is not used, but made again") == 2
    assert bytes(cache.kept("a", never)) == b"own"
    assert {path.stat().st_mode & 0o777 for path in tmp_path.iterdir()} == {0o644}
    assert {path.stat().st_uid for path in tmp_path.iterdir()} == {os.geteuid()}


@ROOT
def test_what_root_has_made_is_used(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    cache.kept("kernels/a", lambda: b"content")
    monkeypatch.setattr(os, "geteuid", lambda: OTHER)
    assert bytes(cache.kept("kernels/a", never)) == b"content"


@PERMISSIONS
def test_what_an_interrupted_process_left_goes_after_a_day(tmp_path: Path):
    left, of_another = tmp_path / f".a.{os.getpid()}.1234", tmp_path / f".a.{os.getpid()}.5678"
    for path in (left, of_another):
        path.write_bytes(b"half")
        path.chmod(0o666)
    os.utime(left, (time.time() - 2 * 86_400,) * 2)
    cache.kept("a", lambda: b"content")
    assert of_another.read_bytes() == b"half"  # a process may still be writing it
    of_another.unlink()
    assert bytes(cache.kept("a", never)) == b"content"
    assert [path.stat().st_mode & 0o777 for path in tmp_path.iterdir()] == [0o644]


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
    monkeypatch.delenv("METROLOGUE_CACHE")
    monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
    monkeypatch.setattr(sys, "platform", "linux")
    monkeypatch.setattr(os.path, "expanduser", str)  # which leaves a path as it is where it finds no home
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
    with cache.told_if_long("compiling one"):
        pass
    assert capsys.readouterr().err == ""
    monkeypatch.setattr(cache, "_PATIENCE", 0.1)
    for name in ("two", "three", "four"):
        with cache.told_if_long(f"compiling {name}"):
            time.sleep(0.07)  # or longer, on a busy machine: then it is an earlier one that is told
    told = capsys.readouterr().err
    assert re.fullmatch("metrologue: compiling (two|three); this happens once on a machine.\n", told)


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
