"""What DUCView 1.5 prints for files in its format, recorded.

    python tests/metrics/pyramid/record.py CLASSES > tests/metrics/pyramid/ducview-1.5.json

CLASSES is a folder with the program, from https://github.com/psunlpgroup/DucView-1.5, compiled by

    javac -d CLASSES src/ducview/*.java

A JDK is needed. ``Score.java`` calls the program's own method without its windows.
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
from xml.sax.saxutils import quoteattr

# As DUCView writes it.
HEAD = """<?xml version="1.0"?>
<!DOCTYPE peerAnnotation [
 <!ELEMENT peerAnnotation (pyramid,annotation)>
 <!ELEMENT annotation (text,peerscu+)>
 <!ELEMENT peerscu (contributor)*>
 <!ATTLIST peerscu uid CDATA #REQUIRED
                   label CDATA #REQUIRED
                   comment CDATA #IMPLIED>
 <!ELEMENT pyramid (startDocumentRegEx?,text,scu*)>
 <!ELEMENT startDocumentRegEx (#PCDATA)>
 <!ELEMENT text (line*)>
 <!ELEMENT line (#PCDATA)>
 <!ELEMENT scu (contributor)+>
 <!ATTLIST scu uid CDATA #REQUIRED
               label CDATA #REQUIRED
               comment CDATA #IMPLIED>
 <!ELEMENT contributor (part)+>
 <!ATTLIST contributor label CDATA #REQUIRED
                       comment CDATA #IMPLIED>
 <!ELEMENT part EMPTY>
 <!ATTLIST part label CDATA #REQUIRED
                start CDATA #REQUIRED
                end   CDATA #REQUIRED>

]>

"""
NUMBERS = {
    "units": "Total SCUs in peer",
    "matched": "Number of unique contributing SCUs",
    "weight": "Total peer SCU weight",
    "average": "Average SCUs in Model summary",
    "quality": "Quality score",
    "coverage": "Coverage score",
    "comprehensive": "Comprehensive score",
}


def contributor(label: str, start: int) -> str:
    """A contributor with one part."""
    said = quoteattr(label)
    part = f'<part label={said} start="{start}" end="{start + len(label)}"/>'
    return f"  <contributor label={said}>\n   {part}\n  </contributor>\n"


def annotation(models: list[list[int]], summary: list[int], unmatched: int) -> str:
    """A .pan file: the SCUs of each model, those of the summary, and how many units no model has."""
    keys = sorted({key for model in models for key in model})
    lines, places, length = [], {}, 0
    for number, model in enumerate(models):
        for line in (
            "----------",
            f" D07.M.{chr(65 + number)}",
            "----------",
            *(f"unit {key} & more" for key in model),
        ):
            if line.startswith("unit"):
                places.setdefault(int(line.split()[1]), []).append(length)
            lines.append(line.replace("&", "&amp;"))
            length += len(line) + 1
    scus = "".join(
        f' <scu uid="{key}" label="unit {key} &amp; more">\n'
        + "".join(contributor(f"unit {key} & more", place) for place in places[key])
        + " </scu>\n"
        for key in keys
    )
    said = [(key, [f"unit {key} again"] * summary.count(key)) for key in keys]
    said.append((0, [f"what else {number}" for number in range(unmatched)]))
    units = "".join(
        f' <peerscu uid="{key}" label="({len(places.get(key, []))}) of the summary">\n'
        + "".join(contributor(each, 0) for each in own)
        + " </peerscu>\n"
        for key, own in said
    )
    pattern = r"[-]*\n D[0-9]*\.M\.[A-Z]\n[-]*\n"
    text = "".join(f"  <line>{line}</line>\n" for line in lines)
    return (
        f"{HEAD}<peerAnnotation>\n<pyramid>\n<startDocumentRegEx><![CDATA[{pattern}]]></startDocumentRegEx>\n"
        f" <text>\n{text} </text>\n{scus}</pyramid>\n<annotation>\n <text>\n  <line>the summary</line>\n </text>\n"
        f"{units}</annotation>\n</peerAnnotation>\n"
    )


def cases() -> list[tuple[list[list[int]], list[int], int]]:
    """The SCUs of models, those of a summary, and its other units: the example of the tests, and generated ones."""
    weights = [4] * 2 + [3] * 3 + [2] * 5 + [1] * 10
    example = [[key for key, weight in enumerate(weights, 1) if weight > model] for model in range(4)]
    found = [(example, [1, 3, 4, 6, 11], 1)]
    draw = random.Random(0)
    for _ in range(30):
        models = [sorted(draw.sample(range(1, 16), draw.randint(1, 12))) for _ in range(draw.randint(2, 6))]
        known = sorted({key for model in models for key in model})
        summary = draw.choices(known, k=draw.randint(1, 12))
        found.append((models, summary, draw.randint(0, 5)))
    return found


def main(classes: str) -> dict[str, Any]:
    """The files, and what DUCView says of each."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        paths = [Path(folder, f"{number}.pan") for number in range(len(cases()))]
        for path, case in zip(paths, cases(), strict=True):
            path.write_text(annotation(*case), "utf-8")
        command = ["java", "-Djava.awt.headless=true", "-cp", classes, str(Path(__file__).with_name("Score.java"))]
        done = subprocess.run([*command, *map(str, paths)], check=True, capture_output=True, text=True)
    for case, said in zip(cases(), done.stdout.split("# ")[1:], strict=True):
        numbers = {name: float(re.search(rf"{title}: *([\d.]+)", said)[1]) for name, title in NUMBERS.items()}
        rows.append({"models": case[0], "summary": case[1], "unmatched": case[2], **numbers})
    return {"tool": "DUCView", "version": "1.5", "command": "getScore of each .pan file", "rows": rows}


if __name__ == "__main__":
    print(json.dumps(main(sys.argv[1])))
