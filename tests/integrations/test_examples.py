"""The programs in ``examples`` run, and print what they promise."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import metrologue

_EXAMPLES = Path(__file__).parents[2] / "examples"
_NUMBER = r"(\d+\.\d+)"


def lines(tmp_path: Path, name: str, *arguments: str, needs: tuple[str, ...] = ()) -> list[str]:
    """What an example prints, in a process without a network and with caches of its own."""
    for module in needs:
        pytest.importorskip(module, reason=f"{module} is not installed; the example says what to install")
    environment = os.environ | {"PYTHONPATH": str(_EXAMPLES.parent / "src"), "OMP_NUM_THREADS": "1"}
    environment |= {"HF_HOME": str(tmp_path), "HF_HUB_OFFLINE": "1"}
    command = [sys.executable, _EXAMPLES / f"{name}.py", *arguments]
    done = subprocess.run(command, env=environment, cwd=tmp_path, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_each_example_is_on_its_page_and_tested() -> None:
    page = (_EXAMPLES.parent / "docs" / "examples.md").read_text("utf-8")
    tests = Path(__file__).read_text("utf-8")
    for path in _EXAMPLES.glob("*.py"):
        assert f"(../examples/{path.name})" in page
        assert f'"{path.stem}"' in tests


@pytest.mark.slow
def test_two_ranks_train_and_score(tmp_path: Path) -> None:
    said = lines(tmp_path, "two_ranks", needs=("torch", "torchmetrics"))
    assert len(said) == 8
    assert said[0].startswith("epoch 1: BLEU ")
    assert "BLEU 100.00" not in said[0]
    assert said[-1] == "epoch 8: BLEU 100.00, chrF 100.00 on 211 sentences"


@pytest.mark.slow
def test_many_processes_have_the_score_of_one(tmp_path: Path) -> None:
    first, second = lines(tmp_path, "many_processes")
    assert f"{first} in one process" == second


@pytest.mark.slow
def test_a_trainer_generates_and_learns(tmp_path: Path) -> None:
    said = lines(tmp_path, "seq2seq_trainer", "--tiny", needs=("torch", "transformers", "accelerate"))
    epochs = [re.fullmatch(rf"epoch (\d): BLEU {_NUMBER}, chrF {_NUMBER}", line) for line in said]
    numbers = [tuple(map(float, found.groups())) for found in epochs if found]
    assert [epoch for epoch, _, _ in numbers] == [1, 2, 3, 4]
    assert numbers[0][2] + 10 < numbers[-1][2] <= 100
    assert said[-1].startswith("chrf|mirrors=sacrebleu")


@pytest.mark.slow
def test_rows_of_a_data_set_have_scores(tmp_path: Path) -> None:
    said = lines(tmp_path, "datasets_columns", "--tiny")
    found = [re.match(rf"(BLEU|chrF|mean chrF of a row:) {_NUMBER}", line) for line in said]
    bleu, chrf, mean = (float(each[2]) for each in found if each)
    assert 90 < bleu < chrf < 100
    assert mean != chrf
    assert "100 rows are below 70" in said
    assert said[-3:] == sorted(said[-3:])
    assert all("valley" not in line for line in said[-3:])


@pytest.mark.slow
def test_a_task_of_the_harness_has_the_direct_score(tmp_path: Path) -> None:
    said = lines(tmp_path, "lm_eval_task", "--tiny", needs=("torch", "transformers", "lm_eval"))
    found = [re.match(rf"(BLEU|chrF) {_NUMBER}, direct {_NUMBER}", line) for line in said]
    numbers = {each[1]: (each[2], each[3]) for each in found if each}
    assert {*numbers} == {"BLEU", "chrF"}
    for of_harness, direct in numbers.values():
        assert of_harness == direct


@pytest.mark.slow
def test_a_metric_of_mlflow_has_the_score_of_the_corpus(tmp_path: Path) -> None:
    first, signature = lines(tmp_path, "mlflow_metric", needs=("mlflow",))
    found = re.fullmatch(rf"BLEU of the corpus {_NUMBER}, mean of rows {_NUMBER}", first)
    assert found is not None
    predictions = ["the cat sat on a mat", "we saw it go home again", "a dog ran off"]
    references = ["the cat sat on the mat", "we saw it go home again", "the dog ran away"]
    assert float(found[1]) == round(metrologue.score("bleu", predictions, references).value, 2)
    assert found[1] != found[2]
    assert signature.startswith("bleu|")


@pytest.mark.slow
def test_a_metric_of_inspect_has_the_score_of_all_samples(tmp_path: Path) -> None:
    (line,) = lines(tmp_path, "inspect_metric", needs=("inspect_ai",))
    said, references = ["the cat sat", "a dog ran off"], [["a cat sat", "the cat was sitting"], ["a dog ran"]]
    assert line.startswith(f"chrF {metrologue.score('chrf', said, references).value:.4f}  chrf|")


@pytest.mark.slow
def test_a_metric_of_lighteval_has_the_score_of_the_corpus(tmp_path: Path) -> None:
    (line,) = lines(tmp_path, "lighteval_metric", needs=("lighteval",))
    said = ["the cat sat on the mat", "a dog ran"]
    references = [["the cat sat on a mat"], ["a dog ran", "the dog was running"]]
    assert line.startswith(f"BLEU {metrologue.score('bleu', said, references).value:.4f}  bleu|")


@pytest.mark.slow
def test_a_metric_of_deepeval_passes_and_fails(tmp_path: Path) -> None:
    passes, fails, signature = lines(tmp_path, "deepeval_metric", needs=("deepeval",))
    value = metrologue.score("chrf", ["the cat sat on the mat"], ["the cat sat on a mat"]).value
    assert passes == f"{value / 100:.4f} passes  the cat sat on the mat"
    assert fails.endswith("fails  no cats here")
    assert signature.startswith("chrf|")


@pytest.mark.slow
def test_a_lightning_module_logs_bleu(tmp_path: Path) -> None:
    said = lines(tmp_path, "lightning_module", needs=("lightning", "torchmetrics"))
    numbers = [float(found[1]) for line in said if (found := re.fullmatch(rf"BLEU {_NUMBER}", line))]
    assert len(numbers) == 4
    assert numbers[0] < numbers[-1] == 100
