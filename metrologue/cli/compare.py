"""``metrologue compare``: every library and every variant on the same files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.completion import complete_metric, complete_variant
from metrologue.cli.faults import Refused, echo_warning
from metrologue.cli.models import model_option
from metrologue.cli.options import Keys, check_references, files_options, format_option, out_option, system_names
from metrologue.cli.printing import print_results
from metrologue.cli.significance import Sampled, sampling_options
from metrologue.cli.writing import require_plots, write_report
from metrologue.output import progress_bar

if TYPE_CHECKING:
    from metrologue.comparison.findings import Study

__all__ = ["compare", "run_compare"]


@click.command()
@files_options(several_systems=True)
@click.option(
    "--metric",
    "metrics",
    multiple=True,
    default=("bleu",),
    show_default=True,
    help='A metric, or "all". Repeat for others.',
    shell_complete=complete_metric,
)
@click.option("--library", "libraries", multiple=True, help="Run only this library. Repeat for others.")
@click.option(
    "--variant",
    "variants",
    multiple=True,
    help="Run only this variant of ours. Repeat for others.",
    shell_complete=complete_variant,
)
@model_option
@sampling_options
@format_option("text", "json", "markdown")
@out_option
def compare(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    metrics: tuple[str, ...],
    libraries: tuple[str, ...],
    variants: tuple[str, ...],
    model: str | None,
    sampled: Sampled,
    output_format: str,
    out: Path | None,
) -> None:
    """Run every library and every variant on the same files, and show which numbers differ and why.

    Numbers have confidence intervals, and a winner has its p-value. All numbers are in points from 0 to 100. A metric
    without a perfect score, such as a distance, is in its own unit. The Hub's modules come over the network, or from
    the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue compare -p hyp.txt -r ref.txt
      metrologue compare --metric bleu --metric chrf -p a.txt -p b.txt -r ref1.txt -r ref2.txt --out report.html
      metrologue compare --metric all -p hyp.txt -r ref.txt --format json
      metrologue compare -p hyp.txt -r ref.txt --library nltk --variant nltk --variant sacrebleu --format markdown
      metrologue compare --metric perplexity --model news.arpa -p text.txt
    """
    if out:
        require_plots()
    chosen = libraries or None, variants or None
    study = run_compare(predictions, references, keys, metrics, *chosen, model=model, sampled=sampled)
    found = study.comparisons[0] if len(study.comparisons) == 1 else study
    print_results(output_format, found.to_json, found.to_markdown)
    if out:
        write_report(out, found=found)


def _tell_missing(
    metrics: Sequence[str], libraries: Sequence[str] | None, variants: Sequence[str] | None, with_model: bool
) -> None:
    """Say before the work, all at once, what is not here, and one command that installs it."""
    from metrologue.comparison.absent import installing, lacking

    found = lacking(metrics, libraries, variants, with_model)
    for absence in found:
        echo_warning(f"not here: {absence}")
    if command := installing(found):
        click.echo(f"To install: {command}", err=True)


def run_compare(
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    metrics: Sequence[str] = ("bleu",),
    libraries: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
    names: Mapping[str, str] | None = None,
    *,
    model: str | None = None,
    sampled: Sampled,
) -> Study:
    """Compare files by the metrics that ``fitting_metrics`` takes. `names` has other names for systems than their files'.

    Names are checked before the files are read, and what the files hold before any work begins.
    """
    from metrologue.comparison.fitting import fitting_metrics
    from metrologue.comparison.harness import compare_metrics
    from metrologue.comparison.libraries import LibraryError
    from metrologue.files import read_segments
    from metrologue.scorers import get_scorer

    if named := [get_scorer(metric) for metric in metrics if metric != "all"]:
        check_references(named, references)
    systems, texts = read_segments(predictions, references, **keys)
    labels = [names[path] for path in predictions] if names else system_names(predictions)
    chosen = fitting_metrics(metrics, dict(zip(labels, systems, strict=True)), texts, model is not None)
    with progress_bar() as update:
        try:
            _tell_missing(chosen, libraries, variants, model is not None)
            return compare_metrics(
                dict(zip(labels, systems, strict=True)),
                texts,
                chosen,
                libraries,
                variants,
                lambda what, done, total: update(description=what, completed=done, total=total),
                model=model,
                **sampled,
            )
        except LibraryError as error:
            raise Refused(str(error)) from error
