"""Processor time of COMET beside unbabel-comet's, on one core, with checkpoints of drawn weights.

Eight systems translate 200 sources. The encoder has six layers of 256 numbers. unbabel-comet needs older libraries
than the other peers, so it is in an environment of its own. ``python -m benchmarks --comet PYTHON`` names its Python.
"""

from __future__ import annotations

import json
import logging
import subprocess
import sys
import tempfile
import time
import warnings
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

sys.path.append(str(Path(__file__).parents[1]))
from benchmarks.timing import Row

sys.path.append(str(Path(__file__).parents[1] / "tests" / "metrics" / "comet"))
from small import SIZES, WORDS, make_checkpoint

__all__ = ["in_process"]

SYSTEMS = 8
_SIZES = {"hidden_size": 256, "num_hidden_layers": 6, "num_attention_heads": 4, "intermediate_size": 1024,
          "max_position_embeddings": 130}  # fmt: skip


def texts(count: int = 200) -> dict[str, Any]:
    """Sources, references, and translations, which have some words of their reference."""
    rng = np.random.default_rng(0)

    def varied(text: str) -> str:
        words = text.split()
        for place in rng.integers(len(words), size=1 + len(words) // 4):
            words[place] = str(rng.choice(WORDS))
        return " ".join([*words, *rng.choice(WORDS, int(rng.integers(0, 6)))])

    sources = [" ".join(rng.choice(WORDS, int(np.clip(rng.lognormal(3, 0.5), 3, 90)))) for _ in range(count)]
    references = [*map(varied, sources)]
    return {"src": sources, "ref": references, "systems": [[*map(varied, references)] for _ in range(SYSTEMS)]}


def theirs(folder: str) -> float:
    """Processor seconds of unbabel-comet for all systems."""
    from comet import load_from_checkpoint

    model, given = load_from_checkpoint(f"{folder}/checkpoints/model.ckpt"), texts()
    model.predict([{"src": "a", "mt": "b", "ref": "c"}], gpus=0, progress_bar=False)
    start = time.process_time()
    for own in given["systems"]:
        rows = zip(given["src"], own, given["ref"], strict=True)
        model.predict([{"src": s, "mt": m, "ref": r} for s, m, r in rows], gpus=0, progress_bar=False)
    return time.process_time() - start


def ours(folder: str) -> float:
    """Processor seconds of ours for all systems."""
    from metrologue.learned import open_model
    from metrologue.scorers import Comet

    scorer, given = Comet(model=open_model(folder, encoder=f"{folder}/encoder", device="cpu")), texts()
    scorer.corpus(["a"], ["b"], sources=["c"])
    start = time.process_time()
    for own in given["systems"]:
        scorer.corpus(own, given["ref"], sources=given["src"])
    return time.process_time() - start


def in_process(python: str | None, rounds: int) -> list[Row]:
    """A row for each class of checkpoints. Each side is a process of its own, in turn."""
    if python is None:
        print("unbabel-comet is not measured: --comet names the Python that has it", file=sys.stderr)
        return []
    SIZES.update(_SIZES)
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        for kind, promised in (("regression_metric", 2.0), ("unified_metric", 1.2)):
            place = str(make_checkpoint(Path(folder) / kind, kind, hidden_sizes=[384, 128]))
            seconds: dict[str, list[float]] = {"theirs": [], "ours": []}
            for _ in range(rounds):
                for program, whose in ((python, "theirs"), (sys.executable, "ours")):
                    told = subprocess.run(
                        [program, __file__, whose, place], check=True, capture_output=True, text=True
                    ).stdout
                    seconds[whose].append(float(told.split()[-1]))
            their, own = (median(seconds[whose]) for whose in ("theirs", "ours"))
            what = f"COMET, {kind}, {SYSTEMS} systems (processor)"
            rows.append(Row(what, "unbabel-comet", own, their, their / own, promised, promised))
    return rows


if __name__ == "__main__":
    import torch

    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    torch.set_num_threads(1)
    print(json.dumps({"theirs": theirs, "ours": ours}[sys.argv[1]](sys.argv[2])))
