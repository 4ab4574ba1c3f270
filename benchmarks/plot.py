"""One picture of a record: time and memory as the text grows, two threads, first numbers, and the other libraries."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from benchmarks.growth import Growth, slope
from benchmarks.records import Record
from benchmarks.threads import Threads
from benchmarks.timing import Row

__all__ = ["plot"]


def plot(records: Sequence[Record], path: Path) -> None:
    """Write the picture, SVG or PNG. A panel whose group was not measured stays empty."""
    from matplotlib.figure import Figure

    rows = [one for one in records if isinstance(one, Row) and one.peer != "what is promised"]
    points = [one for one in records if isinstance(one, Growth)]
    figure = Figure(figsize=(13, max(14.0, 0.17 * len(rows))), layout="constrained")
    panels = figure.subplot_mosaic([[left, "rows"] for left in ("growth", "memory", "threads", "starts")])
    _growth(panels["growth"], points)
    _memory(panels["memory"], points)
    _threads(panels["threads"], [one for one in records if isinstance(one, Threads)])
    _starts(panels["starts"], [one for one in records if isinstance(one, Row) and one.what.startswith("first ")])
    _rows(panels["rows"], rows)
    figure.savefig(path, metadata={"Date": None} if path.suffix == ".svg" else None)


def _growth(panel: Any, points: list[Growth]) -> None:
    for metric in dict.fromkeys(point.metric for point in points):
        own = sorted((point for point in points if point.metric == metric), key=lambda point: point.pairs)
        exponent = f", slope {slope(own):.2f}" if len(own) > 1 else ""
        panel.loglog(
            [point.pairs for point in own],
            [point.seconds for point in own],
            marker="o",
            label=f"{metric}{exponent}",
        )
    panel.set(title="The command on files: time", xlabel="pairs", ylabel="processor seconds")
    if points:
        panel.legend()


def _memory(panel: Any, points: list[Growth]) -> None:
    for metric in dict.fromkeys(point.metric for point in points):
        own = sorted((point for point in points if point.metric == metric), key=lambda point: point.pairs)
        peak = max(point.mebibytes for point in own)
        panel.semilogx(
            [point.pairs for point in own],
            [point.mebibytes for point in own],
            marker="o",
            label=f"{metric}, {peak:,.0f} MiB",
        )
    panel.set(title="The command on files: memory at its peak", xlabel="pairs", ylabel="MiB", ylim=(0, None))
    if points:
        panel.legend()


def _threads(panel: Any, found: list[Threads]) -> None:
    ordered = sorted(found, key=lambda one: one.ratio)
    panel.barh([one.what for one in ordered], [one.ratio for one in ordered])
    panel.axvline(1, color="black", linewidth=0.8)
    panel.set(title="Two threads", xlabel="times faster than one, by the clock")
    panel.tick_params(axis="y", labelsize=6)


def _starts(panel: Any, rows: list[Row]) -> None:
    ordered = sorted(rows, key=lambda row: row.ours, reverse=True)
    panel.barh([row.what.removesuffix(" (processor)") for row in ordered], [row.ours for row in ordered])
    panel.set(title="The command's first number", xlabel="processor seconds")
    panel.tick_params(axis="y", labelsize=6)


def _rows(panel: Any, rows: list[Row]) -> None:
    names = [f"{row.what} ({row.peer})" for row in reversed(rows)]
    panel.barh(names, [row.ratio - 1 for row in reversed(rows)], left=1)
    panel.axvline(1, color="black", linewidth=0.8)
    if rows:
        panel.set_xscale("log")
        panel.margins(y=0.01)
    panel.set(title="Beside other libraries", xlabel="times faster than the other library")
    panel.tick_params(axis="y", labelsize=6)
