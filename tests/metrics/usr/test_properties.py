"""USR against its definition: on small models, and on a RoBERTa with random weights."""

from __future__ import annotations

import itertools
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from amounts import everyday
from hypothesis import given
from hypothesis import strategies as st
from needs import WORDS
from small_encoder import Letters, make_encoder
from small_masked_model import make_masked_model

from metrics.usr.plain import masked_likelihood, overall
from metrologue import trace
from metrologue.errors import InputError
from metrologue.language_models import open_model
from metrologue.representations import CrossEncoder
from metrologue.scorers import Scorer, Usr

TEXTS = st.sampled_from(["the cat", "you really sat", "a Dog saw", "mat", ""])
DIALOGUES = st.lists(st.tuples(st.lists(TEXTS, max_size=3), TEXTS, TEXTS), min_size=1, max_size=4)


def made(**fields: Any) -> Usr:
    return Usr(**{"model": WORDS, "context_encoder": Letters(), "fact_encoder": Letters(), **fields})


def logs(text: str) -> list[float]:
    return WORDS.score_texts(pa.array([text], pa.large_string())).log_probabilities.tolist()


def cosine(one: str, other: str) -> float:
    u, v = Letters().encode_texts([one, other]).astype(float)
    return float(u @ v / np.sqrt(u @ u) / np.sqrt(v @ v)) if one.strip() and other.strip() else 0.0


@given(dialogues=DIALOGUES)
def test_definition_of_the_program(dialogues: list[tuple[list[str], str, str]]) -> None:
    contexts, facts, responses = ([*each] for each in zip(*dialogues, strict=True))
    found = made().segment_scores(responses, contexts=contexts, facts=facts)
    for row, (context, fact, response) in enumerate(dialogues):
        last, fact = (" ".join(text.lower().split()) for text in (context[-1] if context else "", fact))
        said = " ".join(f"_go {response.lower()} _eos".split())
        own = logs(f"{last} _eos {said}")
        plain = {
            "mlm": sum(own) / len(own),
            "dr_c": cosine(f"{last} _eos {fact} _eos", said),
            "dr_f": cosine(f"{fact} _eos", said),
        }
        assert {name: found[name][row] for name in plain} == pytest.approx(plain, abs=1e-6)
        assert found["usr"][row] == pytest.approx(overall(plain), abs=1e-5)
    assert made().corpus(responses, contexts=contexts, facts=facts).value == pytest.approx(found["usr"].mean())


@given(dialogues=DIALOGUES, mode=st.sampled_from(["response", "sum"]))
def test_definition_over_the_response(dialogues: list[tuple[list[str], str, str]], mode: str) -> None:
    contexts, facts, responses = ([*each] for each in zip(*dialogues, strict=True))
    usr = Usr.variant("usr-causal", model=WORDS, context_encoder=Letters(), fact_encoder=Letters(), likelihood=mode)
    found = usr.segment_scores(responses, contexts=contexts, facts=facts)
    for row, (context, fact, response) in enumerate(dialogues):
        own = logs(response)
        mlm = sum(own) / (max(len(own), 1) if mode == "response" else 1)
        plain = [mlm, cosine("\n".join(context), response), cosine(fact, response)]
        assert [found[name][row] for name in ("mlm", "dr_c", "dr_f")] == pytest.approx(plain, abs=1e-6)
        assert found["usr"][row] == pytest.approx(sum(plain), abs=1e-6)


def test_the_authors_regression() -> None:
    usr = Usr()
    at = np.array([*usr.means, 1.0])
    assert float(usr.score(at)["usr"]) == 3.5974754476
    worked = np.array([usr.means[0] + usr.deviations[0], 1.0, 1.0, 1.0])
    assert round(float(usr.score(worked)["usr"]), 6) == 5.535236
    numbers = {"mlm": -0.7, "dr_c": 0.2, "dr_f": 0.9}
    assert float(usr.score(np.array([*numbers.values(), 1.0]))["usr"]) == pytest.approx(overall(numbers), rel=1e-12)


def test_a_regression_is_fitted_to_ratings() -> None:
    contexts, facts = [["the cat sat"]] * 6, ["a mat", "the dog", "a cat", "you sat", "a log", "the mat"]
    responses = ["the cat", "a dog sat", "you", "really the mat", "log", "a bird sat"]
    parts = made().segment_scores(responses, contexts=contexts, facts=facts)
    ratings = 2 + 3 * parts["mlm"] - parts["dr_c"] + 0.5 * parts["dr_f"]
    fitted = made().with_regression(responses, ratings, contexts=contexts, facts=facts)
    assert fitted.segments(responses, contexts=contexts, facts=facts) == pytest.approx(ratings, abs=1e-9)
    assert Scorer.from_signature(fitted.signature) == fitted
    for wrong, message in [
        ([1.0] * 5, "`ratings` are 5 numbers for 6 predictions"),
        ([1.0] * 5 + [np.nan], r"`ratings\[5\]` is not finite"),
        (["good"] * 6, "`ratings` are no numbers"),
        (np.ones((6, 2)), r"`ratings` are of shape \(6, 2\) for 6 predictions"),
    ]:
        with pytest.raises(InputError, match=message):
            made().with_regression(responses, wrong, contexts=contexts, facts=facts)


def test_without_facts_the_context_stands_in_their_place() -> None:
    usr = made(form="plain")
    contexts = [["the cat sat", "you sat"]]
    alone, told = (usr.corpus(["a cat"], contexts=contexts, **own).scores for own in ({}, {"facts": contexts}))
    assert alone == told
    assert alone["dr_c"] == alone["dr_f"]
    assert usr.corpus([["the cat sat", "you sat", "a cat"]]).scores == alone
    with pytest.warns(UserWarning, match="1 conversation has one turn only"):
        assert usr.corpus(["a cat"]).scores["dr_c"] == 0


def test_what_is_missing_is_named() -> None:
    for name in ("model", "context_encoder", "fact_encoder"):
        with pytest.raises(InputError, match=f"Usr: `{name}` is missing. The authors' models"):
            made(**{name: None}).corpus(["a"], contexts=["b"])
    with pytest.raises(InputError, match="1 prediction but 2 facts"):
        made().corpus(["a"], contexts=["b"], facts=["c", "d"])
    with pytest.raises(InputError, match="three numbers, for mlm, dr_c and dr_f"):
        Usr(weights=(1.0, 2.0))


def test_trace_has_the_score_after_each_turn() -> None:
    usr, turns = made(), ["the cat sat", "you really sat", "a dog"]
    shown = trace(usr, turns[-1], contexts=turns[:-1], facts="a cat")
    assert shown.table("turns").column("usr")[-1] == pytest.approx(shown.value)
    assert shown.table("turns").column("usr")[1] == pytest.approx(
        usr.corpus([turns[1]], contexts=[turns[:1]], facts=["a cat"]).value
    )


# ----- A RoBERTa with random weights -----


@pytest.fixture(scope="module")
def roberta(tmp_path_factory: pytest.TempPathFactory) -> Path:
    pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    pytest.importorskip("transformers", reason="transformers is not installed: pip install transformers")
    return make_masked_model(tmp_path_factory.mktemp("models") / "roberta")


@pytest.fixture(scope="module")
def plain_model(roberta: Path) -> Any:
    """The tokenizer, and the log-probability of the token at a place that is masked, by plain torch."""
    import torch
    import transformers

    tokenizer = transformers.AutoTokenizer.from_pretrained(roberta)
    model = transformers.AutoModelForMaskedLM.from_pretrained(roberta).eval()

    def log_probability(ids: list[int], place: int) -> float:
        masked = [tokenizer.mask_token_id if at == place else each for at, each in enumerate(ids)]
        with torch.no_grad():
            logits = model(torch.tensor([masked])).logits[0, place].double()
        return float(logits[ids[place]] - logits.logsumexp(-1))

    return tokenizer, log_probability


LONG = " ".join(["the cat sat on the mat and a dog saw a bird"] * 9)


@pytest.mark.parametrize(
    ("context", "last"),
    everyday(
        itertools.product(["did you see a bird ?", LONG], [None, 100, 12]),
        lambda each: each in [("did you see a bird ?", None), ("did you see a bird ?", 12), (LONG, 12)],
    ),
)
def test_code_mode_masks_each_of_the_last_tokens(
    roberta: Path, plain_model: Any, context: str, last: int | None
) -> None:
    tokenizer, log_probability = plain_model
    usr = made(model=open_model(roberta, last=last))
    found = usr.corpus(["The dog saw the cat ."], contexts=[["Hi !", context]])
    before = " ".join(context.split()[-52:])
    ids = tokenizer(f"{before} _eos _go the dog saw the cat . _eos")["input_ids"]
    own = masked_likelihood(log_probability, ids, last)
    assert found.scores["mlm"] == pytest.approx(sum(own) / len(own), abs=1e-5)


def test_paper_mode_sums_over_the_response(roberta: Path, plain_model: Any) -> None:
    tokenizer, log_probability = plain_model
    usr = Usr.variant("paper", model=open_model(roberta), context_encoder=Letters(), fact_encoder=Letters())
    found = usr.corpus(["the dog saw the cat ."], contexts=["did you see a bird ?"])
    ids = tokenizer("did you see a bird ? _eos _go the dog saw the cat . _eos")["input_ids"]
    first = len(tokenizer("did you see a bird ? _eos")["input_ids"]) - 1
    own = masked_likelihood(log_probability, ids, None, range(first, len(ids) - 1))
    assert found.scores["mlm"] == pytest.approx(sum(own), abs=1e-4)
    with pytest.raises(InputError, match="reads the last tokens of a text only"):
        made(model=open_model(roberta, last=100), likelihood="sum").corpus(["a dog"], contexts=["a cat"])


def test_masked_model(roberta: Path) -> None:
    model = open_model(roberta)
    texts = pa.array(["a dog saw the cat", "", "the mat"], pa.large_string())
    scores = model.score_texts(texts)
    assert [len(model.tokens(text)) for text in texts.to_pylist()] == np.diff(scores.offsets).tolist()
    assert np.diff(scores.offsets)[1] == 0
    alone = open_model(roberta, batch_size=1).score_texts(texts).log_probabilities
    assert scores.log_probabilities == pytest.approx(alone, abs=1e-5)
    assert open_model(roberta, last=9).name == f"{model.name}+last-9"
    with pytest.raises(InputError, match=r"`texts\[1\]` has .* tokens, and the model's context is 200; give `last`"):
        model.score_texts(pa.array(["a", " ".join([LONG] * 3)], pa.large_string()))


def test_a_classifier_of_pairs_gives_the_probability_of_its_second_label(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="torch is not installed: pip install torch")
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    folder = make_encoder(tmp_path, labels=2)
    found = made(form="plain", context_encoder=CrossEncoder(folder)).corpus(["the dog"], contexts=["a cat sat"])
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    model = transformers.AutoModelForSequenceClassification.from_pretrained(folder).eval()
    with torch.no_grad():
        logits = model(**tokenizer("a cat sat", "the dog", return_tensors="pt")).logits[0]
    assert found.scores["dr_c"] == pytest.approx(float(logits.softmax(-1)[1]), abs=1e-6)
