"""Runs what an installed package's own description shows first: its sessions of Python, and its commands.

``python tools/first_screen.py``, outside the checkout. The description is README.md, up to its first section. Only the
Python standard library and metrologue are imported.
"""

from __future__ import annotations

import doctest
import re
import shlex
import subprocess
import sys
import tempfile
from importlib.metadata import metadata
from pathlib import Path

_OUTPUT = "the cat sat on the mat\na small dog\nit is late now\nwe see birds\n"
# Files that the commands name: four segments, of two systems and a reference; a folder of outputs, and their table.
FILES = {
    "hyp.txt": _OUTPUT,
    "outputs/hyp.txt": _OUTPUT,
    "table.tsv": "System\tBLEU\nhyp\t38.61\n",
    "other.txt": "a cat is on the mat\na dog\nit is late\nthey saw a bird\n",
    "ref.txt": "the cat is on the mat\na small dog\nit is late\nwe saw birds\n",
}


def blocks(text: str, language: str) -> list[str]:
    """The blocks of code in a language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.DOTALL | re.MULTILINE)


def sessions(text: str) -> int:
    """Run the sessions; how many examples they have. It ends the program if one prints something else."""
    lines = "\n".join(block for block in blocks(text, "python") if block.startswith(">>>"))
    test = doctest.DocTestParser().get_doctest(lines, {}, "description", None, None)
    if doctest.DocTestRunner().run(test).failed:
        raise SystemExit(1)
    return len(test.examples)


def commands(text: str, folder: Path) -> int:
    """Run the commands in a folder; how many there are. It ends the program if one fails."""
    (folder / "outputs").mkdir()
    for name, content in FILES.items():
        (folder / name).write_text(content, "utf-8")
    given = [shlex.split(line, comments=True) for block in blocks(text, "sh") for line in block.splitlines()]
    ours = [words for words in given if words[:1] == ["metrologue"]]
    for words in ours:
        done = subprocess.run([sys.executable, "-m", *words], cwd=folder, capture_output=True, text=True)
        if done.returncode or not done.stdout.strip():
            raise SystemExit(f"{shlex.join(words)}: status {done.returncode}\n{done.stdout}{done.stderr}")
    return len(ours)


def main() -> None:
    text = str(metadata("metrologue").get_payload()).partition("\n## ")[0]
    with tempfile.TemporaryDirectory() as folder:
        ran = sessions(text), commands(text, Path(folder))
    if not all(ran):
        raise SystemExit("The description begins without a session or without a command.")
    print(f"{ran[0]} lines of Python and {ran[1]} commands of its first screen run")


if __name__ == "__main__":
    main()
