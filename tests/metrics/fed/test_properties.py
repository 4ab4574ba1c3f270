"""FED against its definition, and against the authors' steps on a small model with random weights."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import WORDS
from small_causal_model import make_model
from small_model import WordModel

from metrics.fed.plain import quality
from metrologue import trace
from metrologue.errors import InputError
from metrologue.language_models import FunctionModel, open_model
from metrologue.scorers import Fed, Scorer
from metrologue.scorers.fed.follow_ups import DIALOGUE, QUALITIES, TURN

TURNS = st.lists(st.sampled_from(["Hi!", "the cat", "you really sat", "That's the mat.", ""]), min_size=1, max_size=3)


def log_probabilities(text: str) -> list[float]:
    return WORDS.score_texts(pa.array([text], pa.large_string())).log_probabilities.tolist()


@given(
    dialogues=st.lists(TURNS, min_size=1, max_size=3),
    of=st.sampled_from(["conversation", "follow-up", "sum"]),
    join=st.sampled_from(["mean", "sum"]),
)
def test_definition(dialogues: list[list[str]], of: str, join: str) -> None:
    fed = Fed(model=WORDS, likelihood=of, join=join)
    rows = fed.segment_scores([each[-1] for each in dialogues], contexts=[each[:-1] for each in dialogues])
    plain = {
        name: [quality(log_probabilities, each, [*own.good], [*own.bad], of, join) for each in dialogues]
        for name, own in QUALITIES["both"].items()
    }
    for name, values in plain.items():
        assert rows[name] == pytest.approx(values, rel=1e-12, abs=1e-12)
    assert rows["fed"] == pytest.approx(np.mean([*plain.values()], axis=0), rel=1e-12, abs=1e-12)
    whole = fed.corpus(dialogues)
    assert whole.value == pytest.approx(rows["fed"].mean(), rel=1e-12, abs=1e-12)
    assert whole.scores["segments"] == len(dialogues)


def test_there_are_eight_and_ten_qualities_with_the_papers_utterances() -> None:
    assert (len(TURN), len(DIALOGUE)) == (8, 10)
    every = [text for each in QUALITIES["both"].values() for side in each for text in side]
    assert (len(every), len({*every})) == (73, 63)
    only_bad = [name for name, each in QUALITIES["both"].items() if not each.good]
    assert only_bad == [
        "relevant",
        "correct",
        "coherent",
        "error_recovery",
        "consistent",
        "diverse",
        "depth",
        "understand",
    ]


def test_levels() -> None:
    found = {level: Fed(model=WORDS, level=level).corpus([["Hi!", "you"]]).scores for level in QUALITIES}
    assert [*found["turn"]] == ["fed", *TURN, "segments"]
    assert [*found["dialogue"]] == ["fed", *DIALOGUE, "segments"]
    assert {**found["turn"], **found["dialogue"], "fed": 0} == {**found["both"], "fed": 0}


def test_a_dialogue_is_a_response_with_its_context() -> None:
    fed = Fed(model=WORDS)
    turns = ["Hi!", "you sat", "the mat"]
    whole = fed.corpus([turns]).scores
    assert fed.corpus(["\n".join(turns)]).scores == whole
    for contexts in ([turns[:2]], ["Hi!\n you sat \n\n"], np.array(["Hi!\nyou sat"])):
        assert fed.corpus(["the mat"], contexts=contexts).scores == whole
    assert fed.corpus([turns[1:]], contexts=[turns[:1]]).scores == whole
    arrow = pa.array([turns[:2]], pa.list_(pa.string()))
    assert fed.corpus(pa.array(["the mat"]), contexts=arrow).scores == whole
    assert Fed(model=WORDS, last_turns=1).corpus([turns]).scores == fed.corpus(["the mat"]).scores


def test_a_conversation_of_one_turn_has_a_score_and_a_warning() -> None:
    fed = Fed(model=WORDS)
    with pytest.warns(UserWarning, match="Fed: 2 conversations have one turn only; give `contexts`"):
        alone = fed.segments(["you", "the", "a"], contexts=["", "\n", "Hi!"])
    assert alone[0] == pytest.approx(fed.segments([["you"], ["a", "b"]])[0])
    with pytest.warns(UserWarning, match="1 conversation has one turn only"):
        assert math.isfinite(fed.corpus([""]).value)  # a turn without words
    assert math.isfinite(fed.corpus([""], contexts=["Hi!"]).value)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"predictions": ["a"], "contexts": []}, "1 prediction but 0 context"),
        ({"predictions": ["a", "b"], "contexts": ["c", None]}, r"`contexts\[1\]` is None"),
        (
            {"predictions": ["a", "b"], "contexts": [["c"], "d"]},
            r"`contexts\[1\]` is str 'd' but earlier items are lists",
        ),
        ({"predictions": ["a"], "contexts": [["c", 3]]}, r"`contexts\[0\]\[1\]` is int 3"),
        ({"predictions": ["a"], "contexts": "c"}, "`contexts` is a bare str"),
        ({"predictions": [[]]}, r"`predictions\[0\]` is an empty list"),
    ],
)
def test_bad_input(arguments: dict[str, object], message: str) -> None:
    with pytest.raises(InputError, match=message):
        Fed(model=WORDS).corpus(**arguments)


def test_a_model_is_needed_and_must_give_probabilities() -> None:
    with pytest.raises(InputError, match="Fed: `model` is missing; give a folder with a causal model"):
        Fed().corpus([["a", "b"]])
    never = WordModel("never@1", 2.0, {"cat": -math.inf}, -1.0)
    with pytest.raises(InputError, match=r"`predictions\[1\]`: never@1 gives one of its tokens no probability above 0"):
        Fed(model=never).corpus([["a", "b"], ["a", "cat"]])
    silent = FunctionModel("silent", lambda texts: [[] for _ in texts], "1")
    with pytest.raises(InputError, match="cuts a follow-up into no tokens"):
        Fed(model=silent).corpus([["a", "b"]])


def test_base_of_the_model() -> None:
    other = WordModel(
        "words@2", 2.0, {word: log / math.log(2) for word, log in WORDS.known.items()}, WORDS.other / math.log(2)
    )
    ours, theirs = (Fed(model=model).corpus([["you", "the"]]).scores for model in (WORDS, other))
    assert theirs == pytest.approx(ours, rel=1e-12)


def test_signature_names_the_model() -> None:
    fed = Fed(model=WORDS, level="turn", last_turns=3)
    assert "model=words@1" in fed.signature
    assert Scorer.from_signature(fed.signature) == fed


def test_trace_has_the_score_after_each_turn() -> None:
    fed, turns = Fed(model=WORDS), ["you", "the really", "That's the mat"]
    shown = trace(fed, turns[-1], contexts=turns[:-1])
    scores = fed.segments([turns[:1], turns[:2], turns])
    assert shown.table("turns").column("fed") == tuple(scores)
    assert shown.table("turns").column("place") == (1, 2, 3)
    assert shown.value == fed.corpus([turns]).value == pytest.approx(scores[-1])
    assert dict(zip(shown.table("numbers").column("number"), shown.table("numbers").column("value"), strict=True)) == {
        name: value for name, value in fed.corpus([turns]).scores.items() if name != "segments"
    }
    assert "That's the mat" in shown.text()


def test_the_authors_steps(tmp_path: Path) -> None:
    """The loss of `transformers` for each text, and the differences of their means, as fed.py has them."""
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    transformers = pytest.importorskip("transformers", reason="it is not installed: pip install transformers")
    folder = make_model(tmp_path, "bloom", bos_token="<|endoftext|>", eos_token="<|endoftext|>")
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForCausalLM.from_pretrained(folder).eval()

    def loss(text: str) -> float:
        ids = torch.tensor([tokenizer.encode(f"<|endoftext|> {text}", add_special_tokens=False)])
        with torch.no_grad():
            return float(model(ids, labels=ids).loss)

    turns = ["The cat sat on the mat.", "Did you see the dog?", "A bird sang."]
    said = " <|endoftext|> ".join(turns)

    def side(texts: tuple[str, ...]) -> float:
        return sum(loss(f"{said} <|endoftext|> {text}") for text in texts) / max(len(texts), 1)

    ours = Fed(model=open_model(folder)).corpus([turns]).scores
    for name, each in QUALITIES["both"].items():
        assert ours[name] == pytest.approx(side(each.bad) - side(each.good), abs=1e-5), name


def test_a_model_that_cuts_texts_off_is_refused(tmp_path: Path) -> None:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    pytest.importorskip("transformers", reason="it is not installed: pip install transformers")
    folder = make_model(tmp_path)
    with pytest.raises(InputError, match=r"`max_length` of .* cuts the end of texts off"):
        Fed(model=open_model(folder, max_length=8)).corpus([["a", "b"]])
    with pytest.raises(InputError, match=r"Fed: `predictions\[0\]` has .* tokens"):
        Fed(model=open_model(folder)).corpus([["The cat sat on the mat."] * 9])
