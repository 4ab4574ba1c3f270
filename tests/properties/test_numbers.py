"""The declared numbers of each metric: ``score`` gives them, in their order, and what is said of them reads well."""

from __future__ import annotations

import re
from collections.abc import Iterator
from types import SimpleNamespace

import numpy as np
import pytest

from metrologue.errors import InputError
from metrologue.scorers import Bleu, EditDistance, LexicalDiversity, Rouge, Scorer, get_scorer, list_scorers
from metrologue.scorers.core.numbers import chosen, declared_numbers, each, headings, number, perfect_score, tabled
from metrologue.scorers.core.options import options_of

each_metric = pytest.mark.parametrize("name", list_scorers())


def configured(name: str) -> Iterator[Scorer]:
    """A metric's variants, and its default with each value of each field that names one of several or is a bool."""
    kind = get_scorer(name)
    fields: list[dict[str, object]] = [{}, {"scale": 7.0}]
    for field, declared in options_of(kind).items():
        default = getattr(kind, field, None)
        choices: tuple[object, ...] = declared.one_of or () if isinstance(default, str) else ()
        fields += [{field: value} for value in ((True, False) if isinstance(default, bool) else choices)]
    for values in [*(dict(one.fields) for one in kind.variants().values()), *fields]:
        try:
            yield kind._from_fields(values)
        except InputError:  # a field that needs another one, or data that are not here
            continue


@each_metric
def test_score_gives_the_declared_numbers_in_their_order(name: str) -> None:
    compared = 0
    for scorer in configured(name):
        try:
            with np.errstate(all="ignore"):
                numbers = scorer._score(np.ones(len(scorer._columns)))
        except InputError:
            continue
        assert list(numbers) == list(scorer.range), scorer.signature
        assert set(scorer.higher_is_better) <= set(numbers)
        assert scorer.primary in numbers
        assert {key for keys in headings(scorer).values() for key in keys} <= set(numbers)
        compared += 1
    assert compared > len(get_scorer(name).variants())


@each_metric
def test_a_declaration_reads_well(name: str) -> None:
    kind = get_scorer(name)
    assert kind.title
    for declared in declared_numbers(kind):
        about = declared.about
        assert about == " ".join(about.split()), declared
        assert not about.endswith("."), declared
        assert len(about) <= 110, declared
        # Every placeholder is one of the name.
        for text in (about, declared.title, declared.heading or ""):
            assert {*re.findall(r"{(\w+)}", text)} <= {*re.findall(r"{(\w+)}", declared.name)}, declared
        # What stands in backticks is a field.
        assert {*re.findall(r"`(\w+)`", about)} <= {*options_of(kind)}, declared


@each_metric
def test_every_number_has_a_row(name: str) -> None:
    scorer = get_scorer(name)()
    listed = [each for _, names, _ in tabled(scorer) for each in names]
    assert {*scorer.range} <= {*listed}
    without = [each for _, names, condition in tabled(scorer) if not condition for each in names]
    assert {*without} <= {*scorer.range}


def test_a_family_has_its_numbers_side_by_side() -> None:
    family = each("pairs", number("{a}_p_{n}", 0, 1, about="{a} {n}"), number("{a}_r_{n}", 0, "scale", about="{n}"))
    scorer = SimpleNamespace(pairs=(("x", 1), ("y", 2)), scale=5)
    found = [one for one, _ in family.reported(scorer)]
    assert [one.name for one in found] == ["x_p_1", "x_r_1", "y_p_2", "y_r_2"]
    assert (found[2].about, found[2].title, found[3].limits(scorer)) == ("y 2", "y p 2", (0.0, 5.0))


def test_numbers_that_a_field_names_are_in_its_order() -> None:
    some = chosen("wanted", *(number(name, 0, 1, about=name) for name in "abc"))
    assert [one.name for one, _ in some.reported(SimpleNamespace(wanted=("c", "a")))] == ["c", "a"]


def test_derived_properties() -> None:
    bleu = Bleu(max_order=2)
    assert headings(bleu) == {
        "bleu": ("bleu",), "precisions": ("precision_1", "precision_2"), "brevity penalty": ("brevity_penalty",),
    }  # fmt: skip
    assert (Bleu.title, perfect_score(bleu), bleu._printed_digits, bleu._infinite) == ("BLEU", 100.0, None, ())
    assert (Rouge(round_digits=3)._printed_digits, Rouge.title) == (3, "ROUGE")
    assert headings(LexicalDiversity(measures=("maas_a2", "mtld"))) == {"maas_a2": ("maas_a2",), "mtld": ("mtld",)}
    assert perfect_score(EditDistance()) is None
    assert perfect_score(EditDistance(normalization="longer")) == 1.0


def test_limits_in_words() -> None:
    scorer = LexicalDiversity()
    spans = {declared.name: declared.span(scorer) for declared in declared_numbers(LexicalDiversity)}
    assert [spans[name] for name in ("ttr", "root_ttr", "summer_s", "entropy")] == [
        "0 to 1", "0 or more", "at most 1", "0 or more nats",
    ]  # fmt: skip
