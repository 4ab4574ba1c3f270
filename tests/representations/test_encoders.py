"""Encoders of transformers: layers, batches, pooling, names; what is refused."""

from __future__ import annotations

import io
import json
import os
import shutil
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from later import imported_later
from safetensors.torch import load_file
from small_encoder import LAYERS, PLACES, make_encoder

import metrologue
from metrologue import InputError
from metrologue.language_models.causal import CausalModel
from metrologue.language_models.masked import MaskedModel
from metrologue.representations import CrossEncoder, TransformerEncoder, open_encoder
from metrologue.representations.transformer import batch_limits

torch = imported_later("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")

_KINDS = ("AutoModel", "AutoModelForSequenceClassification", "AutoModelForCausalLM", "AutoModelForMaskedLM")
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
    asked = tmp_path / "model" / "1_Pooling" / "config.json"
    for config, pooling in (
        ('{"pooling_mode_cls_token": true, "pooling_mode_mean_tokens": false}', "cls"),
        ('{"pooling_mode": "cls"}', "cls"),  # since sentence-transformers 6
        ('{"pooling_mode": ["max"]}', "max"),
    ):
        asked.write_text(config)
        assert TransformerEncoder(tmp_path / "model").pooling == pooling
    asked.write_text('{"pooling_mode_cls_token": true, "pooling_mode_lasttoken": true}')
    encoder = TransformerEncoder(tmp_path / "model")
    assert encoder.encode_tokens(TEXTS, (1,)).layers == (1,)
    with pytest.raises(InputError, match=r"has the pooling 'cls-and-pooling_mode_lasttoken', which is not supported"):
        encoder.encode_texts(TEXTS)
    asked.unlink()
    prompts = '{"prompts": {"own": "query: ", "none": ""}, "default_prompt_name": "own"}'
    (tmp_path / "model" / "config_sentence_transformers.json").write_text(prompts)
    with pytest.raises(InputError, match="has the prompt 'query: ' for each text, which is not supported for a folder"):
        encoder.encode_texts(TEXTS)
    (tmp_path / "model" / "config_sentence_transformers.json").write_text(prompts.replace('"own"}', '"none"}'))
    assert TransformerEncoder(tmp_path / "model").encode_texts(TEXTS).shape == (4, 16)
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


@pytest.mark.parametrize("opened", [TransformerEncoder, CrossEncoder, CausalModel, MaskedModel])
def test_code_in_a_folder_is_not_run(
    opened: Any, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """Nobody is asked whether to run it; a "y" that waits on standard input answers nothing."""
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    (own / "own.py").write_text(f"open({str(tmp_path / 'ran')!r}, 'w')\nclass T: pass\nclass M: pass\nclass C: pass\n")
    for name, named in (
        ("config.json", {"AutoConfig": "own.C", **dict.fromkeys(_KINDS, "own.M")}),
        ("tokenizer_config.json", {"AutoTokenizer": ["own.T", "own.T"]}),
    ):
        about = json.loads((own / name).read_text("utf-8"))
        changed = {**about, "auto_map": named, "tokenizer_class": "T", "model_type": "strange"}
        (own / name).write_text(json.dumps(changed), "utf-8")
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n" * 9))
    with pytest.raises(InputError):
        opened(own)
    assert not (tmp_path / "ran").exists()
    assert "[y/N]" not in capsys.readouterr().out


def test_a_pickle_is_not_run(folder: Path, tmp_path: Path) -> None:
    """Weights of tensors alone are read."""
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    (own / "model.safetensors").unlink()
    torch.save(Planted(str(tmp_path / "ran")), own / "pytorch_model.bin")
    with pytest.raises(InputError, match="cannot be read as an encoder"):
        TransformerEncoder(own)
    assert not (tmp_path / "ran").exists()


@pytest.mark.parametrize("name", ["pytorch_model.bin", "pytorch_model-00001-of-00001.bin"])
def test_damaged_weights_that_are_pickled(name: str, folder: Path, tmp_path: Path) -> None:
    """Weights whose checksum is another one's would give another number."""
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    state = load_file(own / "model.safetensors")
    (own / "model.safetensors").unlink()
    torch.save(state, own / name)
    index = {"metadata": {}, "weight_map": dict.fromkeys(state, name)}
    if name != "pytorch_model.bin":
        (own / "pytorch_model.bin.index.json").write_text(json.dumps(index), "utf-8")
    whole = (own / name).read_bytes()
    assert len(TransformerEncoder(own).encode_texts(["a cat"])) == 1
    at = whole.index(max(state.values(), key=torch.numel).numpy().tobytes()[:64])
    (own / name).write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
    with pytest.raises(InputError, match=rf"{name} cannot be read: it is damaged: the checksum of its part "):
        TransformerEncoder(own)


class Planted:
    """An object that makes a folder when it is unpickled."""

    def __init__(self, place: str) -> None:
        self.place = place

    def __reduce__(self) -> Any:
        return os.mkdir, (self.place,)


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("modules.json", "[[]]"), ("modules.json", "{}"), ("modules.json", '[{"type": 3}]'),
        ("modules.json", "[" * 9999),
        ("sentence_bert_config.json", '{"max_seq_length": "x"}'), ("sentence_bert_config.json", "[1]"),
        ("1_Pooling/config.json", "3"), ("config.json", '{"model_type": "bert", "attn_implementation": "own/kernel"}'),
        ("config.json", "["), ("tokenizer.json", "3"),
    ],
)  # fmt: skip
def test_settings_that_are_none(name: str, content: str, folder: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    (own / name).parent.mkdir(exist_ok=True)
    (own / name).write_text(content, "utf-8")
    with pytest.raises(InputError):
        open_encoder(own)


@pytest.mark.skipif(os.name != "posix", reason="named pipes of POSIX")
def test_a_pipe_in_a_folder_is_not_opened(folder: Path, tmp_path: Path) -> None:
    own = Path(shutil.copytree(folder, tmp_path / "own"))
    (own / "tokenizer.json").unlink()
    os.mkfifo(own / "tokenizer.json")
    with pytest.raises(InputError, match=r"tokenizer\.json is no regular file"):
        TransformerEncoder(own)


def test_models_are_read_in_one_place() -> None:
    """Where the argument stands that refuses code."""
    source = Path(metrologue.__file__).parent
    found = [
        (path.name, part[:200])
        for path in source.rglob("*.py")
        for part in path.read_text("utf-8").split("from_pretrained(")[1:]
    ]
    assert found
    assert all("trust_remote_code=False" in part for _, part in found), found
