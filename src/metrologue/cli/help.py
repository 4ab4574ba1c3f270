"""Help texts: one screen with the options of most calls, and with ``--help-all`` every option, in groups."""

from __future__ import annotations

import re
from collections.abc import Sequence
from inspect import cleandoc
from typing import Any

import click

# The options of all commands, by what they are for. What is in none is an input that a metric declares.
GROUPS = {
    "Input": (
        "predictions", "references", "prediction_key", "reference_key", "sources", "data", "test", "reader", "columns",
        "candidates", "weights", "scores_from", "lower_is_better", "system_key", "segment", "of_all", "plain",
        "annotations", "results", "files", "resegment",
    ),
    "Metric": (
        "more_metrics", "variant", "variants", "settings", "language", "changes", "tokenizers",
        "aggregate", "combine", "libraries", "live", "library_timeout", "sample", "seconds", "most", "subset",
        "document_frequency", "documents",
    ),
    "Output": (
        "output_format", "out", "per_segment", "worst", "digits", "details", "score_only", "whose_signature",
        "cite", "html", "top", "between", "fail_on", "fail", "checkpoint_file", "space", "folder", "dry_run",
    ),
    "Statistics": (
        "confidence", "level", "metric_test", "confidence_n", "resamples", "paired_bs", "paired_bs_n", "paired_ar",
        "paired_ar_n", "tests", "p_values", "correction", "resampling", "seed",
    ),
    "People's judgements": (
        "qualities", "quality", "leave_out", "leave_out_copies", "scale", "scales", "normalize", "measured",
        "method", "unit", "system_score", "tie", "agreement_alone", "agreement_by", "least_agreement", "judges",
    ),
    "Models": (
        "model", "encoders", "device", "dtype", "batch_size", "max_length", "stride", "no_boundaries", "threads",
        "trainer", "hidden", "epochs", "scores", "resume", "pairs",
    ),
    "Names of other programs": ("language_pair", "tokenizer", "lowercase"),
}  # fmt: skip

# What most calls need. A command with more options than FEW shows these.
COMMON = (
    "data", "candidates", "predictions", "references", "sources", "variant", "settings",
    "language", "model", "segment", "confidence", "paired_bs", "unit", "method", "per_segment", "live",
    "output_format", "out",
)  # fmt: skip
FEW = 12
MANY = 6  # values are more than a line holds


class Command(click.Command):
    """A command whose help text has the options that most calls need, if there are many."""

    def __init__(self, *args: Any, **given: Any) -> None:
        super().__init__(*args, **given)
        if len(_visible(self.params)) > FEW:
            told = f"Show all {len(_visible(self.params))} options, in groups."
            everything: dict[str, Any] = {"is_flag": True, "is_eager": True, "expose_value": False, "help": told}
            self.params.append(click.Option(["--help-all"], callback=_show_all, **everything))

    def format_help_text(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        whole = self.help
        if not self._is_whole(ctx) and whole:
            clean = cleandoc(whole)
            summary, *_ = clean.split("\n\n", 1)
            lines = clean.partition("Examples:\n")[2].splitlines()[:3]
            self.help = "\n".join([summary, "", "\b", "Examples:", *lines])
        try:
            super().format_help_text(ctx, formatter)
        finally:
            self.help = whole

    def format_options(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        params = _visible(self.get_params(ctx))
        if not self._is_whole(ctx):
            shown = {each.name: each for each in params}
            _write(formatter, "Options", [_short(shown[name], ctx) for name in (*COMMON, "help_all") if name in shown])
            return
        if len(params) <= FEW:
            super().format_options(ctx, formatter)
            return
        titles = {name: title for title, names in GROUPS.items() for name in names}
        for title in (*GROUPS, "Options"):
            chosen = [each for each in params if titles.get(each.name or "", _rest(each)) == title]
            _write(formatter, title, [each.get_help_record(ctx) for each in chosen])

    def _is_whole(self, ctx: click.Context) -> bool:
        return bool(ctx.meta.get(__name__)) or not any(each.name == "help_all" for each in self.params)


def _show_all(ctx: click.Context, _param: click.Parameter, value: bool) -> None:
    if value and not ctx.resilient_parsing:
        ctx.meta[__name__] = True
        click.echo(ctx.get_help(), color=ctx.color)
        ctx.exit()


def _rest(option: click.Option) -> str:
    """The group of an option that no group names."""
    return "Options" if {"--help", "--help-all"} & {*option.opts} else "Input"


def _visible(params: Sequence[click.Parameter]) -> list[click.Option]:
    return [each for each in params if isinstance(each, click.Option) and not each.hidden]


def _short(option: click.Option, ctx: click.Context) -> tuple[str, str]:
    """An option's first names, and the first sentence of its help text."""
    names = [next((each for each in option.opts if each.startswith("--") == long), "") for long in (False, True)]
    text = re.split(r"(?<=\.)\s", option.help or "", maxsplit=1)[0]
    what = "" if option.is_flag else f" {option.make_metavar(ctx)}"
    if isinstance(option.type, click.Choice):
        what = " NAME"
        if len(option.type.choices) <= MANY:
            text = f"{text.removesuffix('.')}: {', '.join(option.type.choices)}."
    if option.secondary_opts and option.default:
        names = [f"{names[-1]} / {option.secondary_opts[0]}"]
    return ", ".join(filter(None, names)) + what, text


def _write(formatter: click.HelpFormatter, title: str, records: Sequence[tuple[str, str] | None]) -> None:
    rows = [each for each in records if each]
    if rows:
        with formatter.section(title):
            formatter.write_dl(rows)
