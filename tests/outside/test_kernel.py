"""A kernel of another package is compiled at its first call."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

KERNEL = """
from metrologue.author import kernel
import numpy as np
from numpy.typing import NDArray

@kernel
def doubled(values: NDArray[np.float64], out: NDArray[np.float64]) -> None:
    for i in range(len(values)):
        out[i] = 2 * values[i]
"""
CALL = "import sys, numpy as np\nfrom outside_kernels import doubled\nout = np.empty(2)\n"


@pytest.fixture
def package(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    (tmp_path / "outside_kernels.py").write_text(KERNEL, "utf-8")
    monkeypatch.setenv("PYTHONPATH", str(tmp_path))
    monkeypatch.setenv("METROLOGUE_CACHE", str(tmp_path / "cache"))
    return tmp_path


def test_it_is_compiled_and_kept(package: Path) -> None:
    pytest.importorskip("numba")
    code = f"{CALL}doubled(np.array([1.0, 3.0]), out)\nprint(out.tolist(), 'numba' in sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.startswith("[2.0, 6.0]")
    assert [path.name.partition("-")[0] for path in (package / "cache" / "kernels").iterdir()] == [
        "outside_kernels.doubled"
    ]


def test_without_the_compiler_a_message_says_what_to_install(package: Path) -> None:
    code = f"""{CALL}
sys.modules["numba"] = sys.modules["llvmlite"] = None
try: doubled(np.array([1.0, 3.0]), out)
except ImportError as error: print(error)
"""
    told = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert "it is one of another package, so it is compiled here at its first call" in told
    assert "has changed" not in told
    assert "kernels" in told
