"""Language models by path or name, and in the configuration of a scorer, where their names identify them."""

from __future__ import annotations

import inspect
import os
from collections.abc import Sequence
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.data.arrow import pa
from metrologue.data.named import NamedValue
from metrologue.errors import InputError, shown
from metrologue.files.regular import open_regular, read_json
from metrologue.language_models.base import LanguageModel
from metrologue.language_models.pretrained import Loaded, class_of, is_hub_name, is_loaded, is_masked

# How packed files begin: gzip, xz.
_PACKED = b"\x1f\x8b", b"\xfd7zXZ\0"
# KenLM's binary files begin with this, after which comes the version.
_KENLM = b"mmap lm http://kheafield.com/code"
# For each module that reads a model, the class there and what it reads.
_READERS = {
    "arpa": ("ArpaModel", "an ARPA file"),
    "kenlm_binary": ("KenlmModel", "a binary file of KenLM"),
    "causal": ("CausalModel", "a model of transformers"),
    "masked": ("MaskedModel", "a masked model of transformers"),
}


def open_model(model: str | os.PathLike[str] | Loaded, **options: Any) -> LanguageModel:
    """The language model that a path or a name stands for, or that is loaded already.

    Parameters
    ----------
    model : str, path or (model, tokenizer)
        An ARPA file, perhaps packed by gzip, xz or zstd; KenLM's binary file; a folder with a causal or a masked
        model of transformers; or the name of a causal model on the Hub, such as "gpt2". A file or folder comes
        before such a name. Or a causal or a masked model as `transformers` loaded it, and its tokenizer, see
        ``metrologue.language_models.causal.CausalModel``.
    **options
        The other arguments of the class that reads the model: ``bos`` and ``eos`` of
        ``metrologue.language_models.arpa.ArpaModel`` and of ``metrologue.language_models.kenlm_binary.KenlmModel``, or
        those of ``metrologue.language_models.causal.CausalModel``, such as ``stride=512``, and of
        ``metrologue.language_models.masked.MaskedModel``.

    Raises
    ------
    InputError
        If nothing stands there and it is no name of a model, or if the file is no model. The message names the file.
        If the class that reads the model has no such option. If what is loaded is no such pair.
    ModuleNotFoundError
        If the model needs a package that is not installed: kenlm, or torch and transformers.

    Examples
    --------
    >>> open_model("models/news.arpa")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: open_model: there is no file or folder 'models/news.arpa'.
    """
    given: Any = model
    if isinstance(model, (str, os.PathLike)):
        given = os.fsdecode(model)
    elif not is_loaded(model):
        raise InputError(
            f"open_model: `model` is {shown(model)}; a path, the name of a model or (model, tokenizer) is expected."
        )
    kind = _kind(given) if isinstance(given, str) else "masked" if is_masked(given) else "causal"
    name_of_class, what = _READERS[kind]
    reader = getattr(import_module(f"metrologue.language_models.{kind}"), name_of_class)
    _, *names = inspect.signature(reader).parameters
    for name in options:
        if name not in names:
            called = given if isinstance(given, str) else f"a {class_of(given)}"
            raise InputError(f"open_model: {called} is {what}, which has no `{name}`, but {', '.join(names)}.")
    opened: LanguageModel = reader(given, **options)
    return opened


def _kind(path: str) -> str:
    """The module that reads the model."""
    if os.path.isdir(path):
        if not os.path.isfile(os.path.join(path, "config.json")):
            raise InputError(f"open_model: {path} is a folder without a config.json; a model of transformers has one.")
        return "masked" if _is_masked(os.path.join(path, "config.json")) else "causal"
    if not os.path.exists(path):
        return _of_hub(path)
    try:
        with open_regular(path, "open_model") as file:
            start = file.read(len(_KENLM))
    except OSError as error:
        raise InputError(f"open_model: {path} cannot be read: {error}.") from error
    if start == _KENLM:
        return "kenlm_binary"
    if b"\0" in start and not start.startswith(_PACKED):
        raise InputError(f"open_model: {path} is neither an ARPA file nor a binary file of KenLM.")
    return "arpa"


def _is_masked(configuration: str) -> bool:
    """Whether a config.json is that of a masked language model."""
    try:
        named = read_json(configuration, "open_model").get("architectures") or [""]
    except (OSError, ValueError, AttributeError):  # the reader says what is wrong
        return False
    return str(named[0]).endswith("ForMaskedLM")


def _of_hub(name: str) -> str:
    """The kind of a model on the Hub: "causal". Raises an InputError if the name is a path where nothing is."""
    looks_like_a_file = Path(name).suffix in (".arpa", ".gz", ".xz", ".zst", ".bin", ".binary", ".klm", ".lm", ".blm")
    if looks_like_a_file or not is_hub_name(name):
        raise InputError(f"open_model: there is no file or folder {shown(name, 300)}.")
    return "causal"


@dataclass(frozen=True)
class NamedModel(NamedValue):
    """A language model with its name. Two with the same name are equal. A signature has the name.

    Attributes
    ----------
    name : str
        The model's name with a digest of its content, such as "news.arpa@06dcd770684d".
    model : LanguageModel
    """

    model: LanguageModel = field(compare=False, repr=False)

    noun = "language model"
    expected = "a language model, its file or folder, (model, tokenizer), or the name of one in use"
    plural = "language models"
    opener = "open_model(path)"
    opened = staticmethod(open_model)
    methods = ("score_texts",)
    _is_loaded = staticmethod(is_loaded)


def continuation_sums(
    model: NamedModel, texts: Sequence[str], befores: Sequence[str], owner: str, places: Sequence[tuple[str, int]]
) -> Floats:
    """The log-probability of what each text has after its beginning, and the number of its tokens.

    Parameters
    ----------
    model : NamedModel
    texts, befores : n str
        Each text begins with its `before`, which the model cuts into the same tokens on its own. "" for the whole text.
    owner : str
        The caller's name for messages.
    places : n (str, int)
        The argument and the index of each text, for messages.

    Returns
    -------
    float64 (n, 2)
        Sums of log-probabilities to the model's base, and counts, which may be 0.

    Raises
    ------
    InputError
        If the model refuses a text, leaves out its end, or gives a token no finite log-probability.

    Examples
    --------
    >>> from metrologue.language_models import FunctionModel
    >>> lengths = FunctionModel("lengths", lambda texts: [[(w, -len(w)) for w in t.split()] for t in texts], "1")
    >>> continuation_sums(NamedModel.of(lengths), ["a big cat"], ["a"], "Fed", [("predictions", 0)])
    array([[-6.,  2.]])
    """
    if getattr(model.model, "cuts_texts", False):
        raise InputError(f"{owner}: `max_length` of {model} cuts the end of texts off; give the model a `stride` too.")
    try:
        scores = model.model.score_texts(pa.array(list(texts), pa.large_string()))
    except InputError as error:
        if error.place is None:
            raise
        _, text, what = error.place
        raise InputError.at(owner, *places[text], what) from error
    counts = {before: len(model.model.tokens(before)) if before else 0 for before in {*befores}}
    sums = np.empty((len(texts), 2))
    for row, before in enumerate(befores):
        logs = scores.log_probabilities[scores.offsets[row] + counts[before] : scores.offsets[row + 1]]
        if not np.isfinite(logs).all():
            raise InputError.at(owner, *places[row], f": {model} gives one of its tokens no probability above 0.")
        sums[row] = logs.sum(), len(logs)
    return sums
