"""A score is typed as it is printed: NAME:VARIANT, options in brackets or after it, and the number that is meant."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.comparison.harness import compare
from metrologue.comparison.which.search import which
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Chrf, Rouge, get_scorer, list_scorers
from metrologue.scorers.core.needs import needs_model
from metrologue.scorers.core.registry import make_scorer
from metrologue.scorers.core.typed import number_shown, printed, with_number

HYPOTHESES = ["the cat sat on the mat today", "a dog ran past it", "one more line of it"]
REFERENCES = ["the cat sat on a mat", "a dog runs past it now", "one line more"]


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    for name, lines in (("h", HYPOTHESES), ("r", REFERENCES)):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines))
    return ["-p", str(tmp_path / "h"), "-r", str(tmp_path / "r")]


def run(*arguments: str) -> Result:
    result = CliRunner().invoke(main, arguments)
    assert result.exit_code == 0, result.output
    return result


@pytest.mark.parametrize(
    ("text", "scorer", "primary"),
    [
        ("bleu:nltk[max_order=2,weights=[0.5,0.5]]", Bleu.variant("nltk", max_order=2), "bleu"),
        ("bleu[lowercase]", Bleu.variant("sacrebleu", lowercase=True), "bleu"),
        ("bleu[bleu_2]", Bleu.variant("sacrebleu"), "bleu_2"),
        ("rouge:rouge-1.5.5[rouge1,R]", Rouge.variant("rouge-1.5.5", types=("rouge1",)), "rouge1_recall"),
        ("rouge types=[rouge1,rouge2] rouge2 F", Rouge(types=("rouge1", "rouge2")), "rouge1_fmeasure"),
        ("rouge[rouge1_precision]", Rouge(), "rouge1_precision"),
        ("chrf recall", Chrf(), "recall"),
    ],
)
def test_what_is_typed(text: str, scorer: object, primary: str) -> None:
    made = make_scorer(text)
    assert (made, made.primary) == (scorer, primary)


@pytest.mark.parametrize("name", [name for name in list_scorers() if not needs_model(get_scorer(name))])
def test_what_is_printed_can_be_typed(name: str) -> None:
    for variant in get_scorer(name).variants():
        try:
            scorer = get_scorer(name).variant(variant)
        except InputError:  # what it needs is not here
            continue
        for chosen in (scorer, *(with_number(scorer, [number]) for number in [*scorer.higher_is_better][-2:])):
            for text in (printed(chosen), printed(chosen, in_brackets=True)):
                assert (make_scorer(text), make_scorer(text).primary) == (scorer, chosen.primary)
        shown = f"{printed(scorer)} {number_shown(scorer)}"
        assert make_scorer(shown).primary == scorer.primary


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("bleu[", "is no score; write NAME:VARIANT"),
        ("bleu[max_order=2,max_order=3]", "has one field twice"),
        ("bleu[max_order=none]", "`max_order` is 'none'"),
        ("chrf[no-such]", "no number is called 'no-such'; there are chrf, precision, recall"),
        ("bleu[hypothesis_length]", "no number is called 'hypothesis_length'"),
    ],
)
def test_what_is_refused(text: str, message: str, files: list[str]) -> None:
    with pytest.raises(InputError, match=re.escape(message)):
        make_scorer(text)
    assert message.split("`")[0] in CliRunner().invoke(main, ["score", text, *files]).output


def test_one_metric_twice(files: list[str]) -> None:
    out = run("score", "rouge:rouge_score[rouge1,recall]", "rouge:rouge_score[rouge1,precision]", *files, "-b").stdout
    scores = Rouge(types=("rouge1",)).corpus(HYPOTHESES, REFERENCES).scores
    assert [*map(float, out.split())] == [round(scores[f"rouge1_{name}"], 4) for name in ("recall", "precision")]
    again = CliRunner().invoke(main, ["score", "chrf[recall]", "chrf:sacrebleu recall", *files])
    assert "one metric is given twice" in again.output


def test_the_number_is_measured_everywhere(files: list[str], tmp_path: Path) -> None:
    recall = Rouge(types=("rouge1",)).corpus(HYPOTHESES, REFERENCES).scores["rouge1_recall"]
    asked = "rouge:rouge_score[rouge1,recall]"
    result = metrologue.score(asked, HYPOTHESES, REFERENCES, confidence=0.9)
    assert (result.value, result.primary) == (recall, "rouge1_recall")
    assert result.interval
    assert json.loads(run("score", asked, *files, "--format", "json").stdout)["systems"][0]["value"] == recall
    (tmp_path / "lists.jsonl").write_text('["a b c d", "a", "a b"]\n')
    best = [
        run("mbr", "-c", str(tmp_path / "lists.jsonl"), "-m", f"rouge[rouge1,{number}]").stdout.strip()
        for number in ("recall", "precision")
    ]
    assert best == ["a b c d", "a"]
    found = compare({"mine": HYPOTHESES}, REFERENCES, asked, confidence=None)
    assert [(number.label, number.value) for number in found.numbers] == [("metrologue rouge_score", recall)]
    answers = which(asked, f"{recall:.4f}", HYPOTHESES, REFERENCES, changes=0).answers
    assert [(each.setting.variant, each.name) for each in answers] == [("rouge_score", "rouge1_recall")]
    with pytest.raises(InputError, match="libraries cannot be given the options of rouge"):
        compare({"mine": HYPOTHESES}, REFERENCES, asked, libraries=["rouge_score"])
