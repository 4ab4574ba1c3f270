"""Text-generation metrics: every library's number from one engine, and the reason why they differ.

``score`` scores texts with a metric that is given by name, and ``pairwise`` every text with every other one. ``mbr``
chooses the best of several candidates. ``trace`` shows how a number of one segment comes about. ``explain`` divides the
gap between two scorers among their choices. ``compare`` runs the libraries themselves and our scorers on the same
texts. ``doctor`` says what is plainly wrong with them. ``which`` says which settings print a given number. ``load``
gives a metric as a Hugging Face ``evaluate`` module. The metrics are classes in ``metrologue.scorers``, such as
``Bleu``. A name is imported when it is first used.
"""

from __future__ import annotations

from os.path import dirname, isdir, join
from typing import TYPE_CHECKING, Any

from metrologue.deferred import deferred
from metrologue.errors import InputError, instead_of
from metrologue.version import __version__

if TYPE_CHECKING:
    from metrologue.attribution import explain
    from metrologue.comparison.doctor import doctor
    from metrologue.comparison.harness import compare
    from metrologue.comparison.which import which
    from metrologue.scorers import (
        F1,
        Accuracy,
        Adem,
        Apes,
        BertScore,
        Bleu,
        Bleurt,
        CharacterErrorRate,
        Chrf,
        Cider,
        CompactReward,
        Comparator,
        Composite,
        ConfusionMatrix,
        CrossEntropy,
        Dae,
        Dice,
        DistinctN,
        EditDistance,
        EntityRecall,
        Esim,
        ExactMatch,
        FactCC,
        Fed,
        FinedEval,
        GoogleBleu,
        Gtm,
        Hlepor,
        Huse,
        LexicalDiversity,
        Likelihood,
        LikelihoodHashed,
        LogLossHashed,
        Masi,
        MatchErrorRate,
        Meant,
        Meteor,
        MoverScore,
        Nist,
        NistMt,
        NliFaithfulness,
        NNEval,
        Peak,
        PerceptionScore,
        Perplexity,
        PerplexityHashed,
        Precision,
        Pyramid,
        Recall,
        Ribes,
        Rouge,
        RougeWe,
        Ruber,
        Ruse,
        Scorer,
        SelfBleu,
        SemanticSimilarity,
        Smd,
        Spice,
        Ter,
        Tesla,
        TeslaCelab,
        TokenF1,
        Usr,
        Wmd,
        WordErrorRate,
        WordInformationLost,
        WordInformationPreserved,
        Yisi,
        pairwise,
        score,
    )
    from metrologue.scorers.mbr import mbr
    from metrologue.scorers.traces import trace
    from metrologue.segments import Segments

__all__ = [
    "F1",
    "Accuracy",
    "Adem",
    "Apes",
    "BertScore",
    "Bleu",
    "Bleurt",
    "CharacterErrorRate",
    "Chrf",
    "Cider",
    "CompactReward",
    "Comparator",
    "Composite",
    "ConfusionMatrix",
    "CrossEntropy",
    "Dae",
    "Dice",
    "DistinctN",
    "EditDistance",
    "EntityRecall",
    "Esim",
    "ExactMatch",
    "FactCC",
    "Fed",
    "FinedEval",
    "GoogleBleu",
    "Gtm",
    "Hlepor",
    "Huse",
    "InputError",
    "LexicalDiversity",
    "Likelihood",
    "LikelihoodHashed",
    "LogLossHashed",
    "Masi",
    "MatchErrorRate",
    "Meant",
    "Meteor",
    "MoverScore",
    "NNEval",
    "Nist",
    "NistMt",
    "NliFaithfulness",
    "Peak",
    "PerceptionScore",
    "Perplexity",
    "PerplexityHashed",
    "Precision",
    "Pyramid",
    "Recall",
    "Ribes",
    "Rouge",
    "RougeWe",
    "Ruber",
    "Ruse",
    "Scorer",
    "Segments",
    "SelfBleu",
    "SemanticSimilarity",
    "Smd",
    "Spice",
    "Ter",
    "Tesla",
    "TeslaCelab",
    "TokenF1",
    "Usr",
    "Wmd",
    "WordErrorRate",
    "WordInformationLost",
    "WordInformationPreserved",
    "Yisi",
    "__version__",
    "compare",
    "doctor",
    "explain",
    "list_comparisons",
    "list_metrics",
    "list_statistics",
    "load",
    "mbr",
    "module_path",
    "pairwise",
    "score",
    "trace",
    "which",
]

# In a checkout, these folders are links to those beside the package. Git for Windows may write a file instead.
if isdir(dirname(__file__)) and not all(isdir(join(dirname(__file__), name)) for name in ("metrics", "comparison")):
    raise ImportError(
        f"metrologue: {dirname(__file__)} has no folders `metrics` and `comparison`. In a checkout they are links. Git "
        "for Windows makes links if Windows' developer mode is on. Turn it on, run `git config core.symlinks true` and "
        "`git checkout -- src/metrologue/metrics src/metrologue/comparison`, and install metrologue again."
    )
# The folders beside the metrics that hold paired tests of two systems: comparisons, in the words of `evaluate`.
_COMPARISONS = ("approximate_randomization", "mcnemar", "paired_bootstrap", "wilcoxon")
# And those that take numbers: correlation with people, agreement of annotators, shares of players.
_STATISTICS = (
    "cohen_kappa",
    "fleiss_kappa",
    "kendalltau",
    "krippendorff_alpha",
    "pearsonr",
    "shapley",
    "spearmanr",
)

# The modules of some names that are not defined here. All other names are in metrologue.scorers.
_ELSEWHERE = {
    "Segments": "metrologue.segments",
    "compare": "metrologue.comparison.harness",
    "doctor": "metrologue.comparison.doctor",
    "explain": "metrologue.attribution",
    "mbr": "metrologue.scorers.mbr",
    "trace": "metrologue.scorers.traces",
    "which": "metrologue.comparison.which",
}
# The functions that people call, each with a call that a message shows if the arguments do not fit.
_CALLS = {
    "compare": 'compare(predictions, references, "bleu")',
    "doctor": "doctor(predictions, references)",
    "explain": 'explain("bleu", "nltk", "sacrebleu", predictions, references)',
    "mbr": 'mbr("chrf", candidates)',
    "pairwise": 'pairwise("chrf", predictions, references)',
    "score": 'score("bleu", predictions, references)',
    "trace": 'trace("bleu", predictions, references, segment=0)',
    "which": 'which("bleu", 27.3, predictions, references)',
}
__getattr__ = deferred(__name__, {name: _ELSEWHERE.get(name, "metrologue.scorers") for name in __all__}, _CALLS)


def __dir__() -> list[str]:
    return __all__


def list_metrics() -> list[str]:
    """Names of the metrics, as ``load``, ``module_path`` and the command line take them.

    Examples
    --------
    >>> "bleu" in list_metrics()
    True
    """
    from importlib import resources  # slow to import, and not needed to score

    folder = resources.files("metrologue") / "metrics"
    names = {entry.name for entry in folder.iterdir() if entry.is_dir()} - {*_COMPARISONS, *_STATISTICS}
    return sorted(name for name in names if (folder / name / f"{name}.py").is_file())


def list_comparisons() -> list[str]:
    """Names of the paired tests, as ``load`` and ``module_path`` take them.

    Examples
    --------
    >>> list_comparisons()
    ['approximate_randomization', 'mcnemar', 'paired_bootstrap', 'wilcoxon']
    """
    return [*_COMPARISONS]


def list_statistics() -> list[str]:
    """Names of the modules that take numbers, as ``load`` and ``module_path`` take them.

    Examples
    --------
    >>> list_statistics()[:3]
    ['cohen_kappa', 'fleiss_kappa', 'kendalltau']
    """
    return [*_STATISTICS]


def module_path(name: str) -> str:
    """Path of the folder of a metric, a paired test or a statistic, for ``evaluate.load(path, variant)``.

    Parameters
    ----------
    name : str
        One of ``list_metrics()``, ``list_comparisons()`` or ``list_statistics()``.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> module_path("bleu").endswith("bleu")
    True
    """
    from importlib import resources

    known = [*list_metrics(), *_COMPARISONS, *_STATISTICS]
    if name not in known:
        from metrologue.hub_names import told_of_hub_name

        told = told_of_hub_name(name) or instead_of(name, known)
        raise InputError(f"module_path: no metric is called {name!r}; {told}")
    return str(resources.files("metrologue") / "metrics" / name)


def load(name: str, variant: str | None = None, **options: Any) -> Any:
    """Load a metric or a paired test for ``evaluate``: ``evaluate.load(module_path(name), variant, **options)``.

    Parameters
    ----------
    name : str
        One of ``list_metrics()`` or ``list_comparisons()``.
    variant : str, optional
        Whose numbers to give: one of the scorer's ``variants()``. By default those of the Hub's module of that name.
    **options
        Arguments of the module's ``compute``, such as ``max_order=2``, which each call then has unless it is given
        others; ``encoder``, if a trained model needs one; and other options of ``evaluate.load``, such as
        ``experiment_id`` or ``keep_in_memory``.

    Returns
    -------
    evaluate.Metric or evaluate.Comparison

    Raises
    ------
    InputError
        If there is no such metric or variant.

    Examples
    --------
    >>> bleu = load("bleu", "nltk")
    >>> bleu.compute(predictions=["a b c d"], references=["a b c d"])["bleu"]
    1.0
    """
    from metrologue.bridge.loading import load

    return load(module_path(name), variant, **options)
