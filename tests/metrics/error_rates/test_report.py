"""The report of an error rate: what is confused, inserted and deleted in all segments, and the rates of speakers."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import TokenCorpus, corpora_of, spelled, token_lists

import metrologue
from metrologue.cli import main
from metrologue.scorers import CharacterErrorRate, WordErrorRate
from metrologue.scorers.families.error_rates import HITS
from metrologue.scorers.families.error_rates.edited import edited_units
from metrologue.segments import Segments


@given(corpus=corpora_of(token_lists, max_references=2), hits=st.sampled_from([*HITS]))
def test_each_unit_is_counted_as_in_the_traces_of_the_segments(corpus: TokenCorpus, hits: str) -> None:
    scorer = WordErrorRate(hits=hits, tokenizer="whitespace")
    expected: dict[str, Counter[tuple[str, ...]]] = {kind: Counter() for kind in "SID"}
    for prediction, references in zip(*spelled(corpus), strict=True):
        rates = scorer.segments([prediction] * len(references), references)
        edits = scorer.edits(prediction, references[int(rates.argmin())])
        for kind, i, j in edits.operations:
            if kind != "H":
                pair = edits.reference[j : j + (kind != "I")] + edits.hypothesis[i : i + (kind != "D")]
                expected[kind][pair] += 1
    found = edited_units(scorer, Segments(*spelled(corpus)))
    for kind, units in zip("SID", (found.confusions, found.insertions, found.deletions), strict=True):
        assert {tuple(own): count for count, *own in units} == expected[kind]
        assert units == sorted(units, key=lambda each: (-each[0], *each[1:]))


def test_a_corpus_has_a_report() -> None:
    texts = ["a cat sat", "a dog uh", "b"], ["the cat sat", "the dog", "b c"]
    found = metrologue.trace("wer", *texts)
    assert found.value == metrologue.score("wer", *texts).value
    assert found.table("confusions").rows[0].cells == (2, "the", "a")
    assert found.table("insertions").column("hypothesis") == ("uh",)
    assert found.table("deletions").column("reference") == ("c",)
    assert "<table" in found.html()


def test_the_report_of_characters() -> None:
    found = edited_units(CharacterErrorRate(), Segments(["aбc", "a"], ["axc", "ab"]))
    assert (found.confusions, found.insertions, found.deletions) == ([(1, "x", "б")], [], [(1, "b")])


def run(tmp_path: Path, names: tuple[str, str], ours: str, theirs: str, *options: str) -> str:
    files = []
    for option, name, text in zip(("-p", "-r"), names, (ours, theirs), strict=True):
        (tmp_path / name).write_text(text, "utf-8")
        files += [option, str(tmp_path / name)]
    done = CliRunner().invoke(main, ["trace", "wer", *files, *options])
    assert done.exit_code == 0, done.output
    return done.stdout


def speakers(printed: str, name: str = "speaker") -> dict[str, list[str]]:
    """The rows of the table of each speaker."""
    table = printed.partition(f"each {name}\n")[2].partition("\n\n")[0].splitlines()[1:]
    return {line.split()[0]: line.split()[1:] for line in table}


@pytest.mark.parametrize("names", [("h.trn", "r.trn"), ("h", "r")])
def test_ids_say_who_speaks(tmp_path: Path, names: tuple[str, str]) -> None:
    rows = [("anna-1", "a cat", "the cat"), ("bo-1", "b", "b"), ("anna-2", "a dog", "the dog")]
    form = "{1} ({0})\n" if names[0].endswith(".trn") else "{0} {1}\n"
    ours, theirs = ("".join(form.format(each[0], each[side]) for each in rows) for side in (1, 2))
    found = speakers(run(tmp_path, names, ours, theirs))
    assert found == {"anna": ["2", "2", "2", "0", "0", "4", "0.5", "2"], "bo": ["1", "1", "0", "0", "0", "1", "0", "0"]}


def test_an_stm_has_speakers_and_files(tmp_path: Path) -> None:
    theirs = "one 1 ana 0 1 a b\none 1 bo 1 2 c\ntwo 1 ana 0 1 d\n"
    ours = "one 1 x 0 1 a x\none 1 x 1 2 c\ntwo 1 x 0 1 d\n"
    printed = run(tmp_path, ("h.stm", "r.stm"), ours, theirs)
    assert {name: row[0] for name, row in speakers(printed).items()} == {"ana": "2", "bo": "1"}
    assert {name: row[-2] for name, row in speakers(printed, "file").items()} == {"one": "0.333333", "two": "0"}


def test_plain_text_has_no_speakers(tmp_path: Path) -> None:
    printed = run(tmp_path, ("h.txt", "r.txt"), "a\nb c\n", "a\nb d\n")
    assert "each" not in printed
    assert "confusions: 1 in all, 1 different" in printed


def test_the_report_is_a_page(tmp_path: Path) -> None:
    assert run(tmp_path, ("h.txt", "r.txt"), "a\nb c\n", "a\nb d\n", "--html", str(tmp_path / "o.html")) == ""
    assert "confusions" in (tmp_path / "o.html").read_text("utf-8")
