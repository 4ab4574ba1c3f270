"""Encoders of transformers: layers, batches, pooling, names; what is refused."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

torch = pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
from small_encoder import LAYERS, PLACES, make_encoder  # noqa: E402

from metrologue import InputError  # noqa: E402
from metrologue.representations import CrossEncoder, TransformerEncoder, open_encoder  # noqa: E402
from metrologue.representations.transformer import batch_limits  # noqa: E402

TEXTS = ["The cat sat.", " \ta dog", "", "the bird sang in the tree while cats slept"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_encoder(tmp_path_factory.mktemp("encoders") / "small bert")


@pytest.fixture(scope="module")
def encoder(folder: Path) -> TransformerEncoder:
    return TransformerEncoder(folder)


def test_several_layers_in_one_run(encoder: TransformerEncoder) -> None:
    layers = (2, 0, LAYERS, 1)
    together = encoder.encode_tokens(TEXTS, layers)
    assert together.vectors.shape == (4, together.offsets[-1], 16)
    for layer in layers:
        alone = encoder.encode_tokens(TEXTS, (layer,))
        np.testing.assert_array_equal(together.of_layer(layer).vectors, alone.vectors)


def test_layers_are_those_of_the_model(encoder: TransformerEncoder, folder: Path) -> None:
    from transformers import AutoModel, AutoTokenizer

    model, tokenizer = AutoModel.from_pretrained(folder).eval(), AutoTokenizer.from_pretrained(folder)
    found = encoder.encode_tokens(TEXTS[3:], range(LAYERS + 1))
    with torch.no_grad():
        states = model(**tokenizer(TEXTS[3], return_tensors="pt"), output_hidden_states=True).hidden_states
    np.testing.assert_allclose(found.vectors, torch.cat(states).numpy(), atol=1e-6)


def test_tokens_stand_in_their_text(encoder: TransformerEncoder) -> None:
    found = encoder.encode_tokens(TEXTS, (1,))
    for index, text in enumerate(TEXTS):
        own = found.part(index, index + 1)
        shown = [text[start:end].lower() for start, end in own.spans.tolist()]
        tokens = [token.removeprefix("##") for token in encoder.tokens(text)]
        assert (shown[0], shown[-1]) == ("", "")
        assert shown[1:-1] == tokens[1:-1]
        assert own.counted.tolist() == [False, *[True] * (len(tokens) - 2), False]


def test_batches_change_no_more_than_the_last_bits(folder: Path, encoder: TransformerEncoder) -> None:
    one = TransformerEncoder(folder, batch_size=1)
    assert one.name == encoder.name
    np.testing.assert_allclose(
        one.encode_tokens(TEXTS, (LAYERS,)).vectors, encoder.encode_tokens(TEXTS, (LAYERS,)).vectors, atol=1e-5
    )


@given(
    lengths=st.lists(st.integers(2, 90), max_size=150).map(lambda own: sorted(own, reverse=True)),
    size=st.integers(1, 64),
)
def test_little_of_a_batch_is_padding(lengths: list[int], size: int) -> None:
    limits = batch_limits(lengths, size)
    assert [row for start, end in limits for row in range(start, end)] == [*range(len(lengths))]
    for start, end in limits:
        assert 1 <= end - start <= size
        padded = lengths[start] * (end - start)
        assert end - start <= 8 or 16 * (padded - sum(lengths[start:end])) <= padded


def test_a_long_text_is_cut_and_told(encoder: TransformerEncoder) -> None:
    found = encoder.encode_tokens(["the cat", "the cat " * 40], (1,))
    assert np.diff(found.offsets).tolist() == [4, PLACES]
    assert found.left_out.tolist() == [0, 82 - PLACES]


@pytest.mark.parametrize("pooling", ["mean", "cls", "max"])
def test_pooling(folder: Path, pooling: str) -> None:
    encoder = TransformerEncoder(folder, pooling)
    tokens = encoder.encode_tokens(TEXTS, (LAYERS,))
    pooled = {"mean": lambda own: own.mean(0), "cls": lambda own: own[0], "max": lambda own: own.max(0)}[pooling]
    expected = [pooled(tokens.part(i, i + 1).vectors[0]) for i in range(len(TEXTS))]
    np.testing.assert_allclose(encoder.encode_texts(TEXTS), np.array(expected), atol=1e-5)
    assert encoder.name.endswith(f"+{pooling}") == (pooling != "mean")


def test_pooling_of_the_folder(folder: Path, tmp_path: Path) -> None:
    shutil.copytree(folder, tmp_path / "model")
    (tmp_path / "model" / "1_Pooling").mkdir()
    (tmp_path / "model" / "1_Pooling" / "config.json").write_text('{"pooling_mode_cls_token": true}')
    assert TransformerEncoder(tmp_path / "model").pooling == "cls"
    (tmp_path / "model" / "modules.json").write_text(json.dumps([{"type": "sentence_transformers.models.Dense"}]))
    with pytest.raises(InputError, match="has a module Dense, which is not supported"):
        TransformerEncoder(tmp_path / "model")


def test_the_digest_is_that_of_the_files(folder: Path, tmp_path: Path, encoder: TransformerEncoder) -> None:
    copy = shutil.copytree(folder, tmp_path / "small bert")
    assert TransformerEncoder(copy).name == encoder.name
    assert encoder.name.startswith("small_bert@")
    (copy / "sentence_bert_config.json").write_text('{"max_seq_length": 8}')
    assert TransformerEncoder(copy).name != encoder.name


def test_an_encoder_is_opened_once(folder: Path, tmp_path: Path) -> None:
    copy = shutil.copytree(folder, tmp_path / "model")
    first = open_encoder(copy)
    assert open_encoder(str(copy)) is first
    assert open_encoder(copy, batch_size=2) is not first
    make_encoder(copy, seed=1)
    assert open_encoder(copy).name != first.name


def test_what_is_refused(folder: Path, tmp_path: Path, encoder: TransformerEncoder) -> None:
    with pytest.raises(InputError, match=rf"has the layers 0 to {LAYERS}, and no layer 4"):
        encoder.encode_tokens(["a"], (4,))
    with pytest.raises(InputError, match=r"is a folder without a config\.json"):
        open_encoder(tmp_path)
    (tmp_path / "config.json").write_text('{"model_type": "bert"}')
    with pytest.raises(InputError, match="has no tokenizer, or one without a vocabulary"):
        open_encoder(tmp_path)
    with pytest.raises(InputError, match="there is no file or folder 'some/where/else'"):
        open_encoder("some/where/else")
    with pytest.raises(InputError, match="`pooling` is 'first'"):
        TransformerEncoder(folder, "first")
    with pytest.raises(InputError, match="no device 'abacus' here"):
        TransformerEncoder(folder, device="abacus")
    with pytest.raises(InputError, match="unexpected keyword argument 'layer'"):
        open_encoder(folder, layer=3)


def test_cross_encoders(tmp_path: Path) -> None:
    from transformers import AutoModelForSequenceClassification, AutoTokenizer

    folder = make_encoder(tmp_path / "pairs", labels=1)
    encoder = open_encoder(folder)
    assert isinstance(encoder, CrossEncoder)
    others = ["a cat sat", "the dog", "x", "birds"]
    scores, left_out = encoder.score_pairs(TEXTS, others)
    model = AutoModelForSequenceClassification.from_pretrained(folder).eval()
    tokenizer = AutoTokenizer.from_pretrained(folder)
    with torch.no_grad():
        expected = [
            float(torch.sigmoid(model(**tokenizer(a, b, return_tensors="pt")).logits[0, 0]))
            for a, b in zip(TEXTS, others, strict=True)
        ]
    np.testing.assert_allclose(scores, expected, atol=1e-6)
    assert not left_out.any()
    assert encoder.score_pairs(["the cat " * 40], ["a"])[1].tolist() == [84 - PLACES]
    with pytest.raises(InputError, match="has 3 labels; a model with one or two is expected"):
        CrossEncoder(make_encoder(tmp_path / "three", labels=3))
