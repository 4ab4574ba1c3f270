"""What is known of a published table: a verdict on each cell, in words, as plain values, Markdown and HTML."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from html import escape
from typing import Any

from metrologue.comparison.which.search import Answer, Printed
from metrologue.errors import number_of
from metrologue.output import markdown_cell

__all__ = ["COPIED", "FOUND", "NEAR", "ONE_IN", "SWAPPED", "UNEXPLAINED", "Cell", "Checked", "Column", "FilesOf"]

# From the systems of a column to the options of their files, by the names of compared texts, as for
# ``Answer.command_for``; and the paths of these systems and of the references, or none if options say how to read them.
FilesOf = Callable[[Sequence[str]], tuple[Mapping[str, Sequence[str]], Sequence[str], Sequence[str]]]
# A setting explains a column if it prints all its cells, or all but one in so many.
ONE_IN = 4
FOUND, NEAR, COPIED, SWAPPED, UNEXPLAINED = "found", "near", "copied", "swapped", "unexplained"


@dataclass(frozen=True)
class Cell:
    """A number of the table, and what is known of it.

    Attributes
    ----------
    system : str
        The row, as it is printed.
    printed : Printed
    is_bold : bool
    verdict : str
        "found": the setting of its column prints it; "near": it is within one unit of the last digit; "copied": a
        library's default prints it, not the column's setting; "swapped": it is the number of another system;
        "unexplained".
    about : str
        What prints it, or why it is unexplained.
    value : float or None
        Its number under the setting of the column.
    answer : Answer or None
        The setting that prints it.
    chance : int
        How many settings print it, if it is unexplained.
    """

    system: str
    printed: Printed
    is_bold: bool
    verdict: str
    about: str = ""
    value: float | None = None
    answer: Answer | None = None
    chance: int = 0


@dataclass(frozen=True)
class Column:
    """A column of the table.

    Attributes
    ----------
    heading : str
    cells : tuple of Cell
    answer : Answer or None
        The setting that explains it.
    tried, values : int
        How many settings were tried, and how many different numbers they give.
    untried : int
        How many the time did not suffice for.
    matching : int
        How many settings print as much of it.
    chance : float
        With what probability some setting would print an arbitrary column like it.
    notes : tuple of str
    systems : tuple of str
        The name of the output of each row.
    """

    heading: str
    cells: tuple[Cell, ...]
    answer: Answer | None
    tried: int
    values: int
    untried: int
    matching: int
    chance: float
    notes: tuple[str, ...] = ()
    systems: tuple[str, ...] = ()

    @property
    def is_found(self) -> bool:
        """Whether one setting explains it exactly, its rows in this order or another."""
        exact = sum(cell.verdict in (FOUND, SWAPPED) for cell in self.cells)
        return self.answer is not None and exact >= len(self.cells) - len(self.cells) // ONE_IN

    def command(self, files: FilesOf | None = None) -> str | None:
        """The command that prints its numbers under the setting that explains it, for a shell."""
        return None if self.answer is None else _command(self.answer, self.systems, files)


def _command(answer: Answer, systems: Sequence[str], files: FilesOf | None) -> str:
    options, paths, references = files(systems) if files else ({}, (), ())
    known = answer.setting.texts in options
    return answer.command_for(options) if known or not paths else answer.program(paths, references)


@dataclass(frozen=True)
class Checked:
    """What is known of a table.

    Attributes
    ----------
    columns : tuple of Column
    notes : tuple of str
        What concerns the whole table: rows without outputs, columns that are no metric, rows in each other's place.
    """

    columns: tuple[Column, ...]
    notes: tuple[str, ...] = field(default=())

    @property
    def is_explained(self) -> bool:
        """Whether no cell is unexplained."""
        return all(cell.verdict != UNEXPLAINED for column in self.columns for cell in column.cells)

    def __repr__(self) -> str:
        cells = [cell.verdict for column in self.columns for cell in column.cells]
        counts = ", ".join(f"{cells.count(each)} {each}" for each in dict.fromkeys(cells))
        return f"<{type(self).__name__}: {counts}>"

    def lines(self, files: FilesOf | None = None) -> Iterator[str]:
        """The answer as text, line by line, with the commands for these files."""
        yield from self.notes
        for column in self.columns:
            yield f"{column.heading}: {_summary(column)}"
            widths = [max(len(each) for each in texts) for texts in zip(*map(_texts_of, column.cells), strict=True)]
            for cell in column.cells:
                parts = zip(_texts_of(cell), widths, strict=True)
                yield f"  {'  '.join(text.ljust(width) for text, width in parts)}  {cell.about}".rstrip()
            for note in column.notes:
                yield f"  {note}"
            if command := column.command(files):
                yield f"      {command}"

    def to_dict(self, files: FilesOf | None = None) -> dict[str, Any]:
        """Plain values, as the command prints them in JSON, with the commands for these files."""
        return {
            "explained": self.is_explained,
            "notes": [*self.notes],
            "columns": [
                {
                    "heading": column.heading,
                    "setting": column.answer and column.answer.about,
                    "signature": column.answer and column.answer.scorer.signature,
                    "command": column.command(files),
                    "call": column.answer and column.answer.call,
                    **{name: getattr(column, name) for name in ("tried", "untried", "values", "matching", "chance")},
                    "notes": [*column.notes],
                    "cells": [
                        {
                            "system": cell.system, "printed": cell.printed.text, "bold": cell.is_bold,
                            "verdict": cell.verdict, "about": cell.about, "value": cell.value,
                            "setting": cell.answer and cell.answer.about,
                            "command": cell.answer and _command(cell.answer, (system,), files),
                            "settings by chance": cell.chance,
                        }
                        for cell, system in zip(column.cells, column.systems, strict=True)
                    ],
                }
                for column in self.columns
            ],
        }  # fmt: skip

    def to_markdown(self, files: FilesOf | None = None) -> str:
        """The answer as Markdown: what is said of each column, then its cells and the command for these files."""
        parts = [f"{note}\n" for note in self.notes]
        for column in self.columns:
            parts.append(f"**{markdown_cell(column.heading)}**: {markdown_cell(_summary(column))}\n")
            rows: list[tuple[str, ...]] = [("system", "printed", "verdict", "why"), ("---", "---:", "---", "---")]
            rows += [(*map(markdown_cell, (*_texts_of(cell), cell.about)),) for cell in column.cells]
            parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n")
            parts += [f"{markdown_cell(note)}\n" for note in column.notes]
            if command := column.command(files):
                parts.append(f"```text\n{command}\n```\n")
        return "\n".join(parts).rstrip("\n")

    def to_html(self, files: FilesOf | None = None) -> str:
        """The answer as an HTML page, with the commands for these files."""
        return (
            '<!DOCTYPE html>\n<html lang="en"><meta charset="utf-8"><title>Is this table right?</title>\n'
            "<style>body{font-family:sans-serif;max-width:60em;margin:auto}pre{white-space:pre-wrap}"
            "td,th{padding:.2em .8em;text-align:left}"
            ".unexplained{background:#fdd}.copied,.swapped{background:#fed}.near{background:#ffc}</style>\n"
            f"<body>{self._body(files)}</body></html>"
        )

    def _repr_html_(self) -> str:
        """The HTML for a notebook."""
        return self._body(None)

    def _body(self, files: FilesOf | None) -> str:
        parts = [f"<p>{escape(note)}</p>" for note in self.notes]
        for column in self.columns:
            parts.append(f"<h2>{escape(column.heading)}</h2><p>{escape(_summary(column))}</p><table>")
            parts.append("<tr><th>system<th>printed<th>verdict<th>why</tr>")
            for cell in column.cells:
                texts = "".join(f"<td>{escape(text)}" for text in (*_texts_of(cell), cell.about))
                parts.append(f'<tr class="{cell.verdict}">{texts}</tr>')
            parts.append("</table>" + "".join(f"<p>{escape(note)}</p>" for note in column.notes))
            if command := column.command(files):
                parts.append(f"<pre>{escape(command)}</pre>")
        return "\n".join(parts)


def _texts_of(cell: Cell) -> tuple[str, str, str]:
    return cell.system, cell.printed.text, cell.verdict


def _summary(column: Column) -> str:
    """What explains a column, how many settings were tried, and how easily one hits."""
    verdicts = [cell.verdict for cell in column.cells]
    untried = f"; {column.untried:,} more {'was' if column.untried == 1 else 'were'} not, for lack of time"
    untried *= bool(column.untried)
    tried = f"{column.tried:,} settings with {column.values:,} different numbers were tried{untried}"
    if column.answer:
        more = column.matching - 1
        others = f" ({number_of(more, 'other setting')} {'prints' if more == 1 else 'print'} as much)" * (more > 0)
        printed = sum(cell.verdict == SWAPPED or cell.about in ("", column.answer.about) for cell in column.cells)
        return (
            f"{printed} of {number_of(len(verdicts), 'cell')} by {column.answer.about}{others}. {tried}; an arbitrary "
            f"column would be printed with probability {column.chance:.1g}."
        )
    if UNEXPLAINED in verdicts or not verdicts:
        return f"no setting explains the column. {tried}."
    return f"its cells need different settings. {tried}."
