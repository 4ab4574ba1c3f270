"""``metrologue compare``: every library and every variant on the same files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click

from metrologue.cli.faults import Refused, echo_warning
from metrologue.cli.options import Keys, check_references, files_options, format_option, out_option, system_names
from metrologue.cli.printing import print_results, progress_bar
from metrologue.cli.writing import require_plots, write_report

if TYPE_CHECKING:
    from metrologue.comparison.findings import Comparison

__all__ = ["compare", "run_compare"]


@click.command()
@files_options(several_systems=True)
@click.option("--metric", default="bleu", show_default=True)
@click.option("--library", "libraries", multiple=True, help="Run only this library. Repeat for others.")
@click.option("--variant", "variants", multiple=True, help="Run only this variant of ours. Repeat for others.")
@format_option("text", "json", "markdown")
@out_option
def compare(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    metric: str,
    libraries: tuple[str, ...],
    variants: tuple[str, ...],
    output_format: str,
    out: Path | None,
) -> None:
    """Run every library and every variant on the same files, and show which numbers differ and why.

    The Hub's modules come over the network, or from the folder that METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue compare -p hyp.txt -r ref.txt
      metrologue compare -p a.txt -p b.txt -r ref1.txt -r ref2.txt --out report.html
      metrologue compare -p hyp.txt -r ref.txt --library nltk --variant nltk --variant sacrebleu --format markdown
    """
    if out:
        require_plots()
    comparison = run_compare(predictions, references, keys, metric, libraries or None, variants or None)
    print_results(output_format, comparison.to_json, comparison.to_markdown)
    if out:
        write_report(out, comparison=comparison)


def _tell_missing(metric: str, libraries: Sequence[str] | None) -> None:
    """Say before the work which libraries are not here, a line for each cure; one command installs all packages."""
    from metrologue.comparison.libraries import Missing, adapters, get_library

    found = [get_library(name) for name in libraries] if libraries else adapters(metric)
    absent = [(library, status) for library in found if isinstance(status := library.status(metric), Missing)]
    extras = ",".join(sorted({library.extra for library, status in absent if status.is_package}))
    cures: dict[str, list[str]] = {}
    for library, status in absent:
        cure = f"pip install 'metrologue[{extras}]'" if status.is_package else status.cure
        cures.setdefault(cure, []).append(library.name)
    for cure, names in cures.items():
        echo_warning(f"not here: {', '.join(names)}; {cure}")


def run_compare(
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    metric: str = "bleu",
    libraries: Sequence[str] | None = None,
    variants: Sequence[str] | None = None,
) -> Comparison:
    from metrologue.comparison.harness import compare
    from metrologue.comparison.libraries import LibraryError
    from metrologue.files import read_segments
    from metrologue.scorers import get_scorer

    check_references([get_scorer(metric)], references)
    names = system_names(predictions)
    systems, texts = read_segments(predictions, references, **keys)
    with progress_bar() as update:
        try:
            _tell_missing(metric, libraries)
            return compare(
                dict(zip(names, systems, strict=True)),
                texts,
                metric,
                libraries,
                variants,
                lambda what, done, total: update(description=what, completed=done, total=total),
            )
        except LibraryError as error:
            raise Refused(str(error)) from error
