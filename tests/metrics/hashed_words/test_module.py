"""The modules of the hashed metrics through `evaluate`: the numbers of lines go on from batch to batch."""

from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import metrologue
from metrologue.errors import InputError
from metrologue.output import as_json
from metrologue.scorers import LogLossHashed

LINES, WORDS = ["a:0.5 b:0.3", "a:0.1 b:0.7", "b:1 a:2 :0"], ["a", "b", "c"]


@pytest.fixture(params=["log_loss_hashed", "likelihood_hashed", "perplexity_hashed"])
def module(request: pytest.FixtureRequest, tmp_path: Path) -> Any:
    """Each of the three."""
    return metrologue.load(request.param, cache_dir=str(tmp_path))


def test_batches(module: Any) -> None:
    whole = module.compute(predictions=LINES, references=WORDS, bits=2)
    for line, word in zip(LINES, WORDS, strict=True):
        module.add(prediction=line, reference=word)
    assert module.compute(bits=2) == whole
    module.add_batch(predictions=LINES[:2], references=WORDS[:2])
    assert module.compute(predictions=LINES[2:], references=WORDS[2:], bits=2) == whole
    assert module.compute(predictions=LINES, references=WORDS, bits=2, first_line=7) != whole
    json.dumps(whole, allow_nan=False)


def test_extras(module: Any) -> None:
    result = module.compute(predictions=LINES, references=WORDS, signature=True, per_segment=True)
    losses = LogLossHashed().segments(LINES, WORDS).tolist()
    assert result["segments"]["log_loss_hashed"] == losses
    assert result["signature"].startswith(f"{module.metric}|mirrors=GEval-")


def test_bad_lines_leave_nothing(module: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`predictions\[1\]`, column 5: 'x' cannot be read"):
        module.compute(predictions=["a:1", "b:1 x"], references=["a", "b"])
    assert not [path for path in tmp_path.rglob("*") if path.suffix == ".arrow"]
    expected = {"log_loss_hashed": 0.0}.get(module.metric, 1.0)
    assert module.compute(predictions=["a:1"], references=["a"]) == {module.metric: pytest.approx(expected)}


def test_infinity() -> None:
    result = metrologue.load("perplexity_hashed").compute(
        predictions=["a:1", "a:1"], references=["b", "a"], per_segment=True, confidence=0.95
    )
    assert result["perplexity_hashed"] == math.inf
    assert result["segments"]["perplexity_hashed"] == [math.inf, 1.0]
    assert {"likelihood_hashed", "signature"} == result["confidence"].keys()
    plain = json.loads(as_json(result), parse_constant=lambda constant: pytest.fail(constant))
    assert plain["perplexity_hashed"] == "Infinity"
    assert float(plain["segments"]["perplexity_hashed"][0]) == math.inf


def test_intervals_keep_the_numbers_of_lines(module: Any) -> None:
    lines, words = ["a:0.5 b:0.1", "b:0.3 c:0.4", "c:0.9 :0.1"] * 100, ["a", "b", "x"] * 100
    losses = LogLossHashed(bits=2).segments(lines, words)
    assert len({round(loss, 9) for loss in losses.tolist()}) > 3
    found = module.compute(predictions=lines, references=words, bits=2, confidence=0.95)["confidence"][
        "log_loss_hashed"
    ]
    error = losses.std() / math.sqrt(len(losses))
    assert found["low"] == pytest.approx(losses.mean() - 1.96 * error, abs=error / 4)
    assert found["high"] == pytest.approx(losses.mean() + 1.96 * error, abs=error / 4)


def test_ranks_with_consecutive_lines(tmp_path: Path) -> None:
    """`evaluate` puts the rows of rank 1 after those of rank 0. So ranks must have consecutive lines."""
    whole = LogLossHashed(bits=2).corpus(LINES, WORDS).value
    ranks = [
        metrologue.load(
            "log_loss_hashed", num_process=2, process_id=rank, experiment_id="ranks", cache_dir=str(tmp_path)
        )
        for rank in (0, 1)
    ]
    parts = slice(0, 1), slice(1, 3)

    def scored(rank: int) -> Any:
        ranks[rank].add_batch(predictions=LINES[parts[rank]], references=WORDS[parts[rank]])
        return ranks[rank].compute(bits=2)

    with ThreadPoolExecutor(2) as pool:
        results = [*pool.map(scored, (1, 0))]
    assert results == [None, {"log_loss_hashed": pytest.approx(whole, rel=1e-14)}]
