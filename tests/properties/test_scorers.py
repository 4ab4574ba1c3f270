"""What holds for every scorer. A new metric joins by adding its settings here; a test says so where it forgot."""

from __future__ import annotations

import math
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from amounts import FEW, everyday
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import Columns, columns_of, sample_of
from needs import data_of, made, provide
from other_values import other_settings, other_values
from small_encoder import Letters
from strategies import generated_columns

from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.scorers import (
    BertScore,
    Bleu,
    Chrf,
    EditDistance,
    MoverScore,
    Scorer,
    Totals,
    get_scorer,
    list_scorers,
)
from metrologue.scorers.core.options import choices_of, options_of
from metrologue.scorers.core.variants import variant_of
from metrologue.testing import CHECKS

# Reads captions, with a parser, and not what the other variants of its metric read; tests/metrics has its tests.
OF_CAPTIONS = ("spice", "spacy")

OTHER_VALUES = {kind: other_values(kind) for kind in map(get_scorer, list_scorers())}
SCORERS: dict[str, Scorer] = {
    **{
        f"{name}-{variant}": made(name, variant)
        for name in list_scorers()
        for variant in get_scorer(name).variants()
        if (name, variant) != OF_CAPTIONS
    },
    **other_settings(),
}
# Everyday the first variant of each metric, and what no variant has; the contract compares every variant with its peer.
_FIRST = {f"{name}-{next(iter(get_scorer(name).variants()))}" for name in list_scorers()}
_VARIANTS = {f"{name}-{variant}" for name in list_scorers() for variant in get_scorer(name).variants()}
each_scorer = pytest.mark.parametrize(
    "scorer", everyday(SCORERS, lambda name: name in _FIRST or name not in _VARIANTS), indirect=True
)


# The checks that are tried with texts of all kinds.
OF_TEXTS = ("numbers", "addition", "threads", "merging")


@pytest.fixture(scope="module")
def scorer(request: pytest.FixtureRequest) -> Scorer:
    """The scorer of that name, with what it looks up at hand."""
    provide(request, data_of(SCORERS[request.param].name))
    return SCORERS[request.param]


def test_every_metric_is_tested() -> None:
    assert {get_scorer(name) for name in list_scorers()} == set(OTHER_VALUES) == {type(s) for s in SCORERS.values()}


@pytest.mark.parametrize("check", OF_TEXTS)
@each_scorer
@settings(max_examples=FEW)
@given(data=st.data())
def test_what_every_metric_keeps_for_any_texts(check: str, scorer: Scorer, data: st.DataObject) -> None:
    CHECKS[check](scorer, [data.draw(generated_columns(scorer.name)) for _ in range(3)])


@pytest.mark.parametrize("check", [check for check in CHECKS if check not in OF_TEXTS])
@each_scorer
def test_what_every_metric_keeps(check: str, scorer: Scorer) -> None:
    texts = sample_of(
        scorer.name,
        ["a b c d e f", "the cat sat on the mat", "x x x x x", "one two three four five"],
        [["a b c d e g", "a b c"], ["the cat is on the mat"], ["x"], ["one two three four six"]],
    )
    CHECKS[check](scorer, [columns_of(scorer.name, *texts)])


@pytest.mark.parametrize("scorer_type", OTHER_VALUES)
def test_every_field_changes_the_signature(scorer_type: type[Scorer]) -> None:
    options = options_of(scorer_type)
    # What takes one value only stands in the signature for the reader.
    fields = {name for name, declared in options.items() if len(declared.one_of or "ab") > 1}
    assert set(OTHER_VALUES[scorer_type]) == fields
    default = scorer_type()
    in_choices = {field for choice in choices_of(type(default)) for field in choice.fields}
    assert in_choices | {"scale", "arithmetic"} >= fields  # a unit and an order of operations are no choices
    signatures = {default.signature}
    for field, value in OTHER_VALUES[scorer_type].items():
        base: dict[str, Any] = {"smoothing": "add-k"} if field in ("smooth_value", "smooth_from") else {}
        if scorer_type in (BertScore, MoverScore) and field.endswith("_frequency"):  # which belong to an encoder
            base = {"model": Letters()}
        changed = scorer_type(**{**base, field: value})
        assert Scorer.from_signature(changed.signature) == changed
        signatures.add(changed.signature)
    assert len(signatures) == len(fields) + 1


# Variants of two libraries that compute the same, by different names. The first one is in signatures.
SAME = {
    "cider": {"cider-d": "coco"},
    **{name: {"evaluate": "scikit-learn", "torchmetrics": "scikit-learn"} for name in ("accuracy", "confusion_matrix")},
    "matthews_correlation": {"evaluate": "scikit-learn"},
    **{name: {"evaluate": "scikit-learn"} for name in ("f1", "precision", "recall")},
    "yisi": {"yisi-1": "yisi-0"},  # which differ in the vectors that the user gives
}


@pytest.mark.parametrize("name", list_scorers())
def test_variants_name_what_they_mirror(name: str) -> None:
    scorer_type, same = get_scorer(name), SAME.get(name, {})
    assert all(scorer_type.variant(one) == scorer_type.variant(other) for one, other in same.items())
    variants = {key: variant for key, variant in scorer_type.variants().items() if key not in same}
    mirrored = [scorer_type.variant(variant) for variant in variants]
    assert len(set(mirrored)) == len(mirrored)
    assert [*map(variant_of, mirrored)] == [*variants]
    last = [*variants][-1]
    with pytest.raises(InputError, match=rf"no variant is called 'x'; there are .*{re.escape(last)}"):
        scorer_type.variant("x")
    with pytest.raises(
        InputError, match=r"unknown field 'tokeniser'; (did you mean 'tokenizer'\? T|t)here are .*scale"
    ):
        scorer_type.variant(last, tokeniser="char")


def test_a_signature_from_elsewhere() -> None:
    with pytest.raises(InputError, match="is not a sacrebleu signature"):
        Scorer.from_signature("nrefs:1|case:mixed|eff:no|tok:13a")
    with pytest.raises(InputError, match=r"'mine@0123' is unknown.*register_tokenizer"):
        Scorer.from_signature("bleu|tokenizer=mine@0123")


def test_totals_of_unlike_scorers() -> None:
    totals = Bleu().accumulate(["a"], ["a"])
    with pytest.raises(InputError, match="the totals come from different scorers"):
        Bleu(lowercase=True).accumulate(["a"], ["a"], totals)
    with pytest.raises(InputError, match="another scorer"):
        Bleu(lowercase=True).score_totals(totals)


def test_a_file_without_totals(tmp_path: Path) -> None:
    (tmp_path / "other.json").write_text('{"a": 1}')
    with pytest.raises(InputError, match=r"other\.json holds no saved totals"):
        Totals.load(tmp_path / "other.json")


def test_threads_are_checked(monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(InputError, match="threads: 0"):
        Bleu().corpus(["a"], ["a"], threads=0)
    monkeypatch.setenv("METROLOGUE_THREADS", "two")
    with pytest.raises(InputError, match="threads: 'two'"):
        Bleu().corpus(["a", "b"], ["a", "b"])  # one segment has one thread, whatever the variable says


def test_a_number_without_a_name() -> None:
    with pytest.raises(InputError, match="no number is called 'blue'; did you mean 'bleu'"):
        Bleu().segments(["a"], ["a"], key="blue")


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"max_order": 0}, "`max_order` is 0; an int from 1 to 100"),
        ({"max_order": 1, "weights": (float("nan"),)}, "`weights`"),
        ({"max_order": -1}, "`max_order` is -1; an int from 1 to 100"),
        ({"max_order": 3, "weights": (0.5, 0.5)}, "a list of 3 finite numbers"),
        ({"tokenizer": "14a"}, "tokenizer '14a' is unknown"),
        ({"smoothing": "lots"}, "none or tiny or floor"),
        ({"smooth_value": -1}, "`smooth_value`"),
        ({"smooth_from": 0}, "`smooth_from`"),
        ({"reference_length": "nearest"}, "closest or closest-first"),
        ({"zero_when": "always"}, "no-match or any-order"),
        ({"empty": "nan"}, "zero or error"),
        ({"aggregation": "median"}, "corpus or mean"),
        ({"scale": 0}, "`scale`"),
        ({"epsilons": (1,)}, "`epsilons`"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Bleu(**fields)


@pytest.mark.parametrize("scorer_type", OTHER_VALUES)
def test_fields_of_every_scorer_are_checked_alike(scorer_type: type[Scorer]) -> None:
    name = scorer_type.__name__
    for value in (0.0, -1.0, math.nan, math.inf, "100"):
        with pytest.raises(
            InputError, match=rf"^{name}: `scale` is {value!r}; a finite number( from .*)? is expected\.$"
        ):
            scorer_type(scale=value)
    with pytest.raises(InputError, match=rf"^{name}: `aggregation` is 'sum'; (corpus|mean).* is expected\.$"):
        scorer_type(aggregation="sum")
    with pytest.raises(InputError, match=rf"^{name}: `aggregation` is \['mean'\]; a str is expected\.$"):
        scorer_type(aggregation=["mean"])


def test_numbers_of_one_value_are_one_scorer() -> None:
    chrf, edits = Chrf(beta=2, char_order=np.int64(6), scale=np.float32(100)), EditDistance(beam=np.int32(5))
    assert (chrf, edits) == (Chrf(), EditDistance(beam=5))
    assert chrf.signature == Chrf().signature
    assert edits.signature == EditDistance(beam=5).signature
    assert Bleu(epsilons=[0, 0]) == Bleu()
    with pytest.raises(InputError, match=r"`word_order` is 2\.0; an int is expected"):
        Chrf(word_order=2.0)
    with pytest.raises(InputError, match="`smooth_value` is '1'; None or a finite number is expected"):
        Bleu(smooth_value="1")
    with pytest.raises(InputError, match=r"`epsilons` is \(0\.0, -1\.0\); a list of finite numbers from 0 to"):
        Bleu(epsilons=(0, -1))


def mixed(scorer_type: type[Scorer], fields: frozenset[str]) -> Scorer | None:
    """The scorer with the other values of these fields; None where they contradict each other."""
    try:
        return scorer_type(**{name: OTHER_VALUES[scorer_type][name] for name in fields})
    except InputError:
        return None


def value_of(scorer: Scorer, corpus: Columns) -> float | None:
    try:
        return scorer.corpus(**corpus).value
    except InputError:
        return None


@pytest.mark.parametrize("scorer_type", OTHER_VALUES)
@settings(max_examples=FEW)
@given(data=st.data())
def test_an_explanation_starts_and_ends_with_the_scores(
    scorer_type: type[Scorer], data: st.DataObject, request: pytest.FixtureRequest
) -> None:
    """What is kept of one mixture must be of use to no other: any stage that is declared wrongly shows here."""
    corpus = data.draw(generated_columns(scorer_type.name))
    provide(request, data_of(scorer_type.name))
    some = st.frozensets(st.sampled_from(sorted(OTHER_VALUES[scorer_type])))
    taken = data.draw(some)
    changed = data.draw(st.lists(st.sampled_from(choices_of(scorer_type)), max_size=3, unique=True))
    switched = frozenset(field for choice in changed for field in choice.fields) & set(OTHER_VALUES[scorer_type])
    first, second = mixed(scorer_type, taken), mixed(scorer_type, taken ^ switched)
    if first is None or second is None:
        return
    try:
        found = explain(first, second, **corpus)
    except InputError:
        return
    assert (found.value_a, found.value_b) == (
        pytest.approx(value_of(first, corpus), rel=1e-15),
        pytest.approx(value_of(second, corpus), rel=1e-15),
    )


@pytest.mark.parametrize("scorer_type", OTHER_VALUES)
@settings(max_examples=FEW)
@given(data=st.data())
def test_scorers_that_share_what_was_read_do_not_disturb_each_other(
    scorer_type: type[Scorer], data: st.DataObject, request: pytest.FixtureRequest
) -> None:
    provide(request, data_of(scorer_type.name))
    some = st.frozensets(st.sampled_from(sorted(OTHER_VALUES[scorer_type])), max_size=4)
    corpus = data.draw(generated_columns(scorer_type.name))
    segments = scorer_type._to_segments(**corpus)
    for fields in data.draw(st.lists(some, min_size=2, max_size=4)):
        scorer = mixed(scorer_type, fields)
        if scorer is None:
            continue
        try:
            value: float | None = scorer.corpus(segments).value
        except InputError:
            value = None
        assert value == value_of(scorer, corpus)
