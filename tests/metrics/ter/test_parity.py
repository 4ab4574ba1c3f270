"""Ter against every live library where the contract does not go: edits, real text, what is broken."""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from strategies import corpora, marked_corpora, shuffled_corpora

from metrologue.comparison.libraries import Library, Missing, get_library
from metrologue.scorers import Scorer, Ter
from metrologue.scorers.families.edits import Edits
from metrologue.segments import Segments

Corpus = tuple[list[str], list[list[str]]]

generated = st.one_of(corpora(), shuffled_corpora, marked_corpora)


@dataclass(frozen=True)
class Setting:
    """One call of a library; its options have the names of our fields."""

    library: str
    options: dict[str, bool] = field(default_factory=dict)
    tolerance: float = 1e-12

    def __str__(self) -> str:
        return ",".join([self.library, *self.options])

    def scorer(self) -> Ter:
        return Ter.variant(self.library, **self.options)

    @property
    def live(self) -> Library:
        library = get_library(self.library)
        status = library.status()
        if isinstance(status, Missing):
            pytest.skip(f"{self.library}: {status}")
        return library


FLAGS = ("normalized", "no_punct", "asian_support", "case_sensitive")
OPTIONS = [dict.fromkeys(chosen, True) for size in range(5) for chosen in itertools.combinations(FLAGS, size)]
SACREBLEU = [Setting("sacrebleu", options) for options in OPTIONS]
TORCHMETRICS = [Setting("torchmetrics", options, tolerance=1e-6) for options in OPTIONS]


def same(ours: float, theirs: float, tolerance: float) -> bool:
    return math.isclose(ours, theirs, rel_tol=tolerance, abs_tol=0.0)


def assert_parity(setting: Setting, predictions: list[str], references: list[list[str]]) -> None:
    theirs = setting.live.scores("ter", predictions, references, **setting.options)
    ours = setting.scorer().corpus(predictions, references).scores
    assert {key: ours[key] for key in theirs if not same(ours[key], theirs[key], setting.tolerance)} == {}
    rows = setting.live.segments("ter", predictions, references, **setting.options)
    own = setting.scorer().segment_scores(predictions, references)
    for key in rows[0]:
        np.testing.assert_allclose(own[key], [row[key] for row in rows], rtol=setting.tolerance, atol=0, err_msg=key)


def edits_of_sacrebleu(prediction: str, reference: str) -> tuple[int, list[str], str]:
    """How many shifts sacrebleu makes, the words after them, and its trace of what is left to edit."""
    from sacrebleu.metrics import lib_ter

    words, other = prediction.lower().split(), reference.lower().split()
    if not other:
        return 0, words, "d" * len(words)  # what is counted there, without a trace
    distance = lib_ter.BeamEditDistance(other)
    shifts = checked = 0
    while True:
        gain, shifted, checked = lib_ter._shift(words, other, distance, checked)
        if gain <= 0 or checked >= lib_ter._MAX_SHIFT_CANDIDATES:
            break
        words = shifted
        shifts += 1
    assert lib_ter.translation_edit_rate(prediction.lower().split(), other)[0] == shifts + distance(words)[0]
    return shifts, words, distance(words)[1]


def own(edits: Edits) -> tuple[int, list[str], str]:
    """The same of ours; its d is a word of the hypothesis too many, which we call I, and its i is our D."""
    words = edits.hypothesis
    for shift in edits.shifts:
        words = shift.apply(words)
    trace = "".join({"H": " ", "S": "s", "I": "d", "D": "i"}[operation.kind] for operation in edits.operations)
    return len(edits.shifts), list(words), trace


def assert_edit_by_edit(predictions: list[str], references: list[str]) -> None:
    pytest.importorskip("sacrebleu", reason="sacrebleu is not installed")
    ter = Ter()
    wrong = [
        (prediction, reference)
        for prediction, reference in zip(predictions, references, strict=True)
        if own(ter.edits(prediction, reference)) != edits_of_sacrebleu(prediction, reference)
    ]
    assert not wrong


@pytest.fixture(scope="module")
def hub(hub_modules: Path) -> Library:
    """The Hub's `ter`."""
    library = get_library("evaluate-sacrebleu")
    if isinstance(status := library.status("ter"), Missing):
        pytest.skip(f"evaluate-sacrebleu: {status}")
    return library


@given(setting=st.sampled_from(SACREBLEU), corpus=marked_corpora)
def test_marks_in_the_hubs_module(hub: Library, setting: Setting, corpus: Corpus) -> None:
    """It refuses ragged references, and so has the first of each here."""
    predictions, references = corpus[0], [texts[:1] for texts in corpus[1]]
    theirs = hub.scores("ter", predictions, references, **setting.options)
    ours = setting.scorer().corpus(predictions, references).scores
    assert {key: ours[key] for key in theirs if not same(ours[key], theirs[key], setting.tolerance)} == {}


@given(corpus=generated)
def test_generated_edits(corpus: Corpus) -> None:
    predictions, references = corpus
    assert_edit_by_edit(predictions, [texts[0] for texts in references])


@pytest.mark.parametrize("size", [0, 20])
@given(corpus=generated)
def test_the_cache_of_sacrebleu_changes_nothing(size: int, corpus: Corpus) -> None:
    """Its rows depend on the words before them only, so that we need none of it: full or empty, the edits are equal."""
    lib_ter = pytest.importorskip("sacrebleu.metrics.lib_ter", reason="sacrebleu is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(lib_ter, "_MAX_CACHE_SIZE", size)
        assert_edit_by_edit(corpus[0], [texts[0] for texts in corpus[1]])


# Two sides of very different lengths; more candidates than are looked at, at once and after some shifts; stretches of
# over nine and over ten words; words that stand about fifty places apart.
ALPHABET = [f"w{i}" for i in range(70)]
LONG = (
    [
        "a b " * 3, "a b " * 20, "a b c d e " * 6, " ".join([*ALPHABET[11:], *ALPHABET[:11]]),
        " ".join([ALPHABET[51], *ALPHABET[:51], *ALPHABET[52:]]), " ".join(["x y", *ALPHABET[:20], *["x y"] * 8]), "x",
    ],
    [
        "a b c " * 40, "b a", "b a d c e " * 5, " ".join(ALPHABET), " ".join(ALPHABET),
        " ".join(["y x", *ALPHABET[10:20], *ALPHABET[:10], *["y x"] * 8]), "a " * 150 + "x",
    ],
)  # fmt: skip


@pytest.mark.parametrize("turned", [False, True])
def test_long_segments(turned: bool) -> None:
    predictions, references = LONG[::-1] if turned else LONG
    assert_edit_by_edit(predictions, references)
    theirs = TORCHMETRICS[0].live.segment_scores("ter", predictions, references)
    assert Ter.variant("torchmetrics").segments(predictions, references) == pytest.approx(theirs, rel=1e-6)


@pytest.mark.slow
def test_edit_by_edit_on_real_text(newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    systems, reference = newstest
    pairs = [
        (line, other)
        for start, lines in enumerate(systems.values())
        for line, other in zip(lines[start::9], reference[start::9], strict=True)
    ]
    assert len(pairs) > 5_000
    assert_edit_by_edit(*map(list, zip(*pairs, strict=True)))


@pytest.mark.slow
@pytest.mark.parametrize("setting", SACREBLEU, ids=str)
def test_real_text_under_all_options(setting: Setting, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    """Each option on a part of its own; references that are cut into more the second time are among them."""
    systems, reference = newstest
    start = SACREBLEU.index(setting)
    lines = [*systems.values()][start]
    others = list(map(list, zip(reference, [*systems.values()][start - 1], strict=True)))
    marked = [
        i for i, texts in enumerate(others) if any(mark in "".join(texts) for mark in ("'s", ".,", " ,", "(.", "-,"))
    ]
    chosen = [*marked, *range(start, len(lines), 40)]
    assert_parity(setting, [lines[i] for i in chosen], [others[i] for i in chosen])


def test_worked_examples() -> None:
    """The paper's own, and what sacrebleu 2.6.0 gave for small texts."""
    paper = (
        "this week the saudis denied information published in the new york times",
        "saudi arabia denied this week information published in the american new york times",
    )
    result = Ter().corpus([paper[0]], [paper[1]])
    assert (result.scores["edits"], result.scores["reference_length"]) == (4, 13)
    assert result.value == pytest.approx(30.769231, abs=5e-7)
    assert Ter().corpus(["a b c d", "x y"], ["b c d a", "x z w"]).value == pytest.approx(42.857143, abs=5e-7)
    assert Ter().corpus(["a b c"], [["a b c d", "a b"]]).value == pytest.approx(100 / 3)
    for options, value in ((OPTIONS[0], 100), ({"normalized": True}, 100), ({"normalized": True, "no_punct": True}, 0)):
        assert Ter(**options).corpus(["Hello, World!"], ["hello world"]).value == value


@pytest.mark.parametrize(
    ("prediction", "references", "values"),
    [
        ("", ["a b c"], (100, 0)),
        ("a b c", [""], (100, 1)),
        ("", [""], (0, 0)),
        ("", ["", "a"], (0, 0)),
        ("a b", ["", "a b c"], (100 * 1 / 1.5, 1 / 1.5)),
    ],
)
def test_empty_texts(prediction: str, references: list[str], values: tuple[float, float]) -> None:
    for setting, value in zip((SACREBLEU[0], TORCHMETRICS[0]), values, strict=True):
        assert_parity(setting, [prediction], [references])
        assert setting.scorer().corpus([prediction], [references]).value == pytest.approx(value, rel=1e-12)


def test_all_references_have_their_share_in_the_length() -> None:
    """Rules for an empty hypothesis share the pairs that are counted, and leave them as they are."""
    segments = Segments(["", "a b"], [["a b c", "d"], ["a b x", "a", "a b"]])
    for rule, edits in (("counted", [1, 0]), ("free", [0, 0]), ("counted", [1, 0])):
        rows = Ter(empty_hypothesis=rule).statistics(segments)
        assert rows[:, 0].tolist() == rows[:, 2:6].sum(axis=1).tolist() == edits
        assert rows[:, -1].tolist() == [2, 2]
    pairs = Ter()._pair_statistics(segments)
    assert pairs[:, 0].tolist() == [3, 1, 1, 1, 0]
    assert pairs[:, -1].tolist() == [3, 1, 3, 1, 2]


def test_a_signature_without_the_join_is_read() -> None:
    ter = Ter(normalized=True)
    assert Scorer.from_signature(ter.signature.replace("|multi_reference=best|", "|")) == ter


class TestBrokenLibraries:
    """What a library does that its documentation does not say, pinned: the day this fails, it has changed."""

    def scores(self, prediction: str, *references: str) -> tuple[float, float]:
        """sacrebleu's and torchmetrics' TER, each from 0 on, to 1 for one edit a word."""
        found: list[float] = []
        for setting in (SACREBLEU[0], TORCHMETRICS[0]):
            live = setting.live
            found.append(live.scores("ter", [prediction], [list(references)])["ter"] / live.scale)
        return found[0], found[1]

    def test_torchmetrics_shifts_words_of_the_reference(self) -> None:
        """Its function for one pair takes (prediction, reference) and is given (reference, prediction)."""
        one, other = "a b b d", "b d d b"
        sacrebleu, torchmetrics = self.scores(one, other)
        assert (sacrebleu, torchmetrics) == (2 / 4, 3 / 4)
        assert self.scores(other, one) == (3 / 4, 2 / 4)

    def test_torchmetrics_finds_nothing_to_edit_in_an_empty_prediction(self) -> None:
        assert self.scores("", "a b c") == (1.0, 0.0)

    def test_torchmetrics_shifts_no_more_than_nine_words(self) -> None:
        one, other = " ".join(ALPHABET[:30]), " ".join([*ALPHABET[20:30], *ALPHABET[:20]])
        assert self.scores(one, other) == pytest.approx((1 / 30, 2 / 30))

    @pytest.mark.parametrize(
        ("text", "options", "value"),
        [
            ("5 .,5", {}, 50.0),
            ("e.g.,5 cats", {}, 200 / 7),
            ("(No.,3)", {}, 100 / 3),
            ("PLC's, these", {}, 200 / 4),
            ("it's's", {"no_punct": True}, 200 / 3),
        ],
    )
    def test_sacrebleu_cuts_references_twice(self, text: str, options: dict[str, bool], value: float) -> None:
        """With `normalized`, a text may not be equal to itself: what was cut once is cut into more the second time."""
        options = {"normalized": True, **options}
        assert SACREBLEU[0].live.scores("ter", [text], [[text]], **options)["ter"] == pytest.approx(value, rel=1e-12)
        assert Ter(**options).corpus([text], [text]).value == pytest.approx(value, rel=1e-12)
        assert Ter(**options, references_twice=False).corpus([text], [text]).value == 0
        assert TORCHMETRICS[0].live.scores("ter", [text], [[text]], **options)["ter"] == 0

    def test_edits_show_the_words_that_are_counted(self) -> None:
        edits = Ter(normalized=True).edits("PLC's, these", "PLC's, these")
        assert edits.hypothesis == ("plc's", ",", "these")
        assert edits.reference == ("plc", "'s", ",", "these")

    def test_rules_for_kana_never_match(self) -> None:
        """sacrebleu's `asian_support` is to split kana from their neighbours; only Han characters come apart."""
        live = SACREBLEU[0].live
        options: dict[str, Any] = {"normalized": True, "asian_support": True}
        for text, length in (("漢字", 2), ("かなカナ", 1), ("漢かな", 2)):
            assert live.scores("ter", [text], [[text]], **options)["reference_length"] == length
            assert Ter(**options).corpus([text], [text]).scores["reference_length"] == length

    def test_the_best_shift_of_the_last_round_is_lost(self) -> None:
        """At 1,000 candidates the search stops before the shift that it has just found."""
        prediction, reference = " ".join([*"xyz" * 18, "a b c"]), " ".join(["a b c", *"xzy" * 18])
        assert edits_of_sacrebleu(prediction, reference)[0] == 0
        assert Ter().corpus([prediction], [reference]).scores["shifts"] == 0
        assert Ter(max_candidates=10**6).corpus([prediction], [reference]).scores["shifts"] > 0
