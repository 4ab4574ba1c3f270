"""Kernels: what their machine code depends on, how they are called, and that nothing compiles needlessly."""

from __future__ import annotations

import importlib
import importlib.util
import os
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import numpy as np
import pytest
from numpy.typing import NDArray

from metrologue import jit, kernels
from metrologue.native import Kernel, helper, kernel
from metrologue.scorers import Bleu, Chrf, EditDistance, Ter

Floats = NDArray[np.float64]
FACTOR = 3


@helper
def times(value, factor):
    return value * factor


@kernel
def scaled(values: Floats, rows: Annotated[NDArray[np.int64], 2], by: int, weight: float, done: Floats) -> int:
    """`done[i] = values[i] * by * weight + sum(rows[:, i])`; returns how many."""
    for i in range(len(values)):
        done[i] = times(values[i], by) * weight
        for k in range(len(rows)):
            done[i] += rows[k, i]
    return len(values) * FACTOR


def all_kernels() -> Iterator[Kernel]:
    for module in pkgutil.iter_modules(kernels.__path__):
        found = importlib.import_module(f"{kernels.__name__}.{module.name}")
        yield from (value for value in vars(found).values() if isinstance(value, Kernel))


def test_a_kernel_takes_numbers_vectors_and_matrices():
    values, rows, done = np.array([1.0, 2.0]), np.array([[1, 2], [3, 4]]), np.empty(2)
    assert scaled(values, rows, 2, 0.5, done) == 6
    assert done.tolist() == [5.0, 8.0]


@pytest.mark.parametrize(
    ("position", "wrong", "complaint"),
    [
        (0, np.zeros(2, np.float32), "float32 of 1 dimensions came for float64 of 1"),
        (0, np.zeros(4)[::2], "contiguous"),
        (1, np.zeros(2, np.int64), "int64 of 1 dimensions came for int64 of 2"),
    ],
)
def test_a_wrong_array_is_refused(position: int, wrong: NDArray[np.generic], complaint: str):
    arguments = [np.zeros(2), np.zeros((1, 2), np.int64), 1, 1.0, np.zeros(2)]
    arguments[position] = wrong
    with pytest.raises(TypeError, match=complaint):
        scaled(*arguments)
    with pytest.raises(ValueError, match="shorter"):
        scaled(np.zeros(2))
    with pytest.raises(TypeError, match="inside kernels only"):
        times(1, 2)


def source(body: str, constant: int = 1, comment: str = "", docstring: str = "") -> str:
    return f"""
from __future__ import annotations
from metrologue.native import helper, kernel
CONSTANT = {constant}
@helper
def inner(x):
    return x + {body}
@kernel
def outer(x: int) -> int:
    {docstring!r}
    {comment}
    return inner(x) * CONSTANT
@kernel
def other(x: int) -> int:
    return x
"""


def keys(text: str, tmp_path: Path) -> tuple[str, str]:
    path = tmp_path / "module.py"
    path.write_text(text)
    spec = importlib.util.spec_from_file_location("module", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    sys.modules["module"] = module
    sys.dont_write_bytecode, before = True, sys.dont_write_bytecode
    try:
        spec.loader.exec_module(module)
    finally:
        sys.dont_write_bytecode = before
    return module.outer.key, module.other.key


def test_the_key_is_what_the_machine_code_depends_on(tmp_path: Path):
    """A helper's code and a constant; not a comment, a docstring, or another kernel of the file."""
    outer, other = keys(source("1"), tmp_path)
    assert keys(source("1", comment="# a comment", docstring="Other words."), tmp_path) == (outer, other)
    for changed in (source("2"), source("1", constant=2)):
        found = keys(changed, tmp_path)
        assert found[0] != outer
        assert found[1] == other


def test_keys_are_the_same_in_every_process():
    code = (
        "from metrologue.kernels import edit, interning, ngrams\n"
        "print(edit._distances.key, interning._find_repeats.key, ngrams._paired_counts.key)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]  # fmt: skip
    assert runs[0] == runs[1]
    assert len(runs[0].split()) == 3


def test_another_processor_or_compiler_is_another_key(monkeypatch: pytest.MonkeyPatch):
    key = scaled.key
    vars(scaled).pop("key")
    monkeypatch.setattr(jit, "_foundation", lambda: ("another processor",))
    assert scaled.key != key
    vars(scaled).pop("key")


SCORE = (
    "import sys\nfrom metrologue.scorers import {scorer}\n"
    "print({scorer}().corpus(['a b c d e'], ['a b c d f']).value)\n"
    "print(*sorted(path.name.partition('-')[0] for path in __import__('pathlib').Path({cache!r}).glob('kernels/*')))\n"
    "print('numba' in sys.modules)"
)


def run(scorer: str, cache: Path, **environment: str) -> tuple[list[str], str]:
    """What a process of its own prints, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", SCORE.format(scorer=scorer, cache=str(cache))],
        env={**os.environ, "METROLOGUE_CACHE": str(cache), **environment},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout.splitlines(), done.stderr


def test_only_what_is_called_compiles_and_only_once(tmp_path: Path):
    (value, compiled, with_numba), said = run("Bleu", tmp_path)
    assert compiled.split() == [
        "interning._enter", "interning._find_repeats", "interning._name", "ngrams._paired_counts",
        "spans.punctuation_spans", "utf8._rows_with",
    ]  # fmt: skip
    assert with_numba == "True"
    assert said.count("\n") <= 1
    before = {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")}
    assert run("Bleu", tmp_path) == ([value, compiled, "False"], "")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.rglob("*")} == before


@pytest.mark.parametrize("damage", ["empty", "cut off", "garbled", "a folder", "not ours"])
def test_a_damaged_file_is_made_anew(damage: str, tmp_path: Path):
    (value, *_), _ = run("EditDistance", tmp_path)
    [path] = tmp_path.glob("kernels/edit._distances-*")
    whole = path.read_bytes()
    path.unlink()
    if damage == "a folder":
        path.mkdir()
    else:
        path.write_bytes(
            {
                "empty": b"", "cut off": whole[:-100], "garbled": whole[:500] + b"\0" + whole[501:],
                "not ours": b"something else altogether, and of some length: more than a head",
            }[damage]
        )  # fmt: skip
    found, said = run("EditDistance", tmp_path)
    assert found[0] == value
    assert "is damaged or cannot be read, so it is made again" in said
    assert "Traceback" not in said
    if damage != "a folder":
        assert path.read_bytes() == whole
    assert not [left for left in path.parent.iterdir() if left.name.startswith(".")]


def test_a_cache_that_can_only_be_read_serves(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    """As a container has it that runs as another user than the one who filled it."""
    (value, compiled, _), _ = run("EditDistance", tmp_path)
    for folder in (tmp_path / "kernels", tmp_path):
        folder.chmod(0o555)
    try:
        assert run("EditDistance", tmp_path) == ([value, compiled, "False"], "")
    finally:
        for folder in (tmp_path, tmp_path / "kernels"):
            folder.chmod(0o755)


def test_where_nothing_can_be_written_kernels_run_all_the_same(tmp_path: Path):
    (tmp_path / "file").write_text("")
    (value, _, with_numba), said = run("EditDistance", tmp_path / "file" / "cache")
    assert value == run("EditDistance", tmp_path)[0][0]
    assert with_numba == "True"
    assert said.count("cannot be written") == 1
    assert "set METROLOGUE_CACHE to a folder that can be written" in said


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
def test_all_kernels_compile_and_stand_alone(number: int):
    """Those that no everyday test calls, too: each makes no array and calls nothing of Python."""
    for found in [*all_kernels()][number::8]:
        assert found.compiled().startswith((b"\x7fELF", b"\xcf\xfa\xed\xfe", b"d\x86"))


BESIDE = """
import numba, numpy as np
from concurrent.futures import ThreadPoolExecutor

@numba.njit
def greatest(x):
    return max(x.sum(), np.arange(3).sum())

assert greatest(np.ones(3)) == 3.0
from metrologue.scorers import Bleu, Chrf, EditDistance, Ter
texts = ["a b c d e"], ["a b c d f"]
with ThreadPoolExecutor(4) as pool:
    print(*pool.map(lambda kind: kind().corpus(*texts).value, (Bleu, Chrf, EditDistance, Ter, Bleu)))
assert greatest(np.ones(7, np.int64)) == 7

@numba.njit
def backwards(x):
    return np.sort(x)[::-1].copy()

assert backwards(np.array([1, 3, 2])).tolist() == [3, 2, 1]
"""


@pytest.mark.slow
@pytest.mark.parametrize("setting", ["", "NUMBA_DISABLE_JIT", "NUMBA_BOUNDSCHECK", "NUMBA_DEBUGINFO"])
def test_others_may_use_numba_and_several_threads_may_compile(setting: str, tmp_path: Path):
    """Kernels compile in several threads at once, beside a user's own functions, and whatever numba is told."""
    environment = {**os.environ, "METROLOGUE_CACHE": str(tmp_path), **({setting: "1"} if setting else {})}
    done = subprocess.run([sys.executable, "-c", BESIDE], env=environment, capture_output=True, text=True, check=True)
    texts = ["a b c d e"], ["a b c d f"]
    assert [*map(float, done.stdout.split())] == [
        kind().corpus(*texts).value for kind in (Bleu, Chrf, EditDistance, Ter, Bleu)
    ]
