"""What meeteval's cp_word_error_rate returns, recorded. A compiler is needed to install it.

pip install meeteval==0.4.3
python tests/metrics/cpwer/record.py > tests/metrics/cpwer/meeteval.json
"""

from __future__ import annotations

import json
import logging
import random
from dataclasses import asdict
from importlib.metadata import version
from typing import Any

# The texts of a session, and the speaker of each.
Side = tuple[list[str], list[str]]


def generated(count: int, seed: int = 0) -> list[tuple[Side, Side]]:
    """Sessions of few words, so that there are several best assignments and alignments; some speakers are silent."""
    draw = random.Random(seed)

    def side() -> Side:
        speakers = draw.sample(["ann", "bob", "Cy", "1", "猫"], draw.randint(1, 4))
        said = [
            (" ".join(draw.choices("abcde", k=draw.randint(0, 6))), draw.choice(speakers))
            for _ in range(draw.randint(1, 8))
        ]
        return [text for text, _ in said], [speaker for _, speaker in said]

    return [(side(), side()) for _ in range(count)]


def scored(hypothesis: Side, reference: Side) -> dict[str, Any]:
    """meeteval's numbers of a session."""
    from meeteval.io import SegLST
    from meeteval.wer import cp_word_error_rate

    logging.getLogger("preprocess").setLevel(logging.ERROR)  # it says each time that there are no times
    theirs, ours = (
        SegLST([{"words": text, "speaker": speaker} for text, speaker in zip(*side, strict=True)])
        for side in (reference, hypothesis)
    )
    found = asdict(cp_word_error_rate(theirs, ours))
    return {name: value for name, value in found.items() if not name.endswith("_self_overlap")}


def main() -> dict[str, Any]:
    """The sessions, and the numbers of each."""
    sessions = generated(100)
    return {
        "tool": "meeteval",
        "version": version("meeteval"),
        "command": "cp_word_error_rate(SegLST(reference), SegLST(hypothesis)), of each session",
        "predictions": [texts for (texts, _), _ in sessions],
        "speakers": [speakers for (_, speakers), _ in sessions],
        "references": [texts for _, (texts, _) in sessions],
        "reference_speakers": [speakers for _, (_, speakers) in sessions],
        "numbers": [scored(*session) for session in sessions],
    }


if __name__ == "__main__":
    print(json.dumps(main(), ensure_ascii=False))
