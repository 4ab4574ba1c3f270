"""What the authors' code of HUSE returns, recorded.

    python tests/metrics/huse/record.py AUTHORS huse > tests/metrics/huse/huse.json
    python tests/metrics/huse/record.py AUTHORS paper > tests/metrics/huse/paper.json

AUTHORS is the folder ``code`` of https://github.com/hughbzhang/HUSE, at the commit 0e7d6c1. It needs scikit-learn. What
draws its figures is not imported. The second file has the accuracies of its classifier with the 15th neighbour, where
the code itself takes the 16th.
"""

from __future__ import annotations

import json
import random
import sys
from typing import Any
from unittest.mock import MagicMock

import numpy as np


def generated(draw: random.Random) -> list[tuple[float, float, int, bool]]:
    """The judgements of texts, many of them equal, the log-probabilities, the lengths, and which are by the model."""
    better, shorter = draw.choice([0.0, 0.4, 1.0]), draw.choice([0.0, 0.7, 2.0])
    rows = []
    for i in range(2 * draw.randint(9, 40)):
        judgement = round(min(5.0, max(0.0, draw.gauss(3.5 - better * (i % 2), 1.0))) * 4) / 4
        length = draw.randint(1, 20)
        rows.append(
            (judgement, round(-length * draw.gammavariate(4.0, 0.8) / (1 + shorter * (i % 2)), 4), length, i % 2 == 1)
        )
    draw.shuffle(rows)
    return rows


def main(folder: str, variant: str) -> dict[str, Any]:
    """The texts, and the numbers of each corpus."""
    for name in ("IPython", "matplotlib", "mpl_toolkits", "mpl_toolkits.axes_grid1"):
        sys.modules[name] = MagicMock()
    sys.path.insert(0, folder)
    import utils

    draw, corpora = random.Random(0), []
    for _ in range(12):
        rows = generated(draw)
        judgements, logs, lengths, labels = (list(column) for column in zip(*rows, strict=True))
        if variant == "huse":
            numbers = utils.calculate_HUSE(judgements, logs, labels, lengths)
        else:
            columns = np.array(judgements), np.array(logs) / np.array(lengths)
            features = np.column_stack([column / np.std(column) for column in columns])
            both, quality = (
                float(np.mean(utils.get_accuracy(utils.KNNClassifier(14), columns, np.array(labels))))
                for columns in (features, features[:, :1])
            )
            numbers = 2 - 2 * both, 2 - 2 * quality, 1 - 2 * both + 2 * quality
        scores = dict(zip(("huse", "huse_q", "huse_d"), map(float, numbers), strict=True))
        corpora.append({"texts": rows, **scores})
    command = "calculate_HUSE(HJ, model_probs, labels, length_list)"
    return {
        "tool": "https://github.com/hughbzhang/HUSE",
        "version": "0e7d6c1",
        "command": command if variant == "huse" else "get_accuracy(KNNClassifier(14), features, labels)",
        "corpora": corpora,
    }


if __name__ == "__main__":
    print(json.dumps(main(*sys.argv[1:])))
