"""BLEURT against its definition; its two trainings, its models, and what is refused."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from small_encoder import make_encoder
from small_trained import trained

import metrologue
from metrics.bleurt.plain import bleurt
from metrologue import Bleurt, InputError
from metrologue.learned import (
    Examples,
    Features,
    PairFunction,
    TrainedModel,
    open_model,
    read_examples,
    sample_model,
    save_model,
    train,
)
from metrologue.learned.store import SAMPLE
from metrologue.learned.synthetic import DAMAGES, MaskFilling, damaged, synthetic_pairs

TEXTS = ["the cat sat on the mat", "a dog saw the cat , and the log", "", "a bird"]
REFERENCES = ["a cat sat on a mat", "the dog saw the cat", "the tree", "a bird"]


@pytest.fixture
def torch() -> Any:
    pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
    return pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")


def make_port(folder: Path, narrow: int | None = None, seed: int = 0) -> Path:
    """A folder as the port of BLEURT to PyTorch saves it, with random weights. The tokenizer is a list of words."""
    import torch
    import transformers
    from safetensors.torch import save_file

    folder.mkdir()
    words = [
        "[PAD]",
        "[UNK]",
        "[CLS]",
        "[SEP]",
        "[MASK]",
        *["the", "cat", "sat", "on", "mat", "a", "dog", "saw", ",", "and", "log", "tree", "bird", "##s"],
    ]
    (folder / "vocab.txt").write_text("\n".join(words) + "\n", "utf-8")
    told = {"tokenizer_class": "BleurtTokenizer", "do_lower_case": True, "model_max_length": 24}
    (folder / "tokenizer_config.json").write_text(json.dumps(told), "utf-8")
    config = {
        "architectures": ["BleurtForSequenceClassification"], "model_type": "bleurt", "vocab_size": len(words),
        "embedding_size": narrow, "hidden_size": 8, "num_hidden_layers": 2, "num_attention_heads": 2,
        "intermediate_size": 12, "hidden_act": "gelu", "max_position_embeddings": 24, "type_vocab_size": 2,
        "layer_norm_eps": 1e-12, "pad_token_id": 0,
    }  # fmt: skip
    (folder / "config.json").write_text(json.dumps(config), "utf-8")
    torch.manual_seed(seed)
    shape = {
        key: value for key, value in config.items() if key not in ("architectures", "model_type", "embedding_size")
    }
    shape |= {"initializer_range": 0.5}
    if narrow:
        kind = transformers.RemBertConfig(input_embedding_size=narrow, bos_token_id=None, eos_token_id=None, **shape)
        own = transformers.RemBertModel(kind).state_dict()
    else:
        own = transformers.BertModel(transformers.BertConfig(**shape)).state_dict()
    named = {f"bleurt.{name}".replace("embedding_hidden_mapping_in", "embedding_projection"): each
             for name, each in own.items()}  # fmt: skip
    named |= {"classifier.weight": torch.randn(1, 8), "classifier.bias": torch.randn(1)}
    save_file(named, folder / "model.safetensors")
    return folder


def small_trainer(**settings: Any) -> Any:
    from metrologue.scorers.bleurt.training import BleurtTrainer

    chosen = {"epochs": 2, "synthetic": 24, "rate": 1e-3, "longest": 24, **settings}
    return BleurtTrainer(**chosen)


def plainly(network: Any, reference: str, text: str) -> float:
    """The score by the definition."""
    weights: Mapping[str, Any] = {name: each.tolist() for name, each in network.weights.items()}
    words = json.loads(network.tokenizer["tokenizer.json"])["model"]["vocab"]
    one, other = ([words.get(word, words["[UNK]"]) for word in each.split()] for each in (reference, text))
    ids = [words["[CLS]"], *one, words["[SEP]"], *other, words["[SEP]"]]
    return bleurt(weights, ids, [0] * (len(one) + 2) + [1] * (len(other) + 1), 2, 2)


@pytest.mark.parametrize("narrow", [None, 6])
def test_definition(narrow: int | None, torch: Any, tmp_path: Path) -> None:
    """A folder of the port, with wide and with narrow embeddings."""
    scorer = Bleurt(model=make_port(tmp_path / "port", narrow))
    network = trained_of(scorer)
    expected = [plainly(network, reference, text) for text, reference in zip(TEXTS, REFERENCES, strict=True)]
    assert len({round(each, 3) for each in expected}) == 4
    assert scorer.segments(TEXTS, REFERENCES) == pytest.approx(expected, abs=1e-5)
    assert scorer.corpus(TEXTS, REFERENCES).value == pytest.approx(np.mean(expected), abs=1e-5)


def trained_of(scorer: Bleurt) -> Any:
    assert scorer.model is not None
    return scorer.model.trained.network


def test_the_port_with_its_weights_in_plain_torch(torch: Any, tmp_path: Path) -> None:
    """The same numbers from transformers' own class for pairs, padded and in one batch."""
    import transformers

    folder = make_port(tmp_path / "port")
    network = trained_of(Bleurt(model=folder))
    kind = transformers.BertConfig(**{**network.config, "num_labels": 1})
    whole = transformers.BertForSequenceClassification(kind).eval()
    own = {name: torch.from_numpy(each) for name, each in network.weights.items()}
    whole.load_state_dict({
        name.replace("head.", "classifier.") if name.startswith("head.") else f"bert.{name}": each
        for name, each in own.items()
    })  # fmt: skip
    inputs = transformers.BertTokenizer.from_pretrained(folder)(REFERENCES, TEXTS, padding=True, return_tensors="pt")
    with torch.no_grad():
        expected = whole(**inputs).logits[:, 0].numpy()
    assert network.score_pairs(REFERENCES, TEXTS)[0] == pytest.approx(expected, abs=1e-6)


def test_a_port_that_is_not_whole(torch: Any, tmp_path: Path) -> None:
    folder = make_port(tmp_path / "port")
    weights = folder / "model.safetensors"
    weights.rename(folder / "pytorch_model.bin")
    with pytest.raises(InputError, match=r"has no model.safetensors, and pytorch_model.bin, which is pickled, is not"):
        Bleurt(model=folder)
    weights.write_bytes(b"nothing")
    with pytest.raises(InputError, match="holds no arrays in the format of safetensors"):
        Bleurt(model=folder)
    (folder / "config.json").write_text('{"model_type": "bert"}', "utf-8")
    with pytest.raises(InputError, match=r"is a folder without a model.json"):
        Bleurt(model=folder)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("max_position_embeddings", "x"), ("max_position_embeddings", 23), ("hidden_size", 10**9), ("hidden_size", -1),
        ("num_hidden_layers", 10**6), ("num_attention_heads", 0), ("hidden_act", "none"), ("vocab_size", [1]),
        ("embedding_size", {}), ("layer_norm_eps", "x"), ("model_type", ["bleurt"]),
    ],
)  # fmt: skip
def test_an_edited_configuration(key: str, value: Any, torch: Any, tmp_path: Path) -> None:
    folder = make_port(tmp_path / "port")
    config = json.loads((folder / "config.json").read_text("utf-8"))
    (folder / "config.json").write_text(json.dumps({**config, key: value}), "utf-8")
    with pytest.raises(InputError):
        Bleurt(model=folder).corpus(["a cat"], ["the cat"])


def test_long_pairs(torch: Any, tmp_path: Path) -> None:
    """24 tokens, 3 of which are marks: the longer text loses its end first."""
    folder, text, reference = make_port(tmp_path / "port"), " ".join(["the cat"] * 15), "a dog saw the tree"
    with pytest.warns(UserWarning, match=r"Bleurt: 1 pair is longer than the model's context; the end of the longer"):
        found = Bleurt(model=folder).segments([text, "a"], [reference, "a"])
    network = trained_of(Bleurt(model=folder))
    assert found[0] == pytest.approx(plainly(network, reference, " ".join(["the cat"] * 8)), abs=1e-5)
    with pytest.raises(InputError, match=r"Bleurt: `predictions\[1\]` and its reference are longer .*, by 14 tokens"):
        Bleurt(model=folder, too_long="error").segments(["a", text], ["a", reference])


def test_several_references_and_company(torch: Any, tmp_path: Path) -> None:
    scorer = Bleurt(model=make_port(tmp_path / "port"))
    alone = [scorer.segments(["a cat"], [each])[0] for each in REFERENCES]
    assert scorer.segments(["a cat"], [REFERENCES])[0] == pytest.approx(max(alone), abs=1e-6)
    mean = replace(scorer, multi_reference="mean")
    assert mean.segments(["a cat"], [REFERENCES])[0] == pytest.approx(np.mean(alone), abs=1e-6)
    matrix = scorer.pairwise(["a cat", "a dog"], REFERENCES)
    assert matrix[0] == pytest.approx(alone, abs=1e-6)
    # A function gives each pair its number, whatever is beside it.
    letters = Bleurt(model=trained("bleurt"))
    together = letters.segments(TEXTS * 9, [*REFERENCES, *TEXTS[::-1]] * 4 + TEXTS)
    assert together[0] == letters.segments(TEXTS[:1], REFERENCES[:1])[0]


def test_the_damages() -> None:
    draws, text, pool = np.random.default_rng(3), "one two three four five six", ["x", "y"]
    words = text.split()
    for _ in range(20):
        made = {how: damaged(text, how, pool, draws).split() for how in DAMAGES}
        assert len(made["dropped"]) < 6
        assert {*made["dropped"]} <= {*words}
        assert sorted(made["shuffled"]) == sorted(words)
        assert sum(a != b for a, b in zip(made["replaced"], words, strict=True)) >= 1
        assert 6 < len(made["repeated"]) <= 9
        assert words[: len(made["cut"])] == made["cut"] != []
    assert [damaged(text, how, pool, draws) for how in DAMAGES for text in ("", "  ")] == ["", "  "] * len(DAMAGES)


def test_synthetic_pairs_depend_on_the_seed_alone() -> None:
    one, same, other = (synthetic_pairs(["a b c d", "e f g"], 21, seed) for seed in (1, 1, 2))
    assert (
        (one.references, one.candidates) == (same.references, same.candidates) != (other.references, other.candidates)
    )
    assert np.bincount(one.kinds).tolist() == [3] * 7
    equal = one.kinds == one.names.index("equal")
    assert [a == b for a, b, is_equal in zip(one.references, one.candidates, equal, strict=True) if is_equal] == [
        True
    ] * 3
    with pytest.raises(InputError, match="no text has two words"):
        synthetic_pairs(["a", ""], 3)


def test_holes_are_filled(torch: Any, tmp_path: Path) -> None:
    import transformers

    folder = make_port(tmp_path / "port")
    tokenizer = transformers.BertTokenizer.from_pretrained(folder)
    shape = {"hidden_size": 8, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 8}
    torch.manual_seed(0)
    model = transformers.BertForMaskedLM(transformers.BertConfig(vocab_size=len(tokenizer), **shape))
    model.save_pretrained(tmp_path / "masked")
    tokenizer.save_pretrained(tmp_path / "masked")
    filled = MaskFilling(tmp_path / "masked")([["the", None, "sat", None], ["a", "dog"]], np.random.default_rng(0))
    assert (filled[0][0], filled[0][2], len(filled[0]), filled[1]) == ("the", "sat", 4, ["a", "dog"])
    pairs = synthetic_pairs(["the cat sat"], 16, 0, MaskFilling(tmp_path / "masked"))
    assert pairs.names[5] == "filled"
    assert all(len(pairs.candidates[row].split()) >= 3 for row in np.flatnonzero(pairs.kinds == 5))


@pytest.mark.filterwarnings("ignore:Bleurt. ")
def test_training_and_saving(torch: Any, tmp_path: Path) -> None:
    """Both trainings; the folder has the weights, the configuration and the tokenizer, and gives equal numbers."""
    base, examples = make_encoder(tmp_path / "base"), read_examples(SAMPLE)
    torch.manual_seed(5)
    before = torch.random.get_rng_state()
    model = train("bleurt", examples, encoders=[base], trainer=small_trainer(), scores=["chrf", "ter"], measure=False)
    assert torch.equal(before, torch.random.get_rng_state())
    assert model.report["signals"] == ["chrf:sacrebleu", "ter:sacrebleu"]
    assert model.network.shape == "bert of 3 layers of 16, then 1"
    folder = save_model(model, tmp_path / "model")
    assert {"model.json", "model.safetensors", "tokenizer.json", "tokenizer_config.json"} <= {
        each.name for each in folder.iterdir()
    }
    for file in base.iterdir():  # nothing is read from there any more
        file.unlink()
    opened = open_model(folder)
    own, its = (Bleurt(model=each) for each in (model, opened))
    assert own == its
    assert own.segments(TEXTS, REFERENCES).tobytes() == its.segments(TEXTS, REFERENCES).tobytes()
    assert Bleurt.from_signature(own.signature, model=str(folder)) == own
    with pytest.raises(InputError, match=r"Composite: `model` is bleurt@\w+, which was trained for bleurt"):
        metrologue.Composite(model=folder)


def test_each_training_changes_the_transformer(torch: Any, tmp_path: Path) -> None:
    from metrologue.scorers.bleurt.training import base_of

    base, examples = make_encoder(tmp_path / "base"), read_examples(SAMPLE)
    first, ratings, both, seeded = (
        train("bleurt", examples, encoders=[base], trainer=small_trainer(**own), scores=["chrf"], measure=False).network
        for own in ({"epochs": 1, "rate": 1e-12}, {"synthetic": 0}, {}, {"seed": 1})
    )
    name = "encoder.layer.0.output.dense.weight"
    weights = [each.weights[name] for each in (base_of(base, 24), first, ratings, both, seeded)]
    gaps = [np.abs(one - other).max() for at, one in enumerate(weights) for other in weights[:at]]
    assert min(gaps[1:]) > 1e-4
    assert gaps[0] < 1e-9  # steps that are as good as none


def test_32_rows_can_be_overfitted(torch: Any, tmp_path: Path) -> None:
    base, rated = make_encoder(tmp_path / "base"), read_examples(SAMPLE).take(range(32))
    noise = replace(rated, targets=np.random.default_rng(0).normal(size=32))
    trainer = small_trainer(synthetic=0, epochs=100, share=0.0, batch=32, rate=3e-3, longest=40)
    steady = replace(trainer, patience=1000)
    folder = tmp_path / "base" / "config.json"
    told = json.loads(folder.read_text("utf-8"))
    folder.write_text(json.dumps(told | {"hidden_dropout_prob": 0.0, "attention_probs_dropout_prob": 0.0}), "utf-8")
    model = train("bleurt", noise, encoders=[base], trainer=steady, measure=False)
    found = Bleurt(model=model).segments(noise.segments)
    assert np.corrcoef(found, noise.targets)[0, 1] > 0.99


@pytest.mark.parametrize("stage", ["signals", "ratings"])
def test_a_training_that_was_ended_goes_on(stage: str, torch: Any, tmp_path: Path, ended_when: Any) -> None:
    base, examples, file = make_encoder(tmp_path / "base"), read_examples(SAMPLE), tmp_path / "training.safetensors"
    settings = {"encoders": [base], "scores": ["chrf"], "trainer": small_trainer(pretraining=2), "measure": False}
    whole = train("bleurt", examples, **settings)
    with (
        ended_when(lambda run, path: run.epoch == 1 and path.stem.endswith("signals") == (stage == "signals")),
        pytest.raises(KeyboardInterrupt),
    ):
        train("bleurt", examples, checkpoint=file, **settings)
    assert file.exists() == (stage == "ratings")
    assert train("bleurt", examples, checkpoint=file, **settings).name == whole.name


def test_what_is_held_out(torch: Any, tmp_path: Path) -> None:
    base, every = make_encoder(tmp_path / "base"), read_examples(SAMPLE)
    settings = {"encoders": [base], "trainer": small_trainer(synthetic=0, epochs=1)}
    with pytest.raises(InputError, match="3 of 11 rows for the test are in the training data too"):
        train("bleurt", every.take(range(40)), test=every.take(range(37, 48)), **settings)
    model = train("bleurt", every.take(range(40)), test=every.take(range(40, 64)), **settings)
    found = model.report["held_out"]
    assert [*found["compared"]["pearson"]["learned"]["parts"]] == ["test"]
    assert {*found["rivals"].values()} <= {"length", "word overlap", "recall of names and numbers"} | {
        each for each in found["rivals"].values() if each.startswith("cosine of base@")
    }


def test_what_is_refused(tmp_path: Path) -> None:
    examples = read_examples(SAMPLE)
    with pytest.raises(InputError, match=r"bleurt reads a transformer .*; give encoders or metrics"):
        train("bleurt", examples)
    with pytest.raises(InputError, match="give the path of its folder as the encoder"):
        train("bleurt", examples, encoders=["a", "b"])
    with pytest.raises(InputError, match="bleurt learns from ratings, and the examples have labels"):
        train("bleurt", replace(examples, targets=(examples.targets > 0.5) * 1.0, labels=True), encoders=["a"])
    with pytest.raises(InputError, match="all 2 ratings are 1"):
        train("bleurt", Examples(("a", "b"), (("a",), ("b",)), np.ones(2)), encoders=["a"])
    many = PairFunction("many", "1", lambda references, texts: [0.5] * (len(texts) + 1)).model("bleurt")
    with pytest.raises(InputError, match=r"many gave \[0.5, 0.5\] for 1 pairs; a finite number for each"):
        Bleurt(model=many).corpus(["a"], ["a"])


def test_a_transformer_that_is_not_there(torch: Any, tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"'no/such/folder' is no folder, and no model on a Hub"):
        train("bleurt", read_examples(SAMPLE), encoders=["no/such/folder"])
    folder = make_encoder(tmp_path / "base")
    with pytest.raises(InputError, match="bleurt has a BleurtTrainer, and Ridge was given"):
        train("bleurt", read_examples(SAMPLE), encoders=[folder], trainer=metrologue.learned.Ridge())


def test_weights_that_do_not_fit(torch: Any, tmp_path: Path) -> None:
    network = trained_of(Bleurt(model=make_port(tmp_path / "port")))
    cut = {name: each for name, each in network.weights.items() if "pooler" not in name}
    with pytest.raises(InputError, match="the weights do not fit the configuration"):
        replace(network, weights=cut).score_pairs(["a"], ["a"])
    with pytest.raises(InputError, match=r"there is no array 'head.bias'"):
        replace(network, weights={name: each for name, each in network.weights.items() if name != "head.bias"})
    with pytest.raises(InputError, match=r"'head.bias' has a number that is not finite; the training has diverged"):
        replace(network, weights={**network.weights, "head.bias": np.array([np.nan], np.float32)})


def test_the_sample(torch: Any) -> None:
    """The model in the package scores, and says what it is worth."""
    with pytest.warns(UserWarning, match="its numbers mean nothing"):
        found = Bleurt(model=sample_model("bleurt")).corpus(["The cat slept."], ["The cat slept."])
    assert np.isfinite(found.value)


def test_trace(torch: Any, tmp_path: Path) -> None:
    scorer = Bleurt(model=make_port(tmp_path / "port"))
    found = metrologue.trace(scorer, "a cat sat", ["the cat sat", "a dog"])
    section = found.blocks[0]
    [table] = section.blocks
    whole, *without = [
        scorer.segments([text], ["the cat sat"])[0] for text in ("a cat sat", "cat sat", "a sat", "a cat")
    ]
    assert [row.cells[0] for row in table.rows] == ["a", "cat", "sat"]
    assert [row.cells[1] for row in table.rows] == pytest.approx(without, abs=1e-6)
    assert [row.cells[2] for row in table.rows] == pytest.approx([whole - each for each in without], abs=1e-6)
    assert "its authors say what it reaches" in found.text()
    assert metrologue.trace(scorer, "", ["a"]).blocks


def test_the_module(tmp_path: Path) -> None:
    """The Hub's keys; names of checkpoints are configurations, whose folders are given."""
    pytest.importorskip("evaluate", reason="`evaluate` is not installed")
    texts, model = {"predictions": TEXTS, "references": REFERENCES}, trained("bleurt")
    expected = Bleurt(model=model).segments(TEXTS, REFERENCES).tolist()
    module = metrologue.load("bleurt")
    assert module.compute(**texts, checkpoint=model) == {"scores": expected}
    assert metrologue.load("bleurt", "bleurt-20-d12").compute(**texts, checkpoint=model) == {"scores": expected}
    assert metrologue.load("bleurt", "BLEURT-20", model=model).compute(**texts) == {"scores": expected}
    asked = module.compute(**texts, checkpoint=model, signature=True, per_segment=True, multi_reference="mean")
    assert list(asked) == ["scores", "signature", "segments"]
    assert "|multi_reference=mean|" in asked["signature"]
    with pytest.raises(
        InputError, match=r"BLEURT: the Hub's module downloads the checkpoint bleurt-base-128, for Tens"
    ):
        metrologue.load("bleurt", "bleurt-base-128").compute(**texts)
    with pytest.raises(InputError, match="Bleurt: `checkpoint` is missing"):
        module.compute(**texts)
    with pytest.raises(InputError, match="bleurt-huge"):
        metrologue.load("bleurt", "bleurt-huge")


def test_a_model_of_another_encoder_is_none(tmp_path: Path) -> None:
    other = TrainedModel("other", Features(()), trained("bleurt").network)
    with pytest.raises(InputError, match=r"Bleurt: `model` is other@\w+, which was trained for other"):
        Bleurt(model=other)
