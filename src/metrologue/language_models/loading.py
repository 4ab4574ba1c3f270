"""What all models of `transformers` share: how they are found, read, placed and named."""

from __future__ import annotations

import os
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.regular import check_regular, read_json
from metrologue.language_models.loaded_digest import folder_digest, name_in_signature
from metrologue.origin import pip_install

__all__ = [
    "bars_on_terminals_only", "device_of", "digested_name", "dtype_of", "is_hub_name", "libraries", "local_files_only",
    "model_at", "reading", "tokenizer_at",
]  # fmt: skip

_PATIENCE = 3.0  # seconds until the Hub must have answered


def libraries(owner: str) -> tuple[Any, Any]:
    """torch and transformers. Raises an InputError that says what to install; `owner` is the caller in messages."""
    try:
        import torch
        import transformers
    except ImportError as error:
        raise InputError(f"{owner}: {error.name or error} is not installed; {pip_install('transformers')}.") from error
    return torch, transformers


def is_hub_name(name: str) -> bool:
    """Whether a text can be the name of a model on the Hub: NAME or OWNER/NAME.

    Examples
    --------
    >>> [is_hub_name(name) for name in ("gpt2", "owner/name", "./folder", "some/where/else", "")]
    [True, True, False, False, False]
    """
    owner, _, rest = name.partition("/")
    return bool(owner.strip(".~")) and "/" not in rest and name.isprintable() and " " not in name


def local_files_only(model_id: str | os.PathLike[str]) -> bool:
    """Whether a model is read from this machine alone: from its folder, or from the cache if the Hub gives no answer.

    It is an argument of what reads a model. Without a network `transformers` would otherwise ask the Hub for each file,
    again and again, for a minute. The question here takes some seconds at most.
    """
    if os.path.isdir(model_id) or not is_hub_name(os.fspath(model_id)):
        return True
    answered = threading.Event()

    def ask() -> None:
        from huggingface_hub import constants, get_session

        with suppress(Exception):  # of whichever HTTP library it has, or because it is set to be offline
            get_session().head(constants.ENDPOINT, timeout=_PATIENCE)
            answered.set()

    asking = threading.Thread(target=ask, daemon=True)  # the name of a host may be looked up for longer
    asking.start()
    asking.join(_PATIENCE + 1)
    return not answered.is_set()


def device_of(owner: str, torch: Any, device: Any) -> Any:
    """The device with this name; by default "cuda" if it is there. Raises an InputError if it is not there."""
    if device is None:
        return torch.device("cuda" if torch.cuda.is_available() else "cpu")
    try:
        chosen = torch.device("cuda" if device == "gpu" else device)
        torch.empty(0, device=chosen)
    except (RuntimeError, TypeError, AssertionError, NotImplementedError) as error:
        raise InputError(f"{owner}: no device {shown(device)} here: {str(error).splitlines()[0]}") from error
    return chosen


def dtype_of(owner: str, torch: Any, dtype: str | None) -> Any:
    """The type of weights with this name; None for None. Raises an InputError if it is no type of floats."""
    if dtype is None:
        return None
    chosen = getattr(torch, dtype, None) if isinstance(dtype, str) else None
    if not (isinstance(chosen, torch.dtype) and chosen.is_floating_point):
        raise InputError(f"{owner}: dtype={shown(dtype)}; 'float32', 'bfloat16' or 'float16' is expected.")
    return chosen


def digested_name(model_id: str, config: Any, tokenizer: Any, others: Iterable[str] = ()) -> str:
    """The name of a folder or of a model, with the digest of its content, such as "gpt2@607a30d783df".

    `others` are files of the folder that change the numbers too, beside weights, configuration and tokenizer.
    """
    digest = getattr(config, "_commit_hash", None)
    if os.path.isdir(model_id):
        vocabulary = getattr(tokenizer, "vocab_files_names", {}).values()
        digest, model_id = folder_digest(model_id, [*vocabulary, *others]), os.path.basename(os.path.realpath(model_id))
    return f"{name_in_signature(model_id)}@{(digest or 'unknown')[:12]}"


# Where a configuration can name a kernel on the Hub, which is code.
_KERNELS = ("attn_implementation", "_attn_implementation", "experts_implementation", "_experts_implementation")


def tokenizer_at(kind: Any, source: str | os.PathLike[str], **options: Any) -> Any:
    """The tokenizer of a folder or of a name on the Hub, of a class of `transformers`. No code of the folder is run.

    `options` are `revision` and `local_files_only`. Errors are those of `transformers`; see ``reading``.
    """
    _check_folder(source)
    return kind.from_pretrained(source, trust_remote_code=False, **options)


def model_at(kind: Any, source: str | os.PathLike[str], **options: Any) -> Any:
    """The model of a folder or of a name on the Hub, as ``tokenizer_at``. No code is run, and no object unpickled."""
    _check_folder(source)
    return kind.from_pretrained(source, trust_remote_code=False, weights_only=True, **options)


def _check_folder(source: str | os.PathLike[str]) -> None:
    """Check the files of a folder before `transformers` opens one, and the names in its configuration."""
    if not os.path.isdir(source):
        return
    for each in sorted(Path(source).iterdir()):
        if not each.is_dir():
            check_regular(each, "a model's folder")
    config = Path(source, "config.json")
    if config.is_file() and isinstance(settings := read_json(config, "a model's folder"), dict):
        for name in _KERNELS:
            if "/" in str(settings.get(name)):
                raise InputError(
                    f"{config} names {shown(settings[name])}, code that is not in `transformers`; it is not run."
                )


@contextmanager
def reading(owner: str, model_id: str, kind: str) -> Iterator[None]:
    """Turn what `transformers` raises for a model that cannot be read into an InputError. `kind` is "a ... model"."""
    try:
        yield
    except (InputError, ImportError, MemoryError):
        raise
    except Exception as error:  # the readers of weights and of tokenizers have errors of their own
        in_folder = os.path.isdir(model_id)
        what = f"cannot be read as {kind}" if in_folder else "is no folder, and no model on a Hub in reach"
        raise InputError(f"{owner}: {model_id!r:.300} {what}: {textwrap.shorten(str(error), 300)}") from error


@contextmanager
def bars_on_terminals_only(transformers: Any) -> Iterator[None]:
    """A context in which `transformers` shows no progress bar in files and pipes, only on terminals."""
    logging = transformers.utils.logging
    hidden = logging.is_progress_bar_enabled() and not sys.stderr.isatty()
    if hidden:
        logging.disable_progress_bar()
    try:
        yield
    finally:
        if hidden:
            logging.enable_progress_bar()
