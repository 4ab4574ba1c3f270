"""PTB tokens of 100,000 captions of Flickr8k, drawn with replacement: ours and the Java program, side by side."""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa

from benchmarks.texts import DATA
from benchmarks.timing import Row, in_turn, row
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["captions", "tokens"]

COUNT = 100_000
OURS = """
import sys
from pathlib import Path
from metrologue.files.lines import read_lines
from metrologue.text.tokenizers import get_tokenizer
sys.stdout.write("\\n".join(get_tokenizer("ptb").lines(read_lines(Path(sys.argv[1]))).to_pylist()))
"""


def captions(seed: int = 1) -> list[str] | None:
    """100,000 captions, or None if the folder of test data is not there."""
    file = DATA / "flickr8k_expert" / "flickr8k_expert.jsonl"
    if not file.is_file():
        return None
    rows = [json.loads(line) for line in file.read_text("utf-8").splitlines()]
    return random.Random(seed).choices(
        [text for row in rows for text in [row["hypothesis"], *row["references"]]], k=COUNT
    )


def tokens(rounds: int) -> list[Row]:
    """A row in which both programs start, read a file and write their tokens; and one for our tokenizer alone.

    The Java program has no other form than that of a program, so both rows have all of its time.
    """
    texts, spec = captions(), find_spec("pycocoevalcap")
    if texts is None or spec is None or shutil.which("java") is None:
        return []
    folder = Path(next(iter(spec.submodule_search_locations or ()))) / "tokenizer"
    java = ["java", "-cp", str(folder / "stanford-corenlp-3.4.1.jar"), "edu.stanford.nlp.process.PTBTokenizer"]
    column = pa.array(texts, pa.large_string())
    with tempfile.TemporaryDirectory() as place:
        file = Path(place) / "captions"
        file.write_text("\n".join(texts) + "\n", "utf-8")
        seconds = in_turn(
            {
                "ours": lambda: subprocess.run(
                    [sys.executable, "-c", OURS, str(file)], check=True, stdout=subprocess.DEVNULL
                ),
                "ours, in the process": lambda: get_tokenizer("ptb")(column),
                "PTBTokenizer 3.4.1": lambda: subprocess.run(
                    [*java, "-preserveLines", "-lowerCase", str(file)], check=True, capture_output=True
                ),
            },
            rounds,
        )
    peer = "PTBTokenizer 3.4.1"
    return [
        row("PTB tokens of 100,000 captions, with start", seconds, "ours", peer, floor=1.5, aim=100),
        row("PTB tokens of 100,000 captions", seconds, "ours, in the process", peer, floor=15, aim=100),
    ]
