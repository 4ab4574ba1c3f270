"""UniEval against its definition, the plain forward pass of a model, its questions, and bad input."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrics.unieval.plain import answer, unieval
from metrologue.errors import InputError
from metrologue.representations import FunctionSequence, NamedSequence
from metrologue.scorers import UniEval
from metrologue.scorers.unieval.questions import TASKS

shares = st.tuples(st.floats(0.01, 0.5), st.floats(0.01, 0.5))
QUESTIONS = [(task, name) for task, questions in TASKS.items() for name in questions]


def _given(table: dict[str, tuple[float, float]]) -> NamedSequence:
    """A model that answers each question with these probabilities of yes and no."""
    model = FunctionSequence("given", lambda source, target: [math.log(table[source][target == "No"])], "1")
    return NamedSequence.of(model)


@given(pairs=st.lists(shares, min_size=2, max_size=3), whole=shares)
def test_definition(pairs: list[tuple[float, float]], whole: tuple[float, float]) -> None:
    said = [f"It is {i}." for i in range(len(pairs))]
    asked = "question: Is this a fluent paragraph? </s> paragraph: "
    relevant = "question: Is this summary relevant to the reference? </s> summary: "
    table = {asked + one: pair for one, pair in zip(said, pairs, strict=True)}
    table[f"{relevant}{' '.join(said)} </s> reference: r"] = whole
    scorer = UniEval(model=_given(table), dimensions=("fluency", "relevance"), sentences="marks")
    found = scorer.corpus([" ".join(said)], ["r"])
    assert found.value == pytest.approx(unieval([("mean", pairs), ("mean", [whole])]), rel=1e-9)
    assert found.scores["relevance"] == pytest.approx(answer(*whole), rel=1e-9)


@given(pairs=st.lists(shares, min_size=1, max_size=3))
def test_engagingness_is_a_sum(pairs: list[tuple[float, float]]) -> None:
    said = [f"It is {i}." for i in range(len(pairs))]
    asked = TASKS["dialogue"]["engagingness"]
    table = {asked.spelled({"predictions": one, "sources": "Hi!", "facts": "f"}): pair
             for one, pair in zip(said, pairs, strict=True)}  # fmt: skip
    scorer = UniEval(model=_given(table), task="dialogue", dimensions=("engagingness",), sentences="marks")
    found = scorer.corpus([" ".join(said)], sources=["Hi!"], facts=["f"])
    assert found.value == pytest.approx(unieval([("sum", pairs)]), rel=1e-9)


@pytest.mark.parametrize(("task", "name"), QUESTIONS)
def test_the_plain_forward_pass(task: str, name: str, tmp_path: Path) -> None:
    """As the authors' UniEvaluator.score computes it: the softmax at the first token, of Yes and No."""
    transformers = pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_sequence import make_sequence_model

    folder = make_sequence_model(tmp_path / "t5", "t5")
    model = transformers.AutoModelForSeq2SeqLM.from_pretrained(folder).eval()
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    texts = {"predictions": "the dog sat .", "sources": "the cat", "references": "the log", "facts": "the mat"}
    question = TASKS[task][name].spelled(texts)
    yes, no = (tokenizer(word)["input_ids"][0] for word in ("Yes", "No"))
    ids = tokenizer(question, return_tensors="pt")
    with torch.no_grad():
        shares = model(**ids, labels=torch.tensor([[no]])).logits[0, 0].softmax(-1)
    scorer = UniEval(model=str(folder), task=task, dimensions=(name,), sentences="newline")  # type: ignore[arg-type]
    columns: dict[str, Any] = {key: [text] for key, text in texts.items()}
    found = scorer.corpus(**columns)
    assert found.value == pytest.approx(float(shares[yes] / (shares[yes] + shares[no])), rel=1e-5)


def test_what_stands_in_the_place_of_missing_texts() -> None:
    model = NamedSequence.of(FunctionSequence("long", lambda source, _: [-len(source) / 9], "1"))
    scorer = UniEval(model=model, task="dialogue", dimensions=("groundedness",))
    with pytest.warns(UserWarning, match="there are no `facts`; `sources` stand in their place"):
        scorer.corpus(["Hi."], sources=["Hello."])
    with pytest.warns(UserWarning, match="there are no `facts`; `references` stand in their place"):
        scorer.corpus(["Hi."], ["Hello."])
    with pytest.raises(InputError, match="`facts` are missing; the question about groundedness names them"):
        scorer.corpus(["Hi."])
    with pytest.raises(InputError, match="`references` are missing; the question about relevance names them"):
        UniEval(model=model, dimensions=("relevance",)).corpus(["Hi."], sources=["Hello."])


def test_several_references_and_texts_without_content() -> None:
    def short(source: str, target: str) -> list[float]:
        return [-len(source) / 100 if target == "Yes" else -1.0]

    model = NamedSequence.of(FunctionSequence("short", short, "1"))
    scorer = UniEval(model=model, task="data2text", dimensions=("informativeness",))
    one, other = scorer.segments(["It rains."] * 2, ["Rain.", "A lot of rain fell."])
    assert scorer.corpus(["It rains."], [["A lot of rain fell.", "Rain."]]).value == one > other
    assert scorer.segments(["", " "], ["a", "a"]).tolist() == [0, 0]


def test_bad_input(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"`dimensions` is .*; those of fact: consistency is expected"):
        UniEval(task="fact", dimensions=("fluency",))
    with pytest.raises(InputError, match=r"`dimensions` is .*; a list of dimensions, each once, is expected"):
        UniEval(dimensions=("fluency", "relevance", "fluency"))
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    from small_sequence import make_sequence_model

    model: Any = str(make_sequence_model(tmp_path / "bart"))
    scorer = UniEval(model=model, task="data2text")
    with pytest.raises(
        InputError, match=r"`predictions\[0\]` makes a question that is longer than the model's context"
    ):
        scorer.corpus(["the cat " * 40], ["b"])
    with pytest.warns(UserWarning, match="2 questions are longer than the model's context; the end was left out"):
        UniEval.variant("unieval-d2t", model=model).corpus(["the cat " * 40], ["b"])
