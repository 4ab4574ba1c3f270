"""Contexts of dialogues from files, for the learned metrics that take them."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner
from metrologue_research.adem import Adem
from metrologue_research.ruber import Ruber

from metrologue.cli import main
from metrologue.learned import sample_model
from metrologue.learned.named import NamedTrained
from metrologue.learned.ngrams import NgramEncoder

RESPONSES = ["Really? Tell me more!", "That is boring.", "I like dogs."]
CONTEXTS = [["I sold a cat."], ["Hi!", "What is new?"], []]


@pytest.fixture
def files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "responses").write_text("".join(f"{each}\n" for each in RESPONSES))
    (tmp_path / "tabs.txt").write_text("".join("\t".join(turns) + "\n" for turns in CONTEXTS))
    return tmp_path


@pytest.mark.parametrize(("kind", "fields"), [(Adem, {}), (Ruber, {"encoder": NgramEncoder()})])
def test_learned_metrics(files: Path, kind: type[Adem | Ruber], fields: dict[str, NgramEncoder]) -> None:
    model = NamedTrained.of(sample_model(kind.name))
    scorer = kind(model=model, **fields)
    expected = scorer.segments(RESPONSES, RESPONSES, contexts=["\n".join(turns) for turns in CONTEXTS])
    own = {"model": str(model)} | ({"encoder": str(scorer.encoder)} if isinstance(scorer, Ruber) else {})
    settings = [part for name, value in own.items() for part in ("--set", f"{name}={value}")]
    found = CliRunner().invoke(
        main,
        [
            "score",
            kind.name,
            "-p",
            "responses",
            "-r",
            "responses",
            "--contexts",
            "tabs.txt",
            "--per-segment",
            *settings,
        ],
    )
    assert found.exit_code == 0, found.output
    lines = [line.split("\t") for line in found.stdout.splitlines() if "\t" in line]
    np.testing.assert_allclose([float(line[2]) for line in lines[1:]], expected)
