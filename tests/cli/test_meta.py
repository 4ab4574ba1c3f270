"""``metrologue meta`` on the command line."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from metrologue.cli import main, meta
from metrologue.inference.agreement import LEVELS_OF_MEASUREMENT
from metrologue.inference.correlation import LEVELS
from metrologue.meta import (
    JUDGES,
    MEASURES,
    METHODS,
    READERS,
    REFERENCE_RULES,
    SYSTEM_SCORES,
    TESTS,
    meta_evaluate,
    read_judgements,
)

Write = Callable[..., str]
WORDS = ["the", "cat", "sat", "on", "a", "mat", "and", "saw", "one", "dog", "run", "past", "it"]


def run(*arguments: str, status: int = 0) -> Result:
    result = CliRunner().invoke(main, ["meta", *arguments])
    assert result.exit_code == status, result.output
    return result


def rated(**changed: Any) -> list[dict[str, Any]]:
    """Forty texts of four systems, of which each is worse than the one before."""
    generator = random.Random(7)
    rows = []
    for segment in range(10):
        reference = generator.sample(WORDS, 8)
        for place, system in enumerate(("amber", "birch", "cedar", "delta")):
            words = [word if generator.random() > 0.2 * place else "x" for word in reference]
            good = sum(word != "x" for word in words)
            annotators = {name: min(5, max(1, round(good / 2) + generator.randint(0, 1))) for name in ("ann", "bob")}
            ratings: dict[str, Any] = {
                "adequacy": annotators,
                "style": {"ann": generator.randint(1, 5), "bob": "N/A (x)"},
            }
            rows.append({
                "system": system, "segment": segment, "hypothesis": " ".join(words), "references": " ".join(reference),
                "ratings": ratings, **changed,
            })  # fmt: skip
    return rows


@pytest.fixture
def write(tmp_path: Path) -> Write:
    def written(name: str, *lines: Any) -> str:
        path = tmp_path / name
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines), "utf-8")
        return str(path)

    return written


@pytest.fixture
def data(write: Write) -> str:
    return write("rated.jsonl", *rated())


def test_the_choices_are_those_of_the_package():
    """The command repeats them, since the package takes long to import."""
    choices = {each.name: each.type.choices for each in meta.meta.params if hasattr(each.type, "choices")}
    assert [*choices["reader"]] == [*READERS]
    assert [*choices["method"]] == [*METHODS]
    assert [*choices["metric_test"]] == [*TESTS]
    assert [*choices["system_score"]] == [*SYSTEM_SCORES]
    assert [*choices["unit"]] == [*LEVELS]
    assert [*choices["judges"]] == [*JUDGES]
    assert [*choices["references"]] == [*REFERENCE_RULES]
    assert [*choices["agreement_by"]] == [*MEASURES]
    assert [*choices["measured"]] == [*LEVELS_OF_MEASUREMENT]


def test_what_is_printed(data):
    lines = run(
        "--data", data, "-m", "chrf", "-m", "ter", "-m", "bleu:nltk", "--combine", "chrf,ter"
    ).stdout.splitlines()
    assert lines[0] == "40 texts of 4 systems. Spearman's rho of all texts, with the mean of a text's annotators."
    agreement = next(line for line in lines if line.startswith("style"))
    assert agreement.split() == ["style", "2", "0", "–", "–", "–", "40"]
    assert any(line.startswith("No two annotators rated the same text for style") for line in lines)
    table = [line for line in lines if re.match(r"(chrf|−ter|bleu:nltk|chrf \+ ter) .*\[", line)]
    assert [re.split(r"  +", line)[0] for line in table] == ["chrf", "−ter", "bleu:nltk", "chrf + ter"]
    assert any(re.match(r"all together +0\.\d{3} ", line) for line in lines)


def test_json_is_that_of_python(data):
    printed = json.loads(
        run("--data", data, "-m", "chrf", "-m", "ter", "--format", "json", "--resamples", "200").stdout
    )
    found = meta_evaluate(read_judgements(data), ["chrf", "ter"], resamples=200).to_dict()
    assert printed == json.loads(json.dumps(found))
    assert printed["agreement"]["style"]["not_applicable"] == 40


def test_other_formats(data):
    rows = [line.split("\t") for line in run("--data", data, "-m", "chrf", "--format", "tsv").stdout.splitlines()]
    assert rows[0] == ["metric", "quality", "value", "low", "high", "p_value", "units", "is_among_best", "tie"]
    assert [row[:2] for row in rows[1:]] == [["chrf", "adequacy"], ["chrf", "style"]]
    markdown = run("--data", data, "-m", "chrf", "--format", "markdown", "--p-values").stdout
    assert re.search(r"^\| chrf \| \*\*0\.\d{3} p<\.001\*\* \|", markdown, re.M)


def test_options_reach_the_evaluation(data):
    options = [
        "--quality", "adequacy", "--correlation", "kendall-b", "--unit", "item", "--normalize", "--leave-out", "delta",
        "--no-confidence", "--references", "first",
    ]  # fmt: skip
    printed = json.loads(run("--data", data, "-m", "chrf", "--format", "json", *options).stdout)
    assert (printed["texts"], printed["method"], printed["level"], printed["normalized"]) == (
        30,
        "kendall-b",
        "item",
        True,
    )
    assert printed["confidence"] is None
    said = read_judgements(data).without_systems(["delta"]).of_qualities(["adequacy"])
    expected = meta_evaluate(said, ["chrf"], method="kendall-b", level="item", normalize=True, confidence=None)
    assert printed["metrics"][0]["correlations"]["adequacy"]["value"] == expected.correlations["chrf"]["adequacy"].value
    assert printed["notes"] == ["10 texts of delta are left out."]


def test_the_threshold_of_ties_is_told(data):
    options = ["--data", data, "-m", "chrf", "-m", "ter", "--correlation", "acc23", "--tie", "calibrated"]
    options += ["--no-confidence", "--quality", "adequacy"]
    said = read_judgements(data).of_qualities(["adequacy"])
    found = meta_evaluate(said, ["chrf", "ter"], method="acc23", tie="calibrated", confidence=None)
    ties = {name: row["adequacy"].tie for name, row in found.correlations.items()}
    assert max(ties.values()) > 0
    printed = json.loads(run(*options, "--format", "json").stdout)
    assert printed["tie"] == "calibrated"
    assert {each["name"]: each["correlations"]["adequacy"]["tie"] for each in printed["metrics"]} == ties
    text = run(*options).stdout.splitlines()
    start = [line.split() for line in text].index(["tie", "adequacy"])
    cells = [line.split() for line in text[start + 1 : start + 3]]
    assert cells == [["chrf", f"{ties['chrf']:.4g}"], ["−ter", f"{ties['ter']:.4g}"]]
    assert any(line.startswith("tie: scores of a metric that differ by at most so much are ties;") for line in text)
    rows = [line.split("\t") for line in run(*options, "--format", "tsv").stdout.splitlines()]
    assert [row[rows[0].index("tie")] for row in rows[1:]] == [*map(str, ties.values())]
    given = run(*options, "--tie", "2.5", status=2)
    assert "is given twice" in given.stderr
    told = run(*options[:-5], "--tie", "2.5", "--no-confidence").stdout
    assert "Scores that differ by at most 2.5 are ties." in told
    assert "are ties" not in run("--data", data, "-m", "chrf").stdout


def test_scores_of_others(data, write):
    rows = [f"{row['system']}\t{row['segment']}\t{len(row['hypothesis'])}" for row in rated()]
    path = write("scores.tsv", "system\tsegment\tlength", *rows)
    printed = json.loads(
        run("--data", data, "--scores-from", path, "--lower-is-better", "length", "--format", "json").stdout
    )
    assert [(each["name"], each["higher_is_better"]) for each in printed["metrics"]] == [("length", False)]
    path = write("few.tsv", "system\tsegment\tlength", *rows[1:])
    assert (
        "length has no score for 1 text, left out for all metrics: amber 0."
        in run("--data", data, "--scores-from", path).stdout
    )


def test_a_signature_and_settings(data):
    signature = "nrefs:1|case:lc|eff:yes|tok:13a|smooth:exp|version:2.6.0"
    printed = json.loads(run("--data", data, "-m", signature, "--no-confidence", "--format", "json").stdout)
    assert printed["metrics"][0]["name"] == "bleu:sacrebleu-sentence lowercase=true"
    printed = json.loads(
        run("--data", data, "-m", "bleu:nltk", "--set", "max_order=2", "--no-confidence", "--format", "json").stdout
    )
    assert printed["metrics"][0]["name"] == "bleu:nltk max_order=2"


def test_systems_that_miss_segments_are_named(write):
    path = write("rated.jsonl", *rated()[:-2])
    result = run("--data", path, "-m", "chrf")
    for system in ("cedar", "delta"):
        assert f"Warning: {system} misses 1 of 10 segments: 9.\n" in result.stderr
        assert f"{system} misses 1 of 10 segments: 9.\n" in result.stdout


def test_constant_ratings_are_told(write):
    result = run("--data", write("rated.jsonl", *rated(ratings={"adequacy": 3})), "-m", "chrf")
    assert "Warning: adequacy does not vary, so that there is no correlation.\n" in result.stderr
    assert re.search(r"^chrf +–$", result.stdout, re.M)


def test_the_filter_by_agreement(data):
    result = run("--data", data, "-m", "chrf", "--quality", "adequacy", "--least-agreement", "0.99", status=2)
    assert re.search(r"no quality has an agreement of 0.99; adequacy has the greatest alpha, 0\.\d{3}", result.stderr)
    assert run("--data", data, "-m", "chrf", "--quality", "adequacy", "--least-agreement", "0.1").exit_code == 0


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "there is no metric; name one, or give --scores"),
        (["--set", "max_order=2"], "--set changes a metric; name one"),
        (["-m", "blue"], "no metric is called 'blue'"),
        (["-m", "chrf", "-m", "chrf"], "one metric is given twice"),
        (["-m", "chrf", "--quality", "fluency"], "no quality is called 'fluency'; there are adequacy, style"),
        (["-m", "chrf", "--leave-out", "ambre"], "no system is called 'ambre'; did you mean 'amber'"),
        (["-m", "chrf", "--scale", "adequacy=1:3"], "ratings: adequacy of segment"),
        (["-m", "chrf", "--scale", "five"], "'five' is not LEAST:GREATEST"),
        (["-m", "chrf", "--combine", "chrf,ter"], "combine: no metric is called 'ter'"),
        (["-m", "chrf", "--tie", "few"], "'few' is not a number or 'calibrated'"),
        (["-m", "chrf", "--lower-is-better", "ter"], "lower_is_better: no scores are called 'ter'"),
        (["-m", "chrf", "--reader", "fed"], "not JSON"),
    ],
)
def test_what_is_refused(data, options, message):
    result = run("--data", data, *options, status=2)
    assert message in result.stderr


def test_the_report(data, tmp_path):
    path = tmp_path / "folder" / "report.html"
    assert f"The report is in {path}\n" in run("--data", data, "-m", "chrf", "-m", "ter", "--out", str(path)).stderr
    assert "Do these metrics agree with people?" in path.read_text("utf-8")


def test_a_line_for_each_metric_in_a_pipe(data: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("metrologue.writing._LONG", -1.0)  # all work is long
    called = run("--data", data, "-m", "bleu:nltk", "-m", "chrf", "--resamples", "50", "--json")
    lines = [re.sub(r"\d+ s", "1 s", line) for line in called.stderr.splitlines() if "done" in line]
    assert lines == ["bleu nltk: done, 1 s", "chrf: done, 1 s", "correlations: done, 1 s"]
    json.loads(called.stdout)


def test_corpus_scores_of_systems(data: str) -> None:
    out = run(
        "chrf", "rouge", "--data", data, "--unit", "system", "--correlation", "pearson", "--test", "williams"
    ).stdout
    head = "the systems, by their corpus scores (chrf) or the means of their segments' scores (rouge)"
    assert head in out.splitlines()[0]
    assert re.search(r"^rouge rougeL F  ", out, re.M)
    assert re.search(r"^cluster +adequacy +style$", out, re.M)
    assert "=: not significantly worse than it, by Williams' test." in out
    mean = run("chrf", "--data", data, "--unit", "system", "--system-score", "mean", "--format", "json").stdout
    assert json.loads(mean)["metrics"][0]["system_score"] == "mean"


def test_soft_pairwise_accuracy(data: str) -> None:
    printed = json.loads(run("chrf", "--data", data, "--correlation", "spa", "--format", "json").stdout)
    assert (printed["method"], printed["level"]) == ("spa", "system")
    assert 0 <= printed["metrics"][0]["correlations"]["adequacy"]["value"] <= 1
    assert "interval" not in run("chrf", "--data", data, "--correlation", "spa").stdout


def test_agreement_alone(data: str) -> None:
    lines = run("--data", data, "--agreement").stdout.splitlines()
    assert lines[0].split() == ["agreement", "annotators", "texts", "alpha", "kappa", "others", "N/A"]
    assert lines[1].split()[:3] == ["adequacy", "2", "40"]
    printed = json.loads(run("--data", data, "--agreement", "--format", "json").stdout)
    assert printed["adequacy"]["alpha"] > 0.5
    assert "--agreement shows people only" in run("chrf", "--data", data, "--agreement", status=2).stderr


def test_several_data_sets_are_averaged(data: str, write: Write) -> None:
    other = write("other.jsonl", *rated()[4:])
    options = ["chrf", "ter", "--data", data, "--data", other, "--quality", "adequacy", "--correlation", "pearson"]
    lines = run(*options, "--test", "williams").stdout.splitlines()
    assert lines[0].split() == ["adequacy", "rated.jsonl", "other.jsonl", "mean", "cluster"]
    assert {line.split()[0] for line in lines[1:3]} == {"chrf", "ter"}
    printed = json.loads(run(*options, "--format", "json").stdout)
    means = printed["qualities"]["adequacy"]["means"]
    values = printed["qualities"]["adequacy"]["values"]["chrf"]
    assert means["chrf"] == pytest.approx(sum(values.values()) / 2)
    assert "several --data have no --scores" in run(*options, "--scores", data, status=2).stderr


def test_a_combination_names_metrics_as_they_are_typed(data: str) -> None:
    typed = "rouge[rouge1,rouge2,recall]"
    out = run(typed, "chrf", "--data", data, "--combine", f"{typed},chrf", "--no-confidence", "--format", "json").stdout
    assert [each["name"] for each in json.loads(out)["metrics"]][:2] == [
        "rouge:rouge_score types=[rouge1,rouge2] rouge1_recall",
        "chrf",
    ]
    assert len(json.loads(out)["metrics"]) == 3
