"""The pictures of the Space of all metrics: drawn where tables and model are there, otherwise what to install."""

from __future__ import annotations

from pathlib import Path

import pytest
from needs import data_of, provide

from metrologue.pages.models import model_chosen
from metrologue.pages.page_parts import picture_texts, which_texts

VECTORS = "the 1 0\ncat 0 1\ncats 0.25 1\nsat 1 1\ndown 1 0.5\n"


def test_both_alignments_are_drawn(request: pytest.FixtureRequest, tmp_path: Path) -> None:
    provide(request, data_of("meteor"))
    (tmp_path / "words.txt").write_text(VECTORS, "utf-8")
    shown = picture_texts("the cats sat", "the cat sat down", 0, model_chosen("", str(tmp_path / "words.txt"), {}))
    meteor, _, bertscore = shown.partition(">BERTScore<")
    assert "<svg" in meteor
    assert "<svg" in bertscore
    assert shown.count("<style>") == 1


def test_without_a_model_the_page_says_what_to_give() -> None:
    shown = picture_texts("the cat <b>", "the cat")
    assert "No picture here: BertScore: `model` is missing; give a folder with a model of transformers" in shown
    assert "no segment 4" in picture_texts("a", "a", 3)


def test_a_printed_number_is_found_among_all_metrics() -> None:
    texts = "the cat, it sat there", "the cat, he sat there"
    assert "metrologue score bleu --variant sacrebleu" in which_texts("bleu", "37.99", *texts)
    assert which_texts("bleu", "  ", *texts) == ""
    assert "&lt;x&gt;" in which_texts("bleu", "<x>", *texts)
