"""Text-generation metrics: every library's number from one engine, and the reason why they differ.

``metrologue.scorers`` holds the metrics, ``metrologue.attribution`` explains the gap between two of them,
``metrologue.trace`` shows what matched, and ``metrologue.load`` gives a metric as a Hugging Face ``evaluate`` module.
"""

from __future__ import annotations

from importlib import resources
from typing import Any

from metrologue.errors import InputError

__version__ = "0.1.0"
__all__ = ["InputError", "__version__", "list_metrics", "load", "module_path"]


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
