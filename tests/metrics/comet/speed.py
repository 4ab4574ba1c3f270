"""Processor time of COMET beside unbabel-comet's, on one core: ``python speed.py PYTHON``, one that has that package.

Two and eight systems translate 200 sources. The encoder has six layers of 256 drawn numbers.
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
from typing import Any

import numpy as np
from small import SIZES, WORDS, make_checkpoint

_SIZES = {"hidden_size": 256, "num_hidden_layers": 6, "num_attention_heads": 4, "intermediate_size": 1024,
          "max_position_embeddings": 130}  # fmt: skip


def texts(count: int = 200, systems: int = 8) -> dict[str, Any]:
    """Sources, references, and translations, which have some words of their reference."""
    rng = np.random.default_rng(0)

    def varied(text: str) -> str:
        words = text.split()
        for place in rng.integers(len(words), size=1 + len(words) // 4):
            words[place] = str(rng.choice(WORDS))
        return " ".join([*words, *rng.choice(WORDS, int(rng.integers(0, 6)))])

    sources = [" ".join(rng.choice(WORDS, int(np.clip(rng.lognormal(3, 0.5), 3, 90)))) for _ in range(count)]
    references = [*map(varied, sources)]
    return {"src": sources, "ref": references, "systems": [[*map(varied, references)] for _ in range(systems)]}


def theirs(folder: str, count: int) -> float:
    """Seconds of unbabel-comet for so many systems."""
    from comet import load_from_checkpoint

    model, given = load_from_checkpoint(f"{folder}/checkpoints/model.ckpt"), texts()
    model.predict([{"src": "a", "mt": "b", "ref": "c"}], gpus=0, progress_bar=False)
    start = time.process_time()
    for own in given["systems"][:count]:
        rows = zip(given["src"], own, given["ref"], strict=True)
        model.predict([{"src": s, "mt": m, "ref": r} for s, m, r in rows], gpus=0, progress_bar=False)
    return time.process_time() - start


def ours(folder: str, count: int) -> float:
    """Seconds of ours for so many systems."""
    from metrologue.learned import open_model
    from metrologue.scorers import Comet

    scorer, given = Comet(model=open_model(folder, encoder=f"{folder}/encoder", device="cpu")), texts()
    scorer.corpus(["a"], ["b"], sources=["c"])
    start = time.process_time()
    for own in given["systems"][:count]:
        scorer.corpus(own, given["ref"], sources=given["src"])
    return time.process_time() - start


def main(python: str) -> None:
    """Print the seconds and the ratio for each class of checkpoints."""
    SIZES.update(_SIZES)
    with tempfile.TemporaryDirectory() as folder:
        for kind in ("regression_metric", "unified_metric"):
            place = str(make_checkpoint(Path(folder) / kind, kind, hidden_sizes=[384, 128]))
            for count in (2, 8):
                seconds = []
                for program, whose in ((python, "theirs"), (sys.executable, "ours")):
                    call = [program, __file__, whose, place, str(count)]
                    told = subprocess.run(call, check=True, capture_output=True, text=True).stdout
                    seconds.append(float(told.split()[-1]))
                ratio = seconds[0] / seconds[1]
                print(f"{kind}, {count} systems: {seconds[0]:.2f} s and {seconds[1]:.2f} s, {ratio:.1f} times")


if __name__ == "__main__":
    if len(sys.argv) == 2:
        main(sys.argv[1])
    else:
        import torch

        warnings.simplefilter("ignore")
        logging.disable(logging.CRITICAL)
        torch.set_num_threads(1)
        print(json.dumps({"theirs": theirs, "ours": ours}[sys.argv[1]](sys.argv[2], int(sys.argv[3]))))
