"""Records the scores of unbabel-comet for small checkpoints.

    PYTHONPATH= VENV/bin/python tests/metrics/comet/record.py tests/metrics/comet/unbabel-comet-2.2.7.json

VENV is an environment of its own with unbabel-comet 2.2.7, which needs setuptools below 80; its pins do not go with the
other libraries. With a seed as a further argument, other weights and texts are drawn.
"""

from __future__ import annotations

import json
import logging
import sys
import tempfile
import warnings
from pathlib import Path

from small import KINDS, MARKED, WITHOUT, draws_texts, make_checkpoint

DIGITS = 9


def main(out: str, seed: str = "0") -> None:
    """Write the scores of all kinds of checkpoints, by their names."""
    warnings.simplefilter("ignore")
    logging.disable(logging.CRITICAL)
    from comet import load_from_checkpoint

    scores, errors = {}, {}
    with tempfile.TemporaryDirectory() as folder:
        for name, made in KINDS.items():
            own = {**made, "seed": made["seed"] + 1000 * int(seed)}
            place = make_checkpoint(Path(folder) / name, **own)
            model = load_from_checkpoint(str(place / "checkpoints" / "model.ckpt"))
            predicted = model.predict(draws_texts(own["seed"]), batch_size=4, gpus=0, progress_bar=False)
            scores[name] = [round(score, DIGITS) for score in predicted["scores"]]
            if name == "three":
                rows = [{"src": row["src"], "mt": row["mt"]} for row in draws_texts(own["seed"])]
                alone = model.predict(rows, batch_size=4, gpus=0, progress_bar=False)["scores"]
                scores[WITHOUT] = [round(score, DIGITS) for score in alone]
            for asked, (with_references, threshold) in MARKED.items():
                if asked.partition(" ")[0] == name:
                    texts = draws_texts(own["seed"])
                    rows = texts if with_references else [{"src": row["src"], "mt": row["mt"]} for row in texts]
                    model.set_decoding_threshold(threshold)
                    given = model.predict(rows, batch_size=4, gpus=0, progress_bar=False)
                    scores[asked] = [round(score, DIGITS) for score in given["scores"]]
                    errors[asked] = [
                        [{**each, "confidence": round(each["confidence"], DIGITS)} for each in row]
                        for row in given["metadata"]["error_spans"]
                    ]
    told = {"tool": "unbabel-comet 2.2.7, predict(batch_size=4, gpus=0)", "seed": int(seed), "scores": scores,
            "errors": errors}  # fmt: skip
    Path(out).write_text(json.dumps(told, indent=1) + "\n", "utf-8")


if __name__ == "__main__":
    main(*sys.argv[1:])
