"""COMET through ``score``: its encoder, how its model runs, and what is given in its place by mistake."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pytest

import metrologue
from metrologue.errors import InputError
from metrologue.learned import open_model
from metrologue.learned.store import sample_folder

pytest.importorskip("transformers")
TEXTS: dict[str, Any] = {"predictions": ["a cat"], "references": ["the cat"], "sources": ["eine Katze"]}


@pytest.fixture
def folder(shared_data: Path) -> Path:
    place = shared_data / "comet_tiny" / "softmax"
    if not place.is_dir():
        pytest.skip(f"no folder {place}")
    return place


def score(model: Any, **options: Any) -> float:
    return metrologue.score("comet", **TEXTS, model=model, **options).value


def test_encoder_and_running(folder: Path) -> None:
    model, encoder = folder / "regression_metric", folder / "tiny-encoder"
    expected = score(open_model(model, encoder=encoder))
    assert score(model, encoder=encoder) == expected
    assert score(model, encoder=encoder, batch_size=2, device="cpu", dtype="float32") == expected
    assert score(model, encoder=encoder, dtype="float16") == score(model, encoder=encoder, precision="fp16")
    assert score(open_model(model, encoder=encoder), batch_size=3) == expected
    several = metrologue.score(["comet", "bleu"], **TEXTS, model=model, encoder=encoder)
    assert several["comet"].value == expected


def test_mistakes(folder: Path, tmp_path: Path) -> None:
    model, encoder = folder / "regression_metric", folder / "tiny-encoder"
    wrong: list[tuple[Any, dict[str, Any], str]] = [
        (model / "checkpoints" / "model.ckpt", {}, "is a file; give the folder"),
        ("Unbabel/wmt22-comet-da", {}, "is no folder; of a model on the Hub, `hf download Unbabel/wmt22-comet-da`"),
        (open_model(model, encoder=encoder), {"device": "cpu"}, "is open already; give `device` to what opens it"),
        (model, {"dtype": "int8"}, "'float32' or 'bfloat16' or 'float16' is expected"),
        (model, {"batch_size": 2, "batch": 3}, "`batch_size` is the field `batch`, which is given too"),
        (None, {}, "`encoder` belongs to a model, and this metric is given no `model`"),
    ]
    for given, options, message in wrong:
        with pytest.raises(InputError, match=message):
            score(given, **({} if "device" in options else {"encoder": encoder}), **options)
    copied = shutil.copytree(model, tmp_path / "copied")
    (weights := copied / "checkpoints" / "model.ckpt").chmod(0o644)
    weights.write_text("version https://git-lfs.github.com/spec/v1\noid sha256:abc\nsize 123\n")
    with pytest.raises(InputError, match=r"model\.ckpt is a pointer of Git LFS, not the file itself"):
        score(copied, encoder=encoder)
    weights.write_bytes(b"\x80\x04}.")
    with pytest.raises(InputError, match=r"model\.ckpt"):
        score(copied, encoder=encoder)


@pytest.mark.parametrize("name", ["bleurt", "composite"])
def test_other_trained_models(name: str) -> None:
    model = sample_folder(name)
    expected = metrologue.score(name, ["a cat sat"], ["the cat sat"], model=model).value
    found = metrologue.score(name, ["a cat sat"], ["the cat sat"], model=model, batch_size=1, device="cpu").value
    assert found == pytest.approx(expected, rel=1e-6)
