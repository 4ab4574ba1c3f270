"""Several processes: what they compute alone is equal, and two ranks together compute the score of all rows."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from filelock import FileLock
from layouts import Columns, rows_of


@pytest.mark.bridge
def test_other_processes_and_ranks(
    folder: Path,
    module: Any,
    environment: dict[str, str],
    tmp_path: Path,
    rows: Columns,
) -> None:
    data = rows_of(rows, 0, 4)
    cache = tmp_path / "ranks"
    done = subprocess.run(
        [sys.executable, Path(__file__).with_name("ranks.py"), folder, cache, json.dumps(data)],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
        env=environment,
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    answers = {path.stem: json.loads(path.read_text("utf-8")) for path in cache.glob("*.json")}
    expected = module.compute(**data)
    assert all(answers[name] == expected for name in answers if name.startswith("alone"))
    assert {"alone-0", "alone-1"} <= set(answers)

    # Rows come in the order of the ranks: 0 and 2 of the first, then 1 and 3 of the second.
    by_rank = {name: column[0::2] + column[1::2] for name, column in data.items()}
    first = {name: column[:2] for name, column in data.items()}
    rounds = [module.compute(**each, per_segment=True) for each in (by_rank, by_rank, first)]
    assert answers["together-0"] == rounds
    assert answers["together-1"] == [None, None, None]

    assert not list(cache.rglob("*.arrow"))
    for path in cache.rglob("*.lock"):
        with FileLock(path, timeout=0):
            pass
