"""Stanford's PTBTokenizer 3.4.1, from the jar in pycocoevalcap, for many texts at once."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from tempfile import TemporaryDirectory

__all__ = ["LINE_ENDS", "jar", "run"]

# The program ends a line at these, too.
LINE_ENDS = "\n\r\v\f\u2028\u2029"
# Between two texts. The program looks at the beginning of the line after an abbreviation.
_BETWEEN = "\n\n:\n\n"


def jar() -> Path | None:
    """Where pycocoevalcap has the program."""
    spec = find_spec("pycocoevalcap")
    folders = spec.submodule_search_locations or () if spec else ()
    files = [Path(folder) / "tokenizer" / "stanford-corenlp-3.4.1.jar" for folder in folders]
    return next((file for file in files if file.is_file()), None)


def run(file: Path, texts: Sequence[str], *options: str) -> list[str]:
    """The tokens of each text between spaces, as if the program read only this text. Texts have no line ends."""
    with TemporaryDirectory() as folder:
        written = Path(folder) / "texts"
        written.write_text(_BETWEEN.join([*texts, ""]), "utf-8", newline="\n")
        command = ["java", "-cp", str(file), "edu.stanford.nlp.process.PTBTokenizer", "-preserveLines", *options]
        done = subprocess.run(
            [*command, str(written)], capture_output=True, check=True, env=os.environ | {"LC_ALL": "C.UTF-8"}
        )
    lines = done.stdout.decode().split("\n")
    assert len(lines) in (4 * len(texts) + 1, 4 * len(texts)), "a text has a line end"
    return lines[: 4 * len(texts) : 4]
