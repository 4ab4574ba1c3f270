"""A model of `transformers` with its tokenizer: opened from a folder or a name, or loaded already by the caller.

All classes that run such models have theirs from here. What the caller loaded stays as it is: it is neither moved nor
converted, and each run puts back what it switches off.
"""

from __future__ import annotations

import os
import re
import sys
import textwrap
import threading
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, ClassVar

from metrologue.errors import InputError, shown
from metrologue.files.pickles import check_checkpoint
from metrologue.files.regular import check_regular, read_json, refuse_pointer
from metrologue.files.wholeness import UNREADABLE
from metrologue.language_models.loaded_digest import (
    folder_digest,
    largest_id,
    name_in_signature,
    state_of_model,
    weights_digest,
)
from metrologue.origin import pip_install

_PATIENCE = 3.0  # seconds until the Hub must have answered
_MOST = 2**31 - 1
# The models whose positions begin after the number of the padding token.
_SHIFTED = frozenset((
    "camembert", "data2vec-text", "longformer", "mpnet", "roberta", "roberta-prelayernorm", "xlm-roberta",
    "xlm-roberta-xl", "xmod",
))  # fmt: skip


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
    """Whether a model is read from local files only: from its folder, or from the cache if the Hub gives no answer.

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
    with one_at_a_time, _output_on_errors():
        tokenizer = kind.from_pretrained(source, trust_remote_code=False, **options)
    _check_longest(tokenizer, source)
    return tokenizer


@contextmanager
def _output_on_errors() -> Iterator[None]:
    """A context in which what libraries print goes to standard error: tokenizers print the keys that they ignore."""
    try:
        sys.stdout.flush()
        kept = os.dup(1)
        os.dup2(2, 1)
    except (OSError, ValueError, AttributeError):  # a stream is closed
        yield
        return
    try:
        yield
    finally:
        os.dup2(kept, 1)
        os.close(kept)


def model_at(kind: Any, source: str | os.PathLike[str], **options: Any) -> Any:
    """The model of a folder or of a name on the Hub, as ``tokenizer_at``. No code is run, and no object unpickled."""
    _check_folder(source)
    for each in _checkpoints(source, options.get("revision")):
        try:
            check_checkpoint(each)
        except UNREADABLE as error:
            raise InputError(f"{each} cannot be read: {error}.") from None
    return kind.from_pretrained(source, trust_remote_code=False, weights_only=True, **options)


def _checkpoints(source: str | os.PathLike[str], revision: str | None) -> list[Path]:
    """The pickled checkpoints that `transformers` would read, here or in the Hub's cache: it prefers safetensors."""
    folder = Path(source)
    if not folder.is_dir() and is_hub_name(os.fspath(source)):
        from huggingface_hub import try_to_load_from_cache

        kept = try_to_load_from_cache(os.fspath(source), "config.json", revision=revision)
        folder = Path(kept).parent if isinstance(kept, str) else folder
    kinds = ("pytorch_model*.bin", "model*.safetensors"), ("adapter_model.bin", "adapter_model.safetensors")
    return [each for kind, better in kinds for each in sorted(folder.glob(kind)) if not any(folder.glob(better))]


def lightning_checkpoint(owner: str, torch: Any, path: str | os.PathLike[str]) -> tuple[dict[str, Any], dict[str, Any]]:
    """The arrays of a checkpoint of Lightning, and what it says of itself. Only arrays and plain values are made.

    Raises an InputError if it is damaged, or holds anything else.
    """
    refuse_pointer(path, owner)
    try:
        is_zip = check_checkpoint(path)
        held = torch.load(path, map_location="cpu", weights_only=True, mmap=is_zip)
    except Exception as error:  # of pickle, zip and torch
        told = re.split(r"\n|\. Please|\. This", str(error).replace("Weights only load failed.", "").strip())
        named = re.search(r"GLOBAL ([\w.]+)", str(error))
        why = f"it also holds {named[1]}, an object that would have to be unpickled" if named else told[0][:200]
        raise InputError(f"{owner}: {path} cannot be read as weights alone: {why or type(error).__name__}.") from None
    state = held.get("state_dict") if isinstance(held, dict) else None
    if not isinstance(state, dict) or not all(isinstance(each, torch.Tensor) for each in state.values()):
        raise InputError(f"{owner}: {path} holds no `state_dict` of arrays, which a checkpoint of Lightning has.")
    trained = held.get("hyper_parameters")
    return state, dict(trained) if isinstance(trained, Mapping) else {}


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
        raise InputError(f"{owner}: {shown(model_id, 300)} {what}: {textwrap.shorten(str(error), 300)}") from error


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


def unknown_tokens(tokenizer: Any, texts: Sequence[str]) -> tuple[int, int]:
    """How many tokens of texts a tokenizer of transformers does not know, and how many there are in all."""
    unknown = getattr(tokenizer, "unk_token_id", None)
    if unknown is None or not texts:
        return 0, 0
    own = tokenizer([*texts], add_special_tokens=False, return_attention_mask=False, verbose=False)["input_ids"]
    return sum(ids.count(unknown) for ids in own), sum(map(len, own))


def _check_longest(tokenizer: Any, source: Any) -> None:
    """Raise an InputError if a tokenizer's `model_max_length` is no number from 1 on."""
    longest = getattr(tokenizer, "model_max_length", None)
    if longest is not None and not (type(longest) in (int, float) and longest >= 1):
        raise InputError(
            f"`model_max_length` of the tokenizer of {shown(os.fspath(source))} is {shown(longest)}; a number "
            "from 1 on is expected, or none."
        )


# A tokenizer keeps settings from call to call, torch has threads of its own, and a model is changed for a while.
one_at_a_time = threading.RLock()

# What a class takes in place of a path: (model, tokenizer), both as `transformers` loads them.
Loaded = tuple[Any, Any]


def is_pair(value: Any) -> bool:
    """Whether a value is (model, tokenizer), or meant to be that."""
    return isinstance(value, tuple) and any(_is_model(each) or _is_tokenizer(each) for each in value)


def is_loaded(value: Any) -> bool:
    """Whether a value is a loaded model, with its tokenizer or without it."""
    return is_pair(value) or _is_model(value)


def class_of(given: Any) -> str:
    """The name of a loaded model's class, alone or in a pair; of one with adapters, that of the model inside."""
    model: Any = next(filter(_is_model, given), None) if isinstance(given, tuple) else given
    return type(model.get_base_model() if hasattr(model, "get_base_model") else model).__name__


def is_masked(given: Any) -> bool:
    """Whether a loaded model, alone or in a pair, is a masked language model."""
    return class_of(given).endswith("ForMaskedLM")


def classifies(given: Any) -> bool:
    """Whether a loaded model, alone or in a pair, gives a text or a pair of texts its labels."""
    return class_of(given).endswith("ForSequenceClassification")


def has_output(model: Any) -> bool:
    """Whether a loaded model gives tokens a probability."""
    return model.get_output_embeddings() is not None


def _is_model(value: Any) -> bool:
    return callable(getattr(value, "state_dict", None)) and not isinstance(value, type)


def _is_tokenizer(value: Any) -> bool:
    return callable(getattr(value, "convert_ids_to_tokens", None)) and callable(value)


class Pretrained:
    """A model of `transformers` with its tokenizer.

    Parameters
    ----------
    owner : str
        The class that runs the model, for messages.
    given : str, path or (model, tokenizer)
        A folder, a name on the Hub, or what is loaded already.
    kind : str
        The class of `transformers` that opens it, such as "AutoModel".
    what : str
        What it is to be, such as "an encoder", for messages.
    device, dtype, revision
        Those of a model that is opened. A loaded one stays as it is.
    usual : str, optional
        The type of the weights of a model that is opened without `dtype`; by default what `transformers` chooses.
    needed : mapping of str to str
        Attributes of the tokenizer that must not be None, each with the end of a sentence about one that is.
    unused : str, optional
        What stands in the names of weights that may be missing.
    others : sequence of str
        Other files of a folder that change the numbers.
    whole : torch.nn.Module, optional
        What contains the loaded model, and is run in its place.
    settings : str
        What else changes the numbers of a loaded model.

    Raises
    ------
    InputError
        If torch or transformers is not installed, there is no such model or device, weights or the tokenizer are
        missing; if `given` is no such pair, the tokenizer has ids that the model lacks, or a setting of a path is given
        with a loaded model.
    """

    model: Any
    tokenizer: Any
    device: Any  # of the model's inputs, a torch.device
    source: str  # the folder or the name that the model is from; the name of its class if it has none
    folder: str | None  # that it was opened from; None for a name and for a loaded model
    is_given: bool  # whether the caller loaded it

    def __init__(
        self,
        owner: str,
        given: str | os.PathLike[str] | Loaded,
        kind: str,
        what: str,
        *,
        device: Any = None,
        dtype: str | None = None,
        revision: str | None = None,
        usual: str | None = None,
        needed: Mapping[str, str] | None = None,
        unused: str | None = None,
        others: Sequence[str] = (),
        whole: Any = None,
        settings: str = "",
    ) -> None:
        self._owner, self._needed, self._settings = owner, needed or {}, settings
        self.is_given = is_loaded(given)
        if not (self.is_given or isinstance(given, (str, os.PathLike))):
            raise InputError(
                f"{owner}: `model_id` is {shown(given)}; a folder or the name of a model, or (model, tokenizer) is "
                "expected."
            )
        torch, transformers = libraries(owner)
        self.folder = None
        if isinstance(given, (str, os.PathLike)):
            self.source = os.fspath(given)
            self.folder = self.source if os.path.isdir(self.source) else None
            self.device = device_of(owner, torch, device)
            self._open(transformers, kind, what, revision, unused)
            self.model = self.model.to(self.device, dtype_of(owner, torch, dtype or usual)).eval()
        else:
            self._take(given)
            self._check_settings(torch, device, dtype, revision)
        self._whole = self.model if whole is None else whole
        self._name = self._digested(others)
        self._state = state_of_model(self._whole) if self.is_given else None

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._state = state_of_model(self._whole) if self.is_given else None  # the copy has tensors of its own

    def _open(self, transformers: Any, kind: str, what: str, revision: str | None, unused: str | None) -> None:
        with bars_on_terminals_only(transformers), reading(self._owner, self.source, what):
            options = {"revision": revision, "local_files_only": local_files_only(self.source)}
            self.tokenizer = tokenizer_at(transformers.AutoTokenizer, self.source, **options)
            self._check_tokenizer()
            opener = getattr(transformers, kind)
            self.model, loading = model_at(opener, self.source, output_loading_info=True, **options)
            # `transformers` fills missing weights with random numbers.
            if missing := sorted(key for key in loading["missing_keys"] if unused is None or unused not in key):
                named = what.partition(" ")[2]
                raise InputError(f"{self._owner}: {self.source!r} has no weights {missing[0]}; it is no {named}.")
            self._check_vocabulary()

    def _check_tokenizer(self) -> None:
        if len(self.tokenizer) <= len(self.tokenizer.all_special_ids):  # `transformers` makes one without files
            raise InputError(f"{self._owner}: {self.source!r} has no tokenizer, or one without a vocabulary.")
        _check_longest(self.tokenizer, self.source)
        for attribute, lacks in self._needed.items():
            if getattr(self.tokenizer, attribute, None) is None:
                raise InputError(f"{self._owner}: the tokenizer of {self.source!r} {lacks}.")

    def _take(self, given: Any) -> None:
        """Check a pair that the caller loaded."""
        if not isinstance(given, tuple):
            raise InputError(
                f"{self._owner}: a {type(given).__name__} has no tokenizer with it; give (model, tokenizer)."
            )
        named = ", ".join(type(each).__name__ for each in given)
        if len(given) != 2 or not (_is_model(given[0]) and hasattr(given[0], "config") and _is_tokenizer(given[1])):
            raise InputError(
                f"{self._owner}: ({named}) is given; a model of transformers and its tokenizer are expected, in this "
                "order: (model, tokenizer)."
            )
        self.model, self.tokenizer = given
        self.device = self.model.device
        self.source = str(getattr(self.model.config, "_name_or_path", "") or class_of(self.model))
        self._check_tokenizer()
        self._check_vocabulary()

    def _check_vocabulary(self) -> None:
        """Refuse a tokenizer with tokens that the model has no vectors of."""
        embeddings = self.model.get_input_embeddings()
        count, most = getattr(embeddings, "num_embeddings", None), largest_id(self.tokenizer)
        if count is not None and most >= count:
            raise InputError(
                f"{self._owner}: the tokenizer has ids up to {most}, and the model {class_of(self.model)} has vectors "
                f"of {count} tokens; they do not belong together. After adding tokens, call "
                "model.resize_token_embeddings(len(tokenizer))."
            )

    def _check_settings(self, torch: Any, device: Any, dtype: str | None, revision: str | None) -> None:
        """Refuse settings that a loaded model does not have already."""
        wanted = self.device if device is None else device_of(self._owner, torch, device)
        if wanted.type != self.device.type or wanted.index not in (None, self.device.index):
            raise InputError(
                f"{self._owner}: device={str(device)!r}, but the loaded model is on {self.device}, where it stays; "
                "leave `device` out, or move the model."
            )
        if dtype_of(self._owner, torch, dtype) not in (None, self.model.dtype):
            raise InputError(
                f"{self._owner}: dtype={dtype!r}, but the loaded model has {self.model.dtype}, which it keeps; leave "
                "`dtype` out, or convert the model."
            )
        if revision is not None:
            raise InputError(f"{self._owner}: `revision` is that of a name on the Hub; a loaded model has none.")

    def _digested(self, others: Sequence[str]) -> str:
        if not self.is_given:
            return digested_name(self.source, self.model.config, self.tokenizer, others if self.folder else ())
        try:
            digest = weights_digest(self._whole, self.tokenizer, self._settings)
        except InputError as error:
            raise InputError(f"{self._owner}: {error}") from None
        label = self.source if is_hub_name(self.source) else os.path.basename(os.path.normpath(self.source))
        return f"{name_in_signature(label)}@{digest[:12]}"

    @property
    def name(self) -> str:
        """The name for signatures, with a digest of a folder's files, of the Hub's commit or of the loaded weights.

        Raises an InputError if a loaded model has changed since it was given.
        """
        self._check_unchanged()
        return self._name

    def _check_unchanged(self) -> None:
        if self._state is not None and state_of_model(self._whole) != self._state:
            raise InputError(
                f"{self._owner}: the weights or settings of {self._name} have changed since the model was given; give "
                "(model, tokenizer) again, so that it gets its new digest."
            )

    @property
    def dtype(self) -> str:
        """The type of the model's weights, such as "float32"."""
        return str(self.model.dtype).removeprefix("torch.")

    @contextmanager
    def running(self) -> Iterator[None]:
        """A context manager in which the model is run: without dropout, gradients and kept keys and values.

        Afterwards each of its modules has the mode that it had before. Other threads wait. Raises as ``name``.
        """
        import torch

        with one_at_a_time:
            self._check_unchanged()
            training = [module for module in self._whole.modules() if module.training]
            configs = {id(each): each for each in (self.model.config, self.model.config.get_text_config())}
            caching = [each for each in configs.values() if getattr(each, "use_cache", False)]
            try:
                self._whole.eval()
                for config in caching:
                    config.use_cache = False  # the keys and values of a text are used once
                # `inference_mode` would leave tensors in the caller's model that cannot be trained with.
                with torch.no_grad():
                    yield
            finally:
                for module in training:
                    module.training = True
                for config in caching:
                    config.use_cache = True


class PretrainedRunner:
    """Base of what runs a ``Pretrained``.

    Attributes
    ----------
    name : str
        The model's name with a digest, and what changes its numbers, such as "gpt2@607a30d783df+no-start+bfloat16".
    """

    _opener: ClassVar[str]
    _kind: ClassVar[str]

    def _hold(self, given: str | os.PathLike[str] | Loaded, **options: Any) -> None:
        """Open a model by the class `_opener` of `transformers`, or take a loaded one; `options` as ``Pretrained``."""
        self._pretrained = Pretrained(type(self).__name__, given, self._opener, self._kind, **options)
        self._model, self._tokenizer = self._pretrained.model, self._pretrained.tokenizer
        self._device = self._pretrained.device

    def _context(self) -> int:
        """The most tokens that the model has positions for, and that its tokenizer gives it."""
        config = self._model.config.get_text_config()
        places = getattr(config, "max_position_embeddings", None) or _MOST
        if config.model_type in _SHIFTED:
            places -= int(config.pad_token_id or 0) + 1
        return min(int(places), int(getattr(self._tokenizer, "model_max_length", None) or _MOST))

    def _marks(self) -> dict[str, Any]:
        """Marks for the name, each with whether it applies."""
        return {}

    @property
    def name(self) -> str:
        dtype = self._pretrained.dtype
        marks = {**self._marks(), dtype: dtype != "float32"}
        return "+".join([self._pretrained.name, *(mark for mark, applies in marks.items() if applies)])
