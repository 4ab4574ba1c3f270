"""Tokenizers of a model's folder that do not fit it: refused with a sentence, and nothing on standard output."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("torch", reason="torch is not installed: pip install 'metrologue[transformers]'")
pytest.importorskip("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")
from small_encoder import make_encoder

from metrologue import InputError
from metrologue.representations import TransformerEncoder


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return make_encoder(tmp_path / "small")


def change(path: Path, **values: Any) -> None:
    path.write_text(json.dumps({**json.loads(path.read_text("utf-8")), **values}), "utf-8")


@pytest.mark.parametrize("longest", ["many", [5], {}, True, -1, 0, float("nan")])
def test_a_length_that_is_no_number(longest: Any, folder: Path) -> None:
    change(folder / "tokenizer_config.json", model_max_length=longest)
    with pytest.raises(InputError, match=r"`model_max_length` of the tokenizer of .* a number from 1 on is expected"):
        TransformerEncoder(folder)


def test_a_token_beyond_the_vocabulary(folder: Path) -> None:
    """As if tokens were added, and the model not resized."""
    told = json.loads((folder / "tokenizer.json").read_text("utf-8"))
    first = max(told["model"]["vocab"].values()) + 1
    extra = [{"id": first + place, "content": f"<extra{place}>", "single_word": False, "lstrip": False,
              "rstrip": False, "normalized": False, "special": True} for place in range(500)]  # fmt: skip
    change(folder / "tokenizer.json", added_tokens=[*told["added_tokens"], *extra])
    with pytest.raises(InputError, match=r"they do not belong together\. After adding tokens, call model\.resize"):
        TransformerEncoder(folder)


def test_what_a_tokenizer_prints_is_on_standard_error(folder: Path, capfd: pytest.CaptureFixture[str]) -> None:
    token = {"content": "[MASK]", "special": True, "unknown_key": 3}
    change(folder / "tokenizer_config.json", added_tokens_decoder={"4": token}, unknown_key=[3])
    other = Path(shutil.copytree(folder, folder.parent / "other"))
    TransformerEncoder(other).encode_texts(["a cat"])
    assert capfd.readouterr().out == ""
