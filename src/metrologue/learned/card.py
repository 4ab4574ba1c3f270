"""The card of a trained model: what was trained, on what, and what it reached on texts that were held out."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import TYPE_CHECKING, Any

from metrologue.errors import number_of
from metrologue.files.forms import ANY, FLAG, REAL, TEXT, list_of, mapping_of, maybe, record, whole
from metrologue.learned.features import part_name
from metrologue.learned.leaks import LeakReport
from metrologue.output import markdown_cell, markdown_text

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

_COUNT = whole(0, 1 << 53)
_REACHED = record({"mean": maybe(REAL), "low": maybe(REAL), "high": maybe(REAL), "parts": mapping_of(maybe(REAL))})
_HELD_OUT = record(
    {
        "rivals": mapping_of(TEXT),
        "beats_rival": FLAG,
        "dropped": mapping_of(_COUNT),
        "leaks": mapping_of(record({each.name: _COUNT for each in fields(LeakReport)})),
        "compared": mapping_of(record(dict.fromkeys(("learned", "rival", "difference"), _REACHED))),
    },
    others=ANY,
)
_DATA = record(
    {"rows": _COUNT, "groups": _COUNT, "digest": TEXT},
    {"labels": FLAG, "least": REAL, "greatest": REAL, "pairs": _COUNT, "made": TEXT, "parser": maybe(TEXT)},
    others=ANY,
)
# The form of a model's report: what a card, and the warnings of a scorer, read of it.
REPORT = record(
    {},
    {
        "trainer": TEXT,
        "elsewhere": TEXT,
        "sample": TEXT,
        "signals": list_of(TEXT),
        "data": _DATA,
        "held_out": _HELD_OUT,
    },
    others=ANY,
)

_TITLES = {"pearson": "Pearson's r", "kendall-b": "Kendall's tau-b", "auc": "AUC", "accuracy": "share of right pairs"}


def model_card(model: TrainedModel) -> str:
    """The card, in Markdown."""
    report = model.report
    lines = [f"# {markdown_text(f'{model.metric}: {model.name}')}", ""]
    if model.is_sample:
        lines += [f"**It is {report['sample']}.**", ""]
    if measured := report.get("held_out"):
        lines += [_verdict(measured), ""]
    lines += ["## What was trained", ""]
    lines += [f"- {report.get('trainer', 'a network')}; layers {model.network.shape}"]
    parts = ", ".join(map(part_name, model.features.parts))
    lines += [f"- features: {parts}" if parts else "- it reads the texts themselves"]
    if signals := report.get("signals"):
        lines += [f"- scores that it learned first: {markdown_text(', '.join(signals))}"]
    if data := report.get("data"):
        lines += ["", "## On what", "", *(f"- {markdown_text(each)}" for each in _data(data))]
    if measured:
        lines += ["", "## Reached on texts that were held out", "", *_table(measured), ""]
        lines += [*_notes(measured)]
    lines += ["", "The encoder's own training data may have held texts like these; nothing here can tell."]
    return "\n".join(lines) + "\n"


def _verdict(measured: Mapping[str, Any]) -> str:
    rivals = sorted({*measured["rivals"].values()})
    if measured["beats_rival"]:
        return f"It beats its trivial rival ({', '.join(rivals)}) on texts that were held out."
    return (
        f"**It does not beat its trivial rival ({', '.join(rivals)})**: a difference, or its interval, is not above 0. "
        "Use the rival."
    )


def _data(data: Mapping[str, Any]) -> list[str]:
    lines = [f"{number_of(data['rows'], 'text')} of {number_of(data['groups'], 'group')}, digest {data['digest']}"]
    if "pairs" in data:
        lines.append(number_of(f"{data['pairs']:,}", "pair"))
    if "made" in data:
        lines.append(f"made by: {data['made']}")
    if {"labels", "least", "greatest"} <= data.keys():
        lines.append(f"{'labels' if data['labels'] else 'ratings'} from {data['least']:.4g} to {data['greatest']:.4g}")
    return lines


def _table(measured: Mapping[str, Any]) -> list[str]:
    """A row for each part and coefficient."""
    lines = ["| coefficient | part | learned | rival | difference |", "| --- | --- | --- | --- | --- |"]
    for method, own in measured["compared"].items():
        title = _TITLES.get(method, method)
        for part in own["learned"]["parts"]:
            cells = [figure(own[name]["parts"].get(part)) for name in ("learned", "rival", "difference")]
            lines.append(f"| {title} | {markdown_cell(part)} | {' | '.join(cells)} |")
        cells = [f"{figure(each['mean'])} [{figure(each['low'])}, {figure(each['high'])}]" for each in own.values()]
        lines.append(f"| {title} | mean, with 95 % interval | {' | '.join(cells)} |")
    return lines


def _notes(measured: Mapping[str, Any]) -> list[str]:
    """The leak report of each part, and what was left out because of it."""
    lines = ["Leak report:", ""]
    for part, own in measured["leaks"].items():
        told = " ".join(LeakReport(**own).told())
        left = measured["dropped"].get(part, 0)
        had = "was" if left == 1 else "were"
        more = f" {number_of(left, 'row')} with a reference of this part {had} left out of the training."
        lines.append(f"- {markdown_text(f'{part}: {told}')}{more if left else ''}")
    return lines


def figure(value: float | None, form: str = ".3f") -> str:
    """A number as a report shows it; "-" for one that is not there."""
    return "-" if value is None else format(value, form)
