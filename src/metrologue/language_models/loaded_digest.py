"""Digests of models for signatures: of a folder and of a loaded model, computed again only if something has changed."""

from __future__ import annotations

import hashlib
import json
import re
import threading
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from weakref import WeakKeyDictionary

from metrologue.cache import told_if_long
from metrologue.errors import InputError
from metrologue.text.lexicon.file_digest import digest, kept_digest

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


def name_of_files(files: Sequence[Path]) -> str:
    """The name of the first file with the digest of all, as a signature has it."""
    return f"{name_in_signature(files[0].name)}@{digest(files)}"


_BLOCK = 1 << 26  # bytes that leave a device at once
# What a configuration or an adapter says of where it is from and how it is run. It changes no number.
_BESIDE = {
    "_name_or_path", "architectures", "base_model_name_or_path", "dtype", "inference_mode", "peft_version", "revision",
    "torch_dtype", "transformers_version", "use_cache",
}  # fmt: skip
# What a tokenizer says of its files, and what is told beside.
_PATHS = {
    "added_tokens_decoder", "is_local", "local_files_only", "model_max_length", "name_or_path",
    "special_tokens_map_file", "tokenizer_file",
}  # fmt: skip
_kept: WeakKeyDictionary[Any, tuple[Hashable, Any]] = WeakKeyDictionary()
_keeping = threading.Lock()


def weights_digest(model: Any, tokenizer: Any, settings: str = "") -> str:
    """The SHA-256 digest of a loaded model and of its tokenizer.

    It covers the ``state_dict`` by its sorted names (types, shapes and bytes of all tensors), the configuration, the
    adapters with those that are active, and the tokenizer in its serialised form, with its special tokens. It covers
    neither the device, nor the mode (training or evaluation), nor the path that the model came from. So it is the same
    for a copy of the model, and for the same weights loaded twice.

    Parameters
    ----------
    model : torch.nn.Module
    tokenizer : tokenizer of `transformers`
    settings : str
        What else changes the numbers.

    Raises
    ------
    InputError
        If weights are not in memory, because they were offloaded.
    """
    state = state_of_model(model)
    weights = _once(model, state, lambda: _of_weights(model, state[1]))
    parts = (weights, _tokenizer_facts(tokenizer)[0], settings)
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()


def state_of_model(model: Any) -> tuple[Hashable, str]:
    """A value that changes with a model's weights and settings, without reading all weights.

    Each in-place change that torch counts gives another state, as an optimiser's step and ``load_state_dict`` are. A
    change of ``.data``, which torch does not count, does so if it changes the first number of a parameter.
    """
    return tuple(map(_state_of_weights, model.parameters())), _settings(model)


def largest_id(tokenizer: Any) -> int:
    """The largest id in the vocabulary of a tokenizer."""
    largest: int = _tokenizer_facts(tokenizer)[1]
    return largest


def _once(holder: Any, state: Hashable, make: Callable[[], Any]) -> Any:
    """What `make` gives, kept while `holder` exists and has this state."""
    with _keeping:
        kept = _kept.get(holder)
        if kept is None or kept[0] != state:
            kept = _kept[holder] = state, make()
        return kept[1]


def _state_of_weights(weights: Any) -> Hashable:
    first = None
    if weights.numel() and not weights.is_meta:
        value = weights.detach()[(0,) * weights.dim()]
        first = str(value.item())  # NaN equals itself here
    return id(weights), 0 if weights.is_inference() else weights._version, first


def _settings(model: Any) -> str:
    """The configurations, and the adapters with the state of their layers."""
    held: dict[int, Any] = {id(each): each for each in (getattr(part, "config", None) for part in model.modules())}
    configs = [each.to_dict() for each in held.values() if callable(getattr(each, "to_dict", None))]
    adapters = getattr(model, "peft_config", None) or {}
    layers = [
        (name, type(layer).__name__, layer.active_adapters, layer.disable_adapters, layer.scaling)
        for name, layer in model.named_modules()
        if isinstance(getattr(layer, "scaling", None), dict) and hasattr(layer, "active_adapters")
    ]
    about = [configs, {name: each.to_dict() for name, each in adapters.items()}, layers]
    return json.dumps(_without(about, _BESIDE), default=_plain, sort_keys=True)


def _without(value: Any, names: set[str]) -> Any:
    """The value without the entries of these names, wherever they stand in it. Names are texts, as in JSON."""
    if isinstance(value, Mapping):
        return {str(name): _without(each, names) for name, each in value.items() if name not in names}
    return [_without(each, names) for each in value] if isinstance(value, list | tuple) else value


def _plain(value: Any) -> Any:
    return sorted(map(str, value)) if isinstance(value, set | frozenset) else str(value)


def _of_weights(model: Any, settings: str) -> str:
    whole = hashlib.sha256(settings.encode())
    with told_if_long("computing the digest of a loaded model"):
        for name, value in sorted(model.state_dict().items()):
            whole.update(f"\n{name} ".encode())
            for part in _parts(name, value):
                whole.update(part)
    return whole.hexdigest()


def _parts(name: str, value: Any) -> Iterator[Any]:
    """The content of an entry of a ``state_dict``, in blocks. Quantised weights have several tensors."""
    import torch

    if not isinstance(value, torch.Tensor):
        for each in value if isinstance(value, list | tuple) else ():
            yield from _parts(name, each)
        yield repr(None if isinstance(value, list | tuple) else value).encode()
        return
    yield f"{value.dtype} {tuple(value.shape)} ".encode()
    if value.is_meta:
        raise InputError(f"the weights {name} are not in memory, so there is no digest; load it without offloading.")
    if hasattr(value, "__tensor_flatten__"):
        inner, about = value.__tensor_flatten__()
        yield repr(about).encode()
        for each in inner:
            yield from _parts(name, getattr(value, each))
        return
    plain = value.detach().dequantize() if value.is_quantized else value.detach()
    flat = plain.contiguous().reshape(-1).view(torch.uint8)
    for start in range(0, len(flat), _BLOCK):
        yield flat[start : start + _BLOCK].cpu().numpy()


def _tokenizer_facts(tokenizer: Any) -> tuple[str, int]:
    """The digest of a tokenizer, and the largest id of its vocabulary."""
    about = [
        tokenizer.model_max_length, tokenizer.truncation_side, tokenizer.model_input_names,
        tokenizer.special_tokens_map,
    ]  # fmt: skip
    told = json.dumps(about, default=str, sort_keys=True)

    def facts() -> tuple[str, int]:
        content = hashlib.sha256(told.encode())
        content.update(_serialised(tokenizer))
        return content.hexdigest(), max(tokenizer.get_vocab().values(), default=-1)

    digest_and_largest: tuple[str, int] = _once(tokenizer, (told, len(tokenizer)), facts)
    return digest_and_largest


def _serialised(tokenizer: Any) -> bytes:
    """A tokenizer as text: as its library writes it, or its class, settings, files and the tokens added to it."""
    if tokenizer.is_fast:
        about = json.loads(tokenizer.backend_tokenizer.to_str())
        # These are how the last call cut and filled up its texts.
        return json.dumps({**about, "truncation": None, "padding": None}, sort_keys=True).encode()
    beside = {*_PATHS, *tokenizer.vocab_files_names}
    options = {name: value for name, value in tokenizer.init_kwargs.items() if name not in beside and value is not None}
    import tempfile  # slow, and fast tokenizers do not need it

    settings = [type(tokenizer).__name__, options, tokenizer.get_added_vocab()]
    with tempfile.TemporaryDirectory() as folder:
        tokenizer.save_vocabulary(folder)
        files = [path.name.encode() + b"\n" + path.read_bytes() for path in sorted(Path(folder).iterdir())]
    return b"\n".join([json.dumps(settings, default=str, sort_keys=True).encode(), *files])
