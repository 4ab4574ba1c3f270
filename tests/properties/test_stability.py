"""What docs/stability.md promises: which numbers are equal to the bit, and under what, and how near the others are.

Parts that are cut and merged anyhow are in tests/properties/test_scorers.py.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

import pytest
from stability import numbers

ROOT = Path(__file__).parents[2]
HELPERS = ROOT / "tests" / "helpers"
# What the page says of another processor, or another BLAS.
NEAR = 1e-14


def elsewhere(**environment: str) -> dict[str, str]:
    """The numbers of another process, under these variables."""
    path = os.pathsep.join([str(ROOT / "src"), str(HELPERS)])
    found = subprocess.run(
        [sys.executable, str(HELPERS / "stability.py")],
        env={**os.environ, "PYTHONPATH": path, **environment},
        check=True,
        capture_output=True,
        text=True,
    )
    return dict(json.loads(found.stdout))


@pytest.fixture(scope="module")
def here() -> dict[str, str]:
    return numbers()


def differing(one: Mapping[str, str], other: Mapping[str, str]) -> dict[str, tuple[str, str]]:
    assert one.keys() == other.keys()
    return {name: (value, other[name]) for name, value in one.items() if value != other[name]}


def test_there_are_many_numbers(here: dict[str, str]) -> None:
    assert len(here) > 30_000
    assert len({name.split("-")[0] for name in here}) > 30


@pytest.mark.parametrize("threads", [pytest.param(2, marks=pytest.mark.slow), 4])
def test_threads(here: dict[str, str], threads: int) -> None:
    assert differing(here, numbers(threads)) == {}


def test_another_process_with_other_hashes_and_one_thread_of_blas(here: dict[str, str]) -> None:
    other = {"PYTHONHASHSEED": "7", "OPENBLAS_NUM_THREADS": "1", "METROLOGUE_THREADS": "3"}
    assert differing(here, elsewhere(**other)) == {}


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="only Linux forks safely")
def test_a_process_that_was_forked(here: dict[str, str]) -> None:
    with multiprocessing.get_context("fork").Pool(1) as pool:
        assert differing(here, pool.apply(numbers)) == {}


@pytest.mark.slow
def test_a_process_that_was_spawned(here: dict[str, str]) -> None:
    with multiprocessing.get_context("spawn").Pool(1) as pool:
        assert differing(here, pool.apply(numbers)) == {}


# Each makes a library take the path of an older processor. A variable that the machine does not know changes nothing.
PROCESSORS = {
    "numpy without AVX": {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX512_ICL AVX512_SPR"},
    "BLAS of an old processor": {"OPENBLAS_CORETYPE": "Prescott"},
    "BLAS of Haswell": {"OPENBLAS_CORETYPE": "Haswell"},
    "C's math library without FMA": {"GLIBC_TUNABLES": "glibc.cpu.hwcaps=-AVX2,-FMA,-AVX512F,-FMA4"},
}


@pytest.mark.slow
@pytest.mark.parametrize("processor", PROCESSORS)
def test_other_processors(here: dict[str, str], processor: str) -> None:
    """Few numbers have another last bit, and no count has."""
    found = differing(here, elsewhere(**PROCESSORS[processor]))
    far = {
        name: pair
        for name, pair in found.items()
        if not math.isclose(*map(float.fromhex, pair), rel_tol=NEAR, abs_tol=NEAR)
    }
    assert far == {}
    assert len(found) < len(here) / 500
    assert not [name for name in found if name.split()[1].endswith(("count", "_length", "edits"))]
