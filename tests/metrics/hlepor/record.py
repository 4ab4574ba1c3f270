"""What the authors' Perl script prints, recorded.

    python tests/metrics/hlepor/record.py PATH/Sentence_level_score.pl > tests/metrics/hlepor/perl.json

The script (github.com/poethan/LEPOR) has the folders of its texts in its code. Here they are replaced. It prints the
score of each sentence, with up to 15 digits.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from pathlib import Path

PAIRS = [
    (
        "It is a guide to action which ensures that the military always obeys the commands of the party",
        "It is a guide to action that ensures that the military will forever heed Party commands",
    ),
    (
        "It is to insure the troops forever hearing the activity guidebook that party direct",
        "It is the practical guide for the army always to heed the directions of the party",
    ),
    ("the cat the sat", "the the cat sat"),
    ("b a", "a b"),
    ("a b", "c d"),
    ("a b c d e f g h i j k l m", "b a c d e f g h i j k l m n"),
]
FOLDER = "/Users/lifenghan/Downloads/$langpair"


def generated(count: int) -> list[tuple[str, str]]:
    """Texts of at most ten words, none of which is twice in a text."""
    draw = random.Random(0)
    return [
        (" ".join(draw.sample("abcdefghijkl", k)), " ".join(draw.sample("abcdefghijkl", n)))
        for k, n in ((draw.randint(3, 10), draw.randint(3, 10)) for _ in range(count))
    ]


def run(script: str, pairs: list[tuple[str, str]]) -> list[float]:
    """The score of each pair, as the script prints it."""
    with tempfile.TemporaryDirectory() as folder:
        for name, column in (("sys/hypotheses", 0), ("ref/Edit-Dis_REF-1.txt", 1), ("score/none", None)):
            path = Path(folder, name)
            path.parent.mkdir()
            lines = [] if column is None else [pair[column] for pair in pairs]
            path.write_text("".join(f"{line}\n" for line in lines), "utf-8")
        here = Path(folder, "script.pl")
        here.write_text(Path(script).read_text("utf-8").replace(FOLDER, folder), "utf-8")
        printed = subprocess.run(["perl", str(here)], check=True, capture_output=True, text=True).stdout
    return [float(line.split("\t")[5]) for line in printed.splitlines() if line.startswith("LEPOR\t")]


if __name__ == "__main__":
    texts = {"of_repeated_words_or_long": PAIRS, "of_distinct_words": generated(40)}
    about = {
        "tool": "Sentence_level_score.pl",
        "version": "687693a of 2019, github.com/poethan/LEPOR",
        "command": "perl Sentence_level_score.pl, with the folders of the texts in its code replaced",
    }
    runs = {name: {"pairs": pairs, "scores": run(sys.argv[1], pairs)} for name, pairs in texts.items()}
    print(json.dumps({**about, **runs}, indent=1))
