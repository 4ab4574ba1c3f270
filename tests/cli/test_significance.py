"""``metrologue score`` with intervals and paired tests."""

from __future__ import annotations

import csv
import io
import json
import re
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from metrologue.cli import main
from metrologue.cli.significance import _decimals
from metrologue.files.parts import read_segments
from metrologue.inference import confidence_interval, confidence_intervals, paired_test, significance_groups
from metrologue.scorers import Bleu, Rouge, Ter, WordErrorRate
from metrologue.segments import Segments

NAMES = ["amber.txt", "birch.txt", "cedar.txt"]


@pytest.fixture(scope="module")
def files(root: Path) -> list[str]:
    folder = root / "comparison" / "sample"
    return [
        *(part for name in NAMES for part in ("-p", str(folder / name))),
        *(part for i in (1, 2) for part in ("-r", str(folder / f"reference_{i}.txt"))),
    ]


@pytest.fixture(scope="module")
def systems(files: list[str]) -> dict[str, Segments]:
    texts, references = read_segments(files[1:6:2], files[7::2])
    first = Segments(texts[0], references, shared=True)
    return {name: first.with_predictions(each) for name, each in zip(NAMES, texts, strict=True)}


def run(*arguments: str, status: int = 0) -> Any:
    result = CliRunner().invoke(main, ["score", *arguments])
    assert result.exit_code == status, result.output
    return result


def cells(printed: str) -> dict[str, dict[str, str]]:
    """The cells of a table in Markdown, by system and heading; without the marks of Markdown."""
    header, _, *rows = ([cell.strip(" *") for cell in line[2:-2].split(" | ")] for line in printed.splitlines())
    return {row[0]: dict(zip(header, row, strict=True)) for row in rows if len(row) == len(header)}


def test_an_interval_is_in_the_cell_of_its_score(files: list[str], systems: dict[str, Segments]) -> None:
    header, *rows = run("bleu", *files, "--confidence", "-w", "2").stdout.splitlines()[:4]
    assert re.split(r"  +", header) == ["system", "bleu", "precisions", "brevity penalty"]
    for row, segments in zip(rows, systems.values(), strict=True):
        found = confidence_interval(Bleu(), segments, resampling="sacrebleu")
        value = Bleu().corpus(segments).value
        assert f"{value:.2f} ± {found.margin:.2f}" in row.replace("±  ", "± ")
    note = run("bleu", *files, "-ci", "-cin", "200", "--level", "0.9", "--seed", "5").stdout.splitlines()[-1]
    assert note == "±: half of the 0.9 interval, level=0.9|resamples=200|seed=5|method=order-statistics|draws=pcg64"


@pytest.mark.parametrize(
    ("margins", "decimals"),
    [([0.5981, 1.2], 2), ([3.7, 0.0], 1), ([12.0], 0), ([0.0101], 3), ([0.00001], 4), ([0.0], 4), ([], 4)],
)
def test_numbers_have_the_decimals_that_their_margins_need(margins: list[float], decimals: int) -> None:
    assert _decimals(margins) == decimals


def test_all_scores_of_a_metric_have_their_intervals(files: list[str], systems: dict[str, Segments]) -> None:
    found = cells(run("rouge", "bleu", *files, "-ci", "-w", "3", "--format", "markdown").stdout)
    for name, segments in systems.items():
        intervals = confidence_intervals(Rouge(), segments)
        for heading in ("rouge1", "rouge2", "rougeL"):
            assert found[name][heading].endswith(f" ± {intervals[f'{heading}_fmeasure'].margin:.3f}")


@pytest.mark.parametrize(("option", "method"), [("--paired-bs", "bootstrap"), ("-par", "randomization")])
def test_paired_tests_are_in_the_cell(option: str, method: str, files: list[str], systems: dict[str, Segments]) -> None:
    options = [option, "-pbsn", "500", "-parn", "600", "--correction", "holm", "--details"]
    found = cells(run("bleu", "ter", *files, *options, "--format", "markdown").stdout)
    lines = run("bleu", "ter", *files, *options).stdout.splitlines()
    count = {"bootstrap": 500, "randomization": 600}[method]
    for label, scorer in (("bleu", Bleu()), ("ter", Ter())):
        given: Any = {"method": method, "resampling": "sacrebleu"}
        tests = paired_test(scorer, NAMES[0], systems, resamples=count, correction="holm", **given)
        groups = significance_groups(scorer, systems, **given)
        assert found[NAMES[0]][f"{label} p"] == ""
        for name, test in zip(NAMES[1:], tests, strict=True):
            p_value = test.corrected_p_value
            assert found[name][f"{label} p"] == f"{p_value:.4f}"
            assert found[name][label].endswith((r" \*" if p_value < 0.05 else " ") + groups[name])
            assert ("±" in found[name][label]) == (method == "bootstrap")
    assert any(line.startswith("p: against amber.txt, paired ") for line in lines)
    assert any(line.startswith("letters: two systems that share one") for line in lines)


def test_the_best_are_those_that_no_test_tells_from_the_best(files: list[str], systems: dict[str, Segments]) -> None:
    groups = significance_groups(Bleu(), systems, resampling="sacrebleu")
    values = {name: Bleu().corpus(segments).value for name, segments in systems.items()}
    best = groups[max(values, key=values.__getitem__)]
    rows = run("bleu", *files, "-pbs", "--format", "markdown").stdout.splitlines()[2:5]
    expected = ["**" * bool({*best} & {*groups[name]}) for name in NAMES]
    assert [row.split(" | ")[1][:2] if "**" in row else "" for row in rows] == expected
    assert expected == ["**", "**", ""]
    assert run("bleu", *files, "-ci", "--format", "markdown").stdout.count("**") == 2


def test_json_has_everything(files: list[str], systems: dict[str, Segments]) -> None:
    found = json.loads(run("bleu", *files, "-pbs", "--format", "json").stdout)["systems"]
    tests = paired_test(Bleu(), NAMES[0], systems, resampling="sacrebleu")
    assert [each["paired_test"] for each in found] == [None, *(test.to_dict() for test in tests)]
    assert found[0]["confidence"] == confidence_interval(Bleu(), systems[NAMES[0]], resampling="sacrebleu").to_dict()
    assert all(each["group"].isalpha() for each in found)
    plain = json.loads(run("bleu", *files, "--format", "json").stdout)["systems"]
    assert not {"confidence", "paired_test", "group"} & plain[0].keys()


def test_tsv_has_all_digits(files: list[str], systems: dict[str, Segments]) -> None:
    table = csv.DictReader(io.StringIO(run("bleu", *files, "-pbs", "--format", "tsv").stdout), delimiter="\t")
    rows = list(table)
    interval = confidence_interval(Bleu(), systems[NAMES[1]], resampling="sacrebleu")
    assert (float(rows[1]["bleu_low"]), float(rows[1]["bleu_high"])) == (interval.low, interval.high)
    assert float(rows[1]["bleu_p_value"]) == paired_test(Bleu(), NAMES[0], systems, resampling="sacrebleu")[0].p_value
    assert rows[0]["bleu_p_value"] == ""


@pytest.mark.parametrize("output_format", ["latex", "markdown"])
def test_tables_have_the_columns(output_format: str, files: list[str]) -> None:
    table = run("bleu", *files, "-pbs", "--details", "--format", output_format).stdout
    assert table.count({"latex": r"$\pm$", "markdown": "±"}[output_format]) >= len(NAMES)
    assert [" p " in line for line in table.splitlines() if "brevity penalty" in line] == [True]


def test_jobs_are_accepted(files: list[str]) -> None:
    assert run("bleu", *files, "-pbs", "--paired-jobs", "4").stdout == run("bleu", *files, "-pbs").stdout


def test_a_metric_of_sets(files: list[str]) -> None:
    found = run("distinct_n", *files[:4], "-ci", "-cin", "100", "--format", "json")
    assert json.loads(found.stdout)["systems"][0]["confidence"]["resamples"] == 100


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["-pbs", "-par"], "are two tests; choose one"),
        (["-pbs", "--per-segment"], "--per-segment has no intervals and no tests"),
        (["-ci", "--level", "1.5"], "the level of confidence is 1.5"),
        (["-ci", "--resampling", "moses"], "--resampling is 'moses'"),
        (["-pbs", "--correction", "no"], "--correction is 'no'"),
        (["-ci", "-cin", "1"], "1 is not in the range x>=2"),
    ],
)
def test_what_is_refused(options: list[str], message: str, files: list[str]) -> None:
    result = CliRunner().invoke(main, ["score", "bleu", *files, *options])
    assert result.exit_code != 0
    assert message in result.output + str(result.exception)


def test_a_test_needs_two_systems(files: list[str]) -> None:
    assert "give -p twice or more" in run("bleu", *files[:2], *files[6:], "-pbs", status=2).output
    again = run("bleu", *files[:2] * 2, *files[6:], "-pbs").output
    assert "(2)" in again
    assert "equal outputs" in again


def compared(*arguments: str) -> Any:
    result = CliRunner().invoke(
        main, ["compare", "--metric", "wer", "--library", "jiwer", *arguments, "--format", "json"]
    )
    assert result.exit_code == 0, result.output
    return json.loads(result.stdout)


def test_compare_has_intervals_and_tests_by_default(files: list[str], systems: dict[str, Segments]) -> None:
    found = compared(*files)
    assert found["sampling"] == {"level": 0.95, "resamples": 1000, "seed": 12345, "tests": True}
    for number in found["numbers"]:
        if number["kind"] == "variant" and number["name"] == "jiwer":
            expected = confidence_interval(WordErrorRate(), systems[number["system"]])
            assert number["interval"] == expected.to_dict()
    assert found["winners"]["jiwer"]["system"] == "birch.txt"


def test_options_of_compare_are_those_of_score(files: list[str], systems: dict[str, Segments]) -> None:
    for name in ("--confidence-n", "--resamples", "-cin"):
        found = compared(*files, "--level", "0.8", name, "200", "--seed", "3")
        assert found["sampling"] == {"level": 0.8, "resamples": 200, "seed": 3, "tests": True}
    expected = confidence_interval(WordErrorRate(), systems["amber.txt"], level=0.8, resamples=200, seed=3)
    assert found["numbers"][1]["name"] == "jiwer"
    assert found["numbers"][1]["interval"] == expected.to_dict()


def test_intervals_and_tests_of_compare_can_be_switched_off(files: list[str]) -> None:
    untested = compared(*files, "--no-tests")
    assert untested["winners"] == {}
    assert untested["numbers"][1]["interval"]
    bare = compared(*files, "--no-confidence")
    assert (bare["winners"], bare["sampling"], bare["no_interval"]) == ({}, None, None)
    assert not any(number["interval"] for number in bare["numbers"])


def test_headings_name_the_number_that_is_tested(files: list[str]) -> None:
    rows = run("rouge", *files, "--paired-bs", "--format", "markdown").stdout.splitlines()
    [header, _, row, *_] = (line[2:-2].split(" | ") for line in rows)
    assert [cell[-1:].isalpha() for cell in row[1:]] == [name == "rougeL" for name in header[1:]]
    header = run("rouge", *files, "--confidence", "--format", "tsv").stdout.splitlines()[0]
    assert header.split("\t")[-4:-1] == ["rougeL_fmeasure_low", "rougeL_fmeasure_high", "rougeL_fmeasure_mean"]
    found = json.loads(run("rouge", *files, "--confidence", "--format", "json").stdout)["systems"][0]
    own = found["intervals"]["rougeL_fmeasure"]
    assert own == [found["confidence"]["low"], found["confidence"]["high"]]
    assert {"rouge1_fmeasure", "rouge2_recall"} <= found["intervals"].keys()


def test_the_level_is_that_of_every_interval(files: list[str]) -> None:
    found = json.loads(run("bleu", *files, "-pbs", "--level", "0.8", "--format", "json").stdout)["systems"][1]
    test = found["paired_test"]
    assert {each["level"] for each in (found["confidence"], test["interval"], test["difference_interval"])} == {0.8}


@pytest.mark.parametrize("option", ["--paired-bs", "--paired-ar"])
def test_equal_outputs_have_no_star(option: str, files: list[str], tmp_path: Path) -> None:
    """sacrebleu's rule gives them the least p-value; its own command prints that."""
    copy = tmp_path / "copy"
    copy.write_bytes(Path(files[1]).read_bytes())
    given = [*files[:2], "-p", str(copy), *files[6:], option, "-pbsn", "100", "-parn", "100"]
    [row] = [line for line in run("bleu", *given).stdout.splitlines() if line.startswith("copy")]
    assert "*" not in row
    assert "equal outputs" in row
    printed = json.loads(run("bleu", *given, "--format", "json").stdout)
    assert str(printed).count("'equal_outputs': True") == 1
    assert "equal outputs" not in run("bleu", *files, option, "-pbsn", "100", "-parn", "100").stdout
