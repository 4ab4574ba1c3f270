"""Chrf against every live library where the contract does not go: long and empty texts, captions, what is broken."""

from __future__ import annotations

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from metrologue.comparison.libraries import LibraryError, Missing, get_library
from metrologue.errors import InputError
from metrologue.reading import words
from metrologue.scorers import Chrf
from metrologue.segments import Segments

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


EPSILON = {"average": "fscore", "effective_order": False, "smoothing": "epsilon"}


def settings(library: str, tolerance: float, *options: dict[str, Any]) -> list[Setting]:
    return [
        Setting(
            library,
            given,
            {key: value for key, value in given.items() if key != "eps_smoothing"}
            | (EPSILON if given.get("eps_smoothing") else {}),
            tolerance,
        )
        for given in options
    ]


SACREBLEU = settings(
    "sacrebleu",
    1e-12,
    {},
    {"word_order": 2},
    {"word_order": 1, "beta": 3},
    {"lowercase": True, "word_order": 2},
    {"whitespace": True},
    {"whitespace": True, "lowercase": True, "word_order": 2, "beta": 1},
    {"eps_smoothing": True},
    {"eps_smoothing": True, "word_order": 2},
    {"eps_smoothing": True, "beta": 0},
    {"beta": 0},
    {"char_order": 1},
    {"char_order": 10, "word_order": 4},
    {"char_order": 0, "word_order": 2},
    {"char_order": 0, "word_order": 1, "eps_smoothing": True, "beta": 0},
)
NLTK = settings(
    "nltk",
    1e-12,
    {},
    {"whitespace": True},
    {"beta": 1.0},
    {"beta": 0.0},
    {"min_char_order": 2, "char_order": 3},
    {"min_char_order": 6, "char_order": 9, "whitespace": True},
)
TORCHMETRICS = settings(
    "torchmetrics",
    1e-6,
    {},
    {"word_order": 0, "whitespace": True},
    {"lowercase": True, "beta": 0.7},
    {"char_order": 3, "word_order": 3, "beta": 0.0},
)
SETTINGS = [*SACREBLEU, *NLTK, *TORCHMETRICS]


def assert_parity(setting: Setting, corpus: Corpus) -> None:
    predictions, references = setting.of(corpus)
    theirs = setting.live().scores("chrf", predictions, references, **setting.options)["chrf"]
    ours = setting.scorer().corpus(predictions, references).value
    assert math.isclose(ours, theirs, rel_tol=setting.tolerance, abs_tol=0.0), (ours, theirs)


def assert_segment_parity(setting: Setting, corpus: Corpus) -> None:
    predictions, references = setting.of(corpus)
    theirs = setting.live().segment_scores("chrf", predictions, references, **setting.options)
    ours = setting.scorer().segments(predictions, references)
    np.testing.assert_allclose(ours, theirs, rtol=setting.tolerance, atol=0)


# Thousands of n-grams and many different characters, so that the names of n-grams outgrow their table.
LONG = (
    ["".join(chr(0x4E00 + 7 * i * i % 3001) for i in range(4_000)), "ab " * 700, "x", "the cat sat. " * 300],
    [
        ["".join(chr(0x4E00 + 7 * i * i % 3001) for i in range(2_000, 5_000)), "的"],
        ["ba " * 800],
        ["", "x"],
        ["cat. the sat " * 200, "the cat. " * 9],
    ],
)


@pytest.mark.parametrize("setting", [SACREBLEU[1], SACREBLEU[4], NLTK[0]], ids=str)
def test_long_segments(setting: Setting) -> None:
    assert_parity(setting, LONG)
    assert_segment_parity(setting, LONG)


EMPTY: list[Corpus] = [
    ([""], [[""]]),
    ([""], [["a"]]),
    (["a"], [[""]]),
    ([" "], [["\u3000"]]),
    (["a", ""], [["", "a"], ["", "b"]]),
    (["a b", "c"], [["", " "], ["c"]]),
    (["abc"], [["xyz"]]),
    (["abc", "abc"], [["xyz"], ["abc", "ab"]]),
]


@pytest.mark.parametrize("corpus", EMPTY, ids=str)
@pytest.mark.parametrize("setting", SETTINGS, ids=str)
def test_empty_texts_and_texts_without_a_match(setting: Setting, corpus: Corpus) -> None:
    assert_parity(setting, corpus)
    assert_segment_parity(setting, corpus)


def flickr(folder: Path) -> Corpus:
    """Captions, one to five references each."""
    rows = [json.loads(line) for line in (folder / "flickr8k_expert.jsonl").read_text("utf-8").splitlines()][::40]
    return [row["hypothesis"] for row in rows], [row["references"][: 1 + i % 5] for i, row in enumerate(rows)]


def summeval(folder: Path) -> Corpus:
    """Summaries with eleven references."""
    references, rows = (
        [json.loads(line) for line in (folder / name).read_text("utf-8").splitlines()]
        for name in ("references.jsonl", "summeval.jsonl")
    )
    of_document = {row["doc"]: row["references"] for row in references}
    return [row["hypothesis"] for row in rows[::160]], [of_document[row["doc"]] for row in rows[::160]]


REAL: dict[str, Callable[[Path], Corpus]] = {"flickr8k_expert": flickr, "summeval": summeval}


@pytest.fixture(scope="module", params=REAL)
def real(request: pytest.FixtureRequest, shared_data: Path) -> Corpus:
    folder = shared_data / request.param
    if not folder.is_dir():
        pytest.skip(f"no folder {folder}")
    return REAL[request.param](folder)


class TestRealText:
    @pytest.mark.parametrize("setting", [*SACREBLEU[:7], *NLTK[:2]], ids=str)
    def test_corpora_and_segments(self, setting: Setting, real: Corpus) -> None:
        assert_parity(setting, real)
        assert_segment_parity(setting, real)

    def test_torchmetrics_is_slow(self, real: Corpus) -> None:
        """A tensor for every n-gram: it gets a few segments."""
        few = (real[0][:4], [texts[:2] for texts in real[1][:4]])
        assert_parity(TORCHMETRICS[0], few)
        assert_segment_parity(TORCHMETRICS[0], few)


@pytest.mark.slow
@pytest.mark.parametrize("setting", [SACREBLEU[0], SACREBLEU[1], NLTK[0]], ids=str)
def test_all_systems_of_newstest(setting: Setting, newstest: tuple[dict[str, list[str]], list[str]]) -> None:
    systems, reference = newstest
    for predictions in systems.values():
        assert_parity(setting, (predictions, [[text] for text in reference]))


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
        with pytest.raises(LibraryError, match="one reference per segment; segment 0 has 2"):
            Setting("nltk").live().scores("chrf", ["a"], [["a", "b"]])
        assert Chrf.variant("nltk").corpus(["abcdef"], [["x", "abcdef"]]).value == 1


@pytest.mark.parametrize("references", [["ax", "aaaaxxxxxxx"], ["axxx", "aaaxxxxxxxxxxx"], ["axxxx", "aaxxxxxxxxx"]])
def test_references_that_tie_in_float32(references: list[str]) -> None:
    """What float64 tells apart by a bit may be equal in torchmetrics, and the other way round."""
    corpus = (["aaaa", "zz"], [references, ["zz"]])
    (setting,) = settings("torchmetrics", 1e-6, {"char_order": 1, "word_order": 0})
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
        ({"char_order": -1}, "`char_order` is -1; an int from 0 to 100"),
        ({"word_order": 2.0}, "`word_order` is 2.0; an int"),
        ({"min_char_order": 0}, "`min_char_order` is 0; an int from 1 to 100"),
        ({"min_char_order": 7}, "`min_char_order` is 7; at most 6"),
        ({"beta": -1}, "`beta` is -1"),
        ({"beta": math.inf}, "`beta` is inf"),
        ({"average": "mean"}, "precision-recall or fscore"),
        ({"smoothing": "exp"}, "none or epsilon or epsilon-all"),
        ({"multi_reference": "closest"}, "best or best-single"),
        ({"aggregation": "median"}, "corpus or mean"),
        ({"scale": 0}, "`scale` is 0"),
        ({"tokenizer": "characters2"}, "tokenizer 'characters2' is unknown"),
        ({"word_tokenizer": "words"}, "tokenizer 'words' is unknown"),
    ],
)
def test_values_out_of_range(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Chrf(**fields)
