"""``metrologue explain``: why two scorers differ."""

from __future__ import annotations

from dataclasses import asdict
from typing import TYPE_CHECKING

import click

from metrologue.cli.options import Keys, check_references, files_options, format_option, made_scorer
from metrologue.cli.printing import as_json_text, print_rich

if TYPE_CHECKING:
    from rich.table import Table

    from metrologue.attribution import Explanation

__all__ = ["explain"]


@click.command()
@click.argument("metric")
@click.argument("a")
@click.argument("b")
@files_options(several_systems=False)
@format_option("text", "json")
def explain(
    metric: str, a: str, b: str, predictions: str, references: tuple[str, ...], keys: Keys, output_format: str
) -> None:
    """Share the gap between variants (or signatures) A and B of a METRIC among the choices that differ.

    \b
    Examples:
      metrologue explain bleu nltk sacrebleu -p hyp.txt -r ref.txt
      metrologue explain bleu evaluate pycocoevalcap -p hyp.txt -r ref1.txt -r ref2.txt --format json
    """
    from metrologue.attribution import explain
    from metrologue.files import read_segments

    first, second = made_scorer(metric, a), made_scorer(metric, b)
    check_references([first, second], references)
    [system], texts = read_segments([predictions], references, **keys)
    explanation = explain(first, second, system, texts)
    if output_format == "json":
        click.echo(as_json_text(asdict(explanation)))
    else:
        print_rich(_explanation_table(explanation, a, b, in_points=bool(first.perfect_score and second.perfect_score)))


def _explanation_table(explanation: Explanation, a: str, b: str, in_points: bool) -> Table:
    from rich.table import Column, Table

    factor, unit = (100, "points of 100") if in_points else (1, "difference")
    table = Table("choice", a, b, Column(unit, justify="right"))
    for contribution in explanation.contributions:
        table.add_row(contribution.choice, contribution.a, contribution.b, f"{factor * contribution.share:+.4f}")
    table.add_section()
    gap = f"{factor * explanation.gap:+.4f}"
    table.add_row("score", f"{explanation.value_a:.4f}", f"{explanation.value_b:.4f}", gap)
    return table
