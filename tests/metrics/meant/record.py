"""Records the numbers of the definition in plain Python, for random texts and frames.

PYTHONPATH=tests python tests/metrics/meant/record.py

The author's program is not public, so these are the numbers of ``plain.py``.
"""

from __future__ import annotations

import json
import random
from pathlib import Path
from typing import Any

from metrics.meant.plain import meant

TEXT = "the a cat cats sat sits on mat dog dogs barked barks loudly loud one of in über naïve"
WORDS = TEXT.split()
LABELS = ["V", "A0", "A1", "A2", "AM-TMP", "AM-LOC", "AM-CAU", "AM-MNR"]
SEGMENTS = 40


def text(chance: random.Random) -> list[str]:
    """Words that are all different: equal ones could be assigned in several ways."""
    return chance.sample(WORDS, chance.choice([1, 3, 6, 10]))


def frames(words: list[str], chance: random.Random) -> list[list[tuple[int, int, int]]]:
    """Predicates of one word, with arguments of one to three words beside them."""
    found = []
    for predicate in sorted(chance.sample(range(len(words)), min(len(words), chance.choice([0, 1, 1, 2])))):
        starts = [place for place in range(len(words)) if place != predicate]
        roles = [(0, predicate, predicate + 1)]
        for start in chance.sample(starts, min(len(starts), chance.choice([0, 1, 2, 3]))):
            roles.append((chance.randint(1, 7), start, min(len(words), start + chance.randint(1, 3))))
        found.append(roles)
    return found


def main() -> None:
    chance = random.Random(1)
    rows: list[dict[str, Any]] = []
    texts, scores = {}, []
    for _ in range(SEGMENTS):
        reference = text(chance)
        hypothesis = [f"{word}x{len(scores)}" if chance.random() < 0.3 else word for word in reference]
        texts.setdefault(tuple(reference), frames(reference, chance))
        parsed = texts[tuple(reference)] if chance.random() < 0.7 else frames(hypothesis, chance)
        texts.setdefault(tuple(hypothesis), parsed)
        own, its = ((words, texts[tuple(words)]) for words in (hypothesis, reference))
        scores.append(meant(own, its))
        rows.append({"prediction": " ".join(hypothesis), "reference": " ".join(reference)})
    parses = [
        {
            "tokens": words,
            "frames": [{"pred": one[0][1:], "args": [(LABELS[k], a, b) for k, a, b in one[1:]]} for one in own],
        }
        for words, own in texts.items()
    ]
    made = {
        "tool": "tests/metrics/meant/plain.py", "version": "the definition", "command": "meant(hypothesis, reference)",
        **{f"{side}s": [row[side] for row in rows] for side in ("prediction", "reference")},
        "parses": [json.dumps(parse, ensure_ascii=False) for parse in parses], "scores": scores,
    }  # fmt: skip
    content = json.dumps(made, ensure_ascii=False, indent=1)
    Path(__file__).with_name("frames.json").write_text(content + "\n", "utf-8")


if __name__ == "__main__":
    main()
