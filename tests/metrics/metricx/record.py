"""Records the scores of MetricX's own program for small checkpoints.

    PYTHONPATH= VENV/bin/python tests/metrics/metricx/record.py CLONE tests/metrics/metricx/metricx-fc4978e.json

CLONE is a clone of https://github.com/google-research/metricx at the commit fc4978e. VENV is an environment of its own
with torch, transformers 4.46.3, datasets and accelerate: the program imports what newer versions of transformers have
not. With a seed as a further argument, other weights and texts are drawn.
"""

from __future__ import annotations

import json
import subprocess
import sys
import tempfile
from pathlib import Path

from small import KINDS, draws_texts, make_checkpoint

DIGITS = 9


def main(clone: str, out: str, seed: str = "0") -> None:
    """Write the scores of all kinds of checkpoints, by their names."""
    scores = {}
    with tempfile.TemporaryDirectory() as folder:
        for name, made in KINDS.items():
            own = made["seed"] + 1000 * int(seed)
            place = make_checkpoint(Path(folder) / name.replace(" ", "-"), own, made.get("dtype", "float32"))
            asked, given = place / "input.jsonl", place / "output.jsonl"
            asked.write_text("".join(json.dumps(row) + "\n" for row in draws_texts(own)), "utf-8")
            call = [sys.executable, "-m", f"metricx{made['year']}.predict", "--tokenizer", str(place / "tokenizer")]
            call += ["--model_name_or_path", str(place), "--max_input_length", str(made["longest"])]
            call += ["--batch_size", "1", "--input_file", str(asked), "--output_file", str(given)]
            subprocess.run([*call, *["--qe"] * made.get("qe", False)], check=True, cwd=clone)
            rows = map(json.loads, given.read_text("utf-8").splitlines())
            scores[name] = [round(row["prediction"], DIGITS) for row in rows]
    tool = "google-research/metricx fc4978e, python -m metricx24.predict and metricx23.predict, transformers 4.46.3"
    told = {"tool": tool, "seed": int(seed), "scores": scores}
    Path(out).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
