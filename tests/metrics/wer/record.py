"""What score.py of "deep bias" (Le et al. 2021) prints, recorded.

git clone https://github.com/facebookresearch/fbai-speech FOLDER
python tests/metrics/wer/record.py FOLDER

writes ``is21_deep_bias.json`` beside this file: texts and words, and what the program prints of them. The words of each
text are a column of its file. Here they are the same for all texts ("list"), or those that the reference has of them
("reference"), as in the files of the paper.
"""

from __future__ import annotations

import json
import random
import re
import subprocess
import sys
import tempfile
from pathlib import Path

COMMIT = "43cdb3c"
COMMAND = "python is21_deep_bias/score.py --refs REFS --hyps HYPS"
WORDS = ["b", "e", "Ana", "кот"]


def generated(count: int, seed: int = 0) -> list[tuple[str, str]]:
    """Hypotheses and references of few words, so that there are several cheapest alignments."""
    draw = random.Random(seed)
    pairs = []
    for _ in range(count):
        reference = draw.choices(["a", "b", "c", "d", "e", "Ana", "кот"], k=draw.randint(1, 9))
        changed = [
            word if draw.random() < 0.6 else draw.choice(["a", "b", "e", "x", "", "кот Ana"]) for word in reference
        ]
        pairs.append((" ".join(" ".join(changed).split()), " ".join(reference)))
    return pairs


def printed(folder: Path, pairs: list[tuple[str, str]], words: str) -> dict[str, dict[str, float]]:
    """The numbers that the program prints of each of its three rates."""
    with tempfile.TemporaryDirectory() as place:
        theirs, ours = Path(place, "refs"), Path(place, "hyps")
        rows = []
        for index, (_, reference) in enumerate(pairs):
            own = [word for word in WORDS if words == "list" or word in reference.split()]
            rows.append(f"{index}\t{reference}\t{json.dumps(own)}\n")
        theirs.write_text("".join(rows), "utf-8")
        ours.write_text("".join(f"{index}\t{text}\n" for index, (text, _) in enumerate(pairs)), "utf-8")
        command = [
            sys.executable,
            str(folder / "is21_deep_bias" / "score.py"),
            "--refs",
            str(theirs),
            "--hyps",
            str(ours),
        ]
        lines = subprocess.run(command, check=True, capture_output=True, text=True).stdout.splitlines()
    numbers = {line.partition(":")[0]: re.findall(r"(\w+)=([\d.]+)", line) for line in lines}
    return {rate: {name: float(value) for name, value in found} for rate, found in numbers.items()}


def main(folder: Path) -> None:
    pairs = generated(200)
    recorded = {
        "tool": "score.py of https://github.com/facebookresearch/fbai-speech",
        "version": COMMIT,
        "command": COMMAND,
        "words": WORDS,
        "predictions": [text for text, _ in pairs],
        "references": [text for _, text in pairs],
        "printed": {words: printed(folder, pairs, words) for words in ("list", "reference")},
    }
    place = Path(__file__).with_name("is21_deep_bias.json")
    place.write_text(json.dumps(recorded, ensure_ascii=False, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
