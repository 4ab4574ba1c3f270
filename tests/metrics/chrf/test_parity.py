"""Chrf against every live library where the contract does not go: what is broken."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import Any

import pytest

from metrologue.comparison.libraries import LibraryError, Missing, get_library
from metrologue.errors import InputError
from metrologue.scorers import Chrf
from metrologue.segments import Segments
from metrologue.text.reading import words

Corpus = tuple[list[str], list[list[str]]]


@dataclass(frozen=True)
class Setting:
    """One call of a library, and the field values that mirror it."""

    library: str
    options: dict[str, Any] = field(default_factory=dict)
    fields: dict[str, Any] = field(default_factory=dict)
    tolerance: float = 1e-12

    def __str__(self) -> str:
        return ",".join([self.library, *(f"{key}={value}" for key, value in self.options.items())])

    def scorer(self) -> Chrf:
        return Chrf.variant(self.library, **self.fields)

    def of(self, corpus: Corpus) -> Corpus:
        """What of the corpus the library takes."""
        predictions, references = corpus
        return predictions, [texts[:1] for texts in references] if self.library == "nltk" else references

    def live(self) -> Any:
        library = get_library(self.library)
        status = library.status()
        if isinstance(status, Missing):
            pytest.skip(f"{self.library}: {status}")
        return library


def assert_parity(setting: Setting, corpus: Corpus) -> None:
    predictions, references = setting.of(corpus)
    theirs = setting.live().scores("chrf", predictions, references, **setting.options)["chrf"]
    ours = setting.scorer().corpus(predictions, references).value
    assert math.isclose(ours, theirs, rel_tol=setting.tolerance, abs_tol=0.0), (ours, theirs)


class TestBrokenLibraries:
    """What a library gets wrong, pinned: the day this fails, the library has changed."""

    @pytest.mark.parametrize("library", ["nltk", "torchmetrics"])
    def test_a_short_text_has_no_perfect_score(self, library: str) -> None:
        """They average over orders of which neither text has an n-gram; torchmetrics over pairs of words too."""
        value = Setting(library).live().scores("chrf", ["so"], ["so"])["chrf"]
        assert value == pytest.approx({"nltk": 2 / 6, "torchmetrics": 3 / 8}[library])
        assert Chrf.variant(library).corpus(["so"], ["so"]).value == pytest.approx(value)
        assert Chrf.variant(library, effective_order=True).corpus(["so"], ["so"]).value == 1
        assert Chrf().corpus(["so"], ["so"]).value == 100

    def test_nltk_gives_a_little_for_nothing(self) -> None:
        assert Setting("nltk").live().scores("chrf", ["abc"], ["xyz"])["chrf"] == pytest.approx(1e-16)

    def test_nltk_gives_a_corpus_no_score_of_its_own(self) -> None:
        """corpus_chrf is the mean over segments: a word weighs as much as a paragraph."""
        corpus = (["abcdefgh " * 20, "x"], [["abcdefgh " * 20], ["y"]])
        setting = Setting("nltk")
        values = setting.live().segment_scores("chrf", *corpus)
        assert setting.live().scores("chrf", *corpus)["chrf"] == pytest.approx(sum(values) / 2)
        assert Chrf().corpus(*corpus).value > 95

    def test_torchmetrics_forgets_segments_that_are_all_wrong(self) -> None:
        """Their best score never rises above its start, 0, so that no reference is chosen: they cost no recall."""
        corpus = (["abcdefg", "zz"], [["abcdefg"], ["a long reference that was missed altogether"]])
        value = Setting("torchmetrics").live().scores("chrf", *corpus, word_order=0)["chrf"]
        assert value > 0.8
        ours = Chrf.variant("torchmetrics", word_order=0)
        assert ours.corpus(*corpus).value == pytest.approx(value, rel=1e-6)
        assert ours.corpus(*corpus).scores["char_recall_1"] == 1
        assert Chrf.variant("torchmetrics", word_order=0, drop_unmatched=False).corpus(*corpus).value < 0.5

    @pytest.mark.parametrize(
        ("blank", "dropped_by"),
        [
            (" ", {"sacrebleu", "nltk", "torchmetrics"}),
            ("\u3000", {"sacrebleu", "nltk"}),
            ("\t", {"sacrebleu", "nltk"}),
            ("\x1f", {"sacrebleu"}),
            ("\u200b", set()),
        ],
    )
    def test_libraries_have_three_ideas_of_a_blank(self, blank: str, dropped_by: set[str]) -> None:
        texts = ([f"abcdef{blank}ghijkl"], ["abcdefghijkl"])
        for library in ("sacrebleu", "nltk", "torchmetrics"):
            live = Setting(library).live()
            options = {"word_order": 0} if library == "torchmetrics" else {}
            value = live.scores("chrf", *texts, **options)["chrf"] / live.scale
            assert (value == 1) == (library in dropped_by)
            ours = Chrf.variant(library, **options)
            assert ours.corpus(*texts).value / ours.scale == pytest.approx(value, rel=1e-6)

    def test_sacrebleu_takes_one_mark_off_a_word(self) -> None:
        """ "(hi)" comes apart at its end only, and a mark in front stays with another one behind it."""
        view = Segments(["(hi) (hi «hi» hi... ... (("], [""]).read(words("chrf"))
        assert view.tokens(0)[0] == ["(hi", ")", "(", "hi", "«hi»", "hi..", ".", "..", ".", "(", "("]

    def test_nltk_takes_one_reference(self) -> None:
        with pytest.raises(LibraryError, match="one reference per segment; segment 1, counted from 1, has 2"):
            Setting("nltk").live().scores("chrf", ["a"], [["a", "b"]])
        assert Chrf.variant("nltk").corpus(["abcdef"], [["x", "abcdef"]]).value == 1


@pytest.mark.parametrize("references", [["ax", "aaaaxxxxxxx"], ["axxx", "aaaxxxxxxxxxxx"], ["axxxx", "aaxxxxxxxxx"]])
def test_references_that_tie_in_float32(references: list[str]) -> None:
    """What float64 tells apart by a bit may be equal in torchmetrics, and the other way round."""
    corpus = (["aaaa", "zz"], [references, ["zz"]])
    options = {"char_order": 1, "word_order": 0}
    setting = Setting("torchmetrics", options, options, 1e-6)
    assert_parity(setting, corpus)
    single, double = setting.scorer(), Chrf.variant("torchmetrics", char_order=1, word_order=0, multi_reference="best")
    best = [scorer._best_references(Segments(*corpus))[0] for scorer in (single, double)]
    assert best[0] != best[1]
    assert double.corpus(*corpus).value != pytest.approx(single.corpus(*corpus).value, rel=1e-3)


def test_best_reference_is_the_first_of_equal_ones() -> None:
    segments = Segments(["abc", "abc", "abc"], [["xyz", "uvw"], ["xyz", "abd", "abe"], ["abd", "ab"]])
    assert Chrf()._best_references(segments).tolist() == [0, 1, 1]


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"char_order": 0}, "`char_order` is 0; an order above 0 here or in `word_order`"),
        ({"min_char_order": 7}, "`min_char_order` is 7; at most 6"),
        ({"word_tokenizer": "words"}, "tokenizer 'words' is unknown"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Chrf(**fields)
