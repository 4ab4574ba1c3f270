"""What fields and their values mean: said once, where the field is declared, and shown wherever it is asked for."""

from __future__ import annotations

import inspect
import pydoc
import re
import subprocess
import sys
from dataclasses import dataclass
from typing import ClassVar

import pytest

from metrologue.scorers import (
    Bleu,
    Chrf,
    Cider,
    EditDistance,
    PairScorer,
    Rouge,
    Scorer,
    SetScorer,
    get_scorer,
    list_scorers,
)
from metrologue.scorers.core.described import described, meaning_of, parameters
from metrologue.scorers.core.options import Option, option, options_of, with_default

KINDS = [*map(get_scorer, list_scorers()), Scorer, PairScorer, SetScorer]
SECTIONS = ("Parameters", "Raises", "Notes", "References", "Examples")
each_kind = pytest.mark.parametrize("kind", KINDS, ids=lambda kind: kind.__name__)


@each_kind
def test_no_meaning_repeats_the_limits(kind: type[Scorer]) -> None:
    for name, declared in options_of(kind).items():
        if isinstance(getattr(kind, name), (int, float)):
            limits = rf"\b{declared.least:.10g} to ({declared.greatest:.10g}|2\^31)"
            assert not re.search(limits, declared.about), name


@each_kind
def test_the_docstring_names_each_field_once_with_type_limits_and_default(kind: type[Scorer]) -> None:
    text = inspect.getdoc(kind)
    assert text is not None
    found = [name for name in re.findall(r"^(.+)\n-{4,}$", text, re.MULTILINE) if name in SECTIONS]
    assert found == [name for name in SECTIONS if name in found]
    section = re.search(r"^Parameters\n-+\n(.*?)(?:\n\n\w+\n-+\n|\Z)", text, re.MULTILINE | re.DOTALL)
    assert section is not None
    fields = dict(re.findall(r"^(\w+) : (.*)$", section[1], re.MULTILINE))
    names = re.findall(r"^(\w+) : ", section[1], re.MULTILINE)
    assert sorted(names) == sorted(options_of(kind))
    for name, declared in options_of(kind).items():
        default = getattr(kind, name)
        assert fields[name].endswith(("optional", "default None") if default is None else f"default {_code(default)}")
        if declared.one_of:
            assert all(f'"{value}"' in fields[name] for value in declared.one_of)
        elif isinstance(default, (int, float)) and not isinstance(default, bool):
            assert f", {declared.least:.10g} to " in fields[name]
    assert text.count("\nParameters\n") == 1


def _code(value: object) -> str:
    if isinstance(value, tuple):
        return f"({', '.join(map(_code, value))}{',' * (len(value) == 1)})"
    return f'"{value}"' if isinstance(value, str) else repr(value)


def test_help_shows_the_docstring() -> None:
    text = pydoc.render_doc(Bleu, renderer=pydoc.plaintext)
    assert ' |  smoothing : {"exp", "none", ' in text
    assert ' |  - "floor": `smooth_value` replaces a count of 0 matches (1).\n' in text.replace(" |      ", " |  ")
    order = " |  max_order : int, 1 to 100, optional\n |      Longest n-gram; the length of `weights` by default.\n"
    assert order in text
    assert "labels : tuple of (str or int) or None, default None" in str(get_scorer("f1").__doc__)
    assert "epsilons : tuple of 2 float, 0 to 2^31 - 1, default (0.0, 0.0)" in str(Bleu.__doc__)


@pytest.mark.parametrize("kind", [Scorer, *map(get_scorer, list_scorers())], ids=lambda kind: kind.__name__)
def test_the_source_of_a_class_lists_no_parameters(kind: type[Scorer]) -> None:
    own = inspect.getsource(kind).split('"""')[1]
    assert "Parameters\n" not in own


def test_a_subclass_keeps_a_meaning_unless_it_has_its_own() -> None:
    base = options_of(Scorer)["scale"].about
    assert options_of(PairScorer)["scale"].about == base
    assert options_of(Bleu)["scale"].about == base
    assert options_of(Cider)["scale"].about != base
    assert (options_of(Cider)["scale"].stage, Cider().scale) == ("join", 10.0)
    assert options_of(EditDistance)["scale"].least == options_of(Scorer)["scale"].least
    assert meaning_of(Chrf, "aggregation", "corpus") == meaning_of(Scorer, "aggregation", "corpus")
    assert options_of(Chrf)["aggregation"].one_of != options_of(Scorer)["aggregation"].one_of
    assert [*(options_of(SetScorer)["aggregation"].one_of or ())] == ["corpus"]
    assert meaning_of(SetScorer, "aggregation", "corpus")


def test_an_option_takes_meanings_from_a_table_and_bare_names_from_a_base() -> None:
    @dataclass(frozen=True)
    class Meaning:
        about: str

    @dataclass(frozen=True, kw_only=True)
    class Base:
        rule: str = option(
            "a", stage="read", choice="x", about="The rule.", one_of={"a": "one", "b": Meaning("another")}
        )
        size: int = option(3, stage="join", choice=None, least=1, about="The size.")

    @dataclass(frozen=True, kw_only=True)
    class Narrow(Base):
        rule: str = option("b", stage="score", choice=None, one_of=("b",))
        size: int = 5

    @dataclass(frozen=True, kw_only=True)
    class Told(Narrow):
        rule: str = with_default("b", one_of={"b": "its own"})
        size: int = with_default(7, about="Its size.")

    assert options_of(Base)["rule"].one_of == {"a": "one", "b": "another"}
    narrow, told = options_of(Narrow), options_of(Told)
    assert narrow["rule"] == Option("score", None, "The rule.", {"b": "another"})
    assert narrow["size"] == options_of(Base)["size"]
    assert told["rule"] == Option("score", None, "The rule.", {"b": "its own"})
    assert (told["size"].about, told["size"].stage, told["size"].least, Told().size) == ("Its size.", "join", 1, 7)
    assert parameters(Told) == (
        'Parameters\n----------\nrule : {"b"}, default "b"\n    The rule.\n\n    - "b": its own.\n\n'
        "size : int, 1 to 2^31 - 1, default 7\n    Its size."
    )


def test_a_meaning_is_a_phrase() -> None:
    assert meaning_of(Bleu, "smoothing", "tiny") == "the precision is the smallest normal float"
    assert meaning_of(Bleu, "smoothing", "no such value") == ""
    assert meaning_of(Bleu, "max_order", 4) == "longest n-gram"
    assert described(Rouge, "lcs_of", ["texts"]) == "What rougeL compares. `texts`: whole texts."


def test_a_class_without_a_docstring_has_that_of_its_base() -> None:
    class Plain(PairScorer):
        order: ClassVar[int] = 1

    assert Plain.__doc__ is None
    assert inspect.getdoc(Plain) == inspect.getdoc(PairScorer)


def test_a_docstring_is_written_when_it_is_asked_for() -> None:
    code = (
        "import sys, metrologue; metrologue.score('bleu', ['a b'], ['a b'])\n"
        "print('metrologue.scorers.core.described' in sys.modules)\n"
        "from metrologue.scorers import Bleu; print('Parameters' in Bleu.__doc__)\n"
    )
    said = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout
    assert said.split() == ["False", "True"]
