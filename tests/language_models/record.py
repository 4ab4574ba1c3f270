"""Record KenLM's numbers: python -m language_models.record QUERY BUILD_BINARY, in the folder of the tests.

The arguments are KenLM's programs, compiled from the source of the version below. The package kenlm must be installed.
"""

from __future__ import annotations

import base64
import json
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from random import Random
from typing import Any

from language_models.models import arpa_text, random_model, random_text

__all__ = ["GOLDEN"]

GOLDEN = Path(__file__).with_name("kenlm.json")

# Order, whether suffixes are missing, whether there is <unk>.
_MODELS = [(2, False, True), (3, True, True), (3, False, False), (4, False, True), (5, False, True), (6, True, True)]


def main(query: str, build_binary: str) -> None:
    import kenlm

    cases: list[dict[str, Any]] = []
    for seed, (order, pruned, unknown) in enumerate(_MODELS):
        random = Random(seed)
        with tempfile.TemporaryDirectory() as folder:
            path, binary = Path(folder) / "model.arpa", Path(folder) / "model.binary"
            while True:  # until it is one that KenLM has room for
                model = random_model(random, order, pruned=pruned, unknown=unknown, size=25)
                path.write_text(arpa_text(model), "utf-8")
                try:
                    loaded = kenlm.Model(str(path))
                    break
                except OSError:
                    continue
            texts = ["", *(random_text(random, model) for _ in range(6))]
            lines = [" ".join(text.split("\n")).replace("\r", " ") for text in texts]
            files = {
                "all lines": "".join(f"{line}\n" for line in lines),
                "no newline at the end": "\n".join([*lines, "the oov"]),
                "line ends of Windows": "".join(f"{line}\r\n" for line in lines),
            }
            subprocess.run([build_binary, "trie", path, binary], check=True, capture_output=True)
            cases.append(
                {
                    "arpa": path.read_text("utf-8"),
                    "texts": texts,
                    "full_scores": [[*map(list, loaded.full_scores(text))] for text in texts],
                    "binary": base64.b64encode(binary.read_bytes()).decode() if seed == 1 else None,
                    "query": [
                        {
                            "about": about,
                            "options": options,
                            "input": text,
                            "output": _printed([query, *options, "-v", "summary", path], text),
                        }
                        for about, text in files.items()
                        for options in ([], ["-n"])
                    ],
                }
            )
    about = {
        "tool": "KenLM",
        "version": f"kenlm {version('kenlm')} from PyPI; query and build_binary of the source at 4cb443e (2025-03-30)",
        "command": "kenlm.Model(arpa).full_scores(text); query [-n] -v summary model.arpa < input; "
        "build_binary trie model.arpa model.binary",
    }
    GOLDEN.write_text(json.dumps({**about, "models": cases}, ensure_ascii=False, indent=1) + "\n", "utf-8")


def _printed(command: list[Any], text: str) -> str:
    return subprocess.run(command, input=text.encode(), capture_output=True, check=True).stdout.decode()


if __name__ == "__main__":
    main(*sys.argv[1:])
