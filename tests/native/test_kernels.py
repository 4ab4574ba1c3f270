"""Kernels: what their machine code depends on, how they are called, and that nothing compiles needlessly."""

from __future__ import annotations

import importlib.util
import io
import math
import os
import pickle
import re
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated, NamedTuple

import numpy as np
import pytest
from growth import takes_less
from numpy.typing import NDArray

import metrologue
from metrologue.data.arrays import Floats
from metrologue.kernels.build import all_kernels
from metrologue.native import Kernel, arrays, helper, kernel, library, python
from metrologue.native.declared import Part
from metrologue.native.key import constants
from metrologue.native.library import Library, missing_features, path_of_library
from metrologue.native.modules import modules
from metrologue.native.processes import compiled, told
from metrologue.native.targets import C_MATH, TARGETS, this_machine
from metrologue.origin import pip_install
from metrologue.scorers import Bleu, Chrf, EditDistance, Ter
from metrologue.scorers.core.kernels import hashing

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
        (0, np.zeros(2, ">f8"), ">f8 of 1"),
        (0, [0.0, 0.0], "list came for an array"),
        (0, None, "NoneType came for an array"),
        (0, 2.0, "float came for an array"),
        (4, object(), "object came for an array"),
        (2, 1.5, "argument 3"),
        (3, "1", "argument 4"),
    ],
)
def test_a_wrong_array_is_refused(position: int, wrong: NDArray[np.generic], complaint: str):
    arguments = [np.zeros(2), np.zeros((1, 2), np.int64), 1, 1.0, np.zeros(2)]
    arguments[position] = wrong
    with pytest.raises(TypeError, match=complaint):
        scaled(*arguments)
    with pytest.raises(TypeError, match="1 arguments came for 5"):
        scaled(np.zeros(2))
    with pytest.raises(TypeError, match="inside kernels only"):
        times(1, 2)


@kernel
def moved(values: Floats, rows: Annotated[NDArray[np.int64], 2], done: Annotated[NDArray[np.bool_], 2]) -> int:
    """Every way in which kernels read and write items."""
    row, part = rows[-1], values[1:-1]
    values[-1] = part[0] + rows[0, -1]
    values[np.uint64(0)] = row[len(row) - 1]
    part[1:] = 0.5
    for i in range(len(rows)):
        for k in range(rows.shape[1]):
            done[i, k - rows.shape[1]] = rows[i][k] > 2
    rows[1, :] = 7
    return len(part) + len(done)


def test_items_are_those_that_python_reads_and_writes():
    start = np.array([1.0, 2.0, 3.0, 4.0, 5.0]), np.array([[1, 2, 3], [4, 5, 0]]), np.zeros((2, 3), np.bool_)
    ours, theirs = ([each.copy() for each in start] for _ in range(2))
    assert moved(*ours) == moved.function(*theirs) == 5
    for one, other, before in zip(ours, theirs, start, strict=True):
        assert one.tolist() == other.tolist() != before.tolist()


class Line(NamedTuple):
    slope: float
    places: NDArray[np.int64]
    first: int


@kernel
def heights(scale: float, line: Line, done: Floats) -> None:
    for i in range(len(done)):
        done[i] = scale * line.slope * (line.places[i] - line.first)


def test_a_kernel_gets_a_named_tuple_of_which_a_call_passes_the_fields():
    heights(2.0, *Line(0.5, np.array([3, 7]), 1), done := np.empty(2))
    assert done.tolist() == [2.0, 6.0]
    with pytest.raises(TypeError, match="4 arguments came for 5"):
        heights(2.0, 0.5, np.array([3, 7]), done)


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


def test_a_file_that_was_edited_after_its_import_is_told(tmp_path: Path):
    """Otherwise the code of the old source would be kept under the key of the new one."""
    path = tmp_path / "module.py"
    path.write_text(source("1"))
    spec = importlib.util.spec_from_file_location("module", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    path.write_text(source("2 * 3"))
    with pytest.raises(RuntimeError, match="changed since it was imported"):
        print(module.outer.key)


def test_keys_are_the_same_in_every_process():
    code = (
        "from metrologue.kernels import interning\n"
        "from metrologue.scorers.core.kernels import ngrams\n"
        "from metrologue.scorers.families.kernels import edit\n"
        "print(edit._distances.key, interning._find_repeats.key, ngrams._paired_counts.key)"
    )
    runs = [
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    ]
    assert runs[0] == runs[1]
    assert len(runs[0].split()) == 3


def test_unusual_arrays_are_passed_too():
    """Machine code reads arrays of NumPy's own type only; others that are right come as imitations."""

    class Mine(np.ndarray):
        pass

    rows, done = np.array([[1, 2], [3, 4]]), np.empty(2)
    for values in (np.array([1.0, 2.0]).view(Mine), pickle.loads(pickle.dumps(np.array([1.0, 2.0])))):
        assert scaled(values, rows.view(np.longlong), 2, 0.5, done) == 6
        assert done.tolist() == [5.0, 8.0]
    assert scaled(np.zeros(0), np.zeros((2, 0), np.int64), 1, 1.0, np.zeros(0)) == 0


def test_all_arrays_can_be_imitations(monkeypatch: pytest.MonkeyPatch):
    """As in an interpreter that keeps arrays in another way."""
    monkeypatch.setattr(arrays, "is_plain", lambda value: False)
    _, refusal = scaled._loaded
    monkeypatch.setitem(vars(scaled), "_loaded", (lambda *values: refusal, refusal))
    done = np.empty(2)
    assert scaled(np.array([1.0, 2.0]), np.array([[1, 2], [3, 4]]), 2, 0.5, done) == 6
    assert done.tolist() == [5.0, 8.0]


def test_ctypes_calls_kernels_where_python_cannot(monkeypatch: pytest.MonkeyPatch):
    """As in an interpreter that is not CPython: with the same results and the same refusals."""
    monkeypatch.setattr(python, "IS_DIRECT", False)
    monkeypatch.delitem(vars(scaled), "_loaded", raising=False)
    assert "CFunction" in type(scaled._loaded[0]).__name__
    test_a_kernel_takes_numbers_vectors_and_matrices()
    test_a_wrong_array_is_refused(0, np.zeros(2, np.float32), "float32 of 1 dimensions came for float64 of 1")
    test_a_wrong_array_is_refused(2, 1.5, "argument 3")
    monkeypatch.delitem(vars(scaled), "_loaded")


@kernel
def mixed(one: int, other: np.uint64, third: float, values: Floats, last: int) -> float:
    return one + other + third + values[0] + last


def test_numbers_of_all_kinds_are_converted():
    """-1 is also what a function of Python gives if a number cannot be converted."""
    assert mixed(-1, np.uint64(2), -1.0, np.array([0.5]), True) == 1.5
    assert mixed(np.int64(-1), 2, 1, np.array([0.5]), np.int32(-1)) == 1.5
    assert least(np.uint64(1 << 63)) == -(1 << 63)  # as in C
    for at, wrong in enumerate((None, "1", None, 2.0, 1.0)):
        arguments = [1, 2, 3.0, np.zeros(1), 4]
        arguments[at] = wrong
        with pytest.raises(TypeError, match=f"argument {at + 1} is|came for an array"):
            mixed(*arguments)
    with pytest.raises(TypeError, match="6 arguments came for 5"):
        mixed(1, 2, 3.0, np.zeros(1), 4, 5)


def test_a_kernel_lets_other_threads_run():
    """It gives the interpreter's lock back while it runs. Nothing else does so here for a long time."""
    counted, stop = [0], threading.Event()

    def count() -> None:
        while not stop.is_set():
            counted[0] += 1
            time.sleep(0)  # gives the lock back

    values, rows = np.zeros(1 << 21), np.zeros((20, 1 << 21), np.int64)
    thread = threading.Thread(target=count)
    before = sys.getswitchinterval()
    try:
        thread.start()
        sys.setswitchinterval(100)
        first = counted[0]
        scaled(values, rows, 1, 1.0, values)
        assert counted[0] > first
    finally:
        sys.setswitchinterval(before)
        stop.set()
        thread.join()


@kernel
def least(value: int) -> int:
    return value


@kernel
def same(values: Floats) -> float:
    return values[0]


def test_a_result_that_looks_like_a_refusal_is_a_result():
    assert least(-(1 << 63)) == -(1 << 63)
    assert np.isnan(same(np.array([np.nan])))
    assert same(np.array([2.5])) == 2.5


def test_a_call_costs_microseconds():
    """With eight arguments: 0.25 were measured, five times what a function of Python takes that does nothing."""
    arguments = (
        np.zeros(0, np.int32),
        np.zeros(1, np.int64),
        np.zeros((0, 2), np.uint64),
        np.ones(2, np.uint64),
        np.zeros((1, 3), np.uint64),
        np.zeros(1),
        0.0,
        np.zeros((1, 1)),
    )

    def calls(function):
        return lambda: [function(*arguments) for _ in range(50_000)]

    assert takes_less(calls(hashing._look_up), calls(lambda *given: given), 20)


def test_the_description_of_a_kernel_outlives_its_module():
    """At the end, Python empties modules, then frees the functions that something else holds. It still reads these."""
    code = (
        "import gc, numpy as np\n"
        "from metrologue.kernels import sums\n"
        "from metrologue.native import python\n"
        "sums.ratios(np.ones(1), np.ones(1), 0.0)\n"
        "run, _ = sums._ratios._loaded\n"
        "vars(python).clear()\n"
        "gc.collect()\n"
        "assert run.__name__ == 'sums._ratios'\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True)


ROOT = Path(metrologue.__path__[0])


def files_of_kernels() -> Iterator[Path]:
    """Every file of the package that makes a kernel or a part of one, by what it imports."""
    makes = re.compile(r"^from metrologue\.native import .*\b(helper|kernel|instruction)\b", re.MULTILINE)
    return (path for path in ROOT.rglob("*.py") if makes.search(path.read_text("utf-8")))


def test_a_kernel_that_one_room_calls_is_in_that_room():
    """A file of the room `kernels` is called by two rooms at least, by some through other files of `kernels`."""
    callers: dict[str, set[str]] = {path.stem: set() for path in ROOT.glob("kernels/[a-z]*.py")}
    for path in ROOT.glob("*/**/*.py"):
        room, *_, name = path.relative_to(ROOT).with_suffix("").parts
        for called in re.findall(r"^\s*from metrologue\.kernels\.(\w+) import", path.read_text("utf-8"), re.MULTILINE):
            callers[called].add(f".{name}" if room == "kernels" else room)
    del callers["build"]
    for _ in callers:  # as often as the longest way from one file to another can be
        for name, own in callers.items():
            callers[name] = own.union(*(callers[each[1:]] for each in own if each[0] == "."))
    rooms = {name: {each for each in own if each[0] != "."} for name, own in callers.items()}
    assert len(rooms) > 5
    assert {name: own for name, own in rooms.items() if len(own) < 2} == {}


def test_kernels_have_names_of_their_own():
    names = [kernel.name for kernel in all_kernels()]
    assert len({*names}) == len(names) > len(modules())
    assert len({*modules().values()}) == len(modules()) == len([*files_of_kernels()])
    assert "edit._distances" in names
    assert "edit_distance._distance_rows" in names


def test_kernels_have_no_constant_that_depends_on_the_machine_that_builds():
    """Only numbers, their tables, and names of NumPy and ``math``. Other tables, such as Unicode's, are arguments."""
    found = {(kernel.name, name): value for kernel in all_kernels() for name, value in constants(kernel.function)}
    allowed = int | float | np.generic | np.ndarray | Part
    for where, value in found.items():
        known = isinstance(value, allowed) or value in (math, np) or isinstance(value, type)
        assert known or getattr(math, value.__name__) is value, where
    tables = {where[1] for where, value in found.items() if isinstance(value, np.ndarray)}
    assert tables == {"_FIRST_BYTES", "_FARTHEST"}  # powers of two; floors of e^n, far from the next integer


def other_pythons() -> Iterator[str]:
    """Other versions of Python on this machine that have NumPy."""
    for minor in (11, 12, 13, 14):
        path = shutil.which(f"python3.{minor}")
        if path and minor != sys.version_info.minor:
            yield path


def test_other_versions_of_python_give_the_same_keys(root: Path):
    """NumPy comes from wherever the other Python has it; without one, nothing is compared."""
    code = "from metrologue.kernels.build import all_kernels\nprint(*(f'{k.name}={k.key}' for k in all_kernels()))"
    ours = {f"{kernel.name}={kernel.key}" for kernel in all_kernels()}
    compared = 0
    for other in other_pythons():
        environment = {**os.environ, "PYTHONPATH": str(root / "src")}
        done = subprocess.run([other, "-c", code], env=environment, cwd=root, capture_output=True, text=True)
        if done.returncode == 0:
            assert {*done.stdout.split()} == ours
            compared += 1
    if not compared:
        pytest.skip("no other Python with NumPy")


def test_the_library_has_every_kernel():
    found = library.library(path_of_library())
    assert isinstance(found, Library), found
    assert set(found.keys) >= {kernel.name for kernel in all_kernels()} - edited()


def edited() -> set[str]:
    """Kernels that were edited since the library was built."""
    found = library.library(path_of_library())
    assert isinstance(found, Library), found
    return {kernel.name for kernel in all_kernels() if not found.has(kernel)}


SCORE = (
    "import sys\nfrom metrologue.scorers import {scorer}\n"
    "print({scorer}().corpus(['a b c d e'], ['a b c d f']).value)\n"
    "print('numba' in sys.modules, 'llvmlite' in sys.modules)"
)


def run(scorer: str, cache: Path, before: str = "", check: bool = True) -> tuple[list[str], str]:
    """What a process of its own prints, and what it says."""
    done = subprocess.run(
        [sys.executable, "-c", before + SCORE.format(scorer=scorer)],
        env={**os.environ, "METROLOGUE_CACHE": str(cache)},
        capture_output=True,
        text=True,
        check=check,
    )
    return done.stdout.splitlines(), done.stderr


def test_the_library_runs_without_a_compiler_and_a_cache(tmp_path: Path):
    if edited():
        pytest.skip("kernels were edited since the library was built")
    for scorer in ("Bleu", "Chrf", "EditDistance"):
        (_, imported), said = run(scorer, tmp_path / "cache", "import sys; sys.modules['numba'] = None\n")
        assert imported == "True False"  # None stands for it
        assert said == ""
    assert not (tmp_path / "cache").exists()


WITHOUT = (
    "from metrologue.native import library\nfrom pathlib import Path\n"
    "library.path_of_library = lambda: Path('nowhere')\n"
)


def test_without_a_library_what_is_called_compiles_and_only_once(tmp_path: Path):
    (value, imported), said = run("EditDistance", tmp_path, WITHOUT)
    assert imported == "True True"
    assert said.count("\n") <= 1
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("kernels/*")}
    assert "edit._distances" in {path.name.partition("-")[0] for path in before}
    assert run("EditDistance", tmp_path, WITHOUT) == ([value, "False True"], "")
    assert {path: path.stat().st_mtime_ns for path in tmp_path.glob("kernels/*")} == before
    assert run("EditDistance", tmp_path)[0][0] == value


def test_without_a_library_and_a_compiler_one_line_says_what_to_install(tmp_path: Path):
    lacking = "import sys; sys.modules['llvmlite'] = None\n"
    _, said = run("EditDistance", tmp_path, WITHOUT + lacking, check=False)
    assert said.splitlines()[-1].startswith("ImportError: kernel ")
    assert said.endswith(
        f": this package was installed without a library of kernels; `{pip_install('kernels')}` installs the "
        "compiler that makes it.\n"
    )


def test_a_processor_that_lacks_instructions_is_refused_with_a_sentence(monkeypatch: pytest.MonkeyPatch):
    assert missing_features(-1) == []
    assert missing_features(0b1001) == ["SSSE3", "CMPXCHG16B", "SSE4.1", "SSE4.2", "POPCNT"]
    monkeypatch.setattr(library, "missing_features", lambda word: ["SSE4.2", "POPCNT"])
    library.library.cache_clear()
    try:
        said = library.library(path_of_library())
    finally:
        library.library.cache_clear()
    assert said == "the library of kernels is made for x86-64-v2, and this processor lacks SSE4.2, POPCNT"


def test_a_damaged_library_is_not_used(tmp_path: Path):
    path = tmp_path / "kernels.so"
    path.write_bytes(b"no library")
    said = library.library(path)
    assert isinstance(said, str)
    assert "cannot be loaded" in said


def test_a_library_of_an_older_version_is_not_used(monkeypatch: pytest.MonkeyPatch):
    """It has a manifest, but lacks a table. Kernels are compiled then, as without a library."""

    class Missing:
        @classmethod
        def in_dll(cls, code: object, name: str) -> None:
            raise ValueError(f"undefined symbol: {name}")

    monkeypatch.setattr(python, "Table", Missing)
    library.library.cache_clear()
    try:
        said = library.library(path_of_library())
    finally:
        library.library.cache_clear()
    assert said == "the library of kernels cannot be loaded (undefined symbol: metrologue_python)"


def test_an_edited_kernel_is_not_taken_from_the_library():
    found = library.library(path_of_library())
    assert isinstance(found, Library)
    before, after = hashing._number, Kernel(hashing._number.function)
    stale = found._replace(is_fresh=False)
    assert stale.has(before) == (before.name not in edited())
    vars(after)["key"] = "another"
    assert not stale.has(after)
    assert not found.has(scaled)  # a kernel of another package, whatever its name


@pytest.mark.slow
@pytest.mark.parametrize("number", range(8))
def test_all_kernels_compile_and_stand_alone(number: int):
    """Those that no everyday test calls, too: each makes no array and calls nothing of Python."""
    from metrologue.native.llvm import machine_code

    target = TARGETS["linux-x86_64"]
    for found in [*all_kernels()][number::8]:
        assert machine_code(found, "name", target).startswith(b"\x7fELF")


@pytest.mark.slow
def test_any_number_of_processes_makes_the_same_machine_code():
    names = ["edit_distance._distance_rows", "sums._ratios", "token_probabilities.token_sums", "utf8._line_count"]
    one, two = (dict(compiled(names, TARGETS["linux-x86_64"], count)) for count in (1, 2))
    assert one == two
    assert sorted(one) == names


@pytest.mark.parametrize("is_terminal", [False, True])
def test_a_build_says_how_far_it_is(is_terminal: bool, monkeypatch: pytest.MonkeyPatch):
    """On a terminal as it goes on; in a file, such as pip reads, in a few lines."""
    said = io.StringIO()
    monkeypatch.setattr(said, "isatty", lambda: is_terminal, raising=False)
    monkeypatch.setattr(sys, "stderr", said)
    assert [*told(iter(range(40)), 40, "kernels")] == [*range(40)]
    line, rest = said.getvalue().split("\n", 1)
    assert line.startswith("Compiling 40 kernels, ")
    lines = [f"{done} of 40" for done in range(1, 41)]
    assert rest == ("".join(f"\r{each}" for each in lines) + "\n" if is_terminal else "\n".join(lines[1::2]) + "\n")


@pytest.mark.slow
def test_a_library_is_the_same_whenever_it_is_built(tmp_path: Path):
    target = this_machine()
    if target is None:
        pytest.skip("no library for this machine")
    made = []
    for seed in ("1", "2"):
        folder = tmp_path / seed
        command = [sys.executable, "-m", "metrologue.kernels.build", "--out", folder]
        subprocess.run(command, env={**os.environ, "PYTHONHASHSEED": seed}, check=True)
        made.append((folder / target.file).read_bytes())
    assert made[0] == made[1]


BESIDE = """
import numba, numpy as np
from concurrent.futures import ThreadPoolExecutor

@numba.njit
def greatest(x):
    return max(x.sum(), np.arange(3).sum())

assert greatest(np.ones(3)) == 3.0
from metrologue.native.targets import TARGETS, this_machine
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


def test_c_math_is_called_in_its_oldest_version():
    """A vector of logarithms would be compiled to calls of the newest version, which older systems do not have."""
    path = Path(path_of_library())
    if sys.platform != "linux" or not path.is_file():
        pytest.skip("no library of kernels for Linux: python -m metrologue.kernels.build")
    code = path.read_bytes()
    assert all(name.encode() + b"\0" in code for name in C_MATH)
    assert b"GLIBC_2.29" not in code
