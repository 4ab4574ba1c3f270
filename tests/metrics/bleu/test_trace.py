"""A trace of BLEU: its tables sum up to the scorer's counts, and its formula is the number."""

from __future__ import annotations

import json
import math
import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from metrologue import trace
from metrologue.scorers import Bleu, Scorer
from metrologue.tracing import Span, Table, Trace

PARTY = [
    "It is a guide to action that ensures that the military will forever heed Party commands.",
    "It is the guiding principle which guarantees the military forces always being under the command of the Party.",
    "It is the practical guide for the army always to heed the directions of the party.",
]
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct."
ACTION = "It is a guide to action which ensures that the miliatry always obeys the commands of the party"
MAT = ["the cat is on the mat", "there is a cat on the mat"]


def formula(found: Trace) -> tuple[float, float, list[tuple[float, str]], float]:
    """Scale, brevity penalty, weights with the terms of their logarithms, and value of BLEU's formula as printed."""
    scale, penalty, terms, value = re.fullmatch(
        r"BLEU = (?:(\S+) · )?(\S+) · exp\((.*)\) = (\S+)", found.formula
    ).groups()
    weights = [(float(weight), term) for weight, term in re.findall(r"(\S+)·ln\(([^)]*)\)", terms)]
    return float(scale or 1), float(penalty), weights, float(value)


def left_out(found: Trace) -> list[bool]:
    return [table.caption.endswith("left out") for table in found.every(Table)]


def check(found: Trace, scorer: Bleu, prediction: str, references: list[str]) -> None:
    """The invariants of every trace."""
    result = scorer.corpus([prediction], [references])
    assert found.value == result.value
    tables = found.every(Table)
    assert [table.name for table in tables] == [f"{order}-grams" for order in range(1, scorer.max_order + 1)]
    for order, table in enumerate(tables, start=1):
        clipped, counted = sum(table.numbers("clipped")), sum(table.numbers("count"))
        assert clipped == result.scores[f"clipped_count_{order}"] == found.values[f"clipped_count_{order}"]
        least, share = int(scorer.floor_totals), scorer.precision_weight
        its = max(result.scores["reference_length"] - order + 1, least)
        mixed = share * max(counted, least) + (1 - share) * its
        assert mixed == result.scores[f"count_{order}"]
        assert table.caption.startswith(f"{order}-grams: {clipped}/{mixed:g}")
        states = [cell.state for cell in table.column("n-gram")]
        counts = zip(table.numbers("clipped"), table.numbers("count"), strict=True)
        assert states == ["missing" if not few else "matched" if few == all_ else "clipped" for few, all_ in counts]
    scale, penalty, weights, value = formula(found)
    assert (scale, value) == (scorer.scale, result.value)
    assert penalty == pytest.approx(result.scores["brevity_penalty"], rel=1e-3, abs=1e-300)
    assert len(weights) == left_out(found).count(False)
    if found.value:
        orders = [order for order, without in enumerate(left_out(found), start=1) if not without]
        precisions = [result.scores[f"precision_{order}"] / scale for order in orders]
        for (_, term), precision in zip(weights, precisions, strict=True):
            assert eval(term) == pytest.approx(precision, rel=1e-3)
        logs = math.fsum(weight * math.log(number) for (weight, _), number in zip(weights, precisions, strict=True))
        assert math.isclose(scale * found.values["brevity_penalty"] * math.exp(logs), found.value, rel_tol=1e-5)
    else:
        assert any("zero rule" in remark for remark in found.remarks) or not found.values["brevity_penalty"]


@pytest.mark.parametrize("name", Bleu.variants())
@pytest.mark.parametrize("prediction", [TROOPS, PARTY[0], "of the", ACTION.upper()])
def test_tables_and_formula_are_the_scorers(name: str, prediction: str) -> None:
    scorer = Bleu.variant(name)
    check(trace(scorer, prediction, PARTY), scorer, prediction, PARTY)


# A reference without a 2-gram counts one, if totals have a floor.
@example("travatar-recall", "none", {"floor_totals": True}, [0.25] * 4, ["a", "a"])
@given(
    name=st.sampled_from(list(Bleu.variants())),
    smoothing=st.sampled_from(["none", "tiny", "floor", "add-k", "exp", "chen-cherry-4"]),
    flags=st.fixed_dictionaries(
        {key: st.booleans() for key in ("effective_order", "auto_reweigh", "skip_zero", "floor_totals")}
    ),
    weights=st.one_of(
        st.just([0.25] * 4), st.lists(st.sampled_from([0.0, 0.25, 0.5, 1.0]), min_size=1, max_size=5).filter(any)
    ),
    texts=st.lists(st.lists(st.sampled_from("abc猫"), min_size=1, max_size=8).map(" ".join), min_size=2, max_size=4),
)
def test_invariants_hold_for_any_configuration(name, smoothing, flags, weights, texts) -> None:
    scorer = Bleu.variant(name, smoothing=smoothing, weights=tuple(weights), **flags)
    check(trace(scorer, texts[0], texts[1:]), scorer, texts[0], texts[1:])


def test_weights_of_few_words() -> None:
    scorer = Bleu.variant("nltk", auto_reweigh=True)
    found = trace(scorer, "a b", ["a b c"])
    check(found, scorer, "a b", ["a b c"])
    assert [weight for weight, _ in formula(found)[2]] == [0.5, 0.5]
    assert left_out(found) == [False, False, True, True]


def test_the_polish_notebooks_table() -> None:
    found = trace(Bleu.variant("nltk", weights=(0.25, 0.25)), ACTION, [ACTION] * 3)
    assert found.formula == "BLEU = 1.000 · exp(0.25·ln(18/18) + 0.25·ln(17/17)) = 1.0"
    tables = found.every(Table)
    assert [table.caption for table in tables] == ["1-grams: 18/18 = 1.000", "2-grams: 17/17 = 1.000"]
    assert [len(table.rows) for table in tables] == [16, 17]
    the = next(row for row in tables[0].rows if row.cells[0].tokens == ("the",))
    assert tables[0].header == ("n-gram", "ref 1", "ref 2", "ref 3", "max ref", "count", "clipped", "contribution")
    assert the.cells == (Span(tokens=("the",), state="matched"), 3, 3, 3, 3, 3, 3, "3/18")
    assert found.remarks == ("brevity penalty 1.000: c = 18, r = 18 (closest of the references' 18, 18, 18)",)
    assert re.search(r"^● the( +3){6} +3/18$", found.text(), re.MULTILINE)


def test_clipping_is_marked_without_colour() -> None:
    found = trace(Bleu.variant("nltk", max_order=1), " ".join(["the"] * 7), MAT)
    (row,) = found.table("1-grams").rows
    assert row.cells == (Span(tokens=("the",), state="clipped"), 2, 1, 2, 7, 2, "2/7")
    assert row.state == "clipped"
    assert "◐ the" in found.text()
    assert 'class="trace-clipped"' in found.html()
    tables = trace(Bleu(), TROOPS, PARTY).every(Table)
    assert {row.state for table in tables for row in table.rows} == {"matched", "missing"}


def test_smoothing_is_shown_before_and_after() -> None:
    found = trace(Bleu.variant("sacrebleu"), TROOPS, PARTY)
    assert found.table("3-grams").caption == f"3-grams: 0/13 = 0.000, after smoothing {1 / 26:.12g}"
    assert formula(found)[2][2] == (0.25, f"{1 / 26:#.4g}")
    assert found.values["precision_3"] == 0, "the table's own, without smoothing"
    assert "smoothing" not in trace(Bleu.variant("evaluate"), TROOPS, PARTY).text().replace("smoothing=", "")


def test_a_zero_says_why() -> None:
    found = trace(Bleu.variant("torchmetrics"), TROOPS, PARTY)
    assert found.value == 0
    assert found.remarks[1] == "0, because no 3-gram, 4-gram matches (zero rule: any-order)"


def test_orders_that_do_not_exist_are_left_out() -> None:
    found = trace(Bleu(effective_order=True), "a b", ["a b c d"])
    assert [weight for weight, _ in formula(found)[2]] == [0.5, 0.5]
    assert found.every(Table)[2].caption == "3-grams: 0/0, left out"
    assert "0/0)" not in found.formula
    zero = trace(Bleu(effective_order=True), "x y", ["a b c d"])
    assert zero.formula == "BLEU = 100 · 0.3679 · exp(0.5·ln(0/2) + 0.5·ln(0/1)) = 0.0"


@pytest.mark.parametrize(("rule", "length"), [("shortest", 3), ("longest", 6), ("closest", 5), ("average", 14 / 3)])
def test_the_reference_length_names_its_rule(rule: str, length: float) -> None:
    found = trace(
        Bleu(tokenizer="whitespace", reference_length=rule), "a b c d e", ["a b c", "a b c d e", "a b c d e f"]
    )
    numbers = re.search(r"c = (\S+), r = (\S+) \((\w+) of the references' (.*)\)", found.remarks[0]).groups()
    assert (float(numbers[0]), float(numbers[1])) == (5, pytest.approx(length))
    assert numbers[2:] == (rule, "3, 5, 6")


def test_the_dictionary_is_ready_for_json() -> None:
    found = trace(Bleu.variant("nltk"), TROOPS, PARTY)
    plain = json.loads(json.dumps(found.to_dict(), allow_nan=False))
    assert plain["value"] == found.value
    assert Scorer.from_signature(plain["signature"]) == Bleu.variant("nltk")
    assert [block["kind"] for block in plain["blocks"]] == ["texts", "legend", *["table"] * 4]
    it = {"tokens": ["It"], "state": "matched", "note": ""}
    assert plain["blocks"][2]["rows"][0] == {"cells": [it, 1, 1, 1, 1, 1, 1, "1/14"], "state": "matched"}
