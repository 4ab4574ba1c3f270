"""hLEPOR against the numbers of the literature, what the authors' script printed, and the libraries where they err."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest
from compared import compared
from needs import provide
from strategies import BLANKS

from metrologue.comparison.libraries import LibraryError, get_library
from metrologue.errors import InputError
from metrologue.scorers import Hlepor

PRINTED = json.loads(Path(__file__).with_name("perl.json").read_text("utf-8"))
GUIDE = "It is a guide to action which ensures that the military always obeys the commands of the party"
GUIDE_REFERENCE = "It is a guide to action that ensures that the military will forever heed Party commands"
TROOPS = "It is to insure the troops forever hearing the activity guidebook that party direct"
TROOPS_REFERENCE = "It is the practical guide for the army always to heed the directions of the party"


@pytest.mark.parametrize(
    ("prediction", "reference", "numbers"),
    [
        (GUIDE, GUIDE_REFERENCE, (0.784164, 0.882497, 0.965129, 0.740741)),
        (TROOPS, TROOPS_REFERENCE, (0.458237, 0.866878, 0.923964, 0.379747)),
        ("a b", "c d", (0.0, 1.0, 1.0, 0.0)),
        ("", "a b", (0.0, 0.0, 1.0, 0.0)),
        ("a b", " ", (0.0, 0.0, 1.0, 0.0)),
        ("", "", (0.0, 0.0, 1.0, 0.0)),
        ("A b", "a B", (1.0, 1.0, 1.0, 1.0)),
    ],
)
def test_worked_numbers(prediction: str, reference: str, numbers: tuple[float, ...]) -> None:
    scores = Hlepor().corpus([prediction], [reference]).scores
    found = [scores[name] for name in ("hlepor", "length_penalty", "position_penalty", "harmonic_mean")]
    assert found == pytest.approx(numbers, abs=1e-6)


def test_variants_of_the_papers() -> None:
    texts = [GUIDE, TROOPS], [GUIDE_REFERENCE, TROOPS_REFERENCE]
    assert Hlepor().corpus(*texts).value == pytest.approx(0.621201, abs=1e-6)
    assert Hlepor.variant("lepor").segments(*texts) == pytest.approx([0.630906, 0.304164], abs=1e-6)
    assert Hlepor(weights=(2, 1, 3)).segments(*texts)[0] == pytest.approx(0.816057, abs=1e-6)
    # Four orders of n-grams. The second text has no trigram of its reference.
    assert Hlepor.variant("nlepor").segments(*texts) == pytest.approx([0.402591, 0.0], abs=1e-6)


def test_the_package_as_its_documentation_has_it(request: pytest.FixtureRequest) -> None:
    provide(request, ["punkt"])
    scorer = Hlepor.variant("pypi")
    assert scorer.segments([GUIDE], [GUIDE_REFERENCE])[0] == pytest.approx(0.7841643862495711, rel=1e-12)
    assert round(scorer.corpus([GUIDE, TROOPS], [GUIDE_REFERENCE, TROOPS_REFERENCE]).value, 4) == 0.6214


def test_the_script_agrees_where_no_word_is_repeated() -> None:
    """Its alignment is another one where a word is repeated, so that no variant has its name."""
    pairs, printed = PRINTED["of_distinct_words"].values()
    ours = Hlepor(weights=(2, 1, 3)).segments(*zip(*pairs, strict=True))
    assert ours == pytest.approx(printed, rel=1e-12, abs=0)
    assert len({*printed}) > 30
    compared(len(printed))
    pairs, printed = PRINTED["of_repeated_words_or_long"].values()
    ours = Hlepor(weights=(2, 1, 3)).segments(*zip(*pairs, strict=True))
    differs = [abs(a - b) > 1e-9 for a, b in zip(ours, printed, strict=True)]
    # The script gives 1 to any order of the same words ("b a").
    assert differs == [True, True, True, True, False, False]
    assert printed[3] == 1.0


def test_nltk_rewards_a_difference_of_lengths() -> None:
    nltk = get_library("nltk")
    texts = ["a b c d e f g h i j"], ["a"]
    value = nltk.scores("hlepor", *texts, tokenize="whitespace")["hlepor"]
    scores = Hlepor.variant("nltk", tokenizer="whitespace").corpus(*texts).scores
    assert scores["hlepor"] == pytest.approx(value, rel=1e-12)
    assert scores["length_penalty"] == pytest.approx(2.459603111157)
    assert Hlepor.variant("lepor").corpus(*texts).scores["length_penalty"] == pytest.approx(0.000123409804)
    # A word of the reference counts for each word of the hypothesis: the score of this text is above 1.
    repeated = ["a a a"], ["a b"]
    value = nltk.scores("hlepor", *repeated, tokenize="whitespace")["hlepor"]
    assert value > 1
    assert Hlepor.variant("nltk", tokenizer="whitespace").corpus(*repeated).value == pytest.approx(value, rel=1e-12)


def test_nltk_refuses_long_texts_of_one_word_and_we_do_not() -> None:
    long = " ".join(["a"] * 2001)
    with pytest.raises(ValueError, match="alignment work exceeded"):
        get_library("nltk").scores("hlepor", [long], [long], tokenize="whitespace")
    assert 0 < Hlepor.variant("nltk", tokenizer="whitespace").corpus([long], [long]).value < 1
    assert Hlepor().corpus([long], [long]).value == 1.0


def test_the_package_takes_one_reference() -> None:
    with pytest.raises(LibraryError, match="one reference per segment"):
        get_library("pypi").scores("hlepor", ["a"], [["a", "b"]], separate_punctuation=False)


def spaced_pairs(count: int, seed: int) -> Iterator[tuple[str, str]]:
    """Texts of a few words, often the same ones, with whitespace of all kinds, alone and in runs, also at the ends."""
    draw = Random(seed)

    def spaced(words: list[str]) -> str:
        ends = "".join(draw.choices(" " + BLANKS, k=draw.randint(0, 2)))
        blanks = (
            " " if draw.random() < 0.5 else "".join(draw.choices("  " + BLANKS, k=draw.randint(1, 3))) for _ in words
        )
        return ends + "".join(map("".join, zip(words, blanks, strict=True)))

    for _ in range(count):
        words = draw.choices(["a", "b", "B", "the", "cat,", "é", "İ", "ΟΔΟΣ", "猫"], k=draw.randint(0, 9))
        others = (
            draw.sample(words, len(words)) if draw.random() < 0.5 else draw.choices([*words, "c"], k=draw.randint(0, 9))
        )
        yield spaced(words), spaced(others)


@pytest.mark.parametrize(
    "count", [pytest.param(300, id="few"), pytest.param(22_400, id="many", marks=pytest.mark.slow)]
)
def test_the_package_without_separate_punctuation(count: int) -> None:
    """Its words are ``strip().split(" ")``: two spaces have an empty word between them, and a tab is part of a word."""
    package, ours = get_library("pypi"), Hlepor.variant("pypi", tokenizer="blank:stripped=true")
    pairs = [pair for pair in spaced_pairs(count, 7) if all(pair)]  # the package refuses empty texts
    theirs = [
        package.scores("hlepor", [text], [[other]], separate_punctuation=False)["hlepor"] for text, other in pairs
    ]
    segments = ours.segments(*map(list, zip(*pairs, strict=True)))
    assert segments == pytest.approx(theirs, rel=1e-12, abs=1e-15)
    compared(len(pairs))
    split = Hlepor.variant("pypi", tokenizer="whitespace", empty="zero").segments(*map(list, zip(*pairs, strict=True)))
    assert (abs(segments - split) > 1e-9).mean() > 0.1
    with pytest.raises(InputError, match=r"`predictions\[0\]` has a text without words"):
        ours.segments([""], ["a"])


def test_the_package_takes_off_the_blanks_at_the_ends(request: pytest.FixtureRequest) -> None:
    """Without them a quotation mark opens; after a no-break space nltk takes it for one that closes."""
    provide(request, ["punkt"])
    pair = ['\xa0"a" b'], ['"a" b']
    value = get_library("pypi").scores("hlepor", *pair)["hlepor"]
    assert Hlepor.variant("pypi").corpus(*pair).value == pytest.approx(value, rel=1e-12)
    assert Hlepor.variant("pypi", tokenizer="nltk-words").corpus(*pair).value != pytest.approx(value, abs=1e-6)


@pytest.mark.parametrize(
    ("fields", "message"),
    [
        ({"weights": (2, 1)}, r"`weights` is \(2\.0, 1\.0\); three numbers from 0 on that are not all 0"),
        ({"weights": (0, 0, 0)}, "three numbers from 0 on that are not all 0"),
        ({"weights": (2, -1, 7)}, "`weights` is .*from 0 to"),
        ({"alpha": 0, "beta": 0}, r"`beta` is 0\.0; a number above 0, because `alpha` is 0,"),
        ({"alpha": -1}, r"`alpha` is -1\.0; a finite number from 0"),
        ({"context": -1}, "`context` is -1; an int from 0 to 100"),
        ({"combination": "sum"}, "`combination` is 'sum'; harmonic or product"),
    ],
)
def test_fields_that_make_no_score(fields: dict[str, Any], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Hlepor(**fields)


@pytest.mark.parametrize("threads", [1, 3])
def test_texts_without_words(threads: int) -> None:
    texts = ["a", "b", "c", "d"], [["a"], ["b"], ["c", " "], ["d"]]
    with pytest.raises(InputError, match=r"`references\[2\]` has a text without words.*empty='zero'"):
        Hlepor(empty="error").corpus(*texts, threads=threads)
    assert Hlepor(empty="error-of-nothing").corpus(*texts, threads=threads).value == 1.0
    with pytest.raises(InputError, match=r"`predictions\[3\]` has a text without words"):
        Hlepor(empty="error-of-nothing").corpus(["a", "b", "c", ""], texts[1], threads=threads)
    with pytest.raises(InputError, match="`references` are missing"):
        Hlepor().corpus(["a"])
