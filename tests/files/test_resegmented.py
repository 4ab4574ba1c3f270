"""Predictions that are cut otherwise than their references."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import jiwer
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from rapidfuzz.distance import Levenshtein

from metrologue import doctor, resegment
from metrologue.cli import main
from metrologue.errors import InputError

TEXTS = st.lists(st.sampled_from("abcd"), max_size=6).map(" ".join)
REFERENCES = ["the cat sat", "on the mat", "a dog barked"]
OUTPUT = ["the cat", "sat on the hat a", "dog", "barked"]


def _edits(predictions: list[str], references: list[str]) -> int:
    pairs = zip(predictions, references, strict=True)
    return sum(Levenshtein.distance(own.split(), its.split()) for own, its in pairs)


def _spoken(seed: int, lines: int = 8, kinds: int = 20) -> tuple[str, list[str]]:
    """An output with errors, and its references. The first segment has none: mweralign never leaves it empty."""
    draw = random.Random(seed)
    words = [chr(ord("a") + i // 26) + chr(ord("a") + i % 26) for i in range(kinds)]
    references = [" ".join(draw.choices(words, k=draw.randint(1, 30))) for _ in range(lines)]
    rest = " ".join(references[1:]).split()
    heard = [word if draw.random() > 0.2 else draw.choice(words) for word in rest if draw.random() > 0.1]
    return " ".join([references[0], *heard]), references


@pytest.mark.parametrize("seed", range(20))
def test_edits_are_those_of_mweralign(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    mweralign = pytest.importorskip("mweralign")
    output, references = _spoken(seed)
    theirs = mweralign.align_texts("\n".join(references), output, is_tokenized=True).split("\n")[: len(references)]
    assert _edits(resegment([output], references), references) == _edits(theirs, references)


@given(st.lists(TEXTS, max_size=5), st.lists(TEXTS, min_size=1, max_size=5))
def test_no_cut_has_fewer_edits_than_the_whole(predictions: list[str], references: list[str]) -> None:
    cut = resegment(predictions, references)
    assert " ".join(cut).split() == " ".join(predictions).split()
    assert _edits(cut, references) == _edits([" ".join(predictions)], [" ".join(references)])


@given(TEXTS, st.lists(st.lists(TEXTS, min_size=1, max_size=2), min_size=1, max_size=3))
def test_nearest_of_several_references(output: str, references: list[list[str]]) -> None:
    def least(words: list[str], groups: list[list[str]]) -> int:
        if len(groups) == 1:
            return min(Levenshtein.distance(words, text.split()) for text in groups[0])
        ends = range(len(words) + 1)
        return min(least(words[:end], groups[:1]) + least(words[end:], groups[1:]) for end in ends)

    cut = resegment([output], references)
    edits = sum(least(own.split(), [group]) for own, group in zip(cut, references, strict=True))
    assert edits == least(output.split(), references)


def test_wer_is_that_of_jiwer_over_the_whole() -> None:
    output, references = _spoken(99, lines=40, kinds=300)
    cut = resegment([output], references)
    assert jiwer.wer(references, list(cut)) == jiwer.wer(" ".join(references), output)


CHARACTERS = st.lists(st.sampled_from("我你他好。ก"), max_size=6).map("".join)


@given(st.lists(CHARACTERS, max_size=5), st.lists(CHARACTERS, min_size=1, max_size=5))
def test_texts_without_spaces_are_cut_at_characters(predictions: list[str], references: list[str]) -> None:
    cut = resegment(predictions, references)
    assert "".join(cut) == "".join(predictions)
    spaced = resegment([" ".join(text) for text in predictions], [" ".join(text) for text in references])
    assert cut == [text.replace(" ", "") for text in spaced]
    assert (cut.moved, cut.words) == (spaced.moved, spaced.words)


def test_marks_and_spaces_stay_where_they_are() -> None:
    thai = resegment(["ฉันมีหนังสือเขา", "ไป"], ["ฉันมีหนังสือ", "เขาไป"])
    assert thai == ["ฉันมีหนังสือ", "เขาไป"]
    assert resegment(["これは GPT です", "はい"], ["これはGPTです", "はい"]) == ["これは GPT です", "はい"]
    assert resegment(["หนั", "งสือ"], ["หนังสือ"]) == ["หนังสือ"]


def test_case_is_no_difference_and_is_kept() -> None:
    assert resegment(["THE CAT", "SAT A DOG"], ["the cat sat", "a dog"]) == ["THE CAT SAT", "A DOG"]


def test_moved_words_are_counted() -> None:
    cut = resegment(OUTPUT, REFERENCES)
    assert cut == ["the cat sat", "on the hat", "a dog barked"]
    # "sat", "a" and "barked"
    assert (cut.moved, cut.words) == (3, 9)
    assert resegment(REFERENCES, REFERENCES).moved == 0


@pytest.mark.parametrize(
    ("predictions", "references", "told"),
    [
        ("a b", ["a"], "predictions"),
        (["a"], [], "no `references`"),
        (["a"], [["a"], []], r"references\[1\]` is empty"),
        (["a", 3], ["a"], r"predictions\[1\]"),
        (["a"], ["a", None], r"references\[1\]"),
    ],
)
def test_bad_input(predictions: Any, references: Any, told: str) -> None:
    with pytest.raises(InputError, match=told):
        resegment(predictions, references)


@pytest.fixture
def files(tmp_path: Path) -> list[str]:
    (tmp_path / "hyp.txt").write_text("\n".join(OUTPUT) + "\n")
    (tmp_path / "ref.txt").write_text("\n".join(REFERENCES) + "\n")
    return ["-p", str(tmp_path / "hyp.txt"), "-r", str(tmp_path / "ref.txt")]


@pytest.mark.parametrize(
    "command",
    [
        ["score", "wer"],
        ["score", "wer", "--per-segment"],
        ["score", "wer", "--confidence"],
        ["score", "wer", "--worst", "1"],
        ["explain", "wer", "jiwer", "torchmetrics"],
        ["which", "wer", "0.1111"],
        ["compare", "wer", "--no-live"],
        ["trace", "wer"],
        ["trace", "wer", "--segment", "2"],
        ["trace", "wer", "--all"],
        ["doctor"],
    ],
    ids=" ".join,
)
def test_commands_cut_the_output(files: list[str], command: list[str]) -> None:
    found = CliRunner().invoke(main, [*command, *files, "--resegment"])
    assert found.exit_code == 0, found.output
    assert "hyp.txt: 3 of 9 words moved to another segment." in found.stderr


def test_which_prints_a_command_that_cuts(files: list[str]) -> None:
    found = CliRunner().invoke(main, ["which", "wer", "0.1111", *files, "--resegment"])
    [command] = [line.split() for line in found.stdout.splitlines() if line.strip().startswith("metrologue score")][:1]
    printed = CliRunner().invoke(main, [*command[1:], "-b"])
    assert float(printed.stdout) == pytest.approx(1 / 9, abs=1e-4)


def test_ids_of_references_are_kept(tmp_path: Path) -> None:
    (tmp_path / "r.trn").write_text("the cat (ana-1)\nsat on (bo-1)\nthe mat (ana-2)\n")
    (tmp_path / "h.txt").write_text("the cat sat\non the mat\n")
    files = ["-p", str(tmp_path / "h.txt"), "-r", str(tmp_path / "r.trn"), "--resegment"]
    found = CliRunner().invoke(main, ["score", "wer", *files, "--per-segment"])
    assert [line.split("\t")[-1] for line in found.stdout.splitlines()[1:]] == ["ana-1", "bo-1", "ana-2"]
    assert "each speaker" in CliRunner().invoke(main, ["trace", "wer", *files]).stdout


def test_score_of_the_cut(files: list[str]) -> None:
    found = CliRunner().invoke(main, ["score", "wer", *files, "--resegment", "-b"])
    assert float(found.stdout) == pytest.approx(1 / 9, abs=1e-4)
    assert CliRunner().invoke(main, ["score", "wer", *files]).exit_code != 0


def test_doctor_proposes_it() -> None:
    references = [f"Line {i}: the cat sat on mat {i}, and then it slept." for i in range(30)]
    [*faults] = doctor(references[:-1], references)
    assert any("--resegment" in each.about for each in faults)
    with pytest.raises(InputError, match="--resegment"):
        doctor([" ".join(references)], references * 2)


@pytest.mark.parametrize("more", [["--checkpoint", "kept"], []])
def test_refused_options(files: list[str], more: list[str]) -> None:
    given = files if more else files[:2]
    found = CliRunner().invoke(main, ["score", "wer", *given, *more, "--resegment"])
    assert found.exit_code == 2
