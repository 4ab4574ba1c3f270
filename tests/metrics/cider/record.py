"""What the authors' program returns, recorded.

    git clone https://github.com/ruotianluo/cider FOLDER
    python tests/metrics/cider/record.py FOLDER

writes ``cider.json`` and ``cider-d.json`` beside this file. The authors' own repository (github.com/vrama91/cider) is
in Python 2. This fork runs in Python 3, with the same arithmetic. Its class CiderD fails without a table, so the
scorers below it are called. Captions go through pycocoevalcap's PTB tokenizer, which is the program's too. It needs
Java.
"""

from __future__ import annotations

import json
import os
import pickle
import random
import sys
import tempfile
from collections import defaultdict
from pathlib import Path
from typing import Any

COMMIT = "dbb3960"
HYPOTHESES = [
    "A cat is on the mat.",
    "A dog is running in the park!",
    "people ride bikes on the road",
    "a red bus, a red bus, a red bus",
    "",
    "dog",
    "The man's hat isn't red (it's blue); 2.5 dogs can't see it.",
    "A naïve café - 猫 を 見る",
]
REFERENCES = [
    ["a cat sits on the mat", "The cat is on the mat .", "A cat."],
    ["A dog runs in the park.", "a brown dog is running"],
    ["Two people ride bikes"],
    ["A red bus is on the road.", "the bus"],
    ["a b c d"],
    ["A dog."],
    ["A man's blue hat; 2.5 dogs don't see it.", "The hat isn't red, it's blue."],
    ["Une café naïve - 猫 を 見た", "A naïve café"],
]


def generated(count: int) -> tuple[list[str], list[list[str]]]:
    """Texts of few words, so that n-grams repeat and lengths differ."""
    draw = random.Random(0)
    predictions, references = [], []
    for _ in range(count):
        words = draw.choices([*"abcdefghij"], k=draw.randint(1, 14))
        cut = draw.randrange(len(words))
        predictions.append(" ".join(words[cut:] + words[: draw.randint(cut // 2, len(words))]))
        references.append([" ".join(draw.sample(words, len(words))) for _ in range(draw.randint(1, 5))])
    return predictions, references


def table(references: list[list[str]]) -> dict[str, Any]:
    """A table of document frequencies of half the images, in the layout that the fork reads.

    It is a defaultdict, because the program fails for an n-gram that a dict does not have.
    """
    counts: dict[tuple[str, ...], float] = defaultdict(float)
    for own in references[::2]:
        texts = [text.split() for text in own]
        for ngram in {tuple(t[i : i + n]) for t in texts for n in range(1, 5) for i in range(len(t) - n + 1)}:
            counts[ngram] += 1
    return {"ref_len": 40504.0, "document_frequency": counts}


def main() -> None:
    folder, beside = Path(sys.argv[1]).resolve(), Path(__file__).resolve().parent
    sys.path.insert(0, str(folder))
    from pyciderevalcap.cider import cider_scorer
    from pyciderevalcap.ciderD import ciderD_scorer
    from pycocoevalcap.tokenizer.ptbtokenizer import PTBTokenizer

    more = generated(40)
    predictions, references = HYPOTHESES + more[0], REFERENCES + more[1]
    gts = PTBTokenizer().tokenize({i: [{"caption": text} for text in own] for i, own in enumerate(references)})
    tokens = PTBTokenizer().tokenize({i: [{"caption": text}] for i, text in enumerate(predictions)})

    def scores(kind: Any, mode: str) -> dict[str, Any]:
        scorer = kind(df_mode=mode)
        for i, own in tokens.items():
            scorer += own[0], gts[i]
        mean, rows = scorer.compute_score()
        return {"corpus": float(mean), "segments": rows.tolist()}

    given = table([gts[i] for i in range(len(references))])
    with tempfile.TemporaryDirectory() as place:
        os.chdir(place)
        Path("data").mkdir()
        Path("data/table.p").write_bytes(pickle.dumps(given, 2))
        for name, kind in (("cider", cider_scorer.CiderScorer), ("cider-d", ciderD_scorer.CiderScorer)):
            found = {
                "tool": "ruotianluo/cider, a fork of vrama91/cider for Python 3",
                "version": COMMIT,
                "command": f"{kind.__module__}.CiderScorer(df_mode=MODE) over the tokens of pycocoevalcap 1.2",
                "predictions": predictions,
                "references": references,
                "tokenized_predictions": [own[0] for own in tokens.values()],
                "tokenized_references": [gts[i] for i in range(len(references))],
                **{mode: scores(kind, mode) for mode in ("corpus", "table")},
            }
            text = json.dumps(found, indent=1, ensure_ascii=False)
            (beside / f"{name}.json").write_text(text + "\n", "utf-8")


if __name__ == "__main__":
    main()
