"""The modules of Hugging Face's ``evaluate`` that the package has: their names and folders, and how one is loaded."""

from __future__ import annotations

from importlib import resources
from typing import Any

from metrologue.errors import InputError, instead_of

# The folders beside the metrics that hold paired tests of two systems: comparisons, in the words of `evaluate`.
_COMPARISONS = ("approximate_randomization", "mcnemar", "paired_bootstrap", "wilcoxon")
# And those that take numbers: correlation with people, agreement of annotators, distributions, shares of players.
_STATISTICS = (
    "cohen_kappa",
    "fleiss_kappa",
    "kendalltau",
    "krippendorff_alpha",
    "mauve",
    "pearsonr",
    "shapley",
    "spearmanr",
)


def list_metrics() -> list[str]:
    """Names of the metrics, as ``load``, ``module_path`` and the command line take them.

    Examples
    --------
    >>> "bleu" in list_metrics()
    True
    """
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
    names = [*list_metrics(), *_COMPARISONS, *_STATISTICS]
    if name not in names:
        from metrologue.hub_names import told_of_hub_name

        told = told_of_hub_name(name) or instead_of(name, names)
        raise InputError(f"module_path: no metric is called {name!r}; {told}")
    return str(resources.files("metrologue") / "metrics" / name)


def load(name: str, variant: str | None = None, **options: Any) -> Any:
    """Load a module of ``evaluate``: "bleu" is the Hub's, from 0 to 1, and ``score("bleu", ...)`` sacrebleu's, to 100.

    The call is ``evaluate.load(module_path(name), variant, **options)``. Another variant is another library's number:
    ``load("bleu", "sacrebleu")``. ``recommended`` gives the scorer that the field uses for a language.

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
