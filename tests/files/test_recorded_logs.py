"""Logs that harnesses have written: our numbers from the samples are theirs, or it is said why not."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.cli.options import made_scorers
from metrologue.errors import InputError
from metrologue.files.log_results import printed_in
from metrologue.files.rows import Rows
from metrologue.scorers import get_scorer

LOGS = Path(__file__).parent / "logs"
pytestmark = pytest.mark.filterwarnings("ignore:.* read as .*plain text")


@pytest.fixture(scope="module")
def logs(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The logs, under the names that the harnesses give: a vertical bar is not allowed in names on every system."""
    folder = tmp_path_factory.mktemp("recorded") / "logs"
    shutil.copytree(LOGS, folder)
    for each in (folder / "lighteval").rglob("*-0_*.parquet"):
        each.rename(each.with_name(each.name.replace("-0_", "|0_")))
    return folder


def log_of(logs: Path, harness: str, task: str) -> str:
    [path] = (logs / harness).rglob(f"*{task}[_|]*")
    return str(path)


def run(*words: str) -> Result:
    result = CliRunner().invoke(main, [*words])
    assert result.exit_code == 0, result.output
    return result


def value_of(metric: str, log: Rows, name: str, **options: object) -> float:
    result = metrologue.score(metric, log.predictions, log.references, **options)
    return result.scores.get(f"{name}_fmeasure", result.value)


@pytest.mark.parametrize(
    ("harness", "task", "name", "metric", "options"),
    [
        ("lm_eval", "corpus", "bleu", "bleu", {}),
        ("lm_eval", "corpus", "chrf", "chrf", {}),
        ("lm_eval", "corpus", "ter", "ter", {}),
        ("lm_eval", "exact", "exact_match", "exact_match", {"lowercase": True, "ignore_punctuation": True}),
        ("lm_eval", "rouge", "rouge1", "rouge:rouge_score", {}),
        ("lm_eval", "rouge", "rouge2", "rouge:rouge_score", {}),
        ("lm_eval", "rouge", "rougeL", "rouge:rouge_score", {}),
        ("lm_eval", "repeats", "exact_match", "exact_match", {}),
        ("lm_eval", "choices", "acc", "accuracy", {}),
        ("lighteval", "texts", "bleu", "bleu", {}),
        ("lighteval", "texts", "rouge1", "rouge:rouge_score", {}),
        ("lighteval", "texts", "rougeL", "rouge:rouge_score", {}),
        ("lighteval", "texts", "em", "exact_match:helm", {}),
        ("lighteval", "several", "em", "exact_match:helm", {}),
        ("lighteval", "choices", "acc", "accuracy", {}),
        ("inspect_ai", "given", "exact", "exact_match:squad", {"scale": 1.0}),
        ("inspect_ai", "letters", "choice", "accuracy", {}),
    ],
)
def test_the_printed_number_comes_out_of_the_samples(
    logs: Path, harness: str, task: str, name: str, metric: str, options: dict[str, object]
) -> None:
    path = log_of(logs, harness, task)
    assert value_of(metric, metrologue.read_log(path), name, **options) == printed_in(path)[name]


def test_each_filter_has_its_own_number(logs: Path) -> None:
    path = log_of(logs, "lm_eval", "filters")
    for name, printed in (("strict", 1 / 3), ("whole", 1 / 6)):
        log = metrologue.read_log(path, key=name)
        assert value_of("exact_match", log, "") == printed_in(path, name)["exact_match"] == printed
        assert "reproduced from the samples" in run("score", "exact_match", path, "--prediction-key", name).stdout


@pytest.mark.parametrize(
    ("harness", "task", "name", "metric"),
    [
        ("lm_eval", "exact", "exact_match", "exact_match[lowercase=true,ignore_punctuation=true]"),
        ("lm_eval", "rouge", "rougeL", "rouge:rouge_score[rougeL]"),
        ("lighteval", "several", "em", "exact_match:helm"),
        ("inspect_ai", "given", "exact", "exact_match:helm-quasi"),
    ],
)
def test_scores_of_samples(logs: Path, harness: str, task: str, name: str, metric: str) -> None:
    log = metrologue.read_log(log_of(logs, harness, task))
    [scorer] = made_scorers((metric,), None, (), None)
    assert scorer.segments(log.predictions, log.references).tolist() == log.scores[name]


def test_inspect_rounds_the_score_of_each_sample(logs: Path) -> None:
    path = log_of(logs, "inspect_ai", "given")
    log = metrologue.read_log(path)
    scores = get_scorer("token_f1").variant("squad", scale=1.0).segments(log.predictions, log.references)
    assert scores.round(2).tolist() == log.scores["f1"]
    assert np.mean(log.scores["f1"]) == printed_in(path)["f1"]
    assert "0.645; 64.5238 from the samples: the harness rounds the score of each" in run("score", path).stdout


def test_lighteval_compares_only_the_first_prediction(logs: Path) -> None:
    path = log_of(logs, "lighteval", "texts")
    log, printed = metrologue.read_log(path), printed_in(path)
    everything = [text for texts in log.references or () for text in texts]
    for metric in ("chrf", "ter"):
        own = metrologue.score(metric, (log.predictions or [])[:1], [everything]).value
        assert own == pytest.approx(printed[metric], rel=1e-12)
    assert run("score", "chrf", "ter", path).stdout.count("the first prediction alone, with the references of all") == 2


def test_the_letters_of_choices(logs: Path) -> None:
    log = metrologue.read_log(log_of(logs, "inspect_ai", "letters"))
    assert log.predictions == ["A", "B", "C", "A"]
    log = metrologue.read_log(log_of(logs, "lighteval", "choices"))
    assert {*(log.predictions or ())} <= {" one", " two", " three"}


def test_a_folder_names_its_metrics(logs: Path, tmp_path: Path) -> None:
    shown = run("score", str(logs / "lighteval"))
    assert shown.stdout.count("# ") == 3
    assert shown.stdout.count("reproduced from the samples") == 6
    for each in (logs / "lm_eval").glob("*_corpus_*"):
        shutil.copy(each, tmp_path)
        text = each.read_text("utf-8").replace('"bleu", "chrf", "ter"', '"likeness"')
        (tmp_path / each.name.replace("corpus", "other")).write_text(text, "utf-8")
    assert "Left out, because no metric that is here is named: other." in run("score", str(tmp_path)).stderr


def test_one_of_several_responses(logs: Path) -> None:
    path = log_of(logs, "lm_eval", "repeats")
    first = metrologue.read_log(path)
    assert metrologue.read_log(path, key="resps[0][2]").predictions == first.predictions
    assert metrologue.read_log(path, key="resps[0]").predictions == [[each] * 3 for each in first.predictions or ()]
    assert run("score", "bleu", path, "--prediction-key", "resps[0][2]", "-b").stdout == "19.7394\n"
    told = CliRunner().invoke(main, ["score", "bleu", path, "--prediction-key", "resps[0]"])
    assert "resps[0] is a list of texts; name one of them, such as resps[0][0]" in told.output


def test_a_damaged_log_of_inspect(logs: Path, tmp_path: Path) -> None:
    """Its parts are packed by zstd, which the module zipfile does not read."""
    path = Path(log_of(logs, "inspect_ai", "given"))
    with zipfile.ZipFile(path) as archive:
        [first] = [each for each in archive.infolist() if each.filename == "samples/q0_epoch_1.json"]
    content = bytearray(path.read_bytes())
    place = first.header_offset + 30 + len(first.filename) + 40
    content[place] ^= 255
    damaged = tmp_path / "damaged.eval"
    damaged.write_bytes(content)
    with pytest.raises(InputError, match="not a valid log of inspect_ai"):
        metrologue.read_log(damaged)
