"""``metrologue explain``: why two scorers differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, replace
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.completion import complete_metric, complete_variant
from metrologue.cli.faults import located
from metrologue.cli.inputs import Files, InputCommand, Inputs
from metrologue.cli.models import model_options
from metrologue.cli.options import Keys, files_options, format_option, made_scorer, settings_option
from metrologue.cli.tables import FORMATS, Table, print_table, say
from metrologue.errors import InputError
from metrologue.output import as_json
from metrologue.scorers.core.numbers import perfect_score
from metrologue.scorers.core.variants import nearest_variant, short_signature

if TYPE_CHECKING:
    from metrologue.attribution import Explanation
    from metrologue.language_models import NamedModel
    from metrologue.representations import NamedEncoder
    from metrologue.scorers import Scorer

# A share that is 0, as it is printed.
_NONE = "+0.0000"


@click.command(cls=InputCommand)
@click.argument("metric", shell_complete=complete_metric)
@click.argument("a", shell_complete=complete_variant)
@click.argument("b", shell_complete=complete_variant)
@files_options(several_systems=False)
@settings_option
@model_options
@format_option(*FORMATS, "json")
def explain(
    metric: str,
    a: str,
    b: str,
    predictions: str,
    references: tuple[str, ...],
    keys: Keys,
    inputs: Inputs,
    settings: tuple[str, ...],
    model: NamedModel | NamedEncoder | None,
    output_format: str,
) -> None:
    """Explain the gap between A and B, two variants or signatures of a METRIC: the share of each choice that differs.

    --set changes a field of both.

    \b
    Examples:
      metrologue explain bleu nltk sacrebleu -p hyp.txt -r ref.txt
      metrologue explain bleu evaluate pycocoevalcap -p hyp.txt -r ref1.txt -r ref2.txt --format json
      metrologue explain lexical_diversity lexicalrichness lexical-diversity --set measures=[mtld] -p text.txt
    """
    from metrologue.attribution import cancelling, explain

    first, second = (made_scorer(metric, each, settings, model) for each in (a, b))
    files = Files([predictions], references, keys, inputs)
    files.check([first, second])
    [system], texts, others, ids, _ = files.read([first])
    with located(predictions, references, ids=ids):
        explanation = explain(first, second, system, texts, **inputs.rows(others))
    if output_format == "json":
        click.echo(as_json(asdict(explanation)))
    else:
        in_points = bool(perfect_score(first) and perfect_score(second))
        table = _table(explanation, a, b, in_points)
        if output_format in ("latex", "markdown"):
            table = _captioned(table, explanation, first, second)
        equal = explanation.cancelled(100 if in_points else 1)
        told = [cancelling(a, b, equal)] if equal else []
        table = replace(table, caption=[*table.caption[:1], *told, *table.caption[1:]])
        print_table(table, output_format)
        if output_format == "text":
            say(*told, "", *_meanings(explanation, first, second))
            if texts is not None:
                values = {first: explanation.value_a, second: explanation.value_b}
                say(*_changes(values, system, texts))
            if texts is not None:
                say(*_examples(explanation, (a, first), (b, second), system, texts))


def _table(explanation: Explanation, a: str, b: str, in_points: bool) -> Table:
    """The share of each choice, the largest first, and then the two scores with their gap, all in one unit.

    The choices whose share is 0 have one row. What a library prints in another unit is in brackets. If both scores are
    equal, shares that cancel out are not printed.
    """
    factor, unit = (100, "points of 100") if in_points else (1, "difference")
    shares = {part: _share(factor * part.share, factor * part.standard_error) for part in explanation.contributions}
    equal = explanation.cancelled(factor)
    shares |= {part: "cancels out" for part in shares if part.choice in equal}
    rows = [[part.choice, part.a, part.b, share] for part, share in shares.items() if share != _NONE]
    if idle := [part.choice for part, share in shares.items() if share == _NONE]:
        rows.append([", ".join(idle), "no effect here", "", _NONE])
    scores = ((explanation.value_a, explanation.scale_a), (explanation.value_b, explanation.scale_b))
    shown = (_score(value, factor / scale if in_points else 1.0) for value, scale in scores)
    rows.append(["score", *shown, f"{factor * explanation.gap:+.4f}"])
    return Table(["choice", a, b, unit], rows, words=3)


def _captioned(table: Table, explanation: Explanation, first: Scorer, second: Scorer) -> Table:
    """The table with what a reader must know. Choices without an effect are in the caption, which has room for them."""
    a, b, unit = table.header[1:]
    drawn = "by sampled orders" if any(part.standard_error for part in explanation.contributions) else "exact"
    idle = [str(row[0]) for row in table.rows if row[1] == "no effect here"]
    return replace(
        table,
        rows=[row for row in table.rows if row[1] != "no effect here"],
        caption=[
            f"Shares of the choices in the gap between {a} and {b} of {first.name}: Shapley values, {drawn}; {unit}.",
            *(f"No effect here: {each}." for each in idle),
            f"{a}: {short_signature(first)}; {b}: {short_signature(second)}.",
        ],
        remarks=[first.signature, second.signature],
    )


def _meanings(explanation: Explanation, a: Scorer, b: Scorer) -> list[str]:
    """What the fields mean that have a share in the gap, and their values."""
    from metrologue.scorers.core.described import described
    from metrologue.scorers.core.options import choices_of

    parts = {part.choice for part in explanation.contributions if part.share}
    fields = [name for choice in choices_of(type(a)) if choice.name in parts for name in choice.fields]
    values = {name: [getattr(a, name), getattr(b, name)] for name in fields}
    meant = {name: described(type(a), name, both) for name, both in values.items() if both[0] != both[1]}
    return [f"{name}: {about}".replace("`", "") for name, about in meant.items()]


def _examples(
    explanation: Explanation, first: tuple[str, Scorer], second: tuple[str, Scorer], system: Any, texts: Any
) -> Iterator[str]:
    """A sentence on tokens that the two scorers read differently, as ``compare`` has it."""
    from metrologue.comparison.findings.causes import find_causes
    from metrologue.comparison.findings.records import Gap
    from metrologue.segments import Segments

    scorers = dict((first, second))
    if len(scorers) == 2 and getattr(first[1], "tokenizer", None) != getattr(second[1], "tokenizer", None):
        gap = Gap(**vars(explanation), system="", variant_a=first[0], variant_b=second[0])
        for cause in find_causes([gap], scorers, Segments(system, texts)):
            if cause.tokens_a != cause.tokens_b:
                yield cause.sentence


def _changes(scored: Mapping[Scorer, float], system: Any, texts: Any) -> Iterator[str]:
    """Where the library that is installed is older than the one that a scorer mirrors, what it prints instead."""
    from metrologue.comparison.libraries import Available, get_library
    from metrologue.comparison.libraries.history import change

    for scorer, value in scored.items():
        live = scorer.variants()[nearest].live if (nearest := nearest_variant(scorer)) else None
        status = get_library(live.partition(".")[0]).status() if live else None
        if isinstance(status, Available) and (found := change(scorer, status.version)):
            with suppress(InputError):
                before = found.before.corpus(system, texts).value
                if not math.isclose(before, value, rel_tol=1e-9):
                    yield f"{found.sentence(before, value)}."


def _share(share: float, error: float) -> str:
    """A share, with its standard error if orders were drawn."""
    shown = f"{share:+.4f} ± {error:.4f}" if error else f"{share:+.4f}"
    return _NONE if shown == "-0.0000" else shown


def _score(value: float, factor: float) -> str:
    """A score in the unit of the table, and in brackets as the library prints it if that is another number."""
    return f"{factor * value:.4f}" + (f" ({value:.4f})" if factor != 1 else "")
