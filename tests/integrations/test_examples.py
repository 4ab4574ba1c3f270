"""The programs in ``examples`` run, and print what they promise."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow


def test_two_ranks_train_and_score(root: Path, tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[torch]'")
    pytest.importorskip("torchmetrics", reason="torchmetrics is not installed: pip install 'metrologue[torch]'")
    done = subprocess.run(
        [sys.executable, root / "examples" / "two_ranks.py"],
        env={**os.environ, "PYTHONPATH": str(root), "OMP_NUM_THREADS": "1"},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert len(lines) == 8
    assert lines[0].startswith("epoch 1: BLEU ")
    assert "BLEU 100.00" not in lines[0]
    assert lines[-1] == "epoch 8: BLEU 100.00, chrF 100.00 on 211 sentences"


def test_many_processes_have_the_score_of_one(root: Path, tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, root / "examples" / "many_processes.py"],
        env={**os.environ, "PYTHONPATH": str(root)},
        cwd=tmp_path,
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    first, second = done.stdout.splitlines()
    assert f"{first} in one process" == second
