"""cpWER against its definition over lists of tokens, against meeteval, and against scipy's assignments."""

from __future__ import annotations

import json
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import metrologue
from metrics.cpwer import record
from metrics.cpwer.plain import cpwer
from metrologue.errors import InputError
from metrologue.scorers import Cpwer, WordErrorRate
from metrologue.scorers.cpwer.kernels import assignments

RECORDED = json.loads(Path(__file__).with_name("meeteval.json").read_text("utf-8"))
INPUTS = ("predictions", "references", "speakers", "reference_speakers")
# The names of meeteval's numbers here.
NAMES = {
    "error_rate": "cpwer", "length": "reference_length", "missed_speaker": "missed_speakers",
    "falarm_speaker": "false_alarm_speakers", "scored_speaker": "speakers",
}  # fmt: skip

sides = st.lists(st.lists(st.sampled_from("abc"), max_size=5), min_size=1, max_size=4)
sessions = st.lists(st.tuples(sides, sides), min_size=1, max_size=3)


def spelled(side: list[list[str]]) -> list[str]:
    return [*map(" ".join, side)]


@given(corpus=sessions, hits=st.sampled_from(["kaldi", "aligned", "most"]))
def test_definition(corpus: list[tuple[list[list[str]], list[list[str]]]], hits: str) -> None:
    ours, theirs = ([*side] for side in zip(*corpus, strict=True))
    texts = [*map(spelled, ours)], [*map(spelled, theirs)]
    scorer = Cpwer(hits=hits, empty="insertions")
    if any(chain.from_iterable(chain.from_iterable(theirs))):
        assert scorer.corpus(*texts).value == pytest.approx(cpwer(ours, theirs), rel=1e-12)
    rows = scorer.segment_scores(*texts)
    assert rows["missed_speakers"].tolist() == [max(len(b) - len(a), 0) for a, b in corpus]
    assert rows["false_alarm_speakers"].tolist() == [max(len(a) - len(b), 0) for a, b in corpus]
    for row, (a, b) in zip(rows["cpwer"], corpus, strict=True):
        assert not any(b) or row == pytest.approx(cpwer([a], [b]), rel=1e-12)


def check(ours: dict[str, float], theirs: dict[str, Any]) -> None:
    expected = {NAMES.get(name, name): value for name, value in theirs.items() if name not in ("errors", "assignment")}
    assert {name: ours[name] for name in expected} == expected
    assert ours["substitutions"] + ours["deletions"] + ours["insertions"] == theirs["errors"]


def test_numbers_are_those_recorded_of_meeteval() -> None:
    assert RECORDED["version"] == Cpwer.variants()["meeteval"].version
    for session, theirs in enumerate(RECORDED["numbers"]):
        columns = {name: [RECORDED[name][session]] for name in INPUTS}
        if theirs["length"]:
            check(Cpwer().corpus(**columns).scores, theirs)
        else:
            with pytest.raises(InputError, match="no unit in its references"):
                Cpwer().corpus(**columns)


def test_a_corpus_has_the_sums_of_its_sessions() -> None:
    columns = {name: RECORDED[name] for name in INPUTS}
    found = Cpwer().corpus(**columns)
    edits, words = (sum(each[name] for each in RECORDED["numbers"]) for name in ("errors", "length"))
    assert found.value == edits / words
    halves = (slice(0, 40), slice(40, None))
    one, other = (Cpwer().accumulate(**{name: rows[half] for name, rows in columns.items()}) for half in halves)
    assert Cpwer().score_totals(one.merge(other)) == found
    assert Cpwer().corpus(**columns, threads=3) == found


@pytest.mark.parametrize("seed", range(1, 4))
def test_numbers_are_those_of_meeteval(seed: int) -> None:
    pytest.importorskip("meeteval", reason="meeteval is not installed: pip install 'metrologue[meeteval]'")
    for hypothesis, reference in record.generated(30, seed):
        theirs = record.scored(hypothesis, reference)
        inputs = {"speakers": [hypothesis[1]], "reference_speakers": [reference[1]]}
        if theirs["length"]:
            check(Cpwer().corpus([hypothesis[0]], [reference[0]], **inputs).scores, theirs)


@given(data=st.data())
def test_substitutions_are_kaldi_s(data: st.DataObject) -> None:
    kaldialign = pytest.importorskip("kaldialign", reason="kaldialign, which meeteval installs, is not there")
    words = st.lists(st.sampled_from("abc"), max_size=9)
    ours, theirs = data.draw(words), data.draw(words.filter(bool))
    expected = kaldialign.edit_distance(theirs, ours)
    scorer = WordErrorRate(hits="kaldi")
    found = scorer.corpus([" ".join(ours)], [" ".join(theirs)]).scores
    assert [found[name] for name in ("substitutions", "deletions", "insertions")] == [
        expected[name] for name in ("sub", "del", "ins")
    ]
    steps = [step.kind for step in scorer.edits(" ".join(ours), " ".join(theirs)).operations]
    assert [steps.count(kind) for kind in "SDI"] == [expected[name] for name in ("sub", "del", "ins")]


@given(data=st.data())
def test_assignments_are_scipy_s(data: st.DataObject) -> None:
    optimize = pytest.importorskip("scipy.optimize", reason="scipy is not installed")
    sizes = data.draw(st.lists(st.integers(0, 6), min_size=1, max_size=3))
    costs = [data.draw(st.lists(st.integers(0, 5), min_size=n * n, max_size=n * n)) for n in sizes]
    expected = [optimize.linear_sum_assignment(np.reshape(own, (n, n)))[1] for n, own in zip(sizes, costs, strict=True)]
    found = assignments(np.array([*chain(*costs)], np.int64), np.array(sizes))
    assert found.tolist() == np.concatenate(expected).tolist()


def test_many_speakers() -> None:
    names = [f"w{i}" for i in range(60)]
    assert Cpwer().corpus([names], [names[::-1]]).value == 0


def test_names_for_each_text() -> None:
    with pytest.raises(InputError, match=r"`speakers\[1\]` has 1 name for 2 texts of `predictions`; each needs one"):
        Cpwer().corpus([["a"], ["b", "c"]], [["a"], ["b"]], speakers=[["x"], ["x"]])
    with pytest.raises(InputError, match=r"`reference_speakers\[0\]` has 2 names for 1 text of `references`"):
        Cpwer().corpus([["a"]], [["a"]], reference_speakers=[["x", "y"]])
    with pytest.raises(InputError, match="`references` are missing"):
        Cpwer().corpus([["a"]])
    with pytest.raises(InputError, match=r"`predictions\[0\]` is an empty list"):
        Cpwer().corpus([[]], [["a"]])


def test_a_trace_shows_who_is_compared_with_whom() -> None:
    found = metrologue.trace("cpwer", ["c d", "a x", "e"], ["a b", "c d"], speakers=["A", "B", "C"])
    assert found.formula == "cpwer = (1 + 0 + 1)/4 = 0.5"
    table = found.table("assignment")
    assert table.column("reference") == ("reference 1", "reference 2", "nobody")
    assert table.column("hypothesis") == ("hypothesis B", "hypothesis A", "hypothesis C")
    assert table.column("insertions") == (0, 0, 1)
    assert "a x" in found.text()


def test_the_command_line_reads_speakers(tmp_path: Path) -> None:
    from click.testing import CliRunner

    from metrologue.cli import main

    rows = {"hyp": ["c d", "a b", "e"], "ref": ["c d e", "a b"], "who": ["x", "y", "x"]}
    for name, texts in rows.items():
        (tmp_path / f"{name}.jsonl").write_text(json.dumps(texts) + "\n", "utf-8")
    given = ["-p", str(tmp_path / "hyp.jsonl"), "-r", str(tmp_path / "ref.jsonl")]
    for options, value in (([], 0.4), (["--speakers", str(tmp_path / "who.jsonl")], 0.0)):
        found = CliRunner().invoke(main, ["score", "cpwer", *given, *options, "--format", "json"])
        assert found.exit_code == 0, found.output
        assert f'"cpwer": {value}' in found.output
