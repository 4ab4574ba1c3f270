"""Warnings: text that a scorer is not made for is told, and other text is not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.scorers import Bleu, Pyramid, Rouge, Scorer

PLAIN = (["the cat sat on the mat."] * 120, ["the cat sat on a mat."] * 120)
TOKENIZED = (["the cat sat on the mat ."] * 120, PLAIN[1])


def warned(scorer: Scorer, predictions: Any, references: Any, of_each: bool = False) -> list[str]:
    """What is said of the texts when they are scored."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        (scorer.segments if of_each else scorer.corpus)(predictions, references)
    return [str(warning.message) for warning in caught]


@pytest.mark.parametrize("scorer", [Bleu(), Bleu(tokenizer="intl"), Rouge(), Rouge.variant("unicode")])
def test_plain_text_is_no_surprise(scorer: Scorer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer.corpus(*PLAIN)
        scorer.segments(*PLAIN)


def test_tokenized_text() -> None:
    with pytest.warns(UserWarning, match="look tokenized"):
        Bleu().corpus(*TOKENIZED)
    assert warned(Bleu(tokenizer="none"), *TOKENIZED) == []
    assert warned(Bleu(), TOKENIZED[0][:99], TOKENIZED[1][:99]) == []
    assert warned(Bleu(), ["."] * 120, ["."] * 120) == []


@pytest.mark.parametrize(
    "score",
    [
        lambda: Bleu().corpus(*TOKENIZED),
        lambda: Bleu().segment_scores(["a"], ["a"]),
        lambda: Bleu().segments(["a"], ["a"]),
        lambda: metrologue.score("bleu", *TOKENIZED),
    ],
)
def test_the_line_of_the_caller_is_told(score: Callable[[], object]) -> None:
    with pytest.warns(UserWarning, match=r"^Bleu: ") as told:
        score()
    assert {warning.filename for warning in told} == {__file__}


@pytest.mark.parametrize("lines", [99, 100])
def test_tokenized_text_is_told_where_sacrebleu_tells(lines: int, caplog: pytest.LogCaptureFixture) -> None:
    bleu = pytest.importorskip("sacrebleu.metrics", reason="sacrebleu is not installed").BLEU()
    texts = TOKENIZED[0][:lines] + PLAIN[0][lines:]
    bleu.corpus_score(texts, [PLAIN[1]])
    assert ("tokenized period" in caplog.text) == bool(warned(Bleu(), texts, PLAIN[1]))


def test_an_order_without_a_match_is_told_where_nltk_tells() -> None:
    """nltk's number is 1e-78 or so, which prints as 0.0000."""
    bleu_score = pytest.importorskip("nltk.translate.bleu_score")
    bleu = Bleu.variant("nltk")
    texts = ["the cat sat on a mat", "the cat sat on the mat", "so it is now"]
    references = ["the dog sat up on one mat", "the cat sat on the mat", "so it is now"]
    for text, reference, order in (*zip(texts, references, (2, 0, 0), strict=True), ("a b c d e", "a b c x y", 4)):
        with warnings.catch_warnings(record=True) as told:
            warnings.simplefilter("always")
            value = bleu_score.sentence_bleu([reference.split()], text.split())
        hints = warned(bleu, [text], [reference])
        assert [f"have no {order}-gram" in hint for hint in hints] == [True] * bool(order)
        assert bool(order) == (0 < value < 1e-9)
        assert not order or f"0 counts of {order}-gram" in str(told[0].message)
    with pytest.warns(UserWarning, match=r"1 of 3 predictions have no 2-gram") as hinted:
        bleu.segments(texts, references)
    assert len(hinted) == 1
    assert warned(bleu, texts, references) == []
    assert warned(Bleu.variant("nltk", smoothing="add-k"), texts, references, of_each=True) == []


@pytest.mark.parametrize("variant", ["bleu:nltk", "rouge:rouge-1.5.5"])
def test_pairs_of_a_matrix_get_no_hint_about_their_scores(variant: str) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for texts in (["a b", "a"], ["!", "a b c"]):
            assert np.shape(metrologue.pairwise(variant, texts)) == (2, 2)
            assert np.shape(metrologue.pairwise(variant, texts, ["a", "!", "b"])) == (2, 3)


def test_words_that_stand_for_content_units() -> None:
    with pytest.warns(UserWarning, match="each word counts as a content unit"):
        Pyramid().corpus(["a train crashed"], [["a train crashed", "a crash"]])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        Pyramid().corpus([["a", "b"]], [[["a"], ["b"]]])


def test_sentences_that_are_too_short() -> None:
    texts = ["a b", "a b c d e", ""], ["a b", "a b c d e", "a"]
    with pytest.warns(UserWarning, match="1 of 3 predictions have fewer than 4 tokens"):
        assert Bleu().segments(*texts).tolist() == pytest.approx([0, 100, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Bleu.variant("sacrebleu-sentence").segments(*texts)[0] == pytest.approx(100)
        Bleu().corpus(*texts)
    with pytest.warns(UserWarning, match="have no 3-gram") as told:  # as nltk warns of it
        Bleu.variant("nltk").segments(*texts)
    assert ["fewer than" in str(each.message) for each in told] == [False]


def test_letters_that_a_tokenizer_drops() -> None:
    with pytest.warns(UserWarning, match="100% of the letters are outside ASCII"):
        assert Rouge().corpus(["кот сидит"], ["кот сидит"]).value == 0
    with pytest.warns(UserWarning, match="'unicode'"):
        Rouge().corpus(["żółw śpi"], ["żółw śpi tu"])
    assert warned(Rouge.variant("unicode"), ["кот"], ["кот"]) == []


@pytest.mark.usefixtures("lexical_data")
def test_english_meteor_on_another_script() -> None:
    from metrologue.scorers import Meteor

    assert "language='ru'" in warned(Meteor(), ["кот"], ["кот сидит"])[0]
    assert warned(Meteor(language="ru", stages=("exact", "stem"), weights=(1.0, 0.5)), ["кот"], ["кот сидит"]) == []
    assert warned(Meteor(), ["chat"], ["élève sage"]) == []


ENGLISH = {
    "news": "The government said on Monday that it would not change its plans for the new airport near the city.",
    "a caption": "a man in a red shirt rides a brown horse along the beach",
    "names": "Xi Jinping and Angela Merkel met at Schloss Herrenchiemsee to speak about Bundesbank reserves",
    "key words": "cheap hotel paris booking red shoes running",
    "speech": "yeah well you know i was like no way and she goes what do you mean",
}
OTHER = {
    "German": "Die Regierung hat am Montag mitgeteilt, dass sie an ihren Plänen für den Flughafen festhalten will.",
    "French": "Le gouvernement a annoncé lundi que les habitants de la ville ne paieront pas le nouvel aéroport.",
    "Spanish": "El gobierno dijo el lunes que los habitantes de la ciudad no van a pagar por el aeropuerto.",
    "Polish": "Rząd ogłosił w poniedziałek że mieszkańcy nie zapłacą za nowe lotnisko koło miasta.",
    "Dutch": "De regering zei maandag dat de inwoners van de stad niet voor de nieuwe luchthaven betalen.",
}


@pytest.mark.usefixtures("meteor_tables")
@pytest.mark.parametrize(
    ("text", "is_told"), [*((t, False) for t in ENGLISH.values()), *((t, True) for t in OTHER.values())]
)
def test_english_meteor_on_another_language(text: str, is_told: bool) -> None:
    from metrologue.scorers import Meteor

    hints = warned(Meteor(), [text] * 4, [text] * 4)
    assert [hint.startswith("Meteor: the texts do not look like English") for hint in hints] == [True] * is_told
    assert warned(Meteor(), [text.split()[0]] * 4, [text.split()[0]] * 4) == []
    assert warned(Meteor(language="de", stages=("exact", "stem"), weights=(1.0, 0.5)), [text] * 4, [text] * 4) == []


@pytest.mark.usefixtures("wordnet")
def test_nltks_meteor_on_german() -> None:
    from metrologue.scorers import Meteor

    german, english = ([texts[name]] * 4 for texts, name in ((OTHER, "German"), (ENGLISH, "news")))
    assert len(warned(Meteor.variant("nltk"), german, german)) == 1
    assert warned(Meteor.variant("nltk"), english, english) == []


@pytest.mark.usefixtures("meteor_tables")
@pytest.mark.parametrize(
    ("path", "lines", "is_told"),
    [
        ("wmt17_ende/reference.de", 10, True),
        ("wmt17_da/references/newstest2017-deen-ref.en", 5, False),
        ("newstest2020_ruen_400/newstest2020-ruen.ref.en.txt", 5, False),
        ("e2e_metrics_example/devel-conc.txt", 10, False),
    ],
)
def test_parts_of_newstest(path: str, lines: int, is_told: bool, shared_data: Path) -> None:
    from metrologue.scorers import Meteor

    file = shared_data / path
    if not file.is_file():
        pytest.skip(f"{file} is not here")
    texts, told = file.read_text("utf-8").splitlines()[:500], []
    for start in range(0, len(texts) - lines, lines):
        part = texts[start : start + lines]
        told.append(bool(warned(Meteor(), part, part)))
    assert {*told} == {is_told}


def test_the_command_line_names_the_file(tmp_path: Path) -> None:
    for name, text in (("hyp", "a b\n"), ("ref", "a c\n")):
        (tmp_path / name).write_text(text)
    files = ["-p", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref"), "--per-segment"]
    with pytest.warns(UserWarning, match=r"hyp: Bleu: 1 of 1 predictions have fewer than 4 tokens"):
        assert CliRunner().invoke(main, ["score", "bleu", *files]).exit_code == 0
