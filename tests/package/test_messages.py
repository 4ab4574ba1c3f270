"""A message names an argument as the door knows it that prints it: Python, the command line or a module."""

from __future__ import annotations

import inspect
import re
import warnings
from collections import OrderedDict, deque
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from click.testing import CliRunner
from layouts import Columns, columns_of

import metrologue
from metrologue.cli import main, warning_line
from metrologue.data.intake import with_type
from metrologue.errors import InputError, instead_of, shown
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.options import options_of

_NAMES = re.compile(r"`([a-z]\w*)`")
_SETTINGS = re.compile(r"--set ([a-z]\w*)")
_OPTIONS = re.compile(r"--(?!set )([a-z][a-z-]*)")


@pytest.fixture
def text(tmp_path: Path) -> str:
    (tmp_path / "text").write_text("a\n", "utf-8")
    return str(tmp_path / "text")


def _given(metric: str, text: str, reference: Any) -> Columns:
    """One segment, with what the metric takes and no more."""
    columns = columns_of(metric, [text], [reference])
    return {name: rows for name, rows in columns.items() if get_scorer(metric).input(name)}


def _told(call: Callable[..., Any], *given: Any, **named: Any) -> str:
    """The message of an InputError; empty if the call has a result."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        try:
            call(*given, **named)
        except InputError as error:
            return str(error)
    return ""


@pytest.mark.parametrize("metric", list_scorers())
def test_python(metric: str) -> None:
    """What is missing is a field of the scorer or an input."""
    scorer = get_scorer(metric)
    told = _told(metrologue.score, metric, **_given(metric, "a", "a"))
    assert {*_NAMES.findall(told)} <= {*options_of(scorer), *scorer.input_names()}


@pytest.mark.parametrize("metric", list_scorers())
def test_command_line(metric: str, text: str) -> None:
    """What is missing is an option of the command, or a field that --set takes."""
    files = [each for name in _given(metric, "a", "a") for each in (f"--{name}".replace("_", "-"), text)]
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        result = CliRunner().invoke(main, ["score", metric, *files])
    if result.exit_code == 0:
        return
    told, scorer = result.stderr.split("Error: ")[-1], get_scorer(metric)
    assert not {*_NAMES.findall(told)} & {*options_of(scorer)}, told
    told = re.sub(r"`[^`]+`", "", told)  # another command
    assert {*_SETTINGS.findall(told)} <= {*options_of(scorer)}
    known = {each for option in main.commands["score"].params for each in option.opts}
    assert {f"--{name}" for name in _OPTIONS.findall(told)} <= known


@pytest.mark.parametrize("metric", [each for each in metrologue.list_metrics() if each != "squad"])  # takes no texts
def test_module(metric: str) -> None:
    """What is missing is an argument of ``compute``."""
    pytest.importorskip("evaluate", reason="evaluate is not installed: pip install 'metrologue[evaluate]'")
    module = metrologue.load(metric)
    told = _told(module.compute, **columns_of(module.metric, ["a"], ["a"]))
    assert {*_NAMES.findall(told)} <= {*inspect.signature(module._compute).parameters}


@pytest.mark.parametrize(
    ("metric", "argument", "value"),
    [
        ("bleurt", "too_long", "keep"),
        ("bleurt", "checkpoint", "nowhere"),
        ("sacrebleu", "smooth_method", "much"),
        ("sacrebleu", "tokenize", "14a"),
        ("google_bleu", "min_len", 0),
        ("google_bleu", "max_len", 0),
        ("exact_match", "ignore_case", "yes"),
        ("nist_mt", "n", 0),
        ("rouge", "rouge_types", ["rouge0"]),
        ("ter", "ignore_punct", "yes"),
        ("ter", "support_zh_ja_chars", "yes"),
        ("bertscore", "num_layers", -1),
        ("cider", "n", 0),
        ("distinct_n", "n", [0]),
        ("distinct_n", "vocab_size", -1),
        ("lexical_diversity", "average", "most"),
        ("lexical_diversity", "threshold", -1),
        ("self_bleu", "seed", -1),
    ],
)
def test_a_wrong_value_of_a_module(metric: str, argument: str, value: Any, tmp_path: Path) -> None:
    """The Hub's arguments have other names than the fields that they set."""
    pytest.importorskip("evaluate", reason="evaluate is not installed: pip install 'metrologue[evaluate]'")
    (tmp_path / "vectors.txt").write_text("a 1 2\nb 2 1\n", "utf-8")
    more = {"model_type": str(tmp_path / "vectors.txt")} if metric == "bertscore" else {}
    with pytest.raises(InputError, match=f"`{argument}`"):
        metrologue.load(metric).compute(predictions=["a b"], references=["a b"], **{argument: value}, **more)


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        ("spice", "give --set parser and --set graphs=rules"),
        ("spice --set graphs=rules", "--set parser is missing"),
        ("wmd", "--model is missing"),
        ("bleurt", "--model is missing"),
        ("yisi --variant yisi-1-srl", "or --set beta=0"),
        ("masi --set empty=error", "choose --set empty=equal"),
        ("bleu --set max_order=0", "Bleu: --set max_order is 0; an int from 1 to 100 is expected"),
        ("self_bleu", "or --set alone=zero"),
    ],
)
def test_what_a_command_asks_for(arguments: str, told: str, text: str, tmp_path: Path) -> None:
    (tmp_path / "empty").write_text("\n", "utf-8")
    file = str(tmp_path / "empty") if "masi" in arguments else text
    references = [] if "self_bleu" in arguments else ["-r", file]
    result = CliRunner().invoke(main, ["score", *arguments.split(), "-p", file, *references])
    assert result.exit_code == 2, result.output
    assert told in result.stderr


def test_a_warning_of_a_command() -> None:
    get_scorer("meteor")
    with main.commands["score"].make_context("score", ["meteor", "-p", __file__, "-r", __file__]):
        told = warning_line("Meteor: give the language, such as language='ru', or `language`; `segments` is no field.")
    assert told == (
        "Warning: Meteor: give the language, such as --set language=ru, or --language; `segments` is no field.\n"
    )


@pytest.mark.parametrize("metric", ["accuracy", "f1", "confusion_matrix", "bleu", "dice", "spice"])
def test_missing_references_of_a_batch(metric: str) -> None:
    """A module says what they are, as Python does."""
    pytest.importorskip("evaluate", reason="evaluate is not installed: pip install 'metrologue[evaluate]'")
    about = get_scorer(metric).input("references").about or "each segment has its own"  # type: ignore[union-attr]
    module = metrologue.load(metric)
    for call in (module.add_batch, module.compute):
        with pytest.raises(InputError, match=re.escape(f": `references` are missing; {about}.")):
            call(predictions=["a"], references=None)


class Counted:
    """It counts how often anybody prints it."""

    def __init__(self) -> None:
        self.printed = 0

    def __repr__(self) -> str:
        self.printed += 1
        return "x"


def _row(value: Any) -> Any:
    row = np.empty(10, object)
    row[:] = [value] * 10
    return row


@pytest.mark.parametrize(
    "around",
    [
        lambda value: [value] * 10,
        lambda value: (value,) * 10,
        lambda value: dict.fromkeys(range(10), value),
        lambda value: OrderedDict.fromkeys(range(10), value),
        lambda value: MappingProxyType(dict.fromkeys(range(10), value)),
        lambda value: deque([value] * 10),
        lambda value: frozenset((each, value) for each in range(10)),
        lambda value: Place([value] * 10, value),
        _row,
    ],
)
def test_of_values_within_each_other_the_first_are_shown(around: Callable[[Any], Any]) -> None:
    """Four of them within each other print the innermost ten thousand times."""
    inner: Any = Counted()
    value = around(around(around(around(inner))))
    text = shown(value)
    assert text.endswith("…")
    assert len(text) == 61
    assert inner.printed < 61
    assert len(with_type(value)) < 80


class Place(NamedTuple):
    row: Any
    column: Any


SHOWN: list[tuple[Any, str]] = [
    (
        [1, "a", {"b": (None,)}, {2}, frozenset({3}), b"c", 0.5],
        "[1, 'a', {'b': (None,)}, {2}, frozenset({3}), b'c', 0.5]",
    ),
    (Place(1, 2), "Place((1, 2))"),
    ({}, "{}"),
    ("a'" * 100, '"' + "a'" * 29 + "a…"),
    (b"a" * 100, "b'" + "a" * 58 + "…"),
    (10**5000, "an int of 16,610 bits"),
    ({"a": [10**5000]}, "{'a': [an int of 16,610 bits]}"),
    ([Fraction(10**5000)], "[a Fraction]"),
    (np.array([0.5, 1.0]), "array([0.5, 1. ])"),
    (np.arange(1000), "array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15,…"),
    (np.array(["a", "b" * 100]), "array(['a', '" + "b" * 47 + "…"),
    (pa.array(["a" * 100, "b"]), "a StringArray of length 2"),
    ([pa.table({"a": ["b" * 100]})], "[a Table of length 1]"),
]


@pytest.mark.parametrize(("value", "text"), SHOWN, ids=[text[:20] for _, text in SHOWN])
def test_shown(value: Any, text: str) -> None:
    assert shown(value) == text


def test_what_holds_itself_is_shown() -> None:
    row: list[Any] = [1]
    row.append({"row": row})
    assert shown(row) == "[1, {'row': ...}]"


def test_of_many_names_the_nearest_are_told() -> None:
    told = instead_of("n7", (f"n{each}" for each in range(10**6)))
    assert re.fullmatch(r"did you mean 'n7', 'n\d+' or 'n\d+'\?", told)
    assert len(instead_of("x", ["y" * 10**6])) < 100
