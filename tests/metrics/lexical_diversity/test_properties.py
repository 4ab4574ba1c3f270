"""Lexical diversity against its definitions and the packages, and what merges."""

from __future__ import annotations

import json
import math
import warnings
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from growth import takes_less
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora

from metrics.lexical_diversity import plain
from metrologue import trace
from metrologue.attribution import explain
from metrologue.comparison.libraries import Available, Library, get_library
from metrologue.errors import InputError
from metrologue.scorers import LexicalDiversity, Totals
from metrologue.scorers.lexical_diversity.kernels import factor_counts, segment_ratios, type_counts, window_types
from metrologue.segments import Segments
from metrologue.tracing import Curve

Corpus = tuple[list[str], list[list[str]]]
SPEC = "the cat sat on the mat and the dog sat on the log while the cat and the dog ran"
ORDER_FREE = ("ttr", "yule_k", "hdd", "vocd_d", "entropy")
# Words with the frequencies of Zipf's law, in a fixed order. The packages' tokenizers leave them as they are.
LONG = " ".join(
    "w" + "".join(chr(97 + int(digit)) for digit in str(word))
    for word in np.random.default_rng(1).zipf(1.4, 1200) % 1000
)

# Few types, so that a factor is complete now and then.
tokens = st.lists(st.sampled_from("abcdefgh"), max_size=40)
many = st.lists(tokens, min_size=1, max_size=4)


def available(name: str) -> Library:
    """The library, if it is installed; otherwise the test is skipped."""
    library = get_library(name)
    if not isinstance(library.status(), Available):
        pytest.skip(str(library.status()))
    return library


def close(ours: float, theirs: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=1e-12, abs_tol=1e-12)


@given(
    texts=many | corpora().map(lambda corpus: [text.lower().split() for text in corpus[0]]),
    window=st.integers(1, 12),
    draws=st.integers(1, 12),
    order=st.integers(1, 3),
)
def test_definition(texts: list[list[str]], window: int, draws: int, order: int) -> None:
    scorer = LexicalDiversity(lowercase=False, window=window, draws=draws, entropy_order=order)
    predictions = [*map(" ".join, texts)]
    rows = scorer.segment_scores(predictions)
    expected = plain.lexical_diversity(texts, window, draws, order)
    scores = scorer.corpus(predictions).scores
    far = {name: (scores[name], value) for name, value in expected.items() if not close(scores[name], value)}
    far.pop("vocd_d", None)
    assert far == {}
    assert scores["vocd_d"] == pytest.approx(expected["vocd_d"], rel=1e-9)
    assert scores["token_count"] == sum(map(len, texts))
    for index, text in enumerate(texts):
        for name, value in plain.lexical_diversity([text], window, draws, order).items():
            assert close(rows[name][index], value), name


@given(
    text=tokens.filter(len),
    threshold=st.floats(0, 0.99),
    below=st.booleans(),
    least=st.integers(0, 12),
    whole_end=st.booleans(),
)
def test_every_rule_of_mtld(text: list[str], threshold: float, below: bool, least: int, whole_end: bool) -> None:
    scorer = LexicalDiversity(
        measures=("mtld",),
        mtld_threshold=threshold,
        mtld_comparison="below" if below else "at-most",
        mtld_least_length=least,
        mtld_whole_end=whole_end,
    )
    assert close(scorer.corpus([" ".join(text)]).value, plain.mtld(text, threshold, below, least, whole_end))


@given(texts=many, window=st.integers(1, 9))
def test_kernels(texts: list[list[str]], window: int) -> None:
    ids = np.array([ord(token) - 97 for text in texts for token in text], np.int32)
    offsets = np.cumsum([0, *map(len, texts)])
    counts, ends = type_counts(ids, offsets)
    widths = np.clip(np.diff(offsets), 1, window)
    sums, (whole, _) = window_types(ids, offsets, widths), segment_ratios(ids, offsets, widths)
    factors = {step: factor_counts(ids, offsets, step, 0.7, False, 0, True) for step in (1, -1)}
    for index, text in enumerate(texts):
        found = sorted(counts[ends[index] : ends[index + 1]].tolist())
        assert found == sorted(text.count(token) for token in set(text))
        width = widths[index]
        assert sums[index] == sum(len(set(text[i : i + width])) for i in range(len(text) - width + 1))
        assert whole[index, 1] == len(text) // width
        for step, found_factors in factors.items():
            assert found_factors[index] == (plain.factors(text[::step], 0.7, False, 0, True) if text else 0.0)


def test_worked_numbers() -> None:
    scores = LexicalDiversity(window=5, draws=10).corpus([SPEC]).scores
    expected = {
        "ttr": 0.5, "root_ttr": 2.2360679775, "corrected_ttr": 1.58113883, "herdan_c": 0.7686217868,
        "summer_s": 0.7601540607, "dugast_u": 12.94733948, "maas_a2": 0.0772359450, "yule_k": 1000.0, "yule_i": 2.0,
        "herdan_vm": 0.2236067977, "simpson_d": 0.1052631579, "msttr": 0.9, "mattr": 0.9, "hdd": 0.6810371517,
        "mtld": 12.454954955, "token_count": 20, "type_count": 10,
    }  # fmt: skip
    assert {name: scores[name] for name in expected} == pytest.approx(expected, rel=1e-8)


@given(
    text=tokens.filter(len),
    threshold=st.sampled_from([0.72, 0.5, 2 / 3, 0.9, 1.0]) | st.floats(0, 1),
    below=st.booleans(),
    least=st.integers(0, 12),
    wrap=st.booleans(),
)
def test_moving_factors(text: list[str], threshold: float, below: bool, least: int, wrap: bool) -> None:
    name = "mtld_ma_wrap" if wrap else "mtld_ma_bid"
    scorer = LexicalDiversity(
        measures=(name,),
        mtld_threshold=threshold,
        mtld_comparison="below" if below else "at-most",
        mtld_least_length=least,
    )
    try:
        expected = plain.moving_mtld(text, wrap, threshold, below, least)
    except ZeroDivisionError:
        expected = 0.0
    assert scorer.corpus([" ".join(text)]).value == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("below", [False, True])
@pytest.mark.parametrize("kind", ["distinct", "half"])
def test_time_of_factors_that_do_not_end(kind: str, below: bool) -> None:
    """No factor ends, or its ratio always comes back to the threshold."""
    scorer = LexicalDiversity(
        measures=("mtld_ma_wrap", "mtld_ma_bid"), mtld_threshold=0.5, mtld_comparison="below" if below else "at-most"
    )
    small, large = (
        " ".join("w" if kind == "half" and i % 2 else f"w{i}" for i in range(count)) for count in (10_000, 40_000)
    )
    assert takes_less(lambda: scorer.corpus([large]), lambda: scorer.corpus([small]), 8)


@pytest.mark.parametrize("name", ["mtld_ma_wrap", "mtld_ma_bid"])
@pytest.mark.parametrize("least", [0, 5, 10, 17])
def test_moving_factors_of_lexical_diversity(name: str, least: int) -> None:
    """The package does not pass `min` on to the measure of both directions, which has always 10."""
    peer = available("lexical-diversity")
    scorer = LexicalDiversity.variant("lexical-diversity", measures=(name,), mtld_least_length=least)
    for text in (SPEC, LONG, "a", "a b c", "a a", "a b c d e f g h i j k", "x " * 30):
        theirs = peer.scores("lexical_diversity", [text], [[]], measures=[name], least_length=least)[name]
        assert scorer.corpus([text]).value == pytest.approx(theirs, rel=1e-12), text
    assert LexicalDiversity(measures=("mtld_ma_bid",)).corpus(["a"]).value == 0
    # On its own, the least length is that of all measures.
    bid, same = (
        LexicalDiversity(measures=("mtld_ma_bid",), **fields)
        for fields in (
            {"mtld_least_length": least},
            {"mtld_bid_least_length": least},
        )
    )
    assert bid.corpus([LONG]).value == same.corpus([LONG]).value


@pytest.mark.parametrize(
    "options",
    [{}, {"ntokens": 35}, {"ntokens": 60, "within_sample": 20}, {"iterations": 1, "seed": 7}, {"seed": 2**32 - 1}],
)
def test_random_samples_are_those_of_lexicalrichness(options: dict[str, int]) -> None:
    """Under its own seed. Its fit of the curve stops at about 1e-8 here; its samples are the same."""
    peer = available("lexicalrichness")
    names = {"ntokens": "vocd_longest", "within_sample": "vocd_samples", "iterations": "vocd_runs", "seed": "vocd_seed"}
    fields: dict[str, Any] = {names[name]: value for name, value in options.items()}
    scorer = LexicalDiversity.variant("lexicalrichness", measures=("vocd_d",), **fields)
    # Python draws from a pool up to 277 tokens, and draws anew above them.
    for size in (61, 277, 278, 1025):
        text = " ".join(LONG.split()[:size])
        theirs = peer.scores("lexical_diversity", [text], [[]], measures=["vocd_d"], vocd=options)["vocd_d"]
        assert scorer.corpus([text]).value == pytest.approx(theirs, rel=1e-8)


def test_random_samples_estimate_what_is_expected() -> None:
    exact = LexicalDiversity(measures=("vocd_d",)).corpus([LONG]).value
    drawn = [
        LexicalDiversity(measures=("vocd_d",), vocd_samples=100, vocd_seed=seed).corpus([LONG]).value
        for seed in range(20)
    ]
    assert np.mean(drawn) == pytest.approx(exact, rel=0.01)
    assert min(drawn) < exact < max(drawn)
    assert LexicalDiversity(measures=("vocd_d",), vocd_samples=10_000).corpus([LONG]).value == pytest.approx(
        exact, rel=2e-3
    )


def test_where_vocd_is_not_defined() -> None:
    """lexicalrichness raises for 50 tokens, and gives the last step of its search if no type comes twice."""
    peer = available("lexicalrichness")
    words = [f"w{chr(97 + i // 26)}{chr(97 + i % 26)}" for i in range(60)]
    short, distinct = " ".join([*words[:49], words[0]]), " ".join(words)
    with pytest.raises(ValueError, match="smaller than number of tokens to sample"):
        peer.scores("lexical_diversity", [short], [[]], measures=["vocd_d"])
    assert peer.scores("lexical_diversity", [distinct], [[]], measures=["vocd_d"])["vocd_d"] > 1e5
    for text in (short, distinct):
        with pytest.raises(InputError, match="`vocd_d` is not defined for the text, of"):
            LexicalDiversity.variant("lexicalrichness", measures=("vocd_d",)).corpus([text])
        with pytest.warns(UserWarning, match="0 stands for what is not defined for a text here: `vocd_d`"):
            assert LexicalDiversity(measures=("vocd_d",)).corpus([text]).value == 0
    assert LexicalDiversity(measures=("vocd_d",)).corpus(["a " * 60]).value == pytest.approx(0.0123079768, rel=1e-7)


def test_the_last_segment_that_lexicalrichness_leaves_out() -> None:
    scorer = LexicalDiversity.variant("lexicalrichness", window=5, measures=("msttr",))
    assert scorer.corpus([SPEC]).value == pytest.approx(2.6 / 3)
    assert LexicalDiversity(window=5, measures=("msttr",)).corpus([SPEC]).value == pytest.approx(0.9)


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("msttr", {"window": 20}),
        ("mattr", {"window": 21}),
        ("hdd", {"draws": 21}),
    ],
)
def test_a_text_below_the_window(name: str, options: dict[str, int]) -> None:
    """lexicalrichness raises. Here this is an error too, or the window is cut to the text."""
    peer = available("lexicalrichness")
    with pytest.raises(ValueError, match="size"):
        peer.scores("lexical_diversity", [SPEC], [[]], measures=[name], **options)
    with pytest.raises(InputError, match=f"`{name}` is not defined for the text, of 20 tokens; choose another"):
        LexicalDiversity.variant("lexicalrichness", measures=(name,), **options).corpus([SPEC])
    with pytest.raises(InputError, match=f"`{name}` is not defined for segment 1, counted from 0, of 20 tokens"):
        LexicalDiversity.variant("lexicalrichness", measures=(name,), **options).segments([SPEC * 3, SPEC])
    with warnings.catch_warnings(record=True) as told:
        warnings.simplefilter("always")
        assert LexicalDiversity(measures=(name,), **options).corpus([SPEC]).value == pytest.approx(0.5)
    assert ["a text of 20 tokens is shorter than" in str(one.message) for one in told] == [True] * (name != "msttr")


@pytest.mark.parametrize("texts", [[""], ["", " \u3000"]])
def test_no_token(texts: list[str]) -> None:
    with pytest.warns(UserWarning, match="0 stands for what is not defined for a text here: `ttr`, `root_ttr`"):
        assert set(LexicalDiversity().corpus(texts).scores.values()) == {0}
    for measure in LexicalDiversity().measures:
        with pytest.raises(InputError, match=f"`{measure}` is not defined for the text, of 0 tokens"):
            LexicalDiversity(undefined="error", measures=(measure,)).corpus(texts)
    with pytest.raises(InputError, match="no segments"):
        LexicalDiversity().corpus([])


def test_one_token() -> None:
    scores = LexicalDiversity(window=1, draws=1).corpus(["a"]).scores
    assert (scores["ttr"], scores["mattr"], scores["hdd"], scores["mtld"]) == (1, 1, 1, 1)
    assert (scores["herdan_c"], scores["simpson_d"], scores["dugast_u"]) == (0, 0, 0)  # 0 / 0
    assert LexicalDiversity.variant("lexical-diversity").corpus(["a"]).scores["mtld"] == 0


def test_a_threshold_of_one() -> None:
    """Each token completes a factor, or the text falls below 1 as soon as a type comes again."""
    at_most, below = (
        LexicalDiversity(measures=("mtld",), mtld_threshold=1.0, mtld_comparison=rule) for rule in ("at-most", "below")
    )
    assert at_most.corpus(["a b a c"]).value == 1
    assert below.corpus(["a b a c"]).value == 4
    assert below.corpus(["a a b b"]).value == 2


def test_vm_of_lexicalrichness() -> None:
    """Its square is a difference of floats there, which is noise where all types are equally frequent."""
    peer = available("lexicalrichness")
    for text in (SPEC, "a b c", "a a b b c c", "a b c a b c d", "a b a b a b a c"):
        theirs = peer.scores("lexical_diversity", [text], [[]], measures=["herdan_vm"])["herdan_vm"]
        ours = LexicalDiversity(tokenizer="lexicalrichness", measures=("herdan_vm",)).corpus([text]).value
        assert ours**2 == pytest.approx(0.0 if math.isnan(theirs) else theirs**2, rel=1e-12, abs=1e-16)


@given(first=corpora(), second=corpora(), measures=st.sampled_from([ORDER_FREE, ("mtld", "mattr", "msttr", "ttr")]))
def test_batches_merge(first: Corpus, second: Corpus, measures: tuple[str, ...]) -> None:
    scorer = LexicalDiversity(measures=measures, window=3, draws=3, entropy_order=2)
    totals = scorer.accumulate(second[0], totals=scorer.accumulate(first[0]))
    assert scorer.score_totals(totals).scores == pytest.approx(scorer.corpus(first[0] + second[0]).scores, rel=1e-12)


def test_what_totals_keep(tmp_path: Path) -> None:
    counts, tokens = LexicalDiversity(measures=ORDER_FREE), LexicalDiversity(measures=("ttr", "mtld"))
    assert {name: len(table.keys) for name, table in counts.accumulate([SPEC] * 3).tables.items()} == {"ngrams_1": 10}
    kept = tokens.accumulate([SPEC] * 3).tables["tokens"]
    assert (len(kept.types), len(kept.ids), kept.lengths.tolist()) == (10, 60, [20] * 3)
    path = tmp_path / "totals.json"
    tokens.accumulate([SPEC]).save(path)
    saved = json.loads(path.read_text())
    assert tokens.score_totals(Totals.load(path)) == tokens.corpus([SPEC])
    right = saved["tables"]["tokens"]
    wrong: list[dict[str, Any]] = [
        {"types": right["types"][1:]},
        {"types": ["x"] * 10},
        {"lengths": [19]},
        {"tokens": [0.5] * 20},
        {"tokens": [-1] * 20},
        {"types": None},
    ]
    for change in wrong:
        path.write_text(json.dumps({**saved, "tables": {"tokens": {**right, **change}}}))
        with pytest.raises(InputError, match=r"totals\.json holds no saved totals"):
            Totals.load(path)
    del saved["digest"]
    path.write_text(json.dumps({**saved, "tables": {"tokens": {"0" * 32: 1}}}))
    with pytest.raises(InputError, match="has no table"):
        tokens.score_totals(Totals.load(path))
    with pytest.raises(InputError, match="does not have the same tables"):
        tokens.accumulate([SPEC]).merge(Totals.load(path))


def test_the_order_of_texts_counts_for_three_measures_only() -> None:
    texts = [SPEC, "one two three one two", "a a a b"]
    scorer = LexicalDiversity(window=7)
    forwards, backwards = scorer.corpus(texts).scores, scorer.corpus(texts[::-1]).scores
    assert {name for name in forwards if forwards[name] != pytest.approx(backwards[name], rel=1e-14)} == {
        "msttr",
        "mattr",
        "mtld",
    }


def test_the_mean_of_texts() -> None:
    texts = [SPEC, "a b c", "a a a a"]
    scorer = LexicalDiversity(aggregation="mean", measures=("ttr", "mtld"))
    rows = scorer.segments(texts)
    assert scorer.corpus(texts).value == pytest.approx(rows.mean())
    assert scorer.score_totals(scorer.accumulate(texts[:1], totals=scorer.accumulate(texts[1:]))).value == (
        pytest.approx(rows.mean())
    )


def test_rows_of_several_texts_have_no_sum() -> None:
    rows = LexicalDiversity().statistics(Segments([SPEC, SPEC]))
    with pytest.raises(InputError, match="rows of several segments have no sum"):
        LexicalDiversity().aggregate(rows)


def test_the_two_packages_differ_in_named_choices() -> None:
    """MTLD: <= and <, the least length of a factor, and its end."""
    ours = LexicalDiversity.variant("lexicalrichness", measures=("mtld",))
    theirs = LexicalDiversity.variant("lexical-diversity", measures=("mtld",))
    text = " ".join(["a b c a b d a e a b c f g a b a a c d a h i j a b a c a d"] * 3)
    gap = explain(ours, theirs, [text], None)
    shares = {part.choice: part.share for part in gap.contributions if part.share}
    assert "least length of MTLD" in shares
    assert set(shares) <= {"least length of MTLD", "comparison of MTLD", "end of MTLD"}
    assert sum(shares.values()) == pytest.approx(theirs.corpus([text]).value - ours.corpus([text]).value)


def test_at_most_and_below_differ_where_a_ratio_is_the_threshold() -> None:
    """18 types of 25 tokens have the ratio 0.72."""
    words = [f"w{number}" for number in range(18)]
    text = " ".join([*words, *words[:7], *words[:1] * 4])
    at_most, below = (LexicalDiversity(measures=("mtld",), mtld_comparison=rule) for rule in ("at-most", "below"))
    gap = explain(at_most, below, [text], None)
    assert [part.choice for part in gap.contributions] == ["comparison of MTLD"]
    assert gap.value_a < gap.value_b
    assert (gap.value_a, gap.value_b) == tuple(plain.mtld(text.split(), below=rule) for rule in (False, True))


@pytest.mark.parametrize(
    "fields",
    [{"measures": ()}, {"measures": ("tttr",)}, {"window": 0}, {"draws": 0}, {"mtld_threshold": 1.1},
     {"mtld_threshold": math.nan}, {"mtld_comparison": "<"}, {"entropy_order": 0}, {"undefined": "nan"}],
)  # fmt: skip
def test_values_out_of_range(fields: dict[str, Any]) -> None:
    with pytest.raises(InputError, match=f"`{next(iter(fields))}` is"):
        LexicalDiversity(**fields)


def test_references_change_nothing() -> None:
    assert LexicalDiversity().corpus([SPEC], ["x"]) == LexicalDiversity().corpus([SPEC])


@given(text=tokens, window=st.integers(1, 9))
def test_the_trace_has_the_scorers_numbers(text: list[str], window: int) -> None:
    scorer = LexicalDiversity(window=window)
    shown = trace(scorer, " ".join(text))
    assert shown.values["growth"] == shown.values["type_count"]
    assert shown.values.get("windows", 0.0) == pytest.approx(shown.values["mattr"], rel=1e-12)
    curves = shown.every(Curve)
    assert [len(curve.values) for curve in curves] == [len(text), max(len(text) - window + 1, min(len(text), 1))]


def test_the_trace_of_a_text() -> None:
    shown = trace("lexical_diversity", SPEC)
    assert shown.table("repeated 1-grams").column("count") == (6, 2, 2, 2, 2, 2)
    assert shown.table("repeated 3-grams").column("share") == ("2/18", "2/18")
    assert "▁▂▃▃▃▄▅▅▆▆▆▆▆▇▇▇▇▇▇█" in shown.text()
    assert max(len(curve.values) for curve in trace("lexical_diversity", f"{SPEC} " * 50).every(Curve)) == 200


def test_long_texts() -> None:
    text = " ".join(f"w{i * i % 9973}" for i in range(200_000))
    one, parts = LexicalDiversity().corpus([text]).scores, LexicalDiversity().corpus(text.split()).scores
    assert one == pytest.approx(parts, rel=1e-12)
    words = text.split()
    assert one["mattr"] == pytest.approx(plain.mattr(words[:200_000:1][:3000], 50), abs=0.05)
    assert LexicalDiversity(measures=("mattr",)).corpus([" ".join(words[:3000])]).value == pytest.approx(
        plain.mattr(words[:3000], 50), rel=1e-12
    )


@given(words=st.lists(st.sampled_from("abcdefgh"), min_size=11, max_size=40))
def test_summers_s_with_decimal_logarithms(words: list[str]) -> None:
    """The base matters, as it does not in Herdan's C. Texts of at most 10 words have no such S."""
    found = LexicalDiversity(measures=("summer_s", "herdan_c"), summer_log="decimal").corpus([" ".join(words)]).scores
    tokens, types = len(words), len({*words})
    expected = math.log10(math.log10(types)) / math.log10(math.log10(tokens)) if types > 1 else 0.0
    assert found["summer_s"] == pytest.approx(expected, rel=1e-12)
    assert found["herdan_c"] == LexicalDiversity(measures=("herdan_c",)).corpus([" ".join(words)]).value


def test_summers_s_of_few_words_with_decimal_logarithms_has_no_limit() -> None:
    """log log of 6 and 5 are below 0."""
    expected = math.log10(math.log10(5)) / math.log10(math.log10(6))
    scorer = LexicalDiversity(measures=("summer_s",), summer_log="decimal")
    assert scorer.segments(["the cat sat on the mat"])[0] == pytest.approx(expected, rel=1e-12)
    assert expected > 1
    assert scorer.range["summer_s"] == (-math.inf, math.inf)
    assert LexicalDiversity(measures=("summer_s",)).range["summer_s"] == (-math.inf, 1.0)
