"""What to report: one table of advice, and the paragraph at the end of a comparison."""

from __future__ import annotations

import json
import re
from html import escape
from pathlib import Path

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.comparison import compare
from metrologue.comparison.report.page import render
from metrologue.comparison.showing.verdict import verdict
from metrologue.scorers import Bleu, get_scorer, list_scorers
from metrologue.scorers.core.citing import named_paper
from metrologue.scorers.core.variants import recommended

SYSTEMS = {
    "a": ["The cat, it sat there.", "A dog ran home (fast)."] * 20,
    "b": ["The cat, it sat here.", "One dog ran to a home."] * 20,
}
REFERENCES = ["The cat sat, there.", "A dog ran home, fast."] * 20


def test_advice_names_one_variant_and_a_paper() -> None:
    every = [[one.recommended for one in get_scorer(name).variants().values()] for name in list_scorers()]
    advice = [each for own in every for each in own if each]
    assert len(advice) > 5
    assert all(sum(map(bool, own)) <= 1 for own in every)
    assert all(re.search(r"\d{4}", named_paper(each.source)) for each in advice)
    assert recommended(Bleu.variants()) == ("sacrebleu", Bleu.variants()["sacrebleu"].recommended)


def test_the_paragraph_has_the_number_its_interval_the_other_number_and_the_winner() -> None:
    found = compare(SYSTEMS, REFERENCES, libraries=[], variants=["sacrebleu", "nltk", "evaluate"], resamples=100)
    told = verdict(found)
    system = found.widest.system if found.widest else ""
    value = Bleu().corpus(SYSTEMS[system], REFERENCES).value
    assert re.match(
        r"Report sacrebleu: [\d.]+ \[[\d.]+, [\d.]+\] for [ab], [\d.]+ \[[\d.]+, [\d.]+\] for [ab] \(sig", told
    )
    for name, texts in SYSTEMS.items():
        assert re.search(rf"{Bleu().corpus(texts, REFERENCES).value:.2f} \[[\d., ]+\] for {name}", told)
    gap = 100 * Bleu.variant("nltk").corpus(SYSTEMS[system], REFERENCES).value - value
    assert f"; not nltk's, which differ by \N{MINUS SIGN}{-gap:.2f} to " in told
    assert "points: tokenizer=whitespace instead of tokenizer=13a costs" in told
    assert "https://aclanthology.org/W18-6319" in told
    assert "under all 3 variants" in told
    assert told in found.to_markdown()
    assert escape(verdict(found, winner=False)) in render(found).replace("&#39;", "&#x27;")
    assert json.loads(found.to_json())["verdict"] == told


def test_the_shares_are_those_of_the_way_between_the_two_numbers() -> None:
    found = compare({"a": SYSTEMS["a"]}, REFERENCES, libraries=[], variants=["sacrebleu", "nltk"], confidence=None)
    [gap] = found.explanations
    told = verdict(found)
    shares = [float(each) for each in re.findall(r"(?:costs|adds) ([\d.]+) points", told)]
    large = [100 * abs(part.share) for part in gap.contributions if abs(part.share) >= 0.2 * abs(gap.gap)]
    assert shares == pytest.approx(large, abs=0.005)


def test_without_advice_or_without_its_variant_there_is_no_paragraph() -> None:
    assert verdict(compare({"a": SYSTEMS["a"]}, REFERENCES, "mer", libraries=[], confidence=None)) == ""
    assert verdict(compare({"a": SYSTEMS["a"]}, REFERENCES, libraries=[], variants=["nltk"], confidence=None)) == ""


def test_a_flip_may_end_the_command_with_status_1(tmp_path: Path) -> None:
    files = {
        # nltk sees words with their marks, sacrebleu does not: they disagree on who is better.
        "a": ["the cat sat here , and then the dog ran ."] * 40,
        "b": ["the cat sat here, and then a dog went."] * 40,
        "ref": ["the cat sat here, and then the dog ran."] * 40,
    }
    for name, texts in files.items():
        (tmp_path / name).write_text("".join(f"{text}\n" for text in texts), "utf-8")
    paths = [str(tmp_path / name) for name in files]
    call = ["compare", "--no-live", "-p", paths[0], "-p", paths[1], "-r", paths[2], "--resamples", "100"]

    def status(*more: str) -> int:
        return CliRunner().invoke(main, [*call, *more]).exit_code

    both = ("--variant", "sacrebleu", "--variant", "nltk")
    assert status(*both) == 0
    assert status(*both, "--fail-on", "flip") == 1
    assert status(*both, "--fail-on", "significant-flip") == 1
    assert status("--variant", "nltk", "--fail-on", "flip") == 0


RUSSIAN = ["Сегодня в Москве было холодно и шёл сильный снег", "Он написал письмо своему старому другу из Твери"] * 5
POLISH = ["Żółw śpi pod dębem, a kot je świeżą rybę", "Ona napisała długi list do swojej przyjaciółki"] * 5


@pytest.mark.parametrize("texts", [RUSSIAN, POLISH])
def test_a_variant_that_drops_the_letters_is_not_recommended(texts: list[str]) -> None:
    shorter = [" ".join(text.split()[1:]) for text in texts]
    found = compare({"a": shorter}, texts, "rouge", libraries=[], confidence=None)
    told = verdict(found)
    value = get_scorer("rouge").variant("unicode").corpus(shorter, texts).value
    assert re.search(rf"^\d+% of the letters are outside ASCII.* Report unicode {100 * value:.2f}: ", told)
    english = compare({"a": ["a cat sat here"]}, ["a cat sat there"], "rouge", libraries=[], confidence=None)
    assert verdict(english).startswith("Report rouge-1.5.5 ")
