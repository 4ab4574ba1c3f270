"""Segment scores from elsewhere, and files with many systems, in a comparison."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result
from later import imported_later

from metrologue.cli import main
from metrologue.comparison import compare_metrics
from metrologue.errors import InputError
from metrologue.files.systems import read_systems
from metrologue.scorers import Bleu

stats = imported_later("scipy.stats")

SYSTEMS = {
    "a": [f"the cat sat there {i}" for i in range(40)],
    "b": [f"the cat {'sat' if i % 3 else 'ran'} here {i}" for i in range(40)],
    "c": [f"a dog ran home {i}" if i % 2 else f"the cat sat there {i}" for i in range(40)],
}
REFERENCES = [f"the cat sat there {i}" for i in range(40)]
RNG = np.random.default_rng(3)
COMET = {name: level + RNG.normal(0, 0.1, 40) for name, level in {"a": 0.9, "b": 0.5, "c": 0.7}.items()}


def run(*call: str) -> Result:
    return CliRunner().invoke(main, ["compare", "--no-live", "--resamples", "100", *call])


def test_means_intervals_tests_groups_and_agreement() -> None:
    found = compare_metrics(SYSTEMS, REFERENCES, ["bleu", "ter"], libraries=[], resamples=200, scores={"comet": COMET})
    [given] = found.elsewhere
    assert given.means == pytest.approx({name: own.mean() for name, own in COMET.items()})
    for name, interval in given.intervals.items():
        error = COMET[name].std() / 40**0.5
        assert interval.low == pytest.approx(given.means[name] - 1.96 * error, abs=error)
        assert interval.high == pytest.approx(given.means[name] + 1.96 * error, abs=error)
    assert given.groups == {"a": "a", "b": "c", "c": "b"}
    assert [(test.baseline, test.system) for test in given.tests] == [("a", "c"), ("a", "b"), ("c", "b")]
    assert [(each.metric, each.variant) for each in given.agreement] == [("bleu", "sacrebleu"), ("ter", "sacrebleu")]
    bleu = Bleu()
    taus = [stats.kendalltau(bleu.segments(own, REFERENCES).round(10), COMET[name])[0] for name, own in SYSTEMS.items()]
    assert given.agreement[0].segments == pytest.approx(np.nanmean(taus), abs=1e-9)
    ranks = [[Bleu().corpus(own, REFERENCES).value for own in SYSTEMS.values()], [*given.means.values()]]
    assert given.agreement[0].systems == pytest.approx(stats.kendalltau(*ranks)[0])
    errors = compare_metrics(
        SYSTEMS, REFERENCES, ["bleu"], libraries=[], confidence=None, scores={"e": COMET}, lower_is_better=["e"]
    ).elsewhere[0]
    assert errors.agreement[0].systems == -given.agreement[0].systems
    assert not errors.intervals
    assert not errors.tests


def test_missing_scores_are_left_out_for_all_systems() -> None:
    holes = {name: own.copy() for name, own in COMET.items()}
    holes["a"][:10] = np.nan
    [given] = compare_metrics(SYSTEMS, REFERENCES, ["bleu"], libraries=[], resamples=100, scores={"x": holes}).elsewhere
    assert given.segments == 30
    assert given.means == pytest.approx({name: own[10:].mean() for name, own in COMET.items()})


@pytest.mark.parametrize(
    ("scores", "lower", "message"),
    [
        ({"x": {"a": COMET["a"]}}, [], r"`scores\['x'\]` has no scores for the system 'b'"),
        ({"x": {**COMET, "b": [1.0]}}, [], r"`scores\['x'\]\['b'\]` has the shape \(1,\); 40 finite numbers"),
        ({"x": dict.fromkeys(COMET, [float("nan")] * 40)}, [], "'x' has no segment with a score for each system"),
        ({"x": COMET}, ["y"], "`lower_is_better` names 'y'"),
    ],
)
def test_bad_scores_are_refused(scores, lower, message) -> None:
    with pytest.raises(InputError, match=message):
        compare_metrics(SYSTEMS, REFERENCES, ["bleu"], libraries=[], scores=scores, lower_is_better=lower)


@pytest.fixture
def files(tmp_path: Path) -> Path:
    for name, lines in {**SYSTEMS, "ref": REFERENCES}.items():
        (tmp_path / f"{name}.txt").write_text("\n".join(lines) + "\n")
    rows = [f"{name}\t{i}\t{own[i]}" for name, own in COMET.items() for i in range(40)]
    (tmp_path / "comet.tsv").write_text("system\tsegment\tcomet\n" + "\n".join(reversed(rows)) + "\n")
    long = [
        {"system": name, "output": own[i], "reference": REFERENCES[i]}
        for i in range(40)
        for name, own in SYSTEMS.items()
    ]
    (tmp_path / "all.jsonl").write_text("".join(json.dumps(row) + "\n" for row in long))
    return tmp_path


def test_the_command_reads_scores_and_shows_them(files: Path) -> None:
    texts = [option for name in SYSTEMS for option in ("-p", str(files / f"{name}.txt"))]
    call = [*texts, "-r", str(files / "ref.txt"), "--scores", str(files / "comet.tsv")]
    told = run(*call)
    assert told.exit_code == 0, told.output
    assert "## comet, from elsewhere" in told.output
    assert "| bleu:sacrebleu |" in told.output
    assert run(*call, "--format", "markdown").output.count("## comet, from elsewhere") == 1
    [given] = json.loads(run(*call, "--format", "json").stdout)["elsewhere"]
    assert given["means"] == pytest.approx({f"{name}.txt": own.mean() for name, own in COMET.items()})
    page = files / "page.html"
    assert run(*call, "--out", str(page)).exit_code == 0
    assert "comet, from elsewhere" in page.read_text()
    (files / "bad.tsv").write_text("system\tsegment\tcomet\na.txt\t0\tmany\n")
    assert "a number is expected" in run(*call[:-1], str(files / "bad.tsv")).output


def test_one_file_with_many_systems(files: Path) -> None:
    path = str(files / "all.jsonl")
    for references in ([str(files / "ref.txt")], [path, "--reference-key", "reference"]):
        call = ["-p", path, "--system-key", "system", "--prediction-key", "output", "-r", *references]
        told = run(*call, "--format", "json")
        found = json.loads(told.stdout)
        assert found["systems"] == ["a", "b", "c"]
        own = {n["system"]: n["value"] for n in found["numbers"] if n["name"] == "sacrebleu"}
        assert own == {name: Bleu().corpus(texts, REFERENCES).value for name, texts in SYSTEMS.items()}
    assert "give one -p" in run("-p", path, *call).output


def test_rows_that_do_not_fit_are_refused(files: Path) -> None:
    path = files / "all.jsonl"
    lines = path.read_text().splitlines(keepends=True)
    path.write_text("".join(lines[:-1]))
    with pytest.raises(InputError, match="a has 40 texts, but c 39; each system needs a text for each segment"):
        read_systems(path, [], "system", prediction_key="output")
    path.write_text("".join([*lines[:-1], lines[-1].replace('"reference": "the', '"reference": "no')]))
    with pytest.raises(InputError, match="the references of segment 39, counted from 0, differ between a and c"):
        read_systems(path, [path], "system", prediction_key="output", reference_key="reference")
