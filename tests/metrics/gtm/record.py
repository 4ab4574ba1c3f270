"""What the Java program GTM 1.4 prints, recorded.

    python tests/metrics/gtm/record.py SOURCES 1 1.2 0.93 9.8 > tests/metrics/gtm/gtm-1.4.json
    python tests/metrics/gtm/record.py SOURCES 2 > tests/metrics/gtm/gtm-1.4-e2.json
    python tests/metrics/gtm/record.py SOURCES 3 > tests/metrics/gtm/gtm-1.4-e3.json

SOURCES is a folder with the program's four Java files (Bitext, Run, Score, gtm), and a JDK is needed. Since version 7,
Java compares the first entry of a sorted set with itself, where the program ends. So a copy is compiled whose
`Run.compareTo` gives 0 for equal runs instead. Nothing else is changed.
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
    "the cat sat on the mat",
    "police killed the gunman",
    "a b c d h i k",
    "a h b k c i d",
    "x y a b",
    "a b c",
    "a b c d",
    "a a a",
    "a",
    "",
    "a b",
    "a b a b a b",
    "The the REFERENCE BREAK",
    "猫 は マット の 上 の 猫",
    "a\u00a0b c\u3000d \u2003 e",
    "tabs\tand  spaces",
    "The Cat sat",
    "It is a guide to action which ensures that the military always obeys the commands of the party",
]
REFERENCES = [
    ["on the mat sat the cat", "the cat is on the mat", "a cat"],
    ["police kill the gunman", "the gunman was killed by the police", "police"],
    ["a b c d e f g", "k i h", "d c b a"],
    ["a b c d e f g", "a h k c", "b k"],
    ["a b x y z", "x y", "y a b"],
    ["a b c d", "a b", "c"],
    ["a b", "c d", "b c"],
    ["a", "a a", "b"],
    ["a a a", "", "a"],
    ["a b", "c", ""],
    ["", "", ""],
    ["b a b a b", "a b a b a b a", "a a b b"],
    ["the REFERENCE BREAK", "REFERENCE", "BREAK the The"],
    ["マット の 上 の 猫", "猫 は 上", "猫 の 猫 は マット の 上"],
    ["a b c d e", "a\u00a0b c\u3000d", "\u2003"],
    ["tabs and spaces", "and spaces\ttabs", "and"],
    ["the cat sat", "The cat Sat", "THE CAT SAT"],
    [
        "It is a guide to action that ensures that the military will forever heed Party commands",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
        "It is the practical guide for the army always to heed the directions of the party",
    ],
]


def generated(count: int) -> tuple[list[str], list[list[str]]]:
    """Texts of few words, cut and put together again, so that there are many hits, and runs that block others."""
    draw = random.Random(0)
    predictions, references = [], []
    for _ in range(count):
        words = draw.choices("abcdefghijkl"[: draw.randint(1, 12)], k=draw.randint(2, 24))
        cut, other = sorted(draw.sample(range(len(words) + 1), 2))
        predictions.append(" ".join(words[other:] + words[cut:other] + draw.choices(words, k=draw.randint(0, 5))))
        own = (words, draw.sample(words, len(words)), words[cut:] + words[:other])
        references.append([" ".join(reference) for reference in own])
    return predictions, references


def compiled(sources: Path, folder: Path) -> None:
    """The program's classes in this folder."""
    for path in sources.glob("*.java"):
        text = path.read_text("latin-1")
        if path.name == "Run.java":
            text = re.sub(r"System\.err\.println\([^;]*;\s*System\.exit\(-1\);", "", text)
        (folder / path.name).write_text(text, "latin-1")
    subprocess.run(["javac", "-nowarn", *map(str, folder.glob("*.java"))], check=True, capture_output=True)


def run(folder: Path, exponent: str, predictions: list[str], references: list[list[str]]) -> dict[str, Any]:
    """The match size and the F-measure of each segment, the F-measure of all, and the chosen runs."""
    names = ["test", *(f"reference{i}" for i in range(len(references[0])))]
    for name, lines in zip(names, [predictions, *map(list, zip(*references, strict=True))], strict=True):
        (folder / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    command = [
        "java",
        "-Dfile.encoding=UTF-8",
        "-cp",
        ".",
        "gtm",
        "-t",
        "-v",
        "-e",
        exponent,
        "+s",
        "--dumpruns",
        "runs",
    ]
    printed = subprocess.run([*command, *names], check=True, capture_output=True, cwd=folder).stdout.decode()
    sizes = [float(size) for size in re.findall(r"\(maximum matching\)\^\(1/exponent\) = (\S+)", printed)]
    measures = [float(measure) for measure in re.findall(r"f-measure = (\S+)", printed)]
    assert len(sizes) == len(measures) == len(predictions) + 1
    lines = (folder / "runs").read_text("utf-8").splitlines()
    found = [[[*map(int, run)] for run in re.findall(r"\((\d+) (\d+), (\d+) (\d+)\)", line)] for line in lines]
    return {"match_size": sizes[: len(predictions)], "segments": measures[:-1], "corpus": measures[-1], "runs": found}


def main() -> dict[str, Any]:
    """The texts and all runs of the program."""
    more = generated(50)
    predictions, references = PREDICTIONS + more[0], REFERENCES + more[1]
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        compiled(Path(sys.argv[1]), folder)
        runs = {
            exponent: {
                str(count): run(folder, exponent, predictions, [own[:count] for own in references])
                for count in (1, 2, 3)
            }
            for exponent in sys.argv[2:]
        }
    return {
        "tool": "GTM",
        "version": "1.4, with Run.compareTo giving 0 for equal runs",
        "command": "java gtm -t -v -e EXPONENT +s --dumpruns runs test reference0 [reference1 [reference2]]",
        "predictions": predictions,
        "references": references,
        "exponents": runs,
    }


if __name__ == "__main__":
    print(json.dumps(main(), ensure_ascii=False))
