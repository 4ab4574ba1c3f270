"""Encoders by path or name, and in the configuration of a scorer, where their names identify them."""

from __future__ import annotations

import os
import threading
from collections import OrderedDict
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from metrologue.data.named import NamedValue
from metrologue.errors import InputError, shown
from metrologue.files.regular import parsed_json, read_regular
from metrologue.language_models.pretrained import class_of, classifies, is_hub_name, is_loaded
from metrologue.representations.transformer import is_sentence_transformer
from metrologue.text.lexicon.file_digest import state_of

if TYPE_CHECKING:
    from metrologue.representations.base import Encoder

_MOST = 4  # encoders that stay in memory, though nobody may use them any more
_opened: OrderedDict[tuple[Any, ...], Any] = OrderedDict()
_lock = threading.Lock()
_VECTORS = (".txt", ".vec", ".bin", ".npy")


def open_encoder(model: Any, **options: Any) -> Encoder:
    """The encoder that a path or a name stands for, or that is loaded already.

    Parameters
    ----------
    model : str, path, (model, tokenizer) or SentenceTransformer
        A folder with a model of transformers; a file of word vectors, or a folder with a ``.npy`` file and a
        ``.parquet`` file of its words; or the name of a model on the Hub. A file or folder comes before such a name.
        Or a model as `transformers` loaded it, and its tokenizer; or a ``SentenceTransformer``. What is loaded stays as
        it is. Its digest covers its weights, see ``weights_digest`` of ``metrologue.language_models.loaded_digest``.
    **options
        The other arguments of ``TransformerEncoder`` or ``WordVectors``, such as ``batch_size=128``.

    Returns
    -------
    Encoder
        The same object for the same files and options. Each loaded model gets a new one.

    Raises
    ------
    InputError
        If nothing stands there and it is no name of a model, or if it is no encoder. The message names it. If what is
        loaded is no such pair.

    Examples
    --------
    >>> open_encoder("models/minilm/")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: open_encoder: there is no file or folder 'models/minilm/'.
    """
    if is_sentence_transformer(model) or is_loaded(model):
        return _made(_of_loaded(model), model, options)
    if not isinstance(model, (str, os.PathLike)):
        raise InputError(
            f"open_encoder: `model` is {shown(model)}; a path or the name of a model, (model, tokenizer) or a "
            "SentenceTransformer is expected."
        )
    path = os.fsdecode(model)
    kind = _kind(path)
    key = (kind, path, _states(path), *sorted(options.items()))
    with _lock:
        if key in _opened:
            _opened.move_to_end(key)
        else:
            _opened[key] = _made(kind, path, options)
            while len(_opened) > _MOST:
                _opened.popitem(last=False)
        encoder: Encoder = _opened[key]
        return encoder


def _made(kind: str, path: Any, options: dict[str, Any]) -> Encoder:
    from metrologue.representations.pairs import CrossEncoder, EntailmentModel
    from metrologue.representations.transformer import SentenceEncoder, TransformerEncoder
    from metrologue.representations.word_vectors import WordVectors

    classes: dict[str, Any] = {
        "transformer": TransformerEncoder, "pairs": CrossEncoder, "entailment": EntailmentModel, "words": WordVectors,
        "sentences": SentenceEncoder,
    }  # fmt: skip
    try:
        encoder: Encoder = classes[kind](path, **options)
    except TypeError as error:
        called = path if isinstance(path, str) else f"a {class_of(path)}"
        raise InputError(f"open_encoder: {called}: {error}") from None
    return encoder


def _kind(path: str) -> str:
    place = Path(path)
    if os.path.isdir(path):  # which is False for a text that can be no path
        return _of_folder(place)
    if os.path.isfile(path):
        return "words"
    if place.suffix in _VECTORS or not is_hub_name(path) or path != path.strip():
        raise InputError(f"open_encoder: there is no file or folder {shown(path)}.")
    return "transformer"


def _of_loaded(model: Any) -> str:
    """The kind of a loaded model."""
    if is_sentence_transformer(model):
        return "sentences"
    if not classifies(model):
        return "transformer"
    return _of_labels(getattr(getattr(model[0], "config", None), "id2label", None) if isinstance(model, tuple) else {})


def _of_labels(names: Any) -> str:
    """The kind of a classifier with these names of labels, from `id2label`; it has two if it does not say so."""
    from metrologue.representations.pairs import meant_labels

    known = [*map(str, names.values())] if isinstance(names, Mapping) else ["", ""]
    return "entailment" if len(known) > 2 or meant_labels(known) else "pairs"


def _of_folder(place: Path) -> str:
    config = place / "config.json"
    if config.is_file():
        content = read_regular(config, "open_encoder")
        if b"ForSequenceClassification" not in content:
            return "transformer"
        settings = parsed_json(content, str(config))
        return _of_labels(settings.get("id2label") if isinstance(settings, Mapping) else None)
    if any(place.glob("*.npy")):
        return "words"
    raise InputError(
        f"open_encoder: {place} is a folder without a config.json, which a model of transformers has, and without a "
        ".npy file of word vectors."
    )


def _states(path: str) -> tuple[Any, ...]:
    """The state of each file; nothing for a name on the Hub."""
    place = Path(path)
    files = sorted(place.iterdir()) if os.path.isdir(path) else [place]
    return tuple(state_of(each) for each in files if os.path.isfile(each))


@dataclass(frozen=True)
class NamedEncoder(NamedValue):
    """An encoder with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The encoder's name with a digest of its content, such as "minilm@06dcd770684d".
    encoder : Encoder
    """

    encoder: Encoder = field(compare=False, repr=False)

    noun = "encoder"
    expected = "an encoder, its folder, (model, tokenizer), a SentenceTransformer, or the name of one in use"
    plural = "encoders"
    opener = "open_encoder(path)"
    opened = staticmethod(open_encoder)
    methods = ("encode_tokens", "encode_texts", "score_pairs", "judge_pairs")
    _is_loaded = staticmethod(is_loaded)
