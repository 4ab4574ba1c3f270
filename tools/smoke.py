"""What an installed package must be able to do: numbers of all metrics, an interval, a module, the command line.

``python tools/smoke.py`` prints what this Python's metrologue gives, as JSON. ``python tools/smoke.py TABLE`` compares
that with the JSON in a file, which another installation has printed. It prints how many numbers are equal, and ends
with the status 1 if one differs. Only the Python standard library and metrologue are imported.
"""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import metrologue
from metrologue.errors import InputError
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.needs import model_kind, needs_model

Numbers = dict[str, float]

TEXTS = ["the cat sat on the mat .", "It's a well-known fact, she said.", "été à la plage", "a b c d e f", "dogs run"]
OTHERS = ["the cat is on the mat .", "She said it's a well-known fact.", "l'été est là", "a b d c e f g", "dogs ran"]
# The inputs of metrics that do not take texts with references, and fields that such inputs need.
LABELS, PROBABILITIES, HASHED = (["a", "b", "a"], ["a", "a", "a"]), ([[0.5, 0.25], [0.5]], None), (["a:1 b:2"], ["a"])
INPUTS: dict[str, tuple[Any, Any]] = {
    **dict.fromkeys(("accuracy", "confusion_matrix", "f1", "matthews_correlation", "precision", "recall"), LABELS),
    **dict.fromkeys(("cross_entropy", "likelihood", "perplexity"), PROBABILITIES),
    **dict.fromkeys(("likelihood_hashed", "log_loss_hashed", "perplexity_hashed"), HASHED),
    "peak": ([[("a b", "c", "d")]], [[[("a", "c", "d"), ("e", "f", "g")], [("a", "c", "d")]]]),
    "huse": ([[i % 5, -i, 1 + i % 3] for i in range(18)], ["human", "model"] * 9),
    "seqeval": ([["B-A", "I-A", "O"]], [["B-A", "O", "B-B"]]),
    "spice": (['[["cat"], ["cat", "red"]]'], ['[["cat"], ["cat", "on", "mat"]]']),
}
FIELDS: dict[str, dict[str, Any]] = {name: {"average": "macro"} for name in ("f1", "precision", "recall")}
FIELDS["meant"] = {"beta": 0.0}  # without frames
# What is read beside the texts.
SOURCES: dict[str, Any] = {name: {"sources": TEXTS[1:] + TEXTS[:1]} for name in ("sari", "wiki_split")}
# Metrics that need tables, models or packages which others own; the Hub's word_length and EASSE's FKGL need nltk's.
NEED_TABLES = ("codebleu", "meteor", "readability", "spice", "word_length")
# What a variant says that lacks something here.
LACKING = ("install", "`parser` is missing")
EQUAL = 1e-12


def of_metrics() -> Iterator[tuple[str, Numbers | str]]:
    """Every number of every variant of every metric; or what the variant lacks here."""
    for name in list_scorers():
        kind = get_scorer(name)
        if needs_model(kind) or model_kind(kind) == "trained":  # no model comes with the package
            continue
        # A variant may need what the metric alone does not.
        for variant in (None,) if kind.about.optional_model else (None, *kind.variants()):
            label = f"{name}:{variant}" if variant else name
            try:
                fields = FIELDS.get(name, {})
                scorer = kind.variant(variant, **fields) if variant else kind._from_fields(fields)
                yield label, dict(scorer.corpus(*INPUTS.get(name, (TEXTS, OTHERS)), **SOURCES.get(name, {})).scores)
            except InputError as error:
                yield label, str(error)


def of_intervals() -> Iterator[tuple[str, Numbers]]:
    """A confidence interval and a paired test."""
    for name in ("bleu", "chrf", "distinct_n"):
        interval = metrologue.score(name, TEXTS, OTHERS, confidence=0.95).interval
        yield f"interval {name}", {"low": interval.low, "high": interval.high}
    from metrologue.inference import paired_test

    segments = {key: metrologue.Segments(texts, OTHERS) for key, texts in (("a", TEXTS), ("b", OTHERS[1:] + TEXTS[:1]))}
    [test] = paired_test(metrologue.Bleu(), "a", segments, resamples=200)
    yield "paired test", {"p": test.p_value, "difference": test.difference}


def of_modules() -> Iterator[tuple[str, Numbers]]:
    """Modules of ``evaluate``: one call, and one in batches."""
    for name, predictions, references in (("bleu", TEXTS, OTHERS), ("accuracy", [0, 1, 1], [0, 1, 0])):
        yield f"module {name}", flat(metrologue.load(name).compute(predictions=predictions, references=references))
    module = metrologue.load("rouge", "rouge_score")
    for at in (0, 2):
        module.add_batch(predictions=TEXTS[at : at + 3], references=OTHERS[at : at + 3])
    yield "module rouge", flat(module.compute())


def of_commands() -> Iterator[tuple[str, Numbers]]:
    """The command line: JSON, a table in colours, a page, and commands that only need to end well."""
    with tempfile.TemporaryDirectory() as folder:
        for name, texts in (("h.txt", TEXTS), ("r.txt", OTHERS)):
            Path(folder, name).write_text("\n".join(texts) + "\n", "utf-8")
        files = ("-p", "h.txt", "-r", "r.txt")

        def run(*arguments: str, colours: bool = False) -> str:
            environment = {**os.environ, **({"FORCE_COLOR": "1"} if colours else {})}
            command = [sys.executable, "-m", "metrologue", *arguments]
            done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True)
            if done.returncode:
                raise RuntimeError(f"metrologue {' '.join(arguments)}: {done.stderr[-500:]}")
            return done.stdout

        for result in json.loads(run("score", "bleu", "chrf", "ter", *files, "--format", "json")):
            yield f"command {result['metric']}", flat(result["systems"][0]["scores"])
        commands = ("list",), ("explain", "bleu", "nltk", "sacrebleu", *files), ("compare", *files), ("--help",)
        shown = [run("score", "bleu", *files, colours=True), *(run(*command) for command in commands)]
        run("trace", "bleu", *files, "--segment", "1", "--html", "trace.html")
        shown.append(Path(folder, "trace.html").read_text("utf-8"))
        yield "command lines", {"empty": float(sum(not text.strip() for text in shown))}


def flat(result: Any, key: str = "") -> Numbers:
    """The numbers in a result, by their keys."""
    if isinstance(result, dict):
        return {k: n for name, value in result.items() for k, n in flat(value, f"{key}.{name}").items()}
    if isinstance(result, list):
        return {k: n for i, value in enumerate(result) for k, n in flat(value, f"{key}.{i}").items()}
    return {key: float(result)}


def given() -> dict[str, Numbers | str]:
    """What this installation gives, by what was asked."""
    warnings.simplefilter("ignore")
    return {name: numbers for part in (of_metrics, of_intervals, of_modules, of_commands) for name, numbers in part()}


def difference(name: str, here: Numbers | str | None, there: Numbers | str) -> str | None:
    """How the numbers of one name differ from those of the other installation; None if they are equal."""
    if isinstance(here, str):  # something is not installed, which no plain install has
        bare = name.partition(":")[0] not in NEED_TABLES and ":" not in name
        return f"{name}: {here}" if bare or not any(words in here for words in LACKING) else None
    if here is None or isinstance(there, str) or here.keys() != there.keys():
        return f"{name}: {here} here, {there} there"
    for key, number in here.items():
        if not math.isclose(number, there[key], rel_tol=EQUAL, abs_tol=EQUAL) and number != there[key]:
            return f"{name}: {key} is {number!r} here, {there[key]!r} there"
    return None


def main() -> int:
    here = given()
    if len(sys.argv) < 2:
        print(json.dumps(here))
        return 0
    there = json.loads(Path(sys.argv[1]).read_text("utf-8"))
    found = [text for name in there if (text := difference(name, here.get(name), there[name]))]
    lacking = sum(isinstance(numbers, str) for numbers in here.values())
    equal = sum(len(numbers) for numbers in here.values() if isinstance(numbers, dict))
    print("\n".join(found) or f"{equal} numbers equal, {lacking} variants lack what others install")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
