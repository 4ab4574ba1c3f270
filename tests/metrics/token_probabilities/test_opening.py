"""What `open_model` makes of a path or a name, before anything is read."""

from __future__ import annotations

import gzip
import sys
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from metrologue.errors import InputError
from metrologue.language_models import open_model

CLASSES = {"arpa": "ArpaModel", "kenlm_binary": "KenlmModel", "causal": "CausalModel"}


@pytest.fixture(autouse=True)
def readers(monkeypatch: pytest.MonkeyPatch) -> None:
    """Readers that give back what they were asked to read."""
    for module, name in CLASSES.items():
        stub: Any = ModuleType(f"metrologue.language_models.{module}")
        setattr(stub, name, lambda path, name=name: (name, path))
        monkeypatch.setitem(sys.modules, stub.__name__, stub)


def test_what_stands_there_decides(tmp_path: Path) -> None:
    plain, packed, binary, folder = (tmp_path / name for name in ("model", "other.bin", "model.arpa", "folder"))
    plain.write_bytes(b"\\data\\\nngram 1=3\n")
    packed.write_bytes(gzip.compress(plain.read_bytes()))
    binary.write_bytes(b"mmap lm http://kheafield.com/code format version 5\n\0\0\0")
    folder.mkdir()
    (folder / "config.json").write_text("{}")
    kinds = {plain: "ArpaModel", packed: "ArpaModel", binary: "KenlmModel", folder: "CausalModel"}
    for path, kind in kinds.items():
        assert open_model(path) == open_model(str(path)) == (kind, str(path))


@pytest.mark.parametrize("name", ["gpt2", "openai-community/gpt2", "EleutherAI/pythia-70m"])
def test_names_on_the_hub(name: str) -> None:
    assert open_model(name) == ("CausalModel", name)


def test_what_is_no_model(tmp_path: Path) -> None:
    (tmp_path / "image.png").write_bytes(b"\x89PNG\0\0")
    with pytest.raises(InputError, match=r"image\.png is neither an ARPA file nor a binary file of KenLM"):
        open_model(tmp_path / "image.png")
    with pytest.raises(InputError, match=r"is a folder without a config\.json"):
        open_model(tmp_path)
    for missing in ("news.arpa", "models/news.arpa.gz", "/no/such/folder", "a/b/c", "../model", "", "no such model"):
        with pytest.raises(InputError, match="open_model: there is no file or folder"):
            open_model(missing)
    wrong: Any = 3
    with pytest.raises(InputError, match=r"is 3; a path, the name of a model or \(model, tokenizer\) is expected"):
        open_model(wrong)
