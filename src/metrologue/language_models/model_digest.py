"""The digest of a model's folder, for a signature. It is computed once, and computed again if a file has changed."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from pathlib import Path

from metrologue.files.cache import told_if_long
from metrologue.text.lexicon.file_digest import kept_digest

__all__ = ["folder_digest", "name_in_signature"]

_SETTINGS = ("config.json", "tokenizer_config.json", "special_tokens_map.json", "added_tokens.json")


def folder_digest(folder: str, vocabulary: Iterable[str] = ()) -> str:
    """The SHA-256 of a model's files in a folder: weights, configuration and tokenizer.

    Parameters
    ----------
    folder : str
    vocabulary : iterable of str
        The names of the tokenizer's own files.
    """
    place = Path(folder).resolve()
    # If there are several kinds, `transformers` reads the first.
    kinds = "*.safetensors", "pytorch_model*.bin", "*.gguf"
    weights = next(filter(None, (sorted(place.glob(kind)) for kind in kinds)), [])
    named = (place / name for name in sorted({*_SETTINGS, *vocabulary}))
    files = [path for path in (*named, *weights) if path.is_file()]
    return kept_digest("models", files, lambda: _digest(files))


def _digest(files: Iterable[Path]) -> str:
    whole = hashlib.sha256()
    with told_if_long("computing the digest of a model's files"):
        for path in files:
            with path.open("rb") as file:
                content = hashlib.file_digest(file, "sha256").hexdigest()
            whole.update(f"{path.name} {content}\n".encode())
    return whole.hexdigest()


def name_in_signature(name: str) -> str:
    """The name without characters that a signature cannot have.

    Examples
    --------
    >>> name_in_signature("my model=3")
    'my_model_3'
    """
    return "".join(c if c.isprintable() else "_" for c in re.sub(r'[\s@|="+]', "_", name))
