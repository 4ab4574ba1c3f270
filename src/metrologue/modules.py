"""The modules of Hugging Face's ``evaluate`` that the package has: their names and folders, and how one is loaded."""

from __future__ import annotations

from functools import cache
from importlib import resources
from typing import Any

from metrologue.errors import InputError, instead_of, shown

# The folders beside the metrics that hold paired tests of two systems: comparisons, in the words of `evaluate`.
_COMPARISONS = ("approximate_randomization", "mcnemar", "paired_bootstrap", "wilcoxon")
# And those that take numbers: correlation, agreement of annotators, distributions, errors, shares of players.
_STATISTICS = (
    "cohen_kappa",
    "fleiss_kappa",
    "kendalltau",
    "krippendorff_alpha",
    "mauve",
    "mse",
    "pearsonr",
    "shapley",
    "spearmanr",
)
# Benchmarks: a table of tasks each, with the numbers of labels, of numbers or of texts.
_BENCHMARKS = ("glue", "indic_glue", "super_glue", "xnli", "xtreme_s")


def list_metrics() -> list[str]:
    """Names of the metrics, as ``load``, ``module_path`` and the command line take them.

    Examples
    --------
    >>> "bleu" in list_metrics()
    True
    """
    from metrologue.scorers.core.homes import homes, own_homes

    return sorted({*_own_metrics(), *homes()} - {name for name in own_homes() if name not in _own_metrics()})


@cache
def _own_metrics() -> frozenset[str]:
    """The metrics that have a module in this package."""
    folder = resources.files("metrologue") / "metrics"
    names = {entry.name for entry in folder.iterdir() if entry.is_dir()} - {*_COMPARISONS, *_STATISTICS, *_BENCHMARKS}
    return frozenset(name for name in names if (folder / name / f"{name}.py").is_file())


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


def list_benchmarks() -> list[str]:
    """Names of the benchmarks, as ``load`` and ``module_path`` take them; their variants are tasks.

    Examples
    --------
    >>> list_benchmarks()
    ['glue', 'indic_glue', 'super_glue', 'xnli', 'xtreme_s']
    """
    return [*_BENCHMARKS]


def all_names() -> list[str]:
    """Names of all modules, as ``load`` and ``module_path`` take them.

    Examples
    --------
    >>> {"bleu", "mcnemar", "spearmanr"} <= {*all_names()}
    True
    """
    return sorted([*list_metrics(), *_COMPARISONS, *_STATISTICS, *_BENCHMARKS])


def check_name(name: Any, owner: str, told_as: Any = None) -> None:
    """Raise an InputError if there is no module of this name; `owner` begins the message, which names `told_as`."""
    if not _is_name(name):
        from metrologue.hub_names import told_of_absent

        told = told_of_absent(name) or instead_of(name, all_names())
        raise InputError(f"{owner}: no metric is called {shown(told_as or name)}; {told}")


def _is_name(name: Any) -> bool:
    """Whether there is a module of this name. Other packages are asked only for a name that is not ours."""
    from metrologue.scorers.core.homes import has_home, own_homes

    own = {*_own_metrics(), *_COMPARISONS, *_STATISTICS, *_BENCHMARKS}
    return isinstance(name, str) and (name in own or (name not in own_homes() and has_home(name)))


def module_path(name: str) -> str:
    """Path of the folder of a metric, a paired test or a statistic, for ``evaluate.load(path, variant)``.

    Parameters
    ----------
    name : str
        One of ``list_metrics()``, ``list_comparisons()`` or ``list_statistics()``, or another name of a metric, such as
        "gleu". A variant is the second argument of ``evaluate.load``; ``load`` takes both in one name.

    Raises
    ------
    InputError
        If there is none of that name.

    Examples
    --------
    >>> module_path("bleu").endswith("bleu")
    True
    """
    meant = _meant(name, None, "module_path")
    if meant[1:] != (None, {}, ()):
        raise InputError(f"module_path: {name!r} is {meant[0]!r} with a variant or options; metrologue.load takes it.")
    return _path(meant[0])


def _path(name: str) -> str:
    if name in {*_own_metrics(), *_COMPARISONS, *_STATISTICS, *_BENCHMARKS}:
        return str(resources.files("metrologue") / "metrics" / name)
    from metrologue.scorers.core.homes import module_folder

    if folder := module_folder(name):
        return str(folder)
    from metrologue.bridge.loading import derived_module

    return derived_module(name)


def _meant(name: Any, variant: str | None, owner: str) -> tuple[str, str | None, dict[str, Any], tuple[str, ...]]:
    """What a name stands for: the folder of a module, the variant, options, and words for the number that is meant."""
    if _is_name(name):
        return name, variant, {}, ()
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.names import metric_of, read_name
    from metrologue.scorers.core.options import parsed_fields
    from metrologue.scorers.core.registry import is_metric
    from metrologue.scorers.core.typed import options_and_number, typed

    given = read_name(name, variant)
    if "|" in given.head:
        return metric_of(given.head), given.head, {}, ()
    if _is_name((own := typed(name)).head.partition(":")[0]):  # a module before another program's name
        given = own
    folder, _, whose = given.head.partition(":")
    check_name(folder, owner, name)
    if not (given.fields or given.words):
        return folder, whose or variant, {}, ()
    if not is_metric(folder):
        raise InputError(f"{owner}: {shown(name)} has options; give those of {folder} as arguments, as in max_order=2.")
    texts, number = options_and_number(get_scorer(folder), given)
    return folder, whose or variant, parsed_fields(get_scorer(folder), texts), number


def load(name: str, variant: str | None = None, *, config_name: str | None = None, **options: Any) -> Any:
    """Load a module of ``evaluate``: "bleu" is the Hub's, from 0 to 1, and ``score("bleu", ...)`` sacrebleu's, to 100.

    The call is ``evaluate.load(module_path(name), variant, **options)``. Another variant is another library's number:
    ``load("bleu:sacrebleu")``. ``recommended`` gives the scorer that the field uses for a language.

    Parameters
    ----------
    name : str
        One of ``list_metrics()`` or ``list_comparisons()``; also with a variant and options, or by another name, as
        ``score`` takes it: "bleu:nltk", "bleu[max_order=2]", "rougeL".
    variant : str, optional
        Whose numbers to give: one of the scorer's ``variants()``. By default those of the Hub's module of that name.
    config_name : str, optional
        The variant, as ``evaluate.load`` calls it.
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
        If there is no such metric or variant, or two variants are given.

    Examples
    --------
    >>> bleu = load("bleu:nltk")
    >>> bleu.compute(predictions=["a b c d"], references=["a b c d"])["bleu"]
    1.0
    """
    if config_name is not None and variant not in (None, config_name):
        raise InputError(f"load: `variant` is {shown(variant)}, and `config_name` {shown(config_name)}; give one.")
    variant = config_name if variant is None else variant
    folder, chosen, named, number = _meant(name, variant, "load")
    if variant not in (None, chosen):
        raise InputError(f"load: {shown(chosen)} and {shown(variant)} are two variants; give one of them.")
    if twice := named.keys() & options.keys():
        raise InputError(f"load: `name` is {shown(name)}, and `{min(twice)}` is given too; give one of them.")
    from metrologue.bridge.loading import load

    module = load(_path(folder), chosen, **named, **options)
    if number:
        module.choose(number)
    return module
