"""The pictures of the Space of all metrics: drawn where tables and model are there, otherwise what to install."""

from __future__ import annotations

import pytest
from needs import data_of, provide
from small_encoder import Letters

from metrologue.pages import page_parts
from metrologue.pages.page_parts import picture_texts, which_texts
from metrologue.representations import NamedEncoder


def test_both_alignments_are_drawn(monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> None:
    provide(request, data_of("meteor"))
    encoder = NamedEncoder.of(Letters())
    monkeypatch.setattr(page_parts, "model_of", lambda kind, path: encoder)
    page_parts._opened.cache_clear()
    shown = picture_texts("the cats sat", "the cat sat down", 0, "letters")
    meteor, _, bertscore = shown.partition(">BERTScore<")
    assert "<svg" in meteor
    assert "<svg" in bertscore
    assert shown.count("<style>") == 1
    page_parts._opened.cache_clear()


def test_without_a_model_the_page_says_what_to_give() -> None:
    shown = picture_texts("the cat <b>", "the cat")
    assert "No picture here: BertScore: `model` is missing; give a folder with a model of transformers" in shown
    assert "no segment 3" in picture_texts("a", "a", 3)


def test_a_printed_number_is_found_among_all_metrics() -> None:
    texts = "the cat, it sat there", "the cat, he sat there"
    assert "metrologue score bleu --variant sacrebleu" in which_texts("bleu", "37.99", *texts)
    assert which_texts("bleu", "  ", *texts) == ""
    assert "&lt;x&gt;" in which_texts("bleu", "<x>", *texts)
