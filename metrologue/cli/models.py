"""Language models on the command line, and the summary that KenLM prints."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar, cast

import click

if TYPE_CHECKING:
    from metrologue.language_models import NamedModel
    from metrologue.scorers import Result, Scorer

__all__ = ["as_query_prints", "is_ngram_model", "is_query_summary", "model_option", "model_options"]

F = TypeVar("F", bound=Callable[..., Any])

_SUMMARY = {
    "Perplexity including OOVs": "perplexity",
    "Perplexity excluding OOVs": "perplexity_excluding_oovs",
    "OOVs": "oovs",
    "Tokens": "tokens",
}


model_option = click.option(
    "--model",
    metavar="PATH",
    help="The language model for perplexity and its like: an ARPA file, a binary file of KenLM, or a folder with a "
    "model of transformers.",
)


def model_options(function: F) -> F:
    """The options ``--model`` and ``--no-boundaries``. The command gets the language model as `model`, or None."""

    @wraps(function)
    def command(*arguments: Any, model: str | None, no_boundaries: bool, **options: Any) -> Any:
        if no_boundaries and not model:
            raise click.UsageError("--no-boundaries belongs to --model.")
        return function(*arguments, model=_opened(model, no_boundaries) if model else None, **options)

    for option in (
        click.option(
            "--no-boundaries",
            is_flag=True,
            help="Score an n-gram model's words without <s> and </s>, as KenLM's query -n does.",
        ),
        model_option,
    ):
        command = option(command)
    return cast(F, command)


def _opened(path: str, no_boundaries: bool) -> NamedModel:
    from metrologue.language_models import NamedModel, open_model

    model: Any = open_model(path)
    if no_boundaries:
        if not is_ngram_model(NamedModel.of(model)):
            raise click.UsageError(f"--no-boundaries is for n-gram models, which {path} is not.")
        model = model.without_boundaries()
    return NamedModel.of(model)


def is_ngram_model(model: NamedModel) -> bool:
    """Whether a model is an n-gram model, from an ARPA file or from KenLM."""
    return hasattr(model.model, "without_boundaries")


def is_query_summary(scorers: Sequence[Scorer], systems: int) -> bool:
    """Whether the scores are those that KenLM's ``query`` sums up: one system's perplexities, with and without OOVs."""
    return (
        systems == len(scorers) == 1
        and scorers[0].primary == "perplexity"
        and set(_SUMMARY.values()) <= set(scorers[0].range)
    )


def as_query_prints(result: Result) -> str:
    """The summary as KenLM's ``query`` prints it."""
    return "\n".join(f"{heading}:\t{_number(result.scores[key])}" for heading, key in _SUMMARY.items())


def _number(value: float) -> str:
    """The shortest number that reads back as this one, in the way that KenLM writes it."""
    import numpy as np

    if 1e-6 <= value < 1e21:
        return np.format_float_positional(value, trim="-")
    return np.format_float_scientific(value, trim="-", exp_digits=1).replace("e+", "e")
