"""Text-generation metrics: every library's number from one engine, and the reason why they differ.

``metrologue.scorers`` holds the metrics, ``metrologue.attribution`` explains the gap between two of them,
``metrologue.trace`` shows what matched, and ``metrologue.load`` gives a metric as a Hugging Face ``evaluate`` module.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import resources
from typing import TYPE_CHECKING, Any

from metrologue.errors import InputError
from metrologue.version import __version__

if TYPE_CHECKING:
    from metrologue.scorers import Scorer
    from metrologue.tracing import Trace

__all__ = ["InputError", "__version__", "list_metrics", "load", "module_path", "trace"]


def list_metrics() -> list[str]:
    """Names of the metrics, as ``load``, ``module_path`` and the command line take them.

    Examples
    --------
    >>> "bleu" in list_metrics()
    True
    """
    folder = resources.files("metrologue") / "metrics"
    names = (entry.name for entry in folder.iterdir() if entry.is_dir())
    return sorted(name for name in names if (folder / name / f"{name}.py").is_file())


def module_path(name: str) -> str:
    """Path of a metric's folder, for ``evaluate.load(path, variant)``.

    Parameters
    ----------
    name : str
        One of ``list_metrics()``.

    Raises
    ------
    InputError
        If there is no such metric.

    Examples
    --------
    >>> module_path("bleu").endswith("bleu")
    True
    """
    if name not in list_metrics():
        raise InputError(f"module_path: no metric is called {name!r}; there are {', '.join(list_metrics())}.")
    return str(resources.files("metrologue") / "metrics" / name)


def load(name: str, variant: str | None = None, **options: Any) -> Any:
    """Load a metric as an ``evaluate`` module: ``evaluate.load(module_path(name), variant, **options)``.

    Parameters
    ----------
    name : str
        One of ``list_metrics()``.
    variant : str, optional
        Whose numbers to give, one of the scorer's ``variants()``; the Hub's module of that name by default.
    **options
        Whatever ``evaluate.load`` takes, such as ``experiment_id`` or ``keep_in_memory``.

    Returns
    -------
    evaluate.Metric

    Raises
    ------
    ImportError
        If ``evaluate`` is not installed.

    Examples
    --------
    >>> bleu = load("bleu", "nltk")
    >>> bleu.compute(predictions=["a b c d"], references=["a b c d"])["bleu"]
    1.0
    """
    try:
        import evaluate
    except ImportError as error:
        raise ImportError("metrologue.load needs `evaluate`: pip install 'metrologue[evaluate]'.") from error
    return evaluate.load(module_path(name), variant, **options)


def trace(scorer: Scorer, prediction: str, references: Sequence[str] = ()) -> Trace:
    """Show how a scorer comes to its number for one segment.

    Parameters
    ----------
    scorer : Scorer
        Any configuration of a metric.
    prediction : str
        The hypothesis.
    references : sequence of str
        Its references, at least one, unless the metric needs none.

    Returns
    -------
    Trace
        The formula with its numbers, and blocks that show what was counted: for BLEU and chrF the n-grams of each
        order, for ROUGE of each type what matched, for METEOR the alignment, for TER, the edit distance and the error
        rates both texts in columns with a letter below each edit; for any other metric a table of its numbers. See
        ``text()``, ``html()`` and ``to_dict()``.

    Raises
    ------
    InputError
        If the texts make no segment, `scorer` is none, or the variant refuses the texts.

    Examples
    --------
    >>> from metrologue.scorers import Bleu, Rouge
    >>> found = trace(Bleu.variant("nltk", max_order=1), "the the the the the the the",
    ...               ["the cat is on the mat", "there is a cat on the mat"])
    >>> print(found.formula)
    BLEU = 1.000 · exp(1·ln(2/7)) = 0.2857142857142857
    >>> found.table("1-grams").column("clipped")
    (2,)
    >>> print(trace(Rouge(types=("rougeL",)), "the gunman kill police", ["police killed the gunman"]).formula)
    rougeL_fmeasure = 2·0.5·0.5/(0.5 + 0.5) = 0.5
    """
    from metrologue.scorers.core.trace import trace as trace_segment

    return trace_segment(scorer, prediction, references)
