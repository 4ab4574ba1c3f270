"""WER of the words that matter: against its definition, against the program of the paper, and by every door."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st
from strategies import TokenCorpus, corpora_of, spelled, token_lists

import metrologue
from metrics.error_rates.plain import focus_counts, focus_rates
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.scorers import Scorer, WordErrorRate
from metrologue.scorers.families.error_rates import HITS
from metrologue.scorers.wer.focus import COUNTS
from metrologue.segments import Segments

Phrases = list[list[str]]
phrase_lists = st.lists(st.lists(st.sampled_from("abcd"), min_size=1, max_size=3), min_size=1, max_size=4)
few_words = st.lists(st.sampled_from("abcd"), max_size=8)


@given(corpus=corpora_of(few_words, max_references=1), phrases=phrase_lists, hits=st.sampled_from([*HITS]))
def test_definition(corpus: TokenCorpus, phrases: Phrases, hits: str) -> None:
    scorer = WordErrorRate(tokenizer="whitespace", hits=hits, focus=[" ".join(each) for each in phrases])
    texts = spelled(corpus)
    rows = []
    for (hypothesis, [reference]), text, [other] in zip(zip(*corpus, strict=True), *texts, strict=True):
        steps = [step.kind for step in scorer.edits(text, other).operations]
        rows.append(focus_counts(hypothesis, reference, steps, phrases))
    found = scorer.statistics(Segments(*texts))
    assert found[:, 6:].tolist() == [[*row] for row in rows]
    edits, words = (int(found[:, columns].sum()) for columns in ([1, 2, 3], [5]))
    whole = focus_rates(tuple(map(sum, zip(*rows, strict=True))), edits, words)
    scores = scorer.score(scorer.aggregate(found))
    assert {name: scores[name] for name in whole} == pytest.approx(whole, rel=1e-12)


@given(corpus=corpora_of(token_lists, max_references=2), hits=st.sampled_from([*HITS]))
def test_a_list_changes_no_other_number(corpus: TokenCorpus, hits: str) -> None:
    plain, focused = WordErrorRate(hits=hits), WordErrorRate(hits=hits, focus=["a", "zz"])
    rows = focused.statistics(Segments(*spelled(corpus)))
    np.testing.assert_array_equal(rows[:, :6], plain.statistics(Segments(*spelled(corpus))))


@pytest.mark.parametrize("words", ["list", "reference"])
def test_b_wer_and_u_wer_are_those_of_the_paper_s_program(words: str) -> None:
    recorded = json.loads(Path(__file__).with_name("is21_deep_bias.json").read_text("utf-8"))
    scorer = WordErrorRate.variant("is21_deep_bias", focus=recorded["words"], focus_insertions=words)
    scores = scorer.corpus(recorded["predictions"], recorded["references"]).scores
    printed = recorded["printed"][words]
    rates = {"wer": "WER", "u_wer": "U-WER", "b_wer": "B-WER"}
    for name, rate in rates.items():
        assert scores[name] == pytest.approx(printed[rate]["error_rate"], rel=1e-12)
    names = {"b_substitutions": "subs", "b_deletions": "dels", "b_insertions": "ins", "b_reference_length": "ref_words"}
    assert {name: scores[name] for name in names} == {name: printed["B-WER"][own] for name, own in names.items()}
    whole = {"substitutions": "subs", "deletions": "dels", "insertions": "ins", "reference_length": "ref_words"}
    assert {name: scores[name] for name in whole} == {name: printed["WER"][own] for name, own in whole.items()}


def test_the_variant_has_the_words_of_each_reference() -> None:
    assert WordErrorRate.variant("is21_deep_bias").focus_insertions == "reference"


def test_phrases_are_whole_and_the_longest_counts() -> None:
    scorer = WordErrorRate(focus=["York", "New York"])
    scores = scorer.corpus(["new york", "New big York", "New York"], ["New York", "New York", "York"]).scores
    counts = [scores[name] for name in ("focus_hits", "focus_in_references", "focus_in_hypotheses")]
    assert counts == [0, 3, 2]  # "New York" is no hit for "York"; a word within makes two of a phrase


def test_phrases_are_read_as_the_texts_are() -> None:
    given = ["ANA came"], ["ana came"]
    assert WordErrorRate(focus=["Ana"], lowercase=True).corpus(*given).scores["focus_hits"] == 1
    with pytest.warns(UserWarning, match="no reference has a phrase of `focus`"):
        assert WordErrorRate(focus=["Ana"]).corpus(*given).scores["focus_in_references"] == 0
    composed = WordErrorRate(focus=["cafe\u0301"], unicode="NFC").corpus(["caf\u00e9"], ["caf\u00e9"])
    assert composed.scores["focus_recall"] == 1
    of_characters = WordErrorRate(focus=["北京"], tokenizer="char")
    characters = of_characters.corpus(["我在北京", "北东"], ["我在北京", "北京"]).scores
    assert (characters["focus_recall"], characters["b_wer"]) == (0.5, 0.25)


def test_classes_have_numbers_of_their_own() -> None:
    phrases = [("Ana", "person"), ("Paris", "place"), ("Paris", "person"), ("tea",)]
    scorer = WordErrorRate(focus=phrases)
    scores = scorer.corpus(["Anna drinks tea in Paris"], ["Ana drinks tea in Paris"]).scores
    assert [scores[f"focus_in_references{end}"] for end in ("", "_person", "_place")] == [3, 2, 1]
    assert [scores[f"focus_recall{end}"] for end in ("", "_person", "_place")] == pytest.approx([2 / 3, 0.5, 1])
    assert scores["b_wer_person"] == 0.5
    assert [*scores] == [*scorer.range]


def test_a_signature_has_the_number_and_the_digest_of_the_phrases() -> None:
    scorer = WordErrorRate(focus=["b", "a"])
    assert WordErrorRate(focus={"a", "b"}) == scorer == Scorer.from_signature(scorer.signature)
    assert "|focus=2-phrases@" in scorer.signature
    assert WordErrorRate(focus=["a"]).signature != WordErrorRate(focus=[("a", "x")]).signature


def test_intervals_tests_and_merged_parts() -> None:
    ours, theirs = ["Ana x", "b", "c Ana", "Ann"] * 10, ["Ana y", "b", "c Ana", "Ana"] * 10
    scorer = WordErrorRate(focus=["Ana"])
    result = scorer.corpus(ours, theirs, confidence=0.95)
    low, high = result.intervals["b_wer"].low, result.intervals["b_wer"].high
    assert low < result.scores["b_wer"] < high
    parts = [scorer.accumulate(ours[part], theirs[part]) for part in (slice(0, 13), slice(13, 40))]
    assert scorer.score_totals(parts[0].merge(parts[1])).scores == result.scores


@pytest.mark.parametrize(
    ("given", "match"),
    [
        ([], "at least one is expected"),
        (["a", 3], "item 1 is 3"),
        ([("a", "b", "c")], "item 0 is"),
        ([" "], "item 0 is"),
        ([("a", "no name")], "its class is 'no name'"),
        (3, "a list of words, phrases"),
        ("/no/such/file", "cannot be read as a file of words"),
    ],
)
def test_wrong_lists(given: Any, match: str) -> None:
    with pytest.raises(InputError, match=match):
        WordErrorRate(focus=given)


def test_a_phrase_of_which_nothing_is_left() -> None:
    with pytest.raises(InputError, match="nothing is left of '!'"):
        WordErrorRate(focus=["!"], transforms=("punctuation",)).corpus(["a"], ["a"])


def test_a_file_with_classes(tmp_path: Path) -> None:
    place = tmp_path / "names.tsv"
    place.write_bytes("\ufeffAna\tperson\r\n\nNew York\tplace\n".encode())
    assert WordErrorRate(focus=place) == WordErrorRate(focus=[("Ana", "person"), ("New York", "place")])
    place.write_text("a\tb\nc\td\te\n", "utf-8")
    with pytest.raises(InputError, match=r"names.tsv, line 2: is"):
        WordErrorRate(focus=str(place))


def test_the_trace_shows_each_phrase() -> None:
    found = metrologue.trace(
        "wer", "Anna lives in New York", ["x", "Ana lives in New York"], focus=["Ana", "New York", "z"]
    )
    assert found.table("focus").column("phrase") == ("Ana", "New York")
    assert found.table("focus").column("both") == (0, 1)
    assert found.values["focus_recall"] == 0.5
    assert "b_wer = (S + D + I)/N = (1 + 0 + 0)/3" in found.text()


def test_the_module_and_the_command_line_take_a_list(tmp_path: Path) -> None:
    module = metrologue.load("wer")
    given = {"predictions": ["Ana x", "b"], "references": ["Ana y", "b"]}
    segments = module.compute(**given, focus=["Ana"], per_segment=True)["segments"]
    assert segments["focus_in_references"] == [1.0, 0.0]
    for name, lines in (("hyp", given["predictions"]), ("ref", given["references"]), ("names", ["Ana"])):
        (tmp_path / name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    files = ["-p", str(tmp_path / "hyp"), "-r", str(tmp_path / "ref")]
    done = CliRunner().invoke(main, ["score", f"wer[focus={tmp_path / 'names'}]", *files, "--format", "json"])
    assert json.loads(done.stdout)["systems"][0]["scores"]["focus_recall"] == 1.0
    done = CliRunner().invoke(main, ["score", "wer", "--set", f"focus={tmp_path / 'names'}", *files])
    assert done.stdout.split()[:8] == ["system", "wer", "recall", "precision", "F1", "KER", "B-WER", "U-WER"]


def test_the_counts_have_their_names() -> None:
    assert WordErrorRate(focus=["a"])._columns[6:] == COUNTS
