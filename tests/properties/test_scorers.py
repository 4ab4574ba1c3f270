"""What holds for every scorer. A new metric joins by adding its settings here; a test says so where it forgot."""

from __future__ import annotations

import itertools
import json
import math
import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from amounts import FEW, everyday
from hypothesis import given, settings
from hypothesis import strategies as st
from layouts import Columns, columns_of, rows_of, sample_of
from needs import CLAUSES, FRAMES, JUDGE, PARSER, data_of, made, provide
from small_encoder import Letters
from small_model import WordModel
from small_trained import trained
from strategies import generated_columns

from metrologue.attribution import explain
from metrologue.errors import InputError
from metrologue.representations import WordVectors
from metrologue.scorers import (
    F1,
    Accuracy,
    Adem,
    Apes,
    BertScore,
    Bleu,
    Bleurt,
    CharacterErrorRate,
    Chrf,
    Cider,
    CompactReward,
    Comparator,
    Composite,
    ConfusionMatrix,
    CrossEntropy,
    Dae,
    Dice,
    DistinctN,
    EditDistance,
    EntityRecall,
    Esim,
    ExactMatch,
    FactCC,
    Fed,
    FinedEval,
    GoogleBleu,
    Gtm,
    Hlepor,
    Huse,
    LexicalDiversity,
    Likelihood,
    LikelihoodHashed,
    LogLossHashed,
    Masi,
    MatchErrorRate,
    Meant,
    Meteor,
    MoverScore,
    NistMt,
    NliFaithfulness,
    NNEval,
    Peak,
    PerceptionScore,
    Perplexity,
    PerplexityHashed,
    Precision,
    Pyramid,
    Recall,
    Ribes,
    Rouge,
    RougeWe,
    Ruber,
    Ruse,
    Scorer,
    SelfBleu,
    SemanticSimilarity,
    Smd,
    Spice,
    Ter,
    Tesla,
    TeslaCelab,
    TokenF1,
    Totals,
    Usr,
    Wmd,
    WordErrorRate,
    WordInformationLost,
    WordInformationPreserved,
    Yisi,
    get_scorer,
    list_scorers,
)
from metrologue.segments import Segments
from metrologue.text.lexicon import (
    register_function_words,
    register_paraphrases,
    register_stop_words,
    register_synonyms,
)

register_function_words("pairs", ["a", "the"])
register_stop_words("pairs", ["a", "the"])

# Word vectors of two languages.
WORDS, OTHERS = (
    WordVectors.of_keyed_vectors(SimpleNamespace(index_to_key=["a", "b"], vectors=vectors), name)
    for name, vectors in (("some", np.eye(2)), ("others", 1 - np.eye(2)))
)

# Reads captions, with a parser, and not what the other variants of its metric read; tests/metrics has its tests.
OF_CAPTIONS = ("spice", "spacy")

# A value for every field that differs from the default, and settings besides the variants.
OTHER_VALUES: dict[type[Scorer], dict[str, Any]] = {
    FinedEval: {"model": trained("fined_eval"), "last_turns": 2, "scale": 100.0},
    FactCC: {"model": trained("factcc"), "claims": "texts", "multi_reference": "mean", "scale": 100.0},
    NliFaithfulness: {
        "model": JUDGE, "check": "facts", "sentences": "newline", "hypothesis": "text", "window": 0,
        "templates": ("a: {subject} {object}",), "optional_facts": ("a",), "too_long": "cut", "scale": 100.0,
    },
    EntityRecall: {
        "parser": CLAUSES, "kinds": "names", "unit": "any", "multi_reference": "best", "aggregation": "mean",
        "scale": 100.0,
    },
    Adem: {"model": trained("adem"), "multi_reference": "mean", "rescaling": "ratio", "scale": 100.0},
    Esim: {"model": trained("esim"), "multi_reference": "mean", "scale": 100.0},
    Ruber: {"model": trained("ruber"), "encoder": Letters(), "blend": "min", "scale": 100.0},
    Usr: {
        "model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0), "context_encoder": OTHERS, "fact_encoder": WORDS,
        "form": "plain", "likelihood": "response", "means": (0.0, 1.0, 2.0), "deviations": (1.0, 2.0, 3.0),
        "weights": (1.0, 1.0, 1.0), "intercept": 0.0, "scale": 100.0,
    },
    Fed: {
        "model": WordModel("others@1", 2.0, {"the": -1.0}, -4.0), "separator": "newline", "last_turns": 2,
        "level": "turn", "likelihood": "follow-up", "join": "sum", "scale": 100.0,
    },
    MoverScore: {
        "model": Letters(), "too_long": "cut", "layer": 0, "idf": True, "pieces": "all", "punctuation": True,
        "added": False, "stop_words": "pairs", "empty": "one", "multi_reference": "mean", "scale": 100.0,
        **{
            name: getattr(made("moverscore").fit(Segments(["a b"] * 2, ["a b", "b c"])), name)
            for name in ("document_frequency", "hypothesis_frequency")
        },
    },
    TeslaCelab: {
        "tokenizer": "whitespace", "lowercase": True, "first_units": "short", "max_order": 2, "precision_weight": 1.0,
        "synonyms": register_synonyms("others", [["a", "b"]]), "multi_reference": "best", "scale": 100.0,
    },
    Tesla: {
        "tokenizer": "whitespace", "lowercase": False, "units": "lemmas", "parser": PARSER, "tagset": "universal",
        "synonyms": register_synonyms("others", [["a", "b"]]), "function_tags": ("X",), "function_weight": 0.5,
        "similarities": ("lemmas", "tags"), "max_order": 2, "short_texts": "zero", "alpha": 0.5,
        "multi_reference": "best", "scale": 100.0,
    },
    Spice: {"graphs": "rules", "parser": PARSER, "synonyms": None, "merged_attributes": "any", "scale": 100.0},
    Peak: {
        "tokenizer": "13a", "lowercase": False, "triples": "dependency", "parser": CLAUSES, "threshold": 0.4,
        "salience": 0, "alone": "drop", "repeats": "each", "average": "exact", "capped": True, "ideal": "both",
        "scale": 100.0,
    },
    Huse: {
        "neighbors": 2, "radius": "last", "scale": 100.0,
        "points": Huse().fit(Segments(["4 -8", "3 -2"], ["human", "model"])).points,
    },
    Pyramid: {
        "tokenizer": "13a", "lowercase": True, "repeats": "each", "average": "exact", "capped": True, "ideal": "both",
        "scale": 100.0,
    },
    Comparator: {"model": trained("comparator"), "scale": 100.0},
    Apes: {
        "parser": PARSER, "kinds": ("name",), "reader": "lexical", "model": trained("apes"), "window": 2,
        "aggregation": "mean", "scale": 100.0,
    },
    Dae: {
        "parser": PARSER, "left_out": ("dep",), "max_arcs": 2, "entailment": "overlap", "model": trained("dae"),
        "pooling": "min", "empty": "one", "multi_reference": "mean", "scale": 100.0,
    },
    NNEval: {"model": trained("nneval"), "scale": 100.0},
    Composite: {"model": trained("composite"), "scale": 100.0},
    Bleurt: {"model": trained("bleurt"), "too_long": "error", "multi_reference": "mean", "scale": 100.0},
    PerceptionScore: {"model": trained("perception_score"), "scale": 100.0},
    CompactReward: {"model": trained("compact_reward"), "over_words": "sum", "scale": 100.0},
    Ruse: {"model": trained("ruse"), "multi_reference": "mean", "scale": 100.0},
    Yisi: {
        "tokenizer": "13a", "vectors": WORDS, "source_vectors": OTHERS, "layer": 0, "order": 2, "weights": "uniform",
        "frames": FRAMES, "role_weights": (1.0,) * 8, "role_match": "same", "frame_weights": "uniform",
        "without_frames": "words", "beta": 0.5, "alpha": 0.5, "scale": 100.0,
        "counts": Yisi().fit(Segments(["a b"], ["a c"])).counts,
    },
    Meant: {
        "tokenizer": "13a", "vectors": WORDS, "source_vectors": OTHERS, "layer": 0, "order": 2, "weights": "each",
        "frames": FRAMES, "role_weights": None, "role_match": "assigned", "frame_weights": "uniform",
        "without_frames": "zero", "beta": 0.5, "alpha": 0.8, "scale": 100.0,
        "counts": Meant(weights="references", beta=0.0).fit(Segments(["a b"], ["a c"])).counts,
    },
    Accuracy: {"normalize": False, "lists": "sequences", "aggregation": "mean", "scale": 100.0},
    ConfusionMatrix: {"labels": ("1", "a b, c"), "normalize": "true", "lists": "sequences", "scale": 100.0},
    **{
        kind: {
            "labels": (1, "a b, c"), "average": "macro", "pos_label": "a|b=%", "zero_division": 1,
            "absent_labels": "skip", "beta": 2.0, "lists": "sequences", "aggregation": "mean", "scale": 100.0,
        }
        for kind in (F1, Precision, Recall)
    },
    Hlepor: {
        "tokenizer": "13a", "lowercase": False, "context": 1, "context_match": "same-place", "context_window": "slice",
        "preference": "farthest", "exclusive": False, "positions": "matches", "equal_in_order": True,
        "length_ratio": "shorter-by-longer", "max_order": 2, "alpha": 1.0, "beta": 9.0, "epsilon": 0.1,
        "empty": "error", "combination": "product", "weights": (1.0, 1.0, 1.0), "aggregation": "corpus", "scale": 100.0,
    },
    **{
        kind: {"bits": 3, "first_line": 5, "aggregation": "mean", "scale": 100.0}
        for kind in (LogLossHashed, LikelihoodHashed, PerplexityHashed)
    },
    **{
        kind: {
            "values": "log-probabilities", "log_base": "10", "base": "e", "oov": "both", "precision": "single",
            "per": "byte", "model": WordModel("words@1", 10.0, {"0.5": -0.25, "1.0": 0.0}, -2.0), "aggregation": "mean",
            "scale": 100.0,
        }
        for kind in (CrossEntropy, Likelihood, Perplexity)
    },
    Gtm: {
        "tokenizer": "13a", "lowercase": True, "exponent": 2.0, "multi_reference": "best", "aggregation": "mean",
        "scale": 100.0,
    },
    BertScore: {
        "model": Letters(), "too_long": "cut", "layer": 0, "idf": True,
        "document_frequency": made("bertscore").fit(Segments(["a b"] * 2, ["a b", "b c"])).document_frequency,
        "multi_reference": "best", "baseline": (0.5, 0.25, 0.4), "scale": 100.0,
    },
    SemanticSimilarity: {"model": Letters(), "too_long": "cut", "scale": 100.0},
    RougeWe: {
        "tokenizer": "whitespace", "lowercase": False, "vectors": Letters(), "order": 1, "threshold": 0.5, "alpha": 0.0,
        "multi_reference": "best", "scale": 100.0,
    },
    Smd: {
        "tokenizer": "whitespace", "lowercase": False, "sentences": "newline", "vectors": Letters(), "normalize": True,
        "stop_words": "pairs", "missing": "zero", "letters": False, "bag": "both", "empty": "equal", "scale": 100.0,
    },
    Wmd: {
        "tokenizer": "whitespace", "lowercase": False, "vectors": Letters(), "normalize": True,
        "stop_words": "pairs", "missing": "zero", "transport": "relaxed",
        "all_zero": "infinite", "empty": "equal", "scale": 100.0,
    },
    Masi: {
        "tokenizer": "13a", "lowercase": True, "subset_weight": 0.67, "overlap_weight": 0.33, "empty": "error",
        "multi_reference": "mean", "scale": 100.0,
    },
    SelfBleu: {
        "tokenizer": "intl", "lowercase": True, "max_order": 3, "weights": (0.1, 0.2, 0.3, 0.4),
        "reference_length": "shortest", "floor_totals": False, "smoothing": "add-k", "smooth_value": 2.0,
        "precision_weight": 0.25, "penalty": "none",
        "smooth_from": 1, "epsilons": (1e-9, 1e-9), "zero_when": "never", "skip_zero": False, "effective_order": True,
        "auto_reweigh": True, "empty": "error", "aggregation": "corpus", "scale": 100.0, "sample": 2, "seed": 3,
        "alone": "zero", "others": "group", "pool": SelfBleu().fit(Segments(["a b", "a c"])).pool,
    },
    LexicalDiversity: {
        "tokenizer": "13a", "lowercase": False, "measures": ("mtld", "ttr", "msttr", "hdd"), "window": 3,
        "msttr_rest": "keep", "draws": 2, "vocd_longest": 35, "vocd_samples": 9, "vocd_runs": 1,
        "vocd_seed": 1, "short_window": "undefined", "short_sample": "undefined",
        "mtld_threshold": 0.5, "mtld_comparison": "below", "mtld_least_length": 2, "mtld_bid_least_length": 3,
        "mtld_whole_end": False, "mtld_unbroken": "undefined", "entropy_order": 2, "maas_log": "decimal",
        "summer_log": "decimal",
        "undefined": "error", "aggregation": "mean", "scale": 100.0,
    },
    Cider: {
        "tokenizer": "13a", "lowercase": True, "max_order": 2, "clipped": False, "sigma": 2.5,
        "multi_reference": "best", "scale": 1.0,
        "document_frequency": Cider().fit(Segments(["a b"] * 2, ["a b", "b c"])).document_frequency,
    },
    Ribes: {
        "tokenizer": "13a", "lowercase": False, "first_context": "right", "whole_left_context": False,
        "correlation": "spearman", "single_word_matches": False, "alpha": 0.5, "beta": 1.0, "empty_reference": "zero",
        "empty_hypothesis": "error", "aggregation": "corpus", "scale": 100.0,
    },
    TokenF1: {"tokenizer": "13a", "lowercase": True, "empty": "equal", "aggregation": "corpus", "scale": 1.0},
    ExactMatch: {
        "regexes_to_ignore": (r"[a|b],\s", "é"), "lowercase": True, "ignore_punctuation": True, "ignore_numbers": True,
        "tokenizer": "squad", "aggregation": "mean", "scale": 100.0,
    },
    NistMt: {
        "tokenizer": "nist", "lowercase": True, "max_order": 2, "zero_is_false": False, "empty": "error",
        "multi_reference": "best-each-order", "aggregation": "mean", "scale": 100.0,
        "information": NistMt().fit(Segments(["a b"], ["a b c"])).information,
    },
    Dice: {
        "tokenizer": "13a", "lowercase": True, "order": 2, "binary": False, "aggregation": "corpus", "scale": 100.0,
    },
    Bleu: {
        "tokenizer": "intl", "lowercase": True, "max_order": 3, "weights": (0.1, 0.2, 0.3, 0.4),
        "reference_length": "average", "floor_totals": True, "smoothing": "add-k", "smooth_value": 2.0,
        "precision_weight": 0.25, "penalty": "none",
        "smooth_from": 1, "epsilons": (1e-9, 1e-9), "zero_when": "never", "skip_zero": True, "effective_order": True,
        "auto_reweigh": True, "empty": "error", "aggregation": "mean", "scale": 1.0,
    },
    Chrf: {
        "char_order": 4, "word_order": 1, "min_char_order": 2, "tokenizer": "char-nltk", "whitespace": True,
        "word_tokenizer": "13a", "lowercase": True, "beta": 1.0, "average": "fscore", "effective_order": False,
        "smoothing": "epsilon", "multi_reference": "best-single", "count_unpaired": True, "drop_unmatched": True,
        "aggregation": "mean", "scale": 1.0,
    },
    DistinctN: {
        "tokenizer": "13a", "lowercase": True, "orders": (1, 3), "denominator": "tokens", "vocabulary": 100,
        "level": "sentence", "scale": 100.0,
    },
    GoogleBleu: {
        "tokenizer": "whitespace", "lowercase": True, "min_order": 2, "max_order": 3, "aggregation": "mean",
        "scale": 100.0,
    },
    Meteor: {
        "tokenizer": "meteor-1.5-norm:language=de", "lowercase": True, "language": "de",
        "stages": ("paraphrase", "exact", "stem", "synonym"), "weights": (0.1, 0.2, 0.3, 0.4), "aligner": "paper",
        "beam": 2, "stemmer": "porter", "synonyms": register_synonyms("pairs", [["a", "b"]]),
        "paraphrases": register_paraphrases("pairs", [["a b", "c"]]), "function_words": None, "alpha": 0.1, "beta": 2.0,
        "gamma": 0.5, "penalize_whole": True, "delta": 0.1, "unit": "characters", "protocol": True,
        "aggregation": "mean", "scale": 100.0,
    },
    Rouge: {
        "types": ("rougeSU*", "rougeW"), "tokenizer": "unicode-words", "lowercase": True, "stemmer": "porter",
        "stem_longer_than": 4, "stop_words": True, "max_words": 3, "max_bytes": 20, "sentences": "period",
        "lcs_of": "sentences", "lcs_tie_break": "skip-hypothesis", "binary": True, "lcs_weight": 1.5,
        "weight_rule": "paper",
        "skip_unigrams": "begin", "beta": 2.0, "f_epsilon": 1e-8, "multi_reference": "jackknife", "round_digits": 5,
        "empty": "error", "aggregation": "bootstrap-median", "samples": 10, "seed": 7, "scale": 100.0,
    },
    **{
        kind: {
            "tokenizer": "whitespace", "lowercase": True, "transforms": ("punctuation",), "hits": "most",
            "multi_reference": "fewest-errors", "empty": "error", "aggregation": "mean", "scale": 100.0,
        }
        for kind in (WordErrorRate, CharacterErrorRate, MatchErrorRate, WordInformationLost, WordInformationPreserved)
    },
    EditDistance: {
        "tokenizer": "graphemes", "lowercase": True, "insertion_cost": 2.0, "deletion_cost": 0.5,
        "substitution_cost": 1.5, "transpositions": "any", "beam": 3, "max_length": 100, "normalization": "sum",
        "multi_reference": "mean", "aggregation": "corpus", "scale": 100.0,
    },
    Ter: {
        "normalized": True, "no_punct": True, "asian_support": True, "case_sensitive": True,
        "references_twice": False, "shifted": "reference",
        "max_shift_length": 9, "max_shift_distance": 5, "beam": 20, "max_candidates": 10, "empty_hypothesis": "free",
        "aggregation": "mean", "scale": 1.0,
    },
}  # fmt: skip
SCORERS: dict[str, Scorer] = {
    **{
        f"{name}-{variant}": made(name, variant)
        for name in list_scorers()
        for variant in get_scorer(name).variants()
        if (name, variant) != OF_CAPTIONS
    },
    "bleu-average-length": Bleu(reference_length="average", lowercase=True),
    "bleu-longest-length": Bleu(reference_length="longest", weights=(0, 0, 0.25), smoothing="chen-cherry-4"),
    "rouge-percent": Rouge.variant("rouge-1.5.5", scale=100.0, aggregation="mean", multi_reference="best-recall"),
    "rouge-mean": Rouge(
        types=("rouge3", "rougeW", "rougeS*"), multi_reference="mean", weight_rule="paper", round_digits=3
    ),
    "meteor-paper": Meteor.variant(
        "nltk", aligner="paper", stages=("stem", "synonym", "paraphrase"), unit="characters", aggregation="corpus",
        synonyms="pairs", paraphrases="pairs", function_words="pairs", delta=0.8,
    ),
    "meteor-percent": Meteor.variant("nltk", stages=("exact", "stem"), weights=(0.9, 0.5), scale=100.0),
    "chrf-words": Chrf(char_order=0, word_order=3, word_tokenizer="13a", beta=0, smoothing="epsilon", scale=1.0),
    "chrf-mixed": Chrf(average="fscore", drop_unmatched=True, min_char_order=2, whitespace=True, aggregation="mean"),
    "ter-options": Ter(normalized=True, no_punct=True, asian_support=True, max_candidates=3, aggregation="mean"),
    "wer-words": WordErrorRate(
        tokenizer="whitespace", hits="most", multi_reference="fewest-errors", aggregation="mean"
    ),
    "wip-percent": WordInformationPreserved(scale=100.0, hits="fewest", tokenizer="unicode-words"),
    "edit-distance-costs": EditDistance(
        insertion_cost=0.5, deletion_cost=2.0, transpositions="any", multi_reference="mean", normalization="longer"
    ),
    "edit-distance-corpus": EditDistance(normalization="sum", aggregation="corpus", tokenizer="graphemes", beam=2),
    "lexical-diversity-mean": LexicalDiversity(window=2, draws=3, aggregation="mean", entropy_order=2),
    "lexical-diversity-moving": LexicalDiversity(
        measures=("mtld_ma_wrap", "mtld_ma_bid", "vocd_d"), mtld_least_length=2, vocd_samples=3, vocd_runs=1,
        vocd_longest=35,
    ),
    "lexical-diversity-counts": LexicalDiversity(
        measures=("hdd", "entropy", "vocd_d", "ttr"), draws=2, entropy_order=2
    ),
    "f1-weighted": F1(average="weighted", zero_division="nan"),
    "f1-labels": F1(average="macro", labels=("1", "2"), scale=100.0),
    "confusion-matrix-labels": ConfusionMatrix(labels=("0", "1")),
    "accuracy-count": Accuracy(normalize=False),
    "bleu-mean": Bleu.variant("nltk", aggregation="mean", smoothing="chen-cherry-7"),
}  # fmt: skip
# Everyday the first variant of each metric, and what no variant has; the contract compares every variant with its peer.
_FIRST = {f"{name}-{next(iter(get_scorer(name).variants()))}" for name in list_scorers()}
_VARIANTS = {f"{name}-{variant}" for name in list_scorers() for variant in get_scorer(name).variants()}
each_scorer = pytest.mark.parametrize(
    "scorer", everyday(SCORERS, lambda name: name in _FIRST or name not in _VARIANTS), indirect=True
)


@pytest.fixture(scope="module")
def scorer(request: pytest.FixtureRequest) -> Scorer:
    """The scorer of that name, with what it looks up at hand."""
    provide(request, data_of(SCORERS[request.param].name))
    return SCORERS[request.param]


def scored(scorer: Scorer, corpus: Columns, first: int = 0) -> np.ndarray | None:
    """The segment rows, or None where the mirrored library fails on this input."""
    try:
        return scorer.statistics(scorer._to_segments(**corpus).placed(first))
    except InputError:
        return None


def test_every_metric_is_tested() -> None:
    assert {get_scorer(name) for name in list_scorers()} == set(OTHER_VALUES) == {type(s) for s in SCORERS.values()}


@each_scorer
@settings(max_examples=FEW)
@given(data=st.data())
def test_numbers_are_in_range(scorer: Scorer, data: st.DataObject) -> None:
    corpus = data.draw(generated_columns(scorer.name))
    rows = scored(scorer, corpus)
    if rows is None:
        return
    assert rows.shape == (len(corpus["predictions"]), len(scorer.columns))
    try:
        numbers = scorer.score(scorer.aggregate(rows))
    except InputError:
        return
    assert list(numbers) == list(scorer.range)
    assert set(scorer.higher_is_better) <= set(scorer.range)
    assert scorer.primary in numbers
    for key, (low, high) in scorer.range.items():
        assert low <= numbers[key] <= high * (1 + 1e-9), key


def fitted(scorer: Scorer, corpus: Columns) -> Scorer:
    """The scorer with the tables of these references, if it has tables."""
    return scorer.fit(scorer._to_segments(**corpus)) if scorer._fitted_fields() else scorer


def together(parts: list[Columns]) -> Columns:
    """The segments of all parts, one after another."""
    return {name: [row for part in parts for row in part[name]] for name in parts[0]}


@each_scorer
@settings(max_examples=FEW)
@given(data=st.data())
def test_statistics_add(scorer: Scorer, data: st.DataObject) -> None:
    parts = [data.draw(generated_columns(scorer.name)) for _ in range(3)]
    whole = together(parts)
    scorer = fitted(scorer, whole)
    starts = np.cumsum([0, *(len(part["predictions"]) for part in parts)]) * scorer._ordered
    rows = [scored(scorer, part, first) for part, first in zip(parts, starts.tolist(), strict=False)]
    if any(part is None for part in rows):
        return
    expected = scorer.statistics(scorer._to_segments(**whole))
    near = scorer._tolerance  # the product of two matrices of vectors has other last bits in other company
    np.testing.assert_allclose(np.concatenate(rows), expected, rtol=near, atol=near)
    if scorer._ordered:
        return
    backwards = scorer.statistics(scorer._to_segments(**{name: rows[::-1] for name, rows in whole.items()}))
    np.testing.assert_allclose(backwards[::-1], expected, rtol=near, atol=near)


@each_scorer
@settings(max_examples=FEW)
@given(data=st.data())
def test_scores_of_many_totals_at_once(scorer: Scorer, data: st.DataObject) -> None:
    corpus = data.draw(generated_columns(scorer.name))
    rows = scored(scorer, corpus)
    if rows is None or len(rows) < 2:
        return
    try:
        stacked = scorer.score(np.stack([rows, rows[::-1]]))
        single = [scorer.score(row) for row in rows]
    except InputError:
        return
    for key in scorer.range:
        np.testing.assert_allclose(stacked[key][0], [numbers[key] for numbers in single], rtol=1e-15)
        np.testing.assert_array_equal(stacked[key][0], stacked[key][1][::-1])


@each_scorer
@settings(max_examples=FEW)
@given(data=st.data(), threads=st.integers(2, 5))
def test_threads_do_not_change_a_bit(scorer: Scorer, data: st.DataObject, threads: int) -> None:
    corpus = data.draw(generated_columns(scorer.name))
    try:
        expected = scorer.segment_scores(**corpus)
    except InputError:
        return
    actual = scorer.segment_scores(**corpus, threads=threads)
    for key, values in expected.items():
        np.testing.assert_array_equal(actual[key], values)


@each_scorer
def test_batches(scorer: Scorer, tmp_path: Path) -> None:
    texts = sample_of(
        scorer.name,
        ["a b c d e f", "the cat sat on the mat", "x x x x x", "one two three four five"],
        [["a b c d e g", "a b c"], ["the cat is on the mat"], ["x"], ["one two three four six"]],
    )
    corpus = together([columns_of(scorer.name, *texts)] * 3)
    scorer = fitted(scorer, corpus)
    whole = scorer.corpus(**corpus)
    totals = None
    for start in range(0, 12, 5):
        totals = scorer.accumulate(**rows_of(corpus, start, start + 5), totals=totals)
    assert totals is not None
    assert totals.segments == 12
    totals.save(tmp_path / "totals.json")
    loaded = Totals.load(tmp_path / "totals.json")
    assert set(loaded.columns) <= set(scorer.columns)
    result = scorer.score_totals(loaded)
    assert result.value == pytest.approx(whole.value, rel=1e-14)
    assert result.scores == pytest.approx(whole.scores, rel=1e-14)
    assert scorer.segments(**corpus).shape == (12,)
    json.dumps(whole.scores, allow_nan=False)
    assert {type(value) for value in whole.scores.values()} <= {int, float}


def written(totals: Totals, folder: Path) -> bytes:
    totals.save(folder / "totals.json")
    return (folder / "totals.json").read_bytes()


def outcome(scorer: Scorer, totals: Totals) -> dict[str, float] | str:
    """The numbers, or the message of the error."""
    try:
        return dict(scorer.score_totals(totals).scores)
    except InputError as error:
        return str(error)


@each_scorer
@settings(max_examples=FEW)
@given(data=st.data())
def test_parts_merge_in_any_order_to_equal_bits(
    scorer: Scorer, data: st.DataObject, tmp_path_factory: pytest.TempPathFactory
) -> None:
    """Some of the parts are empty, as on a rank without segments, and some were saved and loaded."""
    folder = tmp_path_factory.getbasetemp()
    drawn = [data.draw(generated_columns(scorer.name)) for _ in range(data.draw(st.integers(1, 3)))]
    corpus = together(drawn)
    scorer, size = fitted(scorer, corpus), len(corpus["predictions"])
    try:
        whole = scorer.accumulate(**corpus)
    except InputError:
        return
    limits = [0, *sorted(data.draw(st.lists(st.integers(0, size), max_size=5))), size]
    waiting = [scorer.accumulate(**rows_of(corpus, *each), first=each[0]) for each in itertools.pairwise(limits)]
    waiting = [scorer.accumulate([], []), *waiting]
    while len(waiting) > 1:
        one, other = (waiting.pop(data.draw(st.integers(0, len(waiting) - 1))) for _ in range(2))
        if data.draw(st.booleans()):
            written(one, folder)
            one = Totals.load(folder / "totals.json")
        waiting.append(one.merge(other))
    assert written(waiting[0], folder) == written(whole, folder)
    assert outcome(scorer, waiting[0]) == outcome(scorer, whole)
    batch = None
    for start, stop in itertools.pairwise(limits):
        batch = scorer.accumulate(**rows_of(corpus, start, stop), totals=batch)
    assert batch
    assert written(batch, folder) == written(whole, folder)


@each_scorer
def test_a_part_without_segments(scorer: Scorer, tmp_path: Path) -> None:
    scorer = fitted(scorer, columns_of(scorer.name, *sample_of(scorer.name, ["a b", "c"], [["a c"], ["c"]])))
    empty = scorer.accumulate([], [])
    assert (empty.segments, empty.end) == (0, 0)
    for totals in (empty, empty.merge(empty), scorer.accumulate([], [], empty), scorer.accumulate([], first=9)):
        written(totals, tmp_path)
        for each in (totals, Totals.load(tmp_path / "totals.json")):
            assert outcome(scorer, each) == f"{type(scorer).__name__}: no segments; a score needs at least one."
    assert scorer.accumulate([], first=9).end == (9 if scorer._totals_in_order else 0)


@each_scorer
def test_signatures_round_trip(scorer: Scorer) -> None:
    assert Scorer.from_signature(scorer.signature) == scorer
    assert hash(Scorer.from_signature(scorer.signature)) == hash(scorer)
    assert scorer.signature.count("\n") == scorer.signature.count(" ") == 0


# Orders of operations, which are no choices: they change last bits only.
for _kind, _values in OTHER_VALUES.items():
    for _field in {"arithmetic", "f_form"} & _kind._options().keys():
        _values[_field] = next(name for name in _kind._options()[_field].one_of if name != getattr(_kind(), _field))


@pytest.mark.parametrize("scorer_type", OTHER_VALUES)
def test_every_field_changes_the_signature(scorer_type: type[Scorer]) -> None:
    options = scorer_type._options()
    # What takes one value only stands in the signature for the reader.
    fields = {name for name, declared in options.items() if len(declared.one_of or "ab") > 1}
    assert set(OTHER_VALUES[scorer_type]) == fields
    default = scorer_type()
    in_choices = {field for choice in default._choices() for field in choice.fields}
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
    for variant, scorer in zip(variants.items(), mirrored, strict=True):
        assert scorer._variant_name == variant[0]
        assert f"|mirrors={variant[1].library}-{variant[1].version}|" in scorer.signature
    with pytest.raises(InputError, match=rf"no variant is called 'x'; there are .*{re.escape(variant[0])}"):
        scorer_type.variant("x")
    with pytest.raises(
        InputError, match=r"unknown field 'tokeniser'; (did you mean 'tokenizer'\? T|t)here are .*scale"
    ):
        scorer_type.variant(variant[0], tokeniser="char")


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


@pytest.mark.parametrize("name", SCORERS)
def test_nothing_has_no_score(name: str) -> None:
    """A corpus without segments is refused; there are no scores of segments, and no statistics."""
    scorer = SCORERS[name]
    label = type(scorer).__name__
    segments = scorer._to_segments([], [])
    for call in (scorer.corpus, lambda each: scorer.corpus(each, confidence=0.9)):
        with pytest.raises(InputError, match=f"^{label}: no segments; a score needs at least one"):
            call(segments)
    with pytest.raises(InputError, match=f"^{label}: (no segments; a score needs at least one|has nothing to fit)"):
        scorer.fit(segments)
    assert scorer.statistics(segments).shape == (0, len(scorer.columns))
    assert scorer.segments(segments).shape == (0,)
    assert {key: each.shape for key, each in scorer.segment_scores(segments).items()} == dict.fromkeys(
        scorer.range, (0,)
    )


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
    changed = data.draw(st.lists(st.sampled_from(scorer_type._choices()), max_size=3, unique=True))
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
