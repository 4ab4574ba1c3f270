"""The card of a trained model: what was trained, on what, and what it reached on texts that were held out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from metrologue.errors import number_of
from metrologue.learned.features import part_name
from metrologue.learned.leaks import LeakReport

if TYPE_CHECKING:
    from metrologue.learned.trained_model import TrainedModel

__all__ = ["model_card"]

_TITLES = {"pearson": "Pearson's r", "kendall-b": "Kendall's tau-b", "auc": "AUC", "accuracy": "share of right pairs"}


def model_card(model: TrainedModel) -> str:
    """The card, in Markdown."""
    report = model.report
    lines = [f"# {model.metric}: {model.name}", ""]
    if found := report.get("held_out"):
        lines += [_verdict(found), ""]
    lines += ["## What was trained", ""]
    lines += [f"- {report.get('trainer', 'a network')}; layers {model.network.shape}"]
    parts = ", ".join(map(part_name, model.features.parts))
    lines += [f"- features: {parts}" if parts else "- it reads the texts themselves"]
    if signals := report.get("signals"):
        lines += [f"- scores that it learned first: {', '.join(signals)}"]
    if data := report.get("data"):
        lines += ["", "## On what", "", *(f"- {each}" for each in _data(data))]
    if found:
        lines += ["", "## Reached on texts that were held out", "", *_table(found), ""]
        lines += [*_notes(found)]
    lines += ["", "The encoder's own training data may have held texts like these; nothing here can tell."]
    return "\n".join(lines) + "\n"


def _verdict(found: Mapping[str, Any]) -> str:
    rivals = sorted({*found["rivals"].values()})
    if found["beats_rival"]:
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
    if "least" in data:
        lines.append(f"{'labels' if data['labels'] else 'ratings'} from {data['least']:.4g} to {data['greatest']:.4g}")
    return lines


def _table(found: Mapping[str, Any]) -> list[str]:
    """A row for each part and coefficient."""
    lines = ["| coefficient | part | learned | rival | difference |", "| --- | --- | --- | --- | --- |"]
    for method, own in found["compared"].items():
        title = _TITLES.get(method, method)
        for part in own["learned"]["parts"]:
            cells = [_figure(own[name]["parts"][part]) for name in ("learned", "rival", "difference")]
            lines.append(f"| {title} | {part} | {' | '.join(cells)} |")
        cells = [f"{_figure(each['mean'])} [{_figure(each['low'])}, {_figure(each['high'])}]" for each in own.values()]
        lines.append(f"| {title} | mean, with 95 % interval | {' | '.join(cells)} |")
    return lines


def _notes(found: Mapping[str, Any]) -> list[str]:
    """The leak report of each part, and what was left out because of it."""
    lines = ["Leak report:", ""]
    for part, own in found["leaks"].items():
        told = " ".join(LeakReport(**own).told())
        left = found["dropped"].get(part, 0)
        had = "was" if left == 1 else "were"
        more = f" {number_of(left, 'row')} with a reference of this part {had} left out of the training."
        lines.append(f"- {part}: {told}{more if left else ''}")
    return lines


def _figure(value: float | None) -> str:
    return "-" if value is None else f"{value:.3f}"
