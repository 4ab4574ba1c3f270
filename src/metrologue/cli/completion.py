"""What a shell offers after the tab key: metrics, variants, fields with their values, tokenizers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import click
from click.shell_completion import CompletionItem

if TYPE_CHECKING:
    from metrologue.scorers import Scorer


def complete_metric(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of metrics, and after a colon the variants of a metric."""
    from metrologue.scorers import list_scorers

    typed = ctx.params.get(param.name or "")
    before = [*typed] if isinstance(typed, tuple) else []
    # To bash a colon is a word. It replaces only what comes after the colon.
    if incomplete == ":" and before:
        return _variants(before[-1])
    if before[-1:] == [":"] and len(before) > 1:
        return _beginning(_variants(before[-2]), incomplete)
    metric, colon, _ = incomplete.partition(":")
    return _beginning([f"{metric}:{name}" for name in _variants(metric)] if colon else list_scorers(), incomplete)


def complete_variant(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """The variants of the metrics that are on the line so far, or of all metrics."""
    return _beginning([name for metric in _metrics(ctx) for name in _variants(metric)], incomplete)


def complete_setting(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """FIELD= for each field of the metrics that are on the line so far, or of all metrics; then the field's values.

    A shell that can show more has the meaning of each.
    """
    from metrologue.scorers.core.described import meaning_of
    from metrologue.scorers.core.options import options_of

    fields = {
        name: scorer
        for metric in _metrics(ctx)
        for scorer in [_scorer(metric)]
        if scorer
        for name in options_of(scorer)
    }
    field, equals, _ = incomplete.partition("=")
    if not equals:
        offered = {f"{name}=": meaning_of(scorer, name, None) for name, scorer in fields.items()}
    elif field in fields:
        scorer = fields[field]
        offered = {f"{field}={value}": meaning_of(scorer, field, value) for value in _values(scorer, field)}
    else:
        offered = {}
    return [CompletionItem(text, help=offered[text] or None) for text in _beginning([*offered], incomplete)]


def complete_tokenizer(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of tokenizers."""
    from metrologue.text.tokenizers import list_tokenizers

    return _beginning(list_tokenizers(), incomplete)


def complete_module(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """Names of modules."""
    from metrologue.modules import all_names

    return _beginning(all_names(), incomplete)


def complete_space(ctx: click.Context, param: click.Parameter, incomplete: str) -> list[str]:
    """What can be published."""
    from metrologue.pages.spaces import list_spaces

    return _beginning(list_spaces(), incomplete)


def _metrics(ctx: click.Context) -> list[str]:
    """The metrics on the line, without their variants; all metrics if there is none."""
    from metrologue.scorers import list_scorers

    # While an option lacks its value, click leaves arguments where it found them.
    given = ctx.params
    typed = (*(given.get("metrics") or ()), *(given.get("more_metrics") or ())) or given.get("metric") or ctx.args
    names = [name.partition(":")[0] for name in ([typed] if isinstance(typed, str) else typed)]
    return [name for name in names if _scorer(name)] or list_scorers()


def _scorer(metric: str) -> type[Scorer] | None:
    from metrologue.scorers import get_scorer
    from metrologue.scorers.core.registry import is_metric

    return get_scorer(metric) if is_metric(metric) else None


def _variants(metric: str) -> list[str]:
    scorer = _scorer(metric)
    return [*scorer.variants()] if scorer else []


def _values(scorer: type[Scorer], field: str) -> list[str]:
    """The values of a field, if they can be listed."""
    from metrologue.scorers.core.described import values_of
    from metrologue.scorers.core.options import options_of
    from metrologue.text.tokenizers import list_tokenizers

    if options_of(scorer)[field].kind == "tokenizer":
        return list_tokenizers()
    return values_of(scorer, field).split("`")[1::2]


def _beginning(names: list[str], incomplete: str) -> list[str]:
    return [name for name in dict.fromkeys(names) if name.startswith(incomplete)]
