"""Python and the command line: the same calls, the same numbers, and refusals that show a call that works."""

from __future__ import annotations

import gc
import inspect
import json
import pickle
import re
import weakref
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.comparison.doctor.diagnosis import told
from metrologue.comparison.harness import compare_metrics
from metrologue.data.named import NamedValue
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Cider, Scorer, get_scorer, list_scorers, make_scorer
from metrologue.scorers.core.options import fitted_fields, settled_defaults
from metrologue.segments import Segments
from metrologue.text.lexicon.resource import Resource

PREDICTIONS = ["the cat, she sat on the mat", "A dog ran away from it", "one two three four five"]
REFERENCES = ["the cat, she ran on a mat", "a dog ran away from us all", "one two three four six"]
LABELS, RIGHT, WEIGHTS = ["a", "b", "b"], ["a", "b", "a"], [1.0, 2.0, 0.5]
CANDIDATES = [["a cat sat", "the cat sat", "dogs"], ["x y", "x", "x y"]]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    paths = [tmp_path / "hyp.txt", tmp_path / "ref.txt"]
    for path, lines in zip(paths, (PREDICTIONS, REFERENCES), strict=True):
        path.write_text("\n".join(lines) + "\n", "utf-8")
    return ["-p", str(paths[0]), "-r", str(paths[1])]


def run(*arguments: str) -> str:
    done = CliRunner().invoke(main, [*arguments])
    assert done.exit_code == 0, done.output
    return done.stdout


@pytest.mark.parametrize(
    ("metric", "a", "b"),
    [
        ("bleu", "nltk", "sacrebleu"),
        ("rouge", "rouge_score", "rouge"),
        ("wer", "jiwer", "geval"),
        ("chrf", "nltk", "chrf++"),
    ],
)
def test_explain_takes_the_metric_first(metric: str, a: str, b: str, files: list[str]) -> None:
    expected = metrologue.explain(f"{metric}:{a}", f"{metric}:{b}", PREDICTIONS, REFERENCES)
    assert metrologue.explain(metric, a, b, PREDICTIONS, REFERENCES) == expected
    assert metrologue.explain(metric, a, b, predictions=PREDICTIONS, references=REFERENCES) == expected
    assert metrologue.explain(metric=metric, a=a, b=b, predictions=PREDICTIONS, references=REFERENCES) == expected
    first, second = (get_scorer(metric).variant(each) for each in (a, b))
    assert metrologue.explain(metric, first, second.signature, PREDICTIONS, REFERENCES) == expected
    printed = json.loads(run("explain", metric, a, b, *files, "--format", "json"))
    assert (printed["value_a"], printed["value_b"], printed["gap"]) == (
        expected.value_a,
        expected.value_b,
        expected.gap,
    )
    assert [part["share"] for part in printed["contributions"]] == [part.share for part in expected.contributions]


def test_explain_takes_no_references_and_fields_of_both() -> None:
    expected = metrologue.explain("distinct_n:metrologue", "distinct_n:paper-2016", PREDICTIONS)
    assert metrologue.explain("distinct_n", "metrologue", "paper-2016", PREDICTIONS) == expected
    ends = Bleu.variant("nltk", max_order=2), Bleu(max_order=2)
    expected = metrologue.explain(*ends, PREDICTIONS, REFERENCES)
    assert metrologue.explain("bleu", "nltk", "sacrebleu", PREDICTIONS, REFERENCES, max_order=2) == expected


@pytest.mark.parametrize("metric", ["bleu", "wer", "accuracy"])
def test_compare_takes_one_system(metric: str) -> None:
    texts = (PREDICTIONS, REFERENCES) if metric != "accuracy" else (LABELS, RIGHT)
    named = metrologue.compare({"predictions": texts[0]}, texts[1], metric, libraries=[])
    assert metrologue.compare(*texts, metric, libraries=[]).to_json() == named.to_json()
    assert [number.value for number in named.numbers] == [
        pytest.approx(metrologue.score(metric, *texts, variant=number.name).value, rel=1e-12)
        for number in named.numbers
    ]
    several = compare_metrics(*texts, [metric], libraries=[])
    assert several.comparisons[0].to_json() == named.to_json()


def test_compare_is_the_command(files: list[str]) -> None:
    printed = json.loads(run("compare", "--no-live", *files, "--format", "json"))
    found = json.loads(metrologue.compare(PREDICTIONS, REFERENCES, libraries=[]).to_json())
    for each in (*printed["numbers"], *found["numbers"]):
        del each["system"]
    assert printed["numbers"] == found["numbers"]


@pytest.mark.parametrize("metric", ["bleu", "bleu:nltk", "rouge", "chrf", "wer", "meteor:nltk", "cider"])
def test_trace_takes_a_corpus(metric: str, files: list[str]) -> None:
    scorer = make_scorer(metric)
    fitted = scorer if scorer._is_fitted else scorer.fit(Segments(PREDICTIONS, REFERENCES))
    expected = metrologue.trace(fitted, PREDICTIONS[1], [REFERENCES[1]])
    for found in (
        metrologue.trace(metric, PREDICTIONS, REFERENCES, segment=1),
        metrologue.trace(
            metric, predictions=np.array(PREDICTIONS), references=[[each] for each in REFERENCES], segment=1
        ),
    ):
        assert found.to_dict() == expected.to_dict()
    name, _, variant = metric.partition(":")
    options = ["--variant", variant] if variant else []
    assert run("trace", name, *options, *files, "--segment", "2") == expected.text() + "\n"


def test_trace_takes_a_variant_and_fields() -> None:
    expected = metrologue.trace(Bleu.variant("nltk", max_order=2), PREDICTIONS[0], [REFERENCES[0]])
    found = metrologue.trace("bleu", PREDICTIONS, REFERENCES, segment=0, variant="nltk", max_order=2)
    assert found.to_dict() == expected.to_dict()


def test_score_takes_several_metrics(files: list[str]) -> None:
    metrics = ["bleu", "bleu:nltk", "chrf", "wer"]
    found = metrologue.score(metrics, PREDICTIONS, REFERENCES)
    assert found == {metric: metrologue.score(metric, PREDICTIONS, REFERENCES) for metric in metrics}
    assert metrologue.score(tuple(metrics), iter(PREDICTIONS), iter(REFERENCES)) == found
    printed = json.loads(run("score", *metrics, *files, "--format", "json"))
    assert [each["systems"][0]["scores"] for each in printed] == [result.scores for result in found.values()]


def test_of_several_metrics_each_takes_what_it_has() -> None:
    found = metrologue.score(
        ["bleu", "chrf", "bleu:sacrebleu", Bleu()], PREDICTIONS, REFERENCES, max_order=2, variant="nltk"
    )
    assert found["bleu"] == metrologue.score("bleu:nltk", PREDICTIONS, REFERENCES, max_order=2)
    assert found["chrf"] == metrologue.score("chrf:nltk", PREDICTIONS, REFERENCES)
    assert found["bleu:sacrebleu"] == metrologue.score("bleu:sacrebleu", PREDICTIONS, REFERENCES, max_order=2)
    assert found[Bleu().signature] == Bleu().corpus(PREDICTIONS, REFERENCES)
    weighed = metrologue.score(["accuracy", "wer"], LABELS, RIGHT, sample_weight=WEIGHTS)
    assert weighed["accuracy"] == metrologue.score("accuracy", LABELS, RIGHT, sample_weight=WEIGHTS)


def test_inputs_work_in_every_call() -> None:
    weighed = metrologue.score("accuracy", LABELS, RIGHT, variant="scikit-learn", sample_weight=WEIGHTS)
    assert weighed.value != metrologue.score("accuracy", LABELS, RIGHT, variant="scikit-learn").value
    gap = metrologue.explain("accuracy", "scikit-learn", "evaluate", LABELS, RIGHT, sample_weight=WEIGHTS)
    assert gap.value_a == weighed.value
    found = metrologue.compare(LABELS, RIGHT, "accuracy", sample_weight=WEIGHTS, variants=["scikit-learn"])
    assert [number.value for number in found.numbers] == [weighed.value]
    shown = metrologue.trace("accuracy:scikit-learn", LABELS, RIGHT, sample_weight=WEIGHTS)
    assert shown.value == weighed.value
    with pytest.raises(
        InputError, match="scikit-learn is given predictions and references only; leave out `sample_wei"
    ):
        metrologue.compare(LABELS, RIGHT, "accuracy", libraries=["scikit-learn"], sample_weight=WEIGHTS)


def test_the_doctor_is_the_command(files: list[str], tmp_path: Path) -> None:
    lines = [f"Line {i}: The Cat sat on Mat {i}, and then it slept." for i in range(30)]
    lowered = [line.lower() for line in lines]
    found = metrologue.doctor(lowered, lines)
    assert found == metrologue.doctor({"predictions": lowered}, lines)
    paths = [tmp_path / "predictions", tmp_path / "lines"]
    for path, texts in zip(paths, (lowered, lines), strict=True):
        path.write_text("\n".join(texts) + "\n", "utf-8")
    options = ["-p", str(paths[0]), "-r", str(paths[1])]
    printed = json.loads(run("doctor", *options, "--format", "json"))
    assert [{**each, "system": ""} for each in printed] == [{**each.to_dict(), "system": ""} for each in found]
    assert run("doctor", *options).split() == " ".join(told(found, 1)).split()


@pytest.mark.parametrize("metric", ["chrf", "ter", "bleu:sacrebleu-sentence", "cider"])
def test_mbr_is_the_command(metric: str, tmp_path: Path) -> None:
    path = tmp_path / "nbest.jsonl"
    weights = [[1, 2, 0.5], [0, 1, 1]]
    rows = [{"candidates": texts, "weights": own} for texts, own in zip(CANDIDATES, weights, strict=True)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    printed = [
        *map(json.loads, run("mbr", "-c", str(path), "-m", metric, "--top", "3", "--format", "json").splitlines())
    ]
    found = metrologue.mbr(metric, CANDIDATES, weights=weights)
    order = [(line, rank, index) for line, each in enumerate(found, 1) for rank, index in enumerate(each.order, 1)]
    assert [(each["line"], each["rank"], each["index"]) for each in printed] == order
    assert [each["utility"] for each in printed] == [each.utilities[i] for each in found for i in each.order]
    assert [each.best for each in found] == [each["candidate"] for each in printed if each["rank"] == 1]


def test_mbr_of_one_list_and_of_shared_references() -> None:
    single = metrologue.mbr("chrf", CANDIDATES[0])
    assert single.best == "the cat sat"
    assert (single.index, single.utility) == (1, float(single.utilities.max()))
    shared = metrologue.mbr("chrf", CANDIDATES, ["a cat", "x"], [1, 3])
    expected = metrologue.mbr("chrf", CANDIDATES, [["a cat", "x"]] * 2, np.array([[1, 3]] * 2))
    assert [each.utilities.tolist() for each in shared] == [each.utilities.tolist() for each in expected]
    matrix = metrologue.pairwise("chrf", CANDIDATES[0], ["a cat", "x"])
    assert shared[0].utilities == pytest.approx(np.array(matrix) @ [0.25, 0.75], rel=1e-12)
    assert metrologue.mbr("chrf", CANDIDATES[0], aggregate=True).best == "the cat sat"


# Calls that do not fit, and a part of what is said. Where a call is shown, it works.
REFUSED = [
    ('score("bleu")', "`predictions` is missing", True),
    ('score("bleu", predictions, references, references)', "4 arguments without a name are too many", True),
    ('score("bleu", predictions, references, predictions=predictions)', "`predictions` is given twice", True),
    ('score("bleu", predictions, references, sources=predictions)', "unknown field 'sources'; there are", False),
    ('score(["bleu", "wer"], predictions, references, maxorder=2)', "'maxorder'; did you mean 'max_order'", False),
    ('score("bleu:nltk", predictions, references, variant="coco")', "give one of them", False),
    ("score([], predictions, references)", "is an empty list", False),
    ('score(["wer", "wer"], predictions, references)', "'wer' is given twice", False),
    ('explain("bleu", "nltk")', "is missing", True),
    ("explain()", "`a` is missing", True),
    ('explain("bleu", "nltk", "coco", predictions, references, 3)', "6 arguments are too many", True),
    ('explain("bleu", "nltk", predictions, references)', "it is a variant, such as 'bleu:nltk'", False),
    ('explain("bleu", "wer:jiwer", "wer:geval", predictions, references)', "are scorers of wer", False),
    ("compare()", "`systems` is missing", True),
    ("compare(predictions)", "needs `references`", True),
    ("compare(predictions, references, confidance=0.9)", "'confidance'; did you mean 'confidence'", False),
    ("doctor(predictions)", "`references` is missing", True),
    ("doctor(predictions, None)", "`references` are missing", False),
    ('doctor("bleu", references)', "`systems` is 'bleu'", True),
    ("doctor(predictions, references, source=predictions)", "'source'; did you mean 'sources'", True),
    ("doctor(predictions, references, predictions[1:])", "2 sources for 3 predictions", False),
    ('mbr("chrf")', "`candidates` is missing", True),
    ('mbr("chrf", [])', "`candidates` is empty", False),
    ('mbr("chrf", [["a"], []])', r"`candidates\[1\]`", False),
    ('mbr("chrf", "a cat")', "wrap it in a list", False),
    ('mbr("chrf", candidates, weights=[1])', "1 weights for 3 references", False),
    ('mbr("chrf", [candidates] * 2, weights=[1, 2, 3])', "3 lists of `weights`, but 2 of `candidates`", False),
    ('mbr("chrf", [candidates] * 2, [["a"]])', "1 list of `references`, but 2 of `candidates`", False),
    ('mbr("wer", candidates, aggregate=True)', "`aggregate` is for chrf", False),
    ('mbr("distinct_n", candidates)', "it has no matrix", False),
    ('trace("bleu", predictions, references)', "a str is expected, or a corpus and the segment", True),
    ('trace("bleu", predictions=predictions, references=references)', "are those of a corpus", True),
    ('trace("bleu", predictions, references, segment=3)', r"an int in range\(3\) is expected", False),
    ("trace()", "`scorer` is missing", True),
    ('which("bleu", predictions, references)', "`references` is missing", True),
    ('which("bleu", 27.3, predictions, references, second=1)', "'second'; did you mean 'seconds'", True),
    ('pairwise("chrf")', "`hypotheses` is missing", True),
    ('metrologue.Bleu("nltk")', "fields are given by their names", True),
]  # fmt: skip


@pytest.mark.parametrize(("call", "message", "shows_call"), REFUSED)
def test_what_does_not_fit_is_refused_with_a_call_that_works(call: str, message: str, shows_call: bool) -> None:
    names = {name: getattr(metrologue, name) for name in (*metrologue._CALLS, "Bleu")}
    names |= {
        "metrologue": metrologue,
        "predictions": PREDICTIONS,
        "references": REFERENCES,
        "candidates": CANDIDATES[0],
    }
    with pytest.raises(InputError, match=message) as caught:
        eval(call, names)
    found = re.findall(r"`([A-Za-z_.]+\([^`]*\))`", str(caught.value))
    assert bool(found) == shows_call
    for shown in found:
        assert eval(_quick(shown), names) is not None


def test_the_calls_of_the_documentation_are_those_of_the_commands() -> None:
    page = (Path(__file__).parents[2] / "docs" / "getting-started.md").read_text("utf-8")
    rows = re.findall(r"^\| `metrologue (\w+)[^`]*` \| `metrologue\.((\w+)\(.*\))` \|$", page, re.MULTILINE)
    assert [command for command, _, _ in rows] == [function for _, _, function in rows]
    assert {function for _, _, function in rows} == {*metrologue._CALLS} - {"pairwise", "recommended", "resegment"}
    names = {"predictions": PREDICTIONS, "references": REFERENCES, "candidates": CANDIDATES[0]}
    for _, call, function in rows:
        assert eval(_quick(call), names | {function: getattr(metrologue, function)})


def _quick(call: str) -> str:
    """The call without libraries, and without a long search."""
    ends = {"compare": ", libraries=[])", "which": ", changes=0)"}
    return call.removesuffix(")") + next((end for name, end in ends.items() if name in call), ")")


def test_an_error_inside_is_not_taken_for_a_wrong_call() -> None:
    def broken(found: str, done: int, total: int) -> None:
        raise TypeError("of the caller's own function")

    with pytest.raises(TypeError, match="of the caller's own function"):
        metrologue.compare(PREDICTIONS, REFERENCES, libraries=[], variants=["nltk"], progress=broken)


@pytest.mark.parametrize("name", sorted(metrologue._CALLS))
def test_a_function_of_the_front_door_is_what_it_says(name: str) -> None:
    function = getattr(metrologue, name)
    assert pickle.loads(pickle.dumps(function)) is function
    assert function.__name__ == name
    assert "Examples\n" in function.__doc__
    assert inspect.signature(function).parameters
    assert name in metrologue.__all__


def test_equal_values_make_one_scorer() -> None:
    assert make_scorer("bleu", weights=[0.5, 0.5]) is make_scorer("bleu", weights=(0.5, 0.5))
    assert make_scorer("bleu", tokenizer="13a") is make_scorer("bleu", tokenizer="13a")
    assert make_scorer("bleu", tokenizer="none") is make_scorer("bleu", tokenizer="whitespace")
    assert make_scorer("rouge", types=["rouge1"]) is make_scorer("rouge", types=["rouge1"])
    assert make_scorer("meteor:nltk") is make_scorer("meteor", "nltk")
    assert make_scorer("bertscore") is make_scorer("bertscore")
    with pytest.raises(InputError, match="weights"):
        make_scorer("bleu", weights=[True, 0.5])
    with ThreadPoolExecutor(8) as pool:
        made = [*pool.map(lambda at: make_scorer("chrf", beta=2.5 + at % 2), range(64))]
    assert len({*map(id, made)}) == 2


def test_scorers_are_kept_within_a_bound_and_tables_are_not() -> None:
    first = weakref.ref(make_scorer("bleu", scale=7.25))
    for at in range(1, 400):
        make_scorer("bleu", scale=float(at))
    gc.collect()
    assert first() is None
    fitted = Cider().fit(Segments(PREDICTIONS, REFERENCES))
    [field] = fitted_fields(type(fitted))
    held = weakref.ref(getattr(fitted, field))
    assert (
        metrologue.score("cider", PREDICTIONS, REFERENCES, **{field: cast("Any", held())}).value
        == fitted.corpus(PREDICTIONS, REFERENCES).value
    )
    del fitted
    gc.collect()
    assert held() is None


def _again(value: Any) -> Any:
    """An equal value that is another object, if there can be one."""
    if isinstance(value, tuple):
        return tuple([_again(each) for each in value])
    return (
        "".join([*value])
        if type(value) is str and len(value) > 1
        else float(str(value))
        if type(value) is float
        else value
    )


@pytest.mark.parametrize("name", list_scorers())
def test_a_default_that_is_not_checked_again_stays_as_it_is(name: str) -> None:
    kind = get_scorer(name)
    named = [field.name for field in fields(kind) if getattr(kind, field.name) is not None]
    checked = kind(**{each: _again(getattr(kind, each)) for each in named})
    assert checked == kind()
    assert checked.signature == kind().signature
    for each in named:
        assert type(getattr(checked, each)) is type(getattr(kind(), each))
    assert not any(isinstance(value, NamedValue | Resource) for value in settled_defaults(kind).values())


def test_a_bad_default_of_a_subclass_is_refused() -> None:
    @dataclass(frozen=True, kw_only=True)
    class Odd(Bleu):
        """A metric with a default that is out of range."""

        smooth_from: int = -1

    @dataclass(frozen=True, kw_only=True)
    class Plain(Bleu):
        """A metric with a default in another spelling."""

        tokenizer: str = "none"

    with pytest.raises(InputError, match="Odd: `smooth_from` is -1"):
        Odd()
    assert Plain().tokenizer == "whitespace"


def test_the_scorer_of_a_refused_value_is_not_kept() -> None:
    for _ in range(2):
        with pytest.raises(InputError, match="tokenizer"):
            make_scorer("bleu", tokenizer="13b")
        with pytest.raises(InputError, match="no variant is called"):
            make_scorer("bleu", ["nltk"])  # type: ignore[arg-type]  # what a user may give
    assert isinstance(make_scorer("bleu"), Scorer)
