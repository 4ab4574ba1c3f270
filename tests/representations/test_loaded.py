"""Encoders that the caller loaded: numbers as of their folders, and nothing of them is changed."""

from __future__ import annotations

import copy
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from later import imported_later
from small_encoder import LAYERS, make_encoder
from small_masked_model import make_masked_model

import metrologue
from metrologue import InputError
from metrologue.learned import open_model as open_trained
from metrologue.learned import sample_model
from metrologue.learned.store import sample_folder
from metrologue.representations import CrossEncoder, NamedEncoder, TransformerEncoder, open_encoder
from metrologue.representations.pairs import EntailmentModel

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
transformers = imported_later(
    "transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'"
)

TEXTS, OTHERS = ["the cat sat on the mat", "a dog"], ["the dog sat", "one cat saw the dog"]
# What takes an encoder, and the option that is it.
METRICS = {"bertscore": "model", "moverscore": "model", "semantic_similarity": "model", "yisi": "vectors"}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("loaded") / "small bert")


def loaded(folder: Path, kind: str = "AutoModel", **options: Any) -> tuple[Any, Any]:
    """A model and its tokenizer as a user loads them."""
    model = getattr(transformers, kind).from_pretrained(folder, **options)
    return model, transformers.AutoTokenizer.from_pretrained(folder)


@pytest.mark.parametrize("metric", METRICS)
def test_metrics(metric: str, folder: Path) -> None:
    pair = loaded(folder)
    pair[0].train()
    found, expected = (metrologue.score(metric, TEXTS, OTHERS, **{METRICS[metric]: each}) for each in (pair, folder))
    assert found.scores == expected.scores
    again = metrologue.score(metric, TEXTS, OTHERS, **{METRICS[metric]: loaded(folder)})
    assert f"|{METRICS[metric]}=small_bert@" in found.signature == again.signature
    assert all(module.training for module in pair[0].modules())
    pair[0](torch.tensor([[1, 2]])).last_hidden_state.sum().backward()


def test_training_between_two_scores(folder: Path) -> None:
    """Vectors that were kept are not taken for those of another state of the model."""
    pair = loaded(folder)
    kept = NamedEncoder.of(pair)
    first = metrologue.score("bertscore", TEXTS, OTHERS, model=kept)
    with torch.no_grad():
        pair[0].encoder.layer[0].output.dense.weight.mul_(3)
    with pytest.raises(InputError, match="have changed since the model was given"):
        metrologue.score("bertscore", TEXTS, OTHERS, model=kept)
    second = metrologue.score("bertscore", TEXTS, OTHERS, model=pair)
    assert second.signature != first.signature
    assert second.value != first.value


@pytest.mark.parametrize("metric", [*METRICS])
def test_modules(metric: str, folder: Path) -> None:
    pytest.importorskip("evaluate", reason="`evaluate` is not installed")
    name, pair = "model_type" if metric == "bertscore" else METRICS[metric], loaded(folder)
    expected = metrologue.load(metric, keep_in_memory=True, **{name: str(folder)})
    by_load = metrologue.load(metric, keep_in_memory=True, **{name: pair})
    by_compute = metrologue.load(metric, keep_in_memory=True)
    for _ in range(2):
        numbers = expected.compute(predictions=TEXTS, references=OTHERS)
        assert by_load.compute(predictions=TEXTS, references=OTHERS) == numbers
        assert by_compute.compute(predictions=TEXTS, references=OTHERS, **{name: pair}) == numbers
    with torch.no_grad():
        pair[0].encoder.layer[-1].output.dense.weight.mul_(3)  # as training changes it
    assert by_load.compute(predictions=TEXTS, references=OTHERS) != numbers
    with pytest.raises(InputError, match="has no tokenizer with it"):
        by_load.compute(predictions=TEXTS, references=OTHERS, **{name: pair[0]})


def test_options_of_bertscore_for_its_model(folder: Path, tmp_path: Path) -> None:
    pytest.importorskip("evaluate", reason="`evaluate` is not installed")
    module, pair = metrologue.load("bertscore", keep_in_memory=True), loaded(folder)
    (tmp_path / "baseline.tsv").write_text("LAYER,P,R,F\n0,0,0,0\n1,.1,.1,.1\n2,.2,.2,.2\n3,.3,.3,.3\n")
    baseline = {"rescale_with_baseline": True, "baseline_path": str(tmp_path / "baseline.tsv")}
    for options in ({"all_layers": True}, baseline, {"batch_size": 1, "device": "cpu"}):
        found, expected = (
            module.compute(predictions=TEXTS, references=OTHERS, model_type=each, **options)
            for each in (pair, str(folder))
        )
        assert found == expected
    with pytest.raises(InputError, match=rf"there is no baseline for {folder} and 'en' here"):
        module.compute(predictions=TEXTS, references=OTHERS, model_type=pair, lang="en", rescale_with_baseline=True)


def test_a_head_is_left_aside(tmp_path: Path) -> None:
    folder = make_masked_model(tmp_path / "masked")
    found, expected = (open_encoder(each) for each in (loaded(folder, "AutoModelForMaskedLM"), folder))
    for layer in range(3):
        tokens = found.encode_tokens(TEXTS, (layer,)).vectors
        np.testing.assert_array_equal(tokens, expected.encode_tokens(TEXTS, (layer,)).vectors)


def test_pooling_and_type_are_in_the_name(folder: Path) -> None:
    plain = open_encoder(loaded(folder))
    assert open_encoder(loaded(folder), pooling="cls", batch_size=1, device="cpu").name == f"{plain.name}+cls"
    half = open_encoder(loaded(folder, dtype=torch.bfloat16))
    assert half.name.endswith("+bfloat16")
    np.testing.assert_allclose(half.encode_texts(TEXTS), plain.encode_texts(TEXTS), atol=0.2)
    assert copy.deepcopy(plain).name == plain.name


def test_models_of_pairs(tmp_path: Path) -> None:
    """Cross-encoders by their class, models of inference by their labels."""
    kind = "AutoModelForSequenceClassification"
    folder = make_encoder(tmp_path / "pairs", labels=1)
    found, expected = (open_encoder(each) for each in (loaded(folder, kind), folder))
    assert isinstance(found, CrossEncoder)
    np.testing.assert_array_equal(found.score_pairs(TEXTS, OTHERS)[0], expected.score_pairs(TEXTS, OTHERS)[0])
    folder = make_encoder(tmp_path / "nli", labels=3)
    model, tokenizer = loaded(folder, kind)
    model.config.id2label = {0: "ENTAILMENT", 1: "NEUTRAL", 2: "CONTRADICTION"}
    judge = open_encoder((model, tokenizer))
    assert isinstance(judge, EntailmentModel)
    name = judge.name
    found_score = metrologue.score("nli_faithfulness", TEXTS, OTHERS, model=(model, tokenizer))
    model.save_pretrained(folder)
    assert found_score.scores == metrologue.score("nli_faithfulness", TEXTS, OTHERS, model=folder).scores
    model.config.id2label = {0: "NEUTRAL", 1: "ENTAILMENT", 2: "CONTRADICTION"}
    assert open_encoder((model, tokenizer)).name != name
    with pytest.raises(InputError, match="a BertModel does not classify sequences"):
        CrossEncoder((model.bert, tokenizer))


def test_a_pair_is_one_encoder_of_a_trained_model(folder: Path) -> None:
    factcc = sample_model("factcc")
    place = sample_folder("factcc")
    with pytest.raises(InputError, match=r"was trained with the encoder ngrams-\d+@\d, not with small_bert@"):
        open_trained(place, encoder=loaded(folder))
    assert open_trained(place).name == factcc.name


def test_what_is_refused(folder: Path) -> None:
    model, tokenizer = loaded(folder)
    for wrong, message in (
        ((tokenizer, model), r"in this order: \(model, tokenizer\)"),
        (model, r"a BertModel has no tokenizer with it; give \(model, tokenizer\)"),
        ((1, 2), r"is \(1, 2\); None or an encoder, its folder, \(model, tokenizer\), a SentenceTransformer, or the"),
    ):
        with pytest.raises(InputError, match=f"^SemanticSimilarity: `model`.*{message}"):
            metrologue.score("semantic_similarity", TEXTS, OTHERS, model=wrong)
    with pytest.raises(InputError, match="device='meta', but the loaded model is on cpu, where it stays"):
        open_encoder((model, tokenizer), device="meta")
    with pytest.raises(InputError, match=r"a BertModel: .*unexpected keyword argument 'layer'"):
        open_encoder((model, tokenizer), layer=3)
    with pytest.raises(InputError, match=f"has the layers 0 to {LAYERS}, and no layer 9"):
        open_encoder((model, tokenizer)).encode_tokens(TEXTS, (9,))
    with pytest.raises(InputError, match=r"is 3; a path or the name of a model, \(model, tokenizer\) or a Sent"):
        open_encoder(3)


@pytest.mark.slow
class TestSentenceTransformers:
    """`encode` itself is what they are compared with."""

    @pytest.fixture
    def library(self) -> Any:
        return pytest.importorskip("sentence_transformers", reason="sentence-transformers is not installed")

    @pytest.mark.parametrize("pooling", ["mean", "cls", "max", "lasttoken"])
    def test_poolings(self, pooling: str, library: Any, folder: Path, tmp_path: Path) -> None:
        from sentence_transformers import models as parts

        model = library.SentenceTransformer(
            modules=[parts.Transformer(str(folder)), parts.Pooling(16, pooling_mode=pooling)], device="cpu"
        ).train()
        encoder = open_encoder(model, batch_size=2)
        np.testing.assert_allclose(encoder.encode_texts(TEXTS), copy.deepcopy(model).encode(TEXTS), atol=1e-6)
        assert all(module.training for module in model.modules())
        model.save(str(tmp_path / "model"))
        found = metrologue.score("semantic_similarity", TEXTS, OTHERS, model=model)
        again = library.SentenceTransformer(str(tmp_path / "model"), device="cpu")
        again[0].auto_model.config._name_or_path = str(folder)
        assert found.signature == metrologue.score("semantic_similarity", TEXTS, OTHERS, model=again).signature
        if pooling != "lasttoken":
            of_folder = metrologue.score("semantic_similarity", TEXTS, OTHERS, model=tmp_path / "model")
            assert found.value == pytest.approx(of_folder.value, abs=1e-6)
        by_tokens = metrologue.score("bertscore", TEXTS, OTHERS, model=model)
        assert by_tokens.scores == metrologue.score("bertscore", TEXTS, OTHERS, model=folder).scores

    def test_other_modules_and_prompts(self, library: Any, folder: Path) -> None:
        from sentence_transformers import models as parts

        modules = [parts.Transformer(str(folder)), parts.Pooling(16), parts.Dense(16, 4), parts.Normalize()]
        model = library.SentenceTransformer(modules=modules, device="cpu")
        encoder = open_encoder(model)
        found = encoder.encode_texts(TEXTS)
        np.testing.assert_allclose(found, model.encode(TEXTS), atol=1e-6)
        assert found.shape == (2, 4)
        assert encoder.encode_texts([]).shape[0] == 0
        prompted = library.SentenceTransformer(
            modules=modules, device="cpu", prompts={"own": "the dog "}, default_prompt_name="own"
        )
        assert open_encoder(prompted).name != encoder.name
        assert np.abs(open_encoder(prompted).encode_texts(TEXTS) - found).max() > 1e-3
        with torch.no_grad():
            modules[2].linear.weight.mul_(-2)
        with pytest.raises(InputError, match="have changed since the model was given"):
            metrologue.score("semantic_similarity", TEXTS, OTHERS, model=encoder)
        assert open_encoder(model).name.partition("@")[0] == "small_bert"

    def test_long_texts(self, library: Any, folder: Path) -> None:
        model = library.SentenceTransformer(str(folder), device="cpu")
        model.max_seq_length = 5
        assert open_encoder(model).left_out(TEXTS).tolist() == [3, 0]
        with pytest.raises(InputError, match=r"`predictions\[0\]` is longer than the model's context"):
            metrologue.score("semantic_similarity", TEXTS, OTHERS, model=model)

    def test_without_a_model_of_transformers(self, library: Any, folder: Path) -> None:
        tokenizer = transformers.AutoTokenizer.from_pretrained(folder)
        static = library.models.StaticEmbedding(tokenizer.backend_tokenizer, embedding_dim=4)
        with pytest.raises(
            InputError, match="the first module of this SentenceTransformer is no model of transformers"
        ):
            open_encoder(library.SentenceTransformer(modules=[static], device="cpu"))


def test_positions_that_begin_after_padding(tmp_path: Path) -> None:
    """RoBERTa has two positions that no token takes; a tokenizer that knows no limit leaves it to the model."""
    folder = make_masked_model(tmp_path / "roberta", places=50)
    model, tokenizer = loaded(folder, "AutoModelForSequenceClassification")
    assert tokenizer.model_max_length > 50
    _, left_out = CrossEncoder((model, tokenizer)).score_pairs(["the cat " * 40], ["a"])
    assert left_out.tolist() == [len(tokenizer("the cat " * 40, "a")["input_ids"]) - 50]
    assert TransformerEncoder((model, tokenizer)).encode_tokens(["the cat " * 40], (2,)).vectors.shape[1] == 50
