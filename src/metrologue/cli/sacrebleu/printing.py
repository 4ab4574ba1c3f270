"""What sacrebleu prints: lines, JSON, and tables for a terminal or for LaTeX."""

from __future__ import annotations

import json
import secrets
import statistics
from argparse import Namespace
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import click
import numpy as np

from metrologue.cli.sacrebleu import resamples, testsets
from metrologue.cli.sacrebleu.measures import Measure, segments_of, verbose
from metrologue.cli.sacrebleu.refusing import seed
from metrologue.cli.sacrebleu.texts import Texts
from metrologue.inference import paired_test

__all__ = ["Style", "sentences", "several", "single"]

_COLOURS = {"red": 31, "green": 32, "yellow": 33, "cyan": 36}
_SIGNIFICANT = 0.05


@dataclass(frozen=True)
class Style:
    """The options of a call, and whether the output has colours."""

    options: Namespace
    colours: bool

    def number(self, value: Any) -> str:
        """With so many decimals as --width says."""
        return f"{value:.{self.options.width}f}"

    def coloured(self, text: str, colour: str) -> str:
        """The text between the codes of a terminal."""
        return f"\x1b[{_COLOURS[colour]}m{text}\x1b[0m" if self.colours else text


@dataclass
class _Found:
    """The numbers of a system, under the names that sacrebleu's JSON has."""

    score: float
    p_value: float | None = None
    mean: Any = None
    ci: Any = None


def sentences(style: Style, measure: Measure, lines: Sequence[str], references: Sequence[Sequence[str]]) -> None:
    """A line for each segment."""
    segments = segments_of(lines, references)
    columns = measure.scorer.segment_scores(segments)
    signature = measure.signature(len(references), style.options.short)
    for row in range(len(lines)):
        numbers = {name: column[row] for name, column in columns.items()}
        click.echo(_line(style, measure, numbers, style.number(numbers[measure.scorer.primary]), signature))


def _line(style: Style, measure: Measure, numbers: Any, shown: str, signature: str) -> str:
    """A score in one line."""
    if style.options.score_only:
        return shown
    found = f"{measure.name}|{signature} = {shown}"
    return f"{found} {verbose(numbers)}" if measure.name == "BLEU" else found


def single(style: Style, scored: Sequence[Measure], lines: Sequence[str], texts: Texts) -> None:
    """The numbers of one system."""
    options = style.options
    is_json = options.format == "json" and not options.detail
    found = [_of_system(style, measure, lines, texts.references, is_json) for measure in scored]
    if is_json:
        click.echo(found[0] if len(found) == 1 else "[\n" + ",\n".join(found) + "\n]")
    else:
        _aligned(found)
    if options.detail:
        _details(style, scored, texts)


def _of_system(
    style: Style, measure: Measure, lines: Sequence[str], references: Sequence[Sequence[str]], is_json: bool
) -> str:
    """One number as a line, or as an object of JSON."""
    options, segments = style.options, segments_of(lines, references)
    numbers = measure.scores(segments)
    value, about = numbers[measure.scorer.primary], {}
    shown, plain = style.number(value), {"name": measure.name, "score": float(style.number(value)), "signature": ""}
    if options.confidence and options.confidence_n > 1:
        drawn, spelled = seed()
        about = {"bs": options.confidence_n, "seed": spelled.lower()}
        rows = measure.scorer.statistics(segments)
        scores = resamples.resampled(measure.resampled, rows, options.confidence_n, drawn)
        mean, half = statistics.mean(sorted(scores)), resamples.interval(scores)[1]
        if mean > 0:
            said = f"μ = {style.number(mean)} ± {style.number(half)}"
            plain |= {
                "confidence_mean": float(style.number(mean)),
                "confidence_var": float(style.number(half)),
                "confidence": said,
            }
            shown += " " + (f"({said})" if is_json or options.score_only else style.coloured(f"({said})", "cyan"))
    signature = measure.signature(len(references), options.short and options.format != "json", **about)
    if options.score_only or not is_json:
        return _line(style, measure, numbers, shown, signature)
    plain["signature"] = signature
    if measure.name == "BLEU":
        plain["verbose_score"] = verbose(numbers)
    return json.dumps(plain | dict(part.split(":") for part in signature.split("|")), indent=1, ensure_ascii=False)


def _aligned(lines: Sequence[str]) -> None:
    """Lines one below the other, by their signs of equality. Lines without one come first."""
    if len(lines) == 1:
        click.echo(lines[0])
        return
    split = [line.index("=") - 1 for line in lines if "=" in line]
    for line in lines:
        if "=" not in line:
            click.echo(line)
    for at, line in zip(split, (line for line in lines if "=" in line), strict=True):
        click.echo(f"{line[:at]:>{max(split)}}{line[at:]}")


def _details(style: Style, scored: Sequence[Measure], texts: Texts) -> None:
    """The numbers of each part of a test set."""
    if style.options.test_set is None and style.options.origlang is None:
        click.echo("No subset information found. Consider using --origlang argument.")
        return
    found = list(testsets.parts(style.options, texts))
    width, names = max(len(name) for name, _ in found) + 1, max(len(measure.name) for measure in scored)
    for name, own in found:
        [lines] = own.systems.values()
        for measure in scored:
            value = measure.scores(segments_of(lines, own.references))[measure.scorer.primary]
            heading = style.coloured(f"{name:<{width}}", "yellow")
            click.echo(f"{heading}: sentences={len(lines):<6} {measure.name:<{names}} = {style.number(value)}")


def several(style: Style, scored: Sequence[Measure], texts: Texts) -> None:
    """A table of systems, perhaps with a test of each against the first one."""
    options = style.options
    is_paired = options.paired_bs or options.paired_ar
    about: dict[str, Any] = {}
    if is_paired:
        kind, count = ("bs", options.paired_bs_n) if options.paired_bs else ("ar", options.paired_ar_n)
        if count <= 0:
            count = 1000 if options.paired_bs else 10_000
        about = {kind: count, "seed": seed()[1].lower()}
    columns: dict[str, list[Any]] = {}
    for measure in scored:
        systems = {name: segments_of(lines, texts.references) for name, lines in texts.systems.items()}
        rows = {name: measure.scorer.statistics(own) for name, own in systems.items()}
        found = {name: _Found(measure.scores(own)[measure.scorer.primary]) for name, own in systems.items()}
        if options.paired_bs:
            _bootstrapped(measure, rows, found, count)
        elif options.paired_ar:
            _randomized(measure, rows, found, count)
        columns[measure.name] = [*found.values()]
    if options.format == "json":
        click.echo(_as_json(style, columns, [*texts.systems], is_paired))
        return
    click.echo(_table(style, columns, [*texts.systems], is_paired))
    click.echo()
    if is_paired:
        click.echo(_about_the_test(style, next(iter(texts.systems))))
    rule = "-" * len("Metric signatures")
    click.echo(f"{rule}\nMetric signatures\n{rule}")
    for measure in scored:
        click.echo(f" - {measure.name:<10} {measure.signature(len(texts.references), options.short, **about)}")


def _bootstrapped(measure: Measure, rows: dict[str, Any], found: dict[str, _Found], count: int) -> None:
    drawn = seed()[0]
    common = drawn or secrets.randbits(63)  # in sacrebleu's tests, a seed of 0 is none; in its intervals it is one
    scores = {name: resamples.resampled(measure.resampled, own, count, common) for name, own in rows.items()}
    baseline = next(iter(rows))
    own = resamples.resampled(measure.resampled, rows[baseline], count, 0) if drawn == 0 else scores[baseline]
    found[baseline].mean, found[baseline].ci = resamples.interval(own)
    for name in [*rows][1:]:
        found[name].mean, found[name].ci = resamples.interval(scores[name])
        difference = abs(found[baseline].score - found[name].score)
        found[name].p_value = resamples.p_value(scores[baseline], scores[name], difference)


def _randomized(measure: Measure, rows: dict[str, Any], found: dict[str, _Found], count: int) -> None:
    baseline = next(iter(rows))
    tested = paired_test(
        measure.scorer, baseline, rows, method="randomization", resamples=count, seed=seed()[0] or None,
        resampling="sacrebleu",
    )  # fmt: skip
    for each in tested:
        found[each.system].p_value = each.p_value


def _as_json(style: Style, columns: dict[str, list[_Found]], names: list[str], is_paired: bool) -> str:
    """Where a number is in single precision, sacrebleu itself fails here."""

    def plain(found: _Found) -> Any:
        if not is_paired:
            return style.number(found.score)
        return {key: value if value is None else _shortest(value) for key, value in vars(found).items()}

    rows = [
        {"system": name, **{key: plain(column[i]) for key, column in columns.items()}} for i, name in enumerate(names)
    ]
    return json.dumps(rows, indent=4)


def _shortest(value: Any) -> float:
    """A number with the digits that its own precision has."""
    return float(str(value)) if isinstance(value, np.float32) else float(value)


def _table(style: Style, columns: dict[str, list[_Found]], names: list[str], is_paired: bool) -> str:
    from tabulate import tabulate

    in_latex = style.options.format == "latex"
    has_intervals, cells = False, {"System": names}
    for name, found in columns.items():
        has_intervals |= found[0].mean is not None
        heading = f"{name} (μ ± 95% CI)" if has_intervals else name
        cells[heading] = [_cell(style, each, " " if in_latex else "\n") for each in found]
    if is_paired:
        for column in cells.values():
            column[0] = style.coloured(column[0], "yellow")
    made: str = tabulate(
        {style.coloured(heading, "cyan"): column for heading, column in cells.items()},
        headers="keys", tablefmt="latex_booktabs" if in_latex else "fancy_grid", colalign=("right",), stralign="center",
        numalign="center", floatfmt=f".{style.options.width}f",
    )  # fmt: skip
    return made


def _cell(style: Style, found: _Found, between: str) -> str:
    shown = style.number(found.score)
    if found.mean is not None:
        shown += f" ({style.number(found.mean)} ± {style.number(found.ci)})"
    if found.p_value is None:
        return shown
    said = f"(p = {found.p_value:.4f})"
    return shown + between + (style.coloured(said, "red") if found.p_value > _SIGNIFICANT else f"{said}*")


def _about_the_test(style: Style, baseline: str) -> str:
    """The words of sacrebleu on its tests, which a program that reads its output may look for."""
    options = style.options
    kind, drawn = ("bootstrap resampling", "resampling trials") if options.paired_bs else (
        "approximate randomization", "trials"
    )  # fmt: skip
    title = f"Paired {kind} test with {options.paired_bs_n if options.paired_bs else options.paired_ar_n} {drawn}"
    rule = "-" * len(title)
    plain, named = style.coloured("baseline", "yellow"), style.coloured(baseline, "yellow")
    null, red = style.coloured("Null hypothesis", "green"), style.coloured("highlighted in red", "red")
    given = "score / bootstrap estimated true mean / 95% CI are" if options.paired_bs else "score is"
    return f"""{rule}
{title}
{rule}
 - Each system is pairwise compared to {named}.
   Actual system {given} provided for each metric.

 - {null}: the system and the {plain} translations are essentially
   generated by the same underlying process. For a given system and the {plain},
   the p-value is roughly the probability of the absolute score difference (delta)
   or higher occurring due to chance, under the assumption that the {null.lower()} is correct.

 - Assuming a significance threshold of 0.05, the {null.lower()} can be rejected
   for p-values < 0.05 (marked with "*"). This means that the delta is unlikely to be attributed
   to chance, hence the system is significantly "different" than the {plain}.
   Otherwise, the p-values are {red}.

 - NOTE: Significance does not tell whether a system is "better" than the {plain} but rather
   emphasizes the "difference" of the systems in terms of the replicability of the delta.
"""
