"""What RIBES.py prints and nltk 3.8.1 returns, recorded.

    python tests/metrics/ribes/record.py PATH/RIBES.py > tests/metrics/ribes/ribes-1.03.json
    pip install --no-deps --target FOLDER nltk==3.8.1
    PYTHONPATH=FOLDER python tests/metrics/ribes/record.py > tests/metrics/ribes/nltk-3.8.1.json

The program (github.com/nttcslab-nlp/RIBES, version 1.03.1) takes a file for each reference and prints six decimals.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Any

PREDICTIONS = [
    "he read the book because he was interested in world history",
    "Bob hit John yesterday",
    "the book was read by the boy",
    "a x b c d",
    "on the mat sat the cat",
    "the cat on the mat",
    "a",
    "a",
    "a a a",
    "x y z",
    "The THE the cat",
    "ΑΣ Σας ärger İ STRASSE",
    "猫 は マット の 上 の 猫",
    "It is a guide to action which ensures that the military always obeys the commands of the party",
]
REFERENCES = [
    ["he was interested in world history because he read the book", "x"],
    ["John hit Bob yesterday", "Bob was hit"],
    ["the boy read the book", "the boy has read the book"],
    ["a b c d", "a b c d e f g h"],
    ["the cat sat on the mat", "the mat is under the cat"],
    ["the cat sat on the mat", "on the mat the cat"],
    ["a", "b"],
    ["a b", "b a"],
    ["a a a", "a a"],
    ["a b c", "d"],
    ["the The cat THE", "the cat"],
    ["ας σας Ärger i strasse", "σας ας strasse ärger"],
    ["マット の 上 の 猫 は 猫", "猫 は 上"],
    [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    ],
]
BLANK_PREDICTIONS = ["a b c", "a b c", "", "b a c"]
BLANK_REFERENCES = [["", "a c b"], ["", ""], ["a", "b"], ["a b c", ""]]


def generated(count: int) -> tuple[list[str], list[list[str]]]:
    """Texts of few words, so that many are identified by contexts: shuffled, repeated and shortened."""
    draw = random.Random(0)
    predictions, references = [], []
    for _ in range(count):
        words = draw.choices("abcdefghijkl"[: draw.randint(2, 12)], k=draw.randint(2, 14))
        cut = draw.randrange(len(words))
        predictions.append(" ".join(words[cut:] + words[: draw.randint(cut // 2, len(words))]))
        references.append([" ".join(words), " ".join(draw.sample(words, len(words)))])
    return predictions, references


def run(program: str, predictions: list[str], references: list[list[str]], *options: str) -> dict[str, Any]:
    """The scores of the segments and of the corpus, as RIBES.py prints them."""
    with tempfile.TemporaryDirectory() as folder:
        files = {"hypotheses": predictions, **{f"{i}": [own[i] for own in references] for i in range(2)}}
        for name, lines in files.items():
            Path(folder, name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
        command = [sys.executable, program, "-s", *options, "-r", "0", "-r", "1", "hypotheses"]
        printed = subprocess.run(command, check=True, capture_output=True, text=True, cwd=folder).stdout
    *segments, corpus = re.findall(r"^(\S+) alpha=", printed, re.MULTILINE)
    return {"segments": segments, "corpus": corpus}


def of_program(program: str) -> dict[str, Any]:
    """All runs of RIBES.py."""
    more = generated(60)
    predictions, references = PREDICTIONS + more[0], REFERENCES + more[1]
    runs = ("", "-c", "-a 0.5 -b 0.2")
    return {
        "tool": "RIBES.py",
        "version": "1.03.1",
        "command": "python RIBES.py -s [OPTIONS] -r 0 -r 1 hypotheses",
        "predictions": predictions,
        "references": references,
        "runs": {options: run(program, predictions, references, *options.split()) for options in runs},
        "blank_predictions": BLANK_PREDICTIONS,
        "blank_references": BLANK_REFERENCES,
        "blank_runs": {"-z": run(program, BLANK_PREDICTIONS, BLANK_REFERENCES, "-z")},
    }


def of_nltk() -> dict[str, Any]:
    """The scores of nltk 3.8.1."""
    import nltk
    from nltk.translate.ribes_score import corpus_ribes

    more = generated(60)
    predictions, references = PREDICTIONS + more[0], REFERENCES + more[1]
    tokens = [[text.split() for text in own] for own in references], [text.split() for text in predictions]
    return {
        "tool": "nltk",
        "version": nltk.__version__,
        "command": "corpus_ribes over str.split(), of the corpus and of each segment",
        "predictions": predictions,
        "references": references,
        "corpus": corpus_ribes(*tokens),
        "segments": [corpus_ribes([own], [text]) for own, text in zip(*tokens, strict=True)],
    }


if __name__ == "__main__":
    print(json.dumps(of_program(sys.argv[1]) if len(sys.argv) > 1 else of_nltk(), indent=1, ensure_ascii=False))
