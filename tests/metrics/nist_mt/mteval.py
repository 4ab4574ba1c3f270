"""What mteval-v13a.pl prints, recorded.

    python tests/metrics/nist_mt/mteval.py PATH/mteval-v13a.pl > tests/metrics/nist_mt/mteval-v13a.json

The program (github.com/moses-smt/mosesdecoder, scripts/generic) needs Perl's XML::Twig: libxml-twig-perl. It
takes XML and prints four decimals.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from xml.sax.saxutils import escape

PREDICTIONS = [
    "It is a guide to action which ensures that the military always obeys the commands of the party.",
    "It is to insure the troops forever hearing the activity guidebook that party direct",
    "THE CAT sat on 0 mats, 0 chairs; 3.14 - 5 - 7",
    'Ärger über die Straße &amp; "mehr" &lt;skipped&gt;',
    "the the the the the",
    "well-known 10-year 5,000.5 e.g. U.S. x.",
    "猫 坐在 垫子 上 。",
    "a b",
]
REFERENCES = [
    [
        "It is a guide to action that ensures that the military will forever heed Party commands.",
        "It is the guiding principle which guarantees the military forces always being under the command of the Party",
    ],
    [
        "It is the practical guide for the army always to heed the directions of the party",
        "It is to ensure that the troops will forever hear the activity guidebook that party directs",
    ],
    ["The cat sat on 0 mats, 0 chairs; 3.14 - 5 - 7!", "A cat sat 0 times on 0 mats (0 chairs)."],
    ['ärger über die Straße & "mehr"', "Ärger &quot;über&quot; die strasse"],
    ["the cat the dog the", "the"],
    ["A well-known 10-year plan, 5,000.5 e.g. U.S. x .", "the 10-year U.S. plan"],
    ["猫 坐在 垫子 上 。", "猫 在 垫子 上"],
    ["a b c d e f", "b a"],
]


def document(kind: str, sets: list[tuple[str, list[str]]]) -> str:
    """A file of mteval's: one set of segments for each system or reference."""
    parts = []
    for name, texts in sets:
        parts.append(f'<{kind} setid="s" srclang="xx" trglang="yy" sysid="{name}" refid="{name}">')
        parts.append('<doc docid="d" genre="g" origlang="xx">')
        parts += [f'<seg id="{number}">{escape(text)}</seg>' for number, text in enumerate(texts, 1)]
        parts.append(f"</doc></{kind}>")
    return "\n".join(['<?xml version="1.0" encoding="UTF-8"?>', "<mteval>", *parts, "</mteval>"])


def run(program: str, *options: str) -> dict[str, list[str]]:
    """The score of each segment, and that of the system with n-grams of up to 1, 2, … words, as they are printed."""
    references = [(f"r{i}", [own[i] for own in REFERENCES]) for i in range(2)]
    with tempfile.TemporaryDirectory() as folder:
        files = {
            "s": document("srcset", [("src", PREDICTIONS)]),
            "r": document("refset", references),
            "t": document("tstset", [("t", PREDICTIONS)]),
        }
        command = ["perl", program]
        for letter, content in files.items():
            path = Path(folder, f"{letter}.xml")
            path.write_text(content, "utf-8")
            command += [f"-{letter}", str(path)]
        printed = subprocess.run([*command, "-d", "2", *options], check=True, capture_output=True, text=True).stdout
    each = re.findall(r"NIST score using 5-grams = +([\d.]+) for system", printed)
    cumulative = re.search(r"Cumulative N-gram scoring(.*)", printed, re.DOTALL)
    assert cumulative
    orders = re.search(r"NIST:((?: +[\d.]+)+)", cumulative[1])
    assert orders
    return {"segments": each, "cumulative": orders[1].split()[:5]}


if __name__ == "__main__":
    result = {
        "tool": "mteval-v13a.pl",
        "version": "13a",
        "command": "perl mteval-v13a.pl -s src.xml -r ref.xml -t tst.xml -d 2 [-c]",
        "predictions": PREDICTIONS,
        "references": REFERENCES,
        "plain": run(sys.argv[1]),
        "-c": run(sys.argv[1], "-c"),
    }
    print(json.dumps(result, indent=1, ensure_ascii=False))
