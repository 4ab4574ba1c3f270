"""BARTScore against its definition, the plain forward pass of a model, and bad input."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.bartscore.plain import bartscore
from metrologue.errors import InputError
from metrologue.representations import FunctionSequence, NamedSequence
from metrologue.scorers import BartScore

logs = st.lists(st.floats(-9, 0), min_size=1, max_size=4)


def _given(table: dict[tuple[str, str], list[float]]) -> NamedSequence:
    return NamedSequence.of(FunctionSequence("given", lambda source, target: table[source, target], "1"))


@given(rows=st.lists(st.tuples(logs, logs), min_size=1, max_size=4))
def test_definition(rows: list[tuple[list[float], list[float]]]) -> None:
    texts, references = [f"t{i}" for i in range(len(rows))], [f"r{i}" for i in range(len(rows))]
    table = {pair: own for i, (forth, back) in enumerate(rows)
             for pair, own in (((f"r{i}", f"t{i}"), forth), ((f"t{i}", f"r{i}"), back))}  # fmt: skip
    expected = bartscore([forth for forth, _ in rows], [back for _, back in rows])
    for direction in ("precision", "recall", "f"):
        found = BartScore(model=_given(table), direction=direction).corpus(texts, references)
        assert found.value == pytest.approx(expected[direction], rel=1e-12, abs=1e-12)
    assert found.scores["recall"] == pytest.approx(expected["recall"], rel=1e-12, abs=1e-12)
    precision = BartScore(model=_given(table), direction="precision").segments(texts, references)
    assert (BartScore(model=_given(table)).segments(texts, references) == precision).all()


def test_several_references() -> None:
    model = _given({("a", "x"): [-1.0], ("b", "x"): [-3.0]})
    assert BartScore(model=model).corpus(["x"], [["a", "b"]]).value == -2
    assert BartScore(model=model, multi_reference="best").corpus(["x"], [["b", "a"]]).value == -1


@pytest.mark.parametrize("kind", ["bart", "t5"])
def test_the_plain_forward_pass(kind: str, tmp_path: Path) -> None:
    """As BARTScorer.score of the authors computes it: the mean loss over the tokens of the target."""
    transformers = pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_sequence import make_sequence_model

    folder = make_sequence_model(tmp_path / kind, kind)
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    sources, texts = ["the cat sat on the mat .", "the dog"], ["the dog sat", "the cat and the dog sat on it"]

    def plain(source: str, target: str) -> float:
        ids = {name: tokenizer(text, return_tensors="pt")["input_ids"] for name, text in
               (("input_ids", source), ("labels", target))}  # fmt: skip
        with torch.no_grad():
            return -float(model(**ids).loss)

    forth, back = ([plain(*pair) for pair in zip(*side, strict=True)] for side in ((sources, texts), (texts, sources)))
    scorer = BartScore.variant("bart-score", model=str(folder))
    assert scorer.segments(texts, sources) == pytest.approx(forth, rel=1e-5)
    assert scorer.segments(texts[1:], sources[1:]) == pytest.approx(forth[1:], rel=1e-5)  # whatever is in the batch
    for one in (str(folder), (model, tokenizer)):
        found = BartScore.variant("bart-score-f", model=one).corpus(texts, sources).scores
        assert (found["precision"], found["recall"]) == pytest.approx((np.mean(forth), np.mean(back)), rel=1e-5)
    recall = BartScore.variant("bart-score-recall", model=str(folder))
    assert recall.segments(texts, sources) == pytest.approx(back, rel=1e-5)


def test_long_texts(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    from small_sequence import make_sequence_model

    folder = str(make_sequence_model(tmp_path / "bart"))
    with pytest.raises(InputError, match=r"`predictions\[1\]` or its reference is longer than the model's context, by"):
        BartScore(model=folder).corpus(["a", "the cat " * 40], ["a", "b"])  # type: ignore[arg-type]
    with pytest.warns(UserWarning, match="1 pair is longer than the model's context; the end was left out"):
        BartScore.variant("bart-score", model=folder).corpus(["the cat " * 40], ["b"])


def test_bad_input(tmp_path: Path) -> None:
    for wrong in ([], [1.0], ["a"], [float("nan")], None):
        model: Any = FunctionSequence("wrong", lambda source, target, wrong=wrong: wrong, "1")  # type: ignore[misc]
        with pytest.raises(InputError, match="a log-probability for each token is expected"):
            BartScore(model=model).corpus(["a"], ["b"])
    with pytest.raises(InputError, match=r"no/such.* is no folder, and no model on a Hub in reach"):
        BartScore(model="no/such")  # type: ignore[arg-type]
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    from small_encoder import make_encoder

    with pytest.raises(InputError, match="cannot be read as a sequence-to-sequence model"):
        BartScore(model=str(make_encoder(tmp_path / "encoder")))  # type: ignore[arg-type]
