"""MoverScore against the authors' program: what it gave, and what it gives where it is installed."""

from __future__ import annotations

import json
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from compared import compared

import metrologue
from metrologue import MoverScore
from metrologue.comparison.libraries import Available, get_library
from metrologue.representations import TokenVectors

VARIANTS = ["moverscore", "moverscore-idf"]
# The program's solver takes weights as millionths.
ROUNDED = 2e-6
RECORDED: dict[str, Any] = json.loads(Path(__file__).with_name("moverscore.json").read_text("utf-8"))
PREDICTIONS = ["The cat sat on the mat.", "a dog saw  the bird", "the same birds", "cats, dogs!", "tree tree tree"]
REFERENCES = [
    ["A cat sat on the mat."],
    ["a dog saw the bird", "the log"],
    ["the same birds"],
    ["x y"],
    ["in the tree"],
]


class Words:
    """The encoder of the recorded numbers: a vector for each word, and for [CLS] and [SEP] around a text."""

    name, layers = "words@1", 0

    def tokens(self, text: str) -> list[str]:
        return ["[CLS]", *text.split(), "[SEP]"]

    def encode_tokens(self, texts: Sequence[str], layers: Sequence[int]) -> TokenVectors:
        ids = [[RECORDED["words"].index(word) for word in self.tokens(text)] for text in texts]
        table = np.array(RECORDED["vectors"], np.float32)
        flat = np.concatenate([np.zeros(0, np.int64), *ids]).astype(np.int64)
        made = TokenVectors.of_texts([table[own] for own in ids])
        return TokenVectors(**{**vars(made), "ids": flat, "counted": ~np.isin(flat, (1, 2))})


@pytest.mark.filterwarnings("ignore:MoverScore")
@pytest.mark.parametrize("name", VARIANTS)
def test_the_program(name: str) -> None:
    texts, expected = (RECORDED["predictions"], RECORDED["references"]), np.array(RECORDED[name])
    scorer = MoverScore.variant(name, model=Words())
    assert scorer.segments(*texts) == pytest.approx(expected, rel=0, abs=ROUNDED)
    assert scorer.corpus(*texts).value == pytest.approx(expected.mean(), rel=0, abs=ROUNDED)
    compared(len(expected))
    for field, value in (("pieces", "all"), ("punctuation", True), ("idf", not scorer.idf)):
        other = MoverScore.variant(name, model=Words(), **{field: value}).segments(*texts)
        assert (np.abs(other - expected) > 1e-3).sum() > 5, field


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    status = get_library("moverscore").status()
    if not isinstance(status, Available):
        pytest.skip(str(status))
    from small_encoder import make_encoder

    return make_encoder(tmp_path_factory.mktemp("encoders") / "small-bert", "bert")


@pytest.mark.parametrize("idf", [False, True])
def test_live(folder: Path, idf: bool) -> None:
    library = get_library("moverscore")
    scorer = MoverScore.variant(VARIANTS[idf], model=folder)
    found = scorer.segments(PREDICTIONS, REFERENCES)
    for dtype, least in (("float64", ROUNDED), ("float32", library.resolution)):
        rows = library.segments("moverscore", PREDICTIONS, REFERENCES, model=folder, idf=idf, dtype=dtype)
        assert found == pytest.approx([row["moverscore"] for row in rows], rel=0, abs=least)
        compared(len(rows))


def test_side_by_side(folder: Path) -> None:
    """The harness runs the program beside the variants, and says which choice parts them."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        found = metrologue.compare(
            {"one": PREDICTIONS}, REFERENCES, "moverscore", model=folder, processes=0, tests=False
        )
    numbers = {(each["kind"], each["name"]): each for each in found.to_dict()["numbers"]}
    live = numbers["library", "moverscore"]
    assert live["value"] == pytest.approx(live["expected"], rel=1e-3)
    parted = [part["choice"] for each in found.to_dict()["explanations"] for part in each["contributions"]]
    assert "idf" in parted
