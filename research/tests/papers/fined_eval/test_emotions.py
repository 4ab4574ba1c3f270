"""Classifiers of emotions: models of transformers, functions, and a rule of words."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from metrologue_research.fined_eval.by_words import emotions_by_words, judged_by_words
from small_encoder import make_encoder

from metrologue.errors import InputError
from metrologue.representations import EmotionModel, FunctionEmotions

TEXTS = ["the cat sat", "a dog", "the cat sat on the mat and the dog sat on the log"]


def labelled(folder: Path, *names: str) -> Path:
    """A small classifier with these labels."""
    made = make_encoder(folder, labels=len(names))
    file = made / "config.json"
    config = json.loads(file.read_text("utf-8"))
    config["id2label"] = dict(enumerate(names))
    config["label2id"] = {name: place for place, name in enumerate(names)}
    file.write_text(json.dumps(config), "utf-8")
    return made


def test_a_model_gives_the_share_of_its_positive_labels(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = labelled(tmp_path / "model", "anger", "Joy", "love")
    found = EmotionModel(folder, batch_size=2).positive_shares(TEXTS)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    for text, share in zip(TEXTS, found, strict=True):
        with torch.inference_mode():
            own = torch.softmax(model(**tokenizer(text, return_tensors="pt")).logits[0].double(), 0)
        assert share == pytest.approx(float(own[1] + own[2]), abs=1e-6)
    joy, anger = (EmotionModel(folder, positive=[name]) for name in ("joy", "anger"))
    assert joy.name != anger.name
    assert (joy.positive_shares(TEXTS) + anger.positive_shares(TEXTS) < 1).all()
    assert joy.positive_shares([]).shape == (0,)
    for wrong in (["hate"], ["anger", "joy", "love"]):
        with pytest.raises(InputError, match=r"has the labels anger, joy, love; some of them, and not all"):
            EmotionModel(folder, positive=wrong)


@pytest.mark.parametrize("given", [1.5, -0.1, float("nan"), None, "much"])
def test_what_is_no_probability_is_refused(given: Any) -> None:
    emotions = FunctionEmotions("wrong", lambda text: given, "1")
    with pytest.raises(InputError, match=r"wrong@1: the function gave .*; a probability is expected"):
        emotions.positive_shares(["a"])


def test_functions_that_cannot_be_named_are_refused() -> None:
    with pytest.raises(InputError, match="FunctionEmotions: `name`"):
        FunctionEmotions("a|b", lambda text: 0.0, "1")
    with pytest.raises(InputError, match="FunctionEmotions: `function` is 3"):
        FunctionEmotions("a", 3, "1")  # type: ignore[arg-type]  # what a caller may do


@pytest.mark.parametrize(
    ("text", "glad"),
    [
        ("I love it", 1.0), ("I do n't love it", 0.0), ("I don\u2019t love it", 0.0), ("No. It was great", 0.0),
        ("No. It was truly great", 1.0), ("", 0.0), ("GREAT", 1.0), ("a table", 0.0),
    ],
)  # fmt: skip
def test_glad_words(text: str, glad: float) -> None:
    assert emotions_by_words(text) == glad


def test_words_as_a_judge() -> None:
    assert judged_by_words("", "a cat") == (0.0, 1.0, 0.0)
    assert judged_by_words("a cat", "") == (0.0, 1.0, 0.0)
    assert judged_by_words("A cat!", "a cat") == (0.0, 0.0, 1.0)
    assert judged_by_words("never", "never") == (0.0, 0.0, 1.0)
    assert np.isclose(sum(judged_by_words("I can't swim", "I can swim well")), 1)
    assert judged_by_words("I can't swim", "I can swim well")[0] == 0.5
