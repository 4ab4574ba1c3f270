"""Warnings: text that a scorer is not made for is told, and other text is not."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from pathlib import Path

import pytest
from click.testing import CliRunner

import metrologue
from metrologue.cli import main
from metrologue.scorers import Bleu, Rouge, Scorer
from metrologue.segments import Segments

PLAIN = (["the cat sat on the mat."] * 120, ["the cat sat on a mat."] * 120)
TOKENIZED = (["the cat sat on the mat ."] * 120, PLAIN[1])


@pytest.mark.parametrize("scorer", [Bleu(), Bleu(tokenizer="intl"), Rouge(), Rouge.variant("unicode")])
def test_plain_text_is_no_surprise(scorer: Scorer) -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        scorer.corpus(*PLAIN)
        scorer.segments(*PLAIN)


def test_tokenized_text() -> None:
    with pytest.warns(UserWarning, match="look tokenized"):
        Bleu().corpus(*TOKENIZED)
    assert Bleu(tokenizer="none")._hints(Segments(*TOKENIZED)) == []
    assert Bleu()._hints(Segments(TOKENIZED[0][:99], TOKENIZED[1][:99])) == []
    assert Bleu()._hints(Segments(["."] * 120, ["."] * 120)) == []


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
    assert ("tokenized period" in caplog.text) == bool(Bleu()._hints(Segments(texts, PLAIN[1])))


def test_sentences_that_are_too_short() -> None:
    texts = ["a b", "a b c d e", ""], ["a b", "a b c d e", "a"]
    with pytest.warns(UserWarning, match="1 of 3 predictions have fewer than 4 tokens"):
        assert Bleu().segments(*texts).tolist() == pytest.approx([0, 100, 0])
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Bleu.variant("sacrebleu-sentence").segments(*texts)[0] == pytest.approx(100)
        Bleu().corpus(*texts)
        Bleu.variant("nltk").segments(*texts)


def test_letters_that_a_tokenizer_drops() -> None:
    with pytest.warns(UserWarning, match="100% of the letters are outside ASCII"):
        assert Rouge().corpus(["кот сидит"], ["кот сидит"]).value == 0
    with pytest.warns(UserWarning, match="'unicode'"):
        Rouge().corpus(["żółw śpi"], ["żółw śpi tu"])
    assert Rouge.variant("unicode")._hints(Segments(["кот"], ["кот"])) == []


@pytest.mark.usefixtures("lexical_data")
def test_english_meteor_on_another_script() -> None:
    from metrologue.scorers import Meteor

    assert "language='ru'" in Meteor()._hints(Segments(["кот"], ["кот сидит"]))[0]
    assert Meteor(language="ru")._hints(Segments(["кот"], ["кот сидит"])) == []
    assert Meteor()._hints(Segments(["chat"], ["élève sage"])) == []


def test_the_command_line_names_the_file(tmp_path: Path) -> None:
    for name, text in (("hyp", "a b\n"), ("ref", "a c\n")):
        (tmp_path / name).write_text(text)
    files = ["-p", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref"), "--per-segment"]
    with pytest.warns(UserWarning, match=r"hyp: Bleu: 1 of 1 predictions have fewer than 4 tokens"):
        assert CliRunner().invoke(main, ["score", "bleu", *files]).exit_code == 0
