"""The declared numbers of each metric: ``score`` gives them, in their order, and what is said of them reads well."""

from __future__ import annotations

from types import SimpleNamespace

from metrologue.scorers import Bleu, EditDistance, LexicalDiversity, Rouge
from metrologue.scorers.core.numbers import chosen, declared_numbers, each, headings, number, perfect_score


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
