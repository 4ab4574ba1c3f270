"""Which version of a library printed which number, over the years?

    python -m tools.drift history [LIBRARY[==VERSION] ...]

Each version that was the newest one after ``SINCE``, or at that time, is installed by uv and asked for numbers: on the
texts of the documents, and on 200 lines of newstest2017 where the public test data lie beside the repository. What a
version said is kept in build/history, so that a run goes on where another one ended. The versions with the same numbers
become one entry of ``metrologue/comparison/libraries/history.json``, with the variant of ours that gives these numbers.
"""

from __future__ import annotations

import json
import math
import os
import re
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from packaging.version import Version

from metrologue.comparison.documents import load_cases
from metrologue.comparison.libraries import get_library
from metrologue.comparison.libraries.history import FILE, LINES, Call, scorer_of
from metrologue.errors import InputError
from metrologue.scorers import get_scorer
from metrologue.text.lexicon import wordnet_reader

ROOT = Path(__file__).parents[1]
KEPT = ROOT / "build" / "history"
RECORD = ROOT / "src" / "metrologue" / "comparison" / "libraries" / FILE
PROBE = Path(__file__).with_name("history_probe.py")
NEWSTEST = ROOT.parent / "shared" / "data" / "wmt17_ende"
SINCE = "2020-01-01"
METRICS = ("bleu", "edit_distance", "meteor", "rouge")  # of the documents' cases whose texts are taken
COUNT = 200  # of the real lines
BESIDE = ("setuptools<80",)  # what old versions need without saying so
# torch is large: torchmetrics gets that of the present environment, and its other packages too.
ALONE = ("torchmetrics",)
# What old versions of these import beside it.
ASKED_FOR = {"torchmetrics": ("pyDeprecate==0.3.2",)}
# What is taken in its newest version if the one that a library asks for cannot be built.
LOOSE = {"jiwer": ("python-Levenshtein",), "sacrebleu": ("portalocker",)}
DIGITS = 14  # of a number in the table
SECONDS = 900

UV = (sys.executable, "-m", "uv", "pip")

Texts = dict[str, tuple[list[str], list[list[str]]]]
Numbers = dict[str, float | str]

# Of these metrics a call takes one reference of each text; nltk's chrF does too.
SINGLE = ("edit_distance", "masi", "meteor", "wer", "mer", "wil", "wip", "cer", "rouge")
# For each call of the probe: the metric, the variant of the newest version, and the changed fields.
CALLS: dict[str, dict[str, tuple[str, str, dict[str, Any]]]] = {
    "nltk": {
        "corpus_bleu": ("bleu", "nltk", {}),
        "corpus_bleu, method1": ("bleu", "nltk", {"smoothing": "floor"}),
        "corpus_bleu, method2": ("bleu", "nltk", {"smoothing": "add-k"}),
        "corpus_bleu, method3": ("bleu", "nltk", {"smoothing": "exp"}),
        "corpus_bleu, method4": ("bleu", "nltk", {"smoothing": "chen-cherry-4"}),
        **{
            f"sentence_bleu, method{n}": ("bleu", "nltk", {"smoothing": f"chen-cherry-{n}", "aggregation": "mean"})
            for n in (5, 6, 7)
        },
        "corpus_bleu, auto_reweigh": ("bleu", "nltk", {"auto_reweigh": True}),
        "corpus_gleu": ("google_bleu", "nltk", {}),
        "corpus_nist": ("nist_mt", "nltk", {}),
        "corpus_ribes": ("ribes", "nltk", {}),
        "corpus_chrf": ("chrf", "nltk", {}),
        "edit_distance": ("edit_distance", "nltk", {}),
        "edit_distance, transpositions": ("edit_distance", "nltk", {"transpositions": "any"}),
        "masi_distance": ("masi", "nltk", {}),
        "meteor_score": ("meteor", "nltk", {}),
    },
    "sacrebleu": {
        "corpus_bleu": ("bleu", "sacrebleu", {}),
        **{
            f"corpus_bleu, tokenize={name}": ("bleu", "sacrebleu", {"tokenizer": name})
            for name in ("intl", "char", "none", "zh")
        },
        **{
            f"corpus_bleu, smooth_method={name}": ("bleu", "sacrebleu", {"smoothing": name})
            for name in ("floor", "add-k", "none")
        },
        "corpus_bleu, lowercase": ("bleu", "sacrebleu", {"lowercase": True}),
        "sentence_bleu": ("bleu", "sacrebleu-sentence", {"aggregation": "mean"}),
        "corpus_chrf": ("chrf", "sacrebleu", {}),
        "corpus_chrf, word_order=2": ("chrf", "sacrebleu", {"word_order": 2}),
        "corpus_ter": ("ter", "sacrebleu", {}),
        "corpus_ter, normalized": ("ter", "sacrebleu", {"normalized": True}),
    },
    "rouge_score": {
        f"{kind}{name}": ("rouge", "rouge_score", {"types": [kind], **more})
        for name, more in {"": {}, ", stemmer": {"stemmer": "porter"}}.items()
        for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum")
    },
    "jiwer": {name: (name, "jiwer", {}) for name in ("wer", "mer", "wil", "wip", "cer")},
    "torchmetrics": {
        "bleu_score": ("bleu", "torchmetrics", {}),
        "chrf_score": ("chrf", "torchmetrics", {}),
        "translation_edit_rate": ("ter", "torchmetrics", {}),
        "extended_edit_distance": ("eed", "torchmetrics", {}),
        "word_error_rate": ("wer", "torchmetrics", {}),
        "match_error_rate": ("mer", "torchmetrics", {}),
        "word_information_lost": ("wil", "torchmetrics", {}),
        "word_information_preserved": ("wip", "torchmetrics", {}),
        "char_error_rate": ("cer", "torchmetrics", {}),
        "edit_distance": ("edit_distance", "torchmetrics", {}),
        **{kind: ("rouge", "torchmetrics", {"types": [kind]}) for kind in ("rouge1", "rouge2", "rougeL")},
    },
}
# The fields with which a variant gives an older version's number of the same call.
OLDER: dict[tuple[str, str], tuple[dict[str, Any], ...]] = {
    ("nltk", "corpus_bleu, method2"): ({"smoothing": "add-k", "smooth_from": 1},),
    ("nltk", "corpus_bleu, method4"): ({"smoothing": "chen-cherry-4-sum"},),
    ("nltk", "sentence_bleu, method7"): ({"smoothing": "chen-cherry-7-sum", "aggregation": "mean"},),
    ("nltk", "edit_distance, transpositions"): ({"transpositions": "adjacent"},),
    ("sacrebleu", "corpus_ter"): ({"scale": 1.0},),
    ("sacrebleu", "corpus_ter, normalized"): ({"scale": 1.0, "normalized": True},),
    ("sacrebleu", "sentence_bleu"): (
        {"aggregation": "mean", "smoothing": "floor", "smooth_value": 0.0},
        {"aggregation": "mean", "zero_when": "never"},
    ),
    ("sacrebleu", "corpus_bleu, smooth_method=floor"): ({"smoothing": "floor", "smooth_value": 0.0},),
    ("sacrebleu", "corpus_bleu, smooth_method=add-k"): ({"smoothing": "add-k", "smooth_value": 0.0},),
}
# Why no variant gives the numbers of a call from this version on.
_ONE_TEXT = (
    "all lines are one text, so that words match across lines; ours has this number of the lines joined by a space"
)
_ALIGNMENT = "the hits are those of the alignment that python-Levenshtein 0.12 picks"
BECAUSE: dict[tuple[str, str, str], str] = {
    ("nltk", "edit_distance, transpositions", "3.6.3"): "the place of the last equal letter is that of the row that is "
    "being filled, so that distances are too small; corrected in 3.6.6",
    ("sacrebleu", "corpus_bleu, tokenize=intl", "1.4.3"): "a backslash is not split off",
    ("jiwer", "wer", "1.3.2"): "all lines are one text, in lower case and without words in brackets",
    ("jiwer", "wer", "2.0.0"): _ONE_TEXT,
    **{("jiwer", name, "2.1.0"): _ONE_TEXT for name in ("mer", "wil", "wip")},
    **{("jiwer", name, "2.2.1"): f"all lines are one text; {_ALIGNMENT}" for name in ("mer", "wil", "wip")},
    **{("jiwer", name, "2.3.0"): _ALIGNMENT for name in ("mer", "wil", "wip")},
}


def texts() -> Texts:
    """The documents' texts by the names of their first cases, and the real lines where they are."""
    found: Texts = {}
    for case in load_cases():
        pair = case.prepared()
        if case.metric in METRICS and case.predictions and all(case.references) and pair not in found.values():
            found[case.id] = pair
    if not NEWSTEST.is_dir():
        print(f"Without real lines: there is no folder {NEWSTEST}", flush=True)
        return found
    system = min((NEWSTEST / "systems").iterdir())
    lines = (path.read_text("utf-8").split("\n")[:COUNT] for path in (system, NEWSTEST / "reference.de"))
    predictions, references = lines
    return {**found, LINES: (predictions, [[line] for line in references])}


def versions(library: str) -> list[str]:
    """The versions of a library, from the one that was the newest at SINCE."""
    package = get_library(library).distributions[0]
    said = output([sys.executable, "-m", "pip", "index", "versions", package])
    listed = said.partition("Available versions:")[2].partition("\n")[0].replace(",", " ").split()
    before = subprocess.run(
        [*UV, "compile", "-", "--quiet", "--no-deps", "--no-header", "--no-annotate", "--exclude-newer", SINCE],
        input=package,
        capture_output=True,
        text=True,
    ).stdout
    oldest = Version(before.strip().partition("==")[2] or "0")
    known = sorted(Version(each) for each in listed if re.fullmatch(r"[\d.]+", each) and Version(each) >= oldest)
    return [str(each) for each in known]


def asked(library: str, version: str, given: Texts) -> dict[str, Any]:
    """What one version says: the numbers of its calls, or why there is none."""
    first: dict[str, Any] = {}
    for installs in ways(library, f"{get_library(library).distributions[0]}=={version}"):
        try:
            found: dict[str, Any] = json.loads(ran(library, installs, given))
        except subprocess.CalledProcessError as error:
            found = {"missing": told(error.stderr or f"exit code {error.returncode}")}
        except subprocess.TimeoutExpired:
            found = {"missing": f"takes longer than {SECONDS} s"}
        if "missing" not in found and Version(found["version"]) != Version(version):
            found = {"missing": f"{found['version']} ran in its place"}
        if "missing" not in found:
            return found
        first = first or found
    return first


def ways(library: str, wanted: str) -> Iterator[list[list[str]]]:
    """The ways to install a version, each as what uv installs one after another."""
    if library in ALONE:
        yield [[*BESIDE, *ASKED_FOR.get(library, ())], [wanted, "--no-deps"]]
        return
    yield [[wanted, *BESIDE]]
    if library in LOOSE:
        yield [[*LOOSE[library], *BESIDE], [wanted, "--no-deps"]]


def ran(library: str, installs: Sequence[Sequence[str]], given: Texts) -> str:
    """What the probe prints beside what was installed."""
    with tempfile.TemporaryDirectory() as folder:
        for each in installs:
            output([*UV, "install", "--quiet", "--python", sys.executable, "--target", folder, *each])
        for name in sys.stdlib_module_names:  # such as `typing`, which the oldest versions bring for Python 2
            Path(folder, f"{name}.py").unlink(missing_ok=True)
        command = [sys.executable, str(PROBE), library]
        return output(command, json.dumps(given), PYTHONPATH=folder, NLTK_DATA=wordnet())


def told(said: str) -> str:
    """The line that names the error, and the next one if it has no more than the name."""
    lines = [line.strip(" -") for line in said.split("\n") if line.strip(" -")] or [said]
    place = next((k for k in reversed(range(len(lines))) if "rror" in lines[k]), len(lines) - 1)
    line = " ".join(lines[place : place + 1 + lines[place].endswith(":")])
    return re.sub(r" \(/[^)]*\)", "", line)[:160]  # where it lies on this machine


@cache
def wordnet() -> str:
    """The folder with WordNet for nltk; one without it if WordNet is not installed, and then METEOR has no numbers."""
    import nltk

    try:
        wordnet_reader()
    except InputError as error:
        print(f"Without METEOR: {error}", flush=True)
    places = (place for place in map(Path, nltk.data.path) if (place / "corpora" / "wordnet").is_dir())
    return str(next(places, ""))


def output(command: Sequence[str], given: str | None = None, **environment: str) -> str:
    """What a command prints. A CalledProcessError has what it said instead."""
    done = subprocess.run(
        command, input=given, check=True, capture_output=True, text=True, timeout=SECONDS, env=os.environ | environment
    )
    return done.stdout


def collected(library: str, chosen: Sequence[str], given: Texts) -> dict[str, Any]:
    """What each version says. What one said in an earlier run, to the same question, is not asked again."""
    question = sha256(PROBE.read_bytes() + json.dumps(given).encode()).hexdigest()
    KEPT.mkdir(parents=True, exist_ok=True)
    found: dict[str, Any] = {}
    for version in chosen:
        path = KEPT / f"{library}-{version}.json"
        kept = json.loads(path.read_text("utf-8")) if path.exists() else {}
        if kept.get("asked") != question:
            kept = {"asked": question, **asked(library, version, given)}
            if "missing" in kept:
                print(f"{library} {version}: no number: {kept['missing']}", flush=True)
            else:
                path.write_text(json.dumps(kept) + "\n", "utf-8")
                print(f"{library} {version}: {len(kept['calls'])} calls", flush=True)
        found[version] = kept
    return found


def table(library: str, found: Mapping[str, Any], given: Texts) -> dict[str, Any]:
    """The library's part of the table: its calls, and for each the runs of versions with the same numbers."""
    close = max(get_library(library).resolution, 1e-12)
    calls: dict[str, Any] = {}
    for name, (metric, variant, fields) in CALLS[library].items():
        single = metric in SINGLE or (library, metric) == ("nltk", "chrf")
        call = Call(library, name, metric, variant, fields, single)
        runs: list[dict[str, Any]] = []
        previous: str | None = None
        for version, said in found.items():
            if "missing" in said:
                continue
            numbers = said["calls"].get(name)
            if numbers and runs and previous == runs[-1]["last"] and same(runs[-1]["numbers"], numbers, close):
                runs[-1]["last"] = version
            elif numbers:
                runs.append({"first": version, "last": version, "numbers": numbers})
            previous = version
        for run in runs:
            run["variant"], used = mirroring(call, run["numbers"], given, close)
            if used != fields:
                run["fields"] = used
            if run["variant"] is None:
                run["because"] = BECAUSE.get((library, name, run["first"]), "")
                print(f"{library} {run['first']} to {run['last']}, {name}: no variant of {metric}", flush=True)
        if runs:
            newest = {text: rounded(runs[-1]["numbers"][text]) for text in given}
            for run in runs[:-1]:
                own = {text: rounded(run["numbers"][text]) for text in given}
                run["numbers"] = {text: own[text] for text in given if not same_number(own[text], newest[text], close)}
            runs[-1]["numbers"] = [*newest.values()]
            calls[name] = {"metric": metric, "variant": variant, "fields": fields, "single": single, "versions": runs}
    refused = {version: said["missing"] for version, said in found.items() if "missing" in said}
    return {"versions": [each for each in found if each not in refused], "missing": refused, "calls": calls}


def rounded(number: float | str) -> float | str:
    """A number with the digits of the table; JSON has none that is not finite."""
    if isinstance(number, str):
        return number
    return float(f"{number:.{DIGITS}g}") if math.isfinite(number) else str(number)


def same(first: Numbers, second: Numbers, close: float) -> bool:
    """Whether two versions give the same numbers, and refuse the same texts."""
    return all(same_number(first[name], second[name], close) for name in first)


def same_number(first: float | str, second: float | str, close: float) -> bool:
    """Whether two numbers are equal, or both are errors."""
    if isinstance(first, str) or isinstance(second, str):
        return isinstance(first, str) and isinstance(second, str)
    return math.isclose(first, second, rel_tol=close, abs_tol=1e-300)


def mirroring(call: Call, numbers: Numbers, given: Texts, close: float) -> tuple[str | None, Mapping[str, Any]]:
    """Our variant that gives all these numbers, and its changed fields.

    It is that of the newest version, or another one of the same library.
    """
    mirrored = get_scorer(call.metric).variants()
    others = [name for name, each in mirrored.items() if each.library == mirrored[call.variant].library]
    for variant in dict.fromkeys([call.variant, *others]):
        for fields in (call.fields, *OLDER.get((call.library, call.name), ())):
            with suppress(InputError):
                scorer = scorer_of(call.metric, variant, fields)
                if all(
                    isinstance(number, str) or same_number(call.number(scorer, *given[text]), number, close)
                    for text, number in numbers.items()
                ):
                    return variant, fields
    return None, call.fields


def main(chosen: Sequence[str]) -> None:
    """Ask the versions of these libraries, by default of all, and write the table."""
    warnings.simplefilter("ignore", UserWarning)  # hints on texts, which are not of interest here
    given = texts()
    for each in chosen or CALLS:
        library, _, version = each.partition("==")
        found = collected(library, [version] if version else versions(library), given)
        if version:
            continue
        record = json.loads(RECORD.read_text("utf-8")) if RECORD.exists() else {"libraries": {}}
        if record.get("texts") not in (None, [*given]):
            print("The table is of other texts: give all libraries, and the real lines.", flush=True)
            continue
        record["libraries"][library] = table(library, found, given)
        order = {name: record["libraries"][name] for name in CALLS if name in record["libraries"]}
        RECORD.write_text(written({"since": SINCE, "texts": [*given], "libraries": order}), "utf-8")


def written(record: Mapping[str, Any]) -> str:
    """JSON with a line for each list and for each run of versions."""
    lines: list[str] = []

    def on_a_line(value: Any) -> Any:
        if isinstance(value, dict) and "first" not in value:
            return {key: on_a_line(each) for key, each in value.items()}
        if isinstance(value, list) and value and isinstance(value[0], dict):
            return [on_a_line(each) for each in value]
        lines.append(json.dumps(value))
        return f"line {len(lines) - 1}"

    text = json.dumps(on_a_line(record), indent=1)
    return re.sub(r'"line (\d+)"', lambda found: lines[int(found[1])], text) + "\n"
