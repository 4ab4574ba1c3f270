"""NLI faithfulness against its definition over given probabilities, the model of transformers, and bad input."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from needs import JUDGE

from metrics.nli_faithfulness.plain import data_to_text, nli_faithfulness, summac_zs
from metrologue import trace
from metrologue.errors import InputError
from metrologue.representations import FunctionEntailment, NamedEncoder
from metrologue.scorers import NliFaithfulness
from metrologue.scorers.nli_faithfulness import VERDICTS

shares = st.tuples(*[st.integers(1, 20)] * 3).map(lambda own: tuple(part / sum(own) for part in own))


def _given(table: dict[tuple[str, str], Any]) -> NamedEncoder:
    return NamedEncoder.of(FunctionEntailment.of_table("given", table))


@given(judged=st.lists(st.lists(shares, min_size=3, max_size=3), min_size=1, max_size=4))
def test_definition(judged: list[list[Any]]) -> None:
    table = {(f"s{j}.", f"c{i}."): own for i, row in enumerate(judged) for j, own in enumerate(row)}
    scorer = NliFaithfulness(model=_given(table))
    text = " ".join(f"c{i}." for i in range(len(judged)))
    assert scorer.corpus([text], ["s0. s1. s2."]).value == pytest.approx(nli_faithfulness(judged), rel=1e-12)
    # The premises of several sources are premises of one text.
    assert scorer.corpus([text], [["s0.", "s1. s2."]]).value == pytest.approx(nli_faithfulness(judged), rel=1e-12)


@given(whole=shares, back=shares, facts=st.lists(shares, min_size=2, max_size=4))
def test_definition_of_facts(whole: Any, back: Any, facts: list[Any]) -> None:
    said = [f"The p{i} of x is {i}." for i in range(len(facts))]
    together = " ".join(said)
    table = {(together, "it"): whole, ("it", together): back}
    table |= {("it", one): own for one, own in zip(said, facts, strict=True)}
    scorer = NliFaithfulness.variant("data-to-text", model=_given(table))
    found = scorer.corpus(["it"], [[f"x | p{i} | {i}" for i in range(len(facts))]]).scores
    verdict, confidence = data_to_text(whole, back, facts)
    ties = any(sorted(each)[1] == max(each) for each in (whole, back, *facts))
    assert found["nli_faithfulness"] == pytest.approx(confidence, rel=1e-12)
    assert ties or {name: found[name] for name in VERDICTS} == {name: float(name == verdict) for name in VERDICTS}


def test_the_hand_case() -> None:
    table = {("A.", "X."): (0.5, 0.4, 0.1), ("B.", "X."): (0, 0.1, 0.9), ("A.", "Y."): (0.6, 0.1, 0.3),
             ("B.", "Y."): (0.4, 0.4, 0.2)}  # fmt: skip
    found = NliFaithfulness(model=_given(table)).corpus(["X. Y."], ["A. B."])
    assert found.value == pytest.approx(0.6)
    assert {**found.scores, "nli_faithfulness": 0} == {
        "nli_faithfulness": 0, "entailed": 0.5, "contradicted": 0.5, "segments": 1,
    }  # fmt: skip


def test_the_whole_source_and_the_whole_text() -> None:
    scorer = NliFaithfulness.variant("maynez", model=_given({("A. B.", "X. Y."): (0.1, 0.2, 0.7)}))
    assert scorer.corpus(["X. Y."], ["A. B."]).value == pytest.approx(0.7)
    runs = NliFaithfulness(model=_given({("A. B.", "X."): (0, 1, 0), ("C.", "X."): (0, 0.5, 0.5)}), window=2)
    assert runs.corpus(["X."], ["A. B. C."]).value == pytest.approx(0.5)


def test_templates_and_optional_facts() -> None:
    table = {
        ("Oslo is in Norway. The size of Oslo is big.", "Oslo, Norway"): (0.0, 0.1, 0.9),
        ("Oslo, Norway", "Oslo is in Norway."): (0.1, 0.1, 0.8),
    }
    scorer = NliFaithfulness.variant(
        "data-to-text", model=_given(table), templates=("land: {subject} is in {object}.",), optional_facts=("size",)
    )
    found = scorer.corpus(["Oslo, Norway"], [["Oslo | land | Norway", "Oslo | size | big"]])
    assert found.value == pytest.approx(0.8)
    assert found.scores["ok"] == 1
    shown = trace(scorer, "Oslo, Norway", ["Oslo | land | Norway", "Oslo | size | big"])
    assert shown.remarks == ("verdict: ok",)
    assert shown.formula == "nli_faithfulness = min(0.9000, 0.8000) = 0.8"


def test_trace() -> None:
    shown = trace(NliFaithfulness(model=NamedEncoder.of(JUDGE)), "a cat. dogs ran.", ["a cat. a dog sat."])
    assert shown.formula == "nli_faithfulness = (1.000 + 0.000)/2 = 0.5"
    assert shown.table("hypotheses").column("label") == ("entailment", "neutral")
    assert shown.table("hypotheses").column("premise") == ("a cat.", "a cat.")


def test_texts_without_content() -> None:
    scorer = NliFaithfulness(model=NamedEncoder.of(JUDGE))
    with pytest.warns(UserWarning, match="2 texts without content; the score is 0"):
        assert scorer.segments(["", " ", "a", "a"], ["a", "a", "", "a"]).tolist() == [0, 0, 0, 1]
    with pytest.warns(UserWarning, match="1 text without content"):
        found = NliFaithfulness.variant("data-to-text", model=NamedEncoder.of(JUDGE)).corpus([""], ["a | b | c"])
    assert found.scores["hallucination_and_omission"] == 1


def test_chunks_are_runs_of_sentences() -> None:
    """As the authors' program cuts a source: 9 words in chunks of 4 are 3 chunks; 7 sentences make runs of 2."""
    said = [f"s{i} x." if i < 2 else f"s{i}." for i in range(7)]
    runs = [" ".join(said[at : at + 2]) for at in range(0, 7, 2)]
    model = _given({(run, "t."): (0, 1 - share, share) for run, share in zip(runs, (0.1, 0.75, 0.2, 0.3), strict=True)})
    assert NliFaithfulness(model=model, chunk_words=4).corpus(["t."], [" ".join(said)]).value == 0.75


@pytest.mark.parametrize("kind", ["roberta", "bert"])
def test_a_checkpoint_of_alignscore(kind: str, tmp_path: Path) -> None:
    """A pooler and a linear layer on top of it, as the authors' BERTAlignModel has them."""
    transformers = pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_encoder import make_encoder

    from metrologue.scorers.nli_faithfulness.alignscore import open_alignscore

    folder, file = make_encoder(tmp_path / kind, kind), tmp_path / "small.ckpt"
    kinds = {"roberta": transformers.RobertaModel, "bert": transformers.BertModel}
    torch.manual_seed(3)
    base = kinds[kind](transformers.AutoConfig.from_pretrained(folder)).eval()
    tri = torch.nn.Linear(16, 3)
    state = {f"base_model.{name}": array for name, array in base.state_dict().items()}
    state |= {f"tri_layer.{name}": array for name, array in tri.state_dict().items()}
    torch.save({"state_dict": {**state, "bin_layer.bias": torch.zeros(2)}, "hyper_parameters": {"model": kind}}, file)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
    premise, text = "the cat sat on the mat.", "a cat sat."
    with torch.no_grad():
        pooled = base(**tokenizer(premise, text, return_tensors="pt")).pooler_output
        expected = torch.softmax(tri(pooled), dim=-1)[0]
    model: Any = open_alignscore(file, folder)
    judged, _ = model.judge_pairs([premise], [text])
    assert judged[0] == pytest.approx(expected.numpy()[::-1], rel=1e-5)
    scorer = NliFaithfulness.variant("alignscore", model=model, sentences="marks")
    assert scorer.corpus([text], [premise]).value == pytest.approx(float(expected[0]), rel=1e-5)
    torch.save({"state_dict": {name: each for name, each in state.items() if name != "tri_layer.bias"}}, file)
    with pytest.raises(InputError, match=r"the array of classifier\..*bias is missing; \(3,\) is expected"):
        open_alignscore(file, folder)
    torch.save({"state_dict": state, "config": Path}, file)
    with pytest.raises(InputError, match="cannot be read as weights alone"):
        open_alignscore(file, folder)
    torch.save([1], file)
    with pytest.raises(InputError, match="holds no `state_dict`"):
        open_alignscore(file, folder)
    other = make_encoder(tmp_path / "other", "distilbert")
    with pytest.raises(InputError, match="is a distilbert; roberta or bert is expected"):
        open_alignscore(file, other)


def test_bad_input() -> None:
    with pytest.raises(InputError, match="`templates` has 'no template'; one 'predicate: text"):
        NliFaithfulness(templates=("no template",))
    with pytest.raises(InputError, match="no probabilities are given of 'b' and 'a'"):
        NliFaithfulness(model=_given({})).corpus(["a"], ["b"])
    for wrong in ((0.5, 0.5), (1, 1, 1), "none", (2, -1, 0)):
        model: Any = FunctionEntailment("wrong", lambda premise, text, wrong=wrong: wrong, "1")  # type: ignore[misc]
        with pytest.raises(InputError, match="three probabilities are expected"):
            NliFaithfulness(model=model).corpus(["a"], ["b"])
    from small_encoder import Letters

    letters: Any = Letters()
    with pytest.raises(InputError, match="which gives no probabilities of inference"):
        NliFaithfulness(model=letters).corpus(["a"], ["b"])


def test_a_model_of_transformers_and_the_order_of_its_labels(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_encoder import make_encoder

    from metrologue.representations import EntailmentModel, open_encoder

    names = ["ENTAILMENT", "contradictory", "Neutral"]
    folder = _labelled(make_encoder(tmp_path / "three", labels=3), names)
    scorer = NliFaithfulness(model=str(folder))  # type: ignore[arg-type]
    premises, hypotheses = ["the cat sat.", "a dog saw the cat."], ["a cat sat."]
    model = open_encoder(folder)
    assert isinstance(model, EntailmentModel)
    ids = model._tokenizer(premises[0], hypotheses[0], return_tensors="pt")
    with torch.no_grad():
        plain = torch.softmax(model._model(**ids).logits.double(), dim=1)[0].numpy()
    judged, left_out = model.judge_pairs(premises, hypotheses * 2)
    assert np.allclose(judged[0], plain[[1, 2, 0]], rtol=1e-5)
    assert left_out.tolist() == [0, 0]
    expected = nli_faithfulness([[tuple(row) for row in judged.tolist()]])
    assert scorer.corpus(hypotheses, [" ".join(premises)]).value == pytest.approx(expected, rel=1e-5)
    with pytest.raises(InputError, match="is longer than the model's context, by"):
        scorer.corpus(["a cat sat."], ["the cat " * 40])
    told = "NliFaithfulness: 1 pair is longer than the model's context; the end of the longer text was left out."
    cut = NliFaithfulness.variant("maynez", model=str(folder))
    with pytest.warns(UserWarning, match=re.escape(told)):
        cut.corpus(["a cat sat.", "a cat."], ["the cat " * 40, "the cat."])
    assert told in trace(cut, "a cat sat.", ["the cat " * 40]).text()
    wrong = _labelled(make_encoder(tmp_path / "wrong", labels=3), ["entailment", "other", "neutral"])
    with pytest.raises(InputError, match="has the labels entailment, other, neutral, for 3 outputs; entailment, neutr"):
        EntailmentModel(wrong)


def test_models_of_two_labels_and_labels_that_say_nothing(tmp_path: Path) -> None:
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_encoder import make_encoder

    from metrologue.representations import EntailmentModel, open_encoder

    folder = make_encoder(tmp_path / "two", labels=2)
    premise, text = "the cat sat.", "a dog saw the cat."
    for names, order in ((["not_entailment", "entailment"], [2, 1, 0]), (["CORRECT", "INCORRECT"], [1, 2, 0])):
        model = open_encoder(_labelled(folder, names), batch_size=1 + order[0])
        assert isinstance(model, EntailmentModel)
        ids = model._tokenizer(premise, text, return_tensors="pt")
        with torch.no_grad():
            plain = [*torch.softmax(model._model(**ids).logits.double(), dim=1)[0].tolist(), 0.0]
        judged, _ = model.judge_pairs([premise], [text])
        assert judged[0] == pytest.approx([plain[place] for place in ([2, 0, 1] if order[0] == 2 else [1, 2, 0])])
        assert NliFaithfulness(model=NamedEncoder.of(model)).corpus([text], [premise]).value == judged[0, 2]
    unclear = _labelled(folder, ["LABEL_0", "LABEL_1"])
    with pytest.raises(InputError, match=r"gives no probabilities of inference; .* labels=\["):
        NliFaithfulness(model=str(unclear)).corpus(["a"], ["b"])  # type: ignore[arg-type]
    with pytest.raises(InputError, match="was given the labels entailment, for 2 outputs"):
        EntailmentModel(unclear, labels=["entailment"])
    told = EntailmentModel(unclear, labels=["CORRECT", "INCORRECT"])
    assert told.name.endswith("+entailment-contradiction")
    assert (told.judge_pairs([premise], [text])[0] == judged).all()


@given(judged=st.lists(st.lists(shares, min_size=3, max_size=3), min_size=1, max_size=4))
def test_definition_of_summac_zs(judged: list[list[Any]]) -> None:
    """As SummaCZS of summac 0.0.4 has it: sentences of more than 10 characters, and the first 100 of a source."""
    sources = [f"Sentence {j} of it." for j in range(3)]
    texts = [f"Claim number {i}." for i in range(len(judged))]
    table = {(sources[j], texts[i]): own for i, row in enumerate(judged) for j, own in enumerate(row)}
    scorer = NliFaithfulness.variant("summac-zs", model=_given(table))
    found = scorer.corpus([" ".join([*texts, "Too short."])], [" ".join([*sources, "No."] * 40)])
    assert found.value == pytest.approx(summac_zs(judged), rel=1e-12, abs=1e-12)


def _labelled(folder: Path, names: list[str]) -> Path:
    file = folder / "config.json"
    config = json.loads(file.read_text("utf-8"))
    config["id2label"] = dict(enumerate(names))
    config["label2id"] = {name: place for place, name in enumerate(names)}
    file.write_text(json.dumps(config), "utf-8")
    return folder
