"""Records what the authors' program of TESLA-CELAB prints. Its file is tc-match.py of github.com/drplanar/tesla-celab.

    pip install cvxopt
    python tests/metrics/tesla_celab/record.py PROGRAM > tests/metrics/tesla_celab/tc-match.py.json

PROGRAM is the folder `scripts`, at the commit of `VERSION`. The program is for Python 2; lib2to3 of Python 3.11 or
older translates it. Its solver is exact to about 1e-8. The table of synonyms is a small one of our own.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path

VERSION = "06452e9"
SYNONYMS = [
    ["你", "您"],
    ["雨伞", "伞"],
    ["知道", "晓得"],
    ["能", "可以"],
    ["多少", "几"],
    ["哪里", "哪儿", "什么地方"],
]
TEXTS = [
    ("您 能 告 诉 我 车 站 在 哪 里 吗 ？", "你 可 以 说 车 站 在 哪 儿 吗 ？"),
    ("买 雨 伞", "买 伞"),
    ("你 晓 得 多 少", "您 知 道 几"),
    ("我 晓 得", "我 知 道"),
    ("可 以 可 以", "能"),
    ("他 花 了 100 元 。", "他 花 1 0 0 元 买 伞 。"),
    ("好", "坏"),
]
CHARACTERS = [*"你您雨伞知道晓得能可以多少几哪里儿什么地方。。的的的"]


def texts() -> list[tuple[str, str]]:
    """References and hypotheses: those above, and drawn ones in which much is repeated."""
    draw, found = random.Random(1), [*TEXTS]
    for size in range(60):
        some = draw.sample(CHARACTERS, draw.randint(2, 9))
        pair = (draw.choices(some, k=draw.randint(1, 4 + size // 3)) for _ in range(2))
        found.append(tuple(" ".join(units) for units in pair))  # type: ignore[arg-type]
    return found


def main(scripts: str) -> None:
    pairs = texts()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "tc_match.py").write_bytes((Path(scripts) / "tc-match.py").read_bytes())
        convert = [sys.executable, "-m", "lib2to3", "-w", "-n", "--no-diffs", "tc_match.py"]
        subprocess.run(convert, cwd=folder, check=True, capture_output=True)
        for place, file in enumerate(("references", "hypotheses")):
            (folder / file).write_text("".join(f"{pair[place]}\n" for pair in pairs), "utf-8")
        (folder / "sets").write_text("".join(f"{i:02}= {' '.join(own)}\n" for i, own in enumerate(SYNONYMS)), "utf-8")
        run = [sys.executable, "tc_match.py", "--cilin", "sets", "references", "hypotheses", "scores"]
        subprocess.run(run, cwd=folder, check=True)
        scores = [float(line) for line in (folder / "scores").read_text("utf-8").split()]
    print(
        json.dumps(
            {
                "variant": "tesla_celab-tc-match.py",
                "version": VERSION,
                "tool": f"tc-match.py of github.com/drplanar/tesla-celab, with cvxopt {version('cvxopt')}",
                "command": "tc-match.py --cilin SETS REFERENCES HYPOTHESES SCORES",
                "synonyms": SYNONYMS,
                "predictions": [hypothesis for _, hypothesis in pairs],
                "references": [reference for reference, _ in pairs],
                "scores": scores,
            },
            ensure_ascii=False,
            indent=1,
        )
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
