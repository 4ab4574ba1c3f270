r"""Tables as papers print them: TSV, CSV, Markdown, and LaTeX's tabular, with its bold, ±, daggers and percent signs.

What stands around a number goes: ``\textbf{26.6}$^{\dagger}$`` and ``26.6 ± 0.3`` are 26.6, one of them bold.
"""

from __future__ import annotations

import csv
import re
from dataclasses import dataclass

from metrologue.errors import InputError, shown
from metrologue.files.packed import Path

__all__ = ["PrintedCell", "PrintedTable", "parsed_table", "read_table"]

_MOST_CELLS, _MOST_BYTES = 100_000, 10_000_000


@dataclass(frozen=True)
class PrintedCell:
    """A number as it is printed, "26.60", and whether it is bold."""

    number: str
    is_bold: bool = False


@dataclass(frozen=True)
class PrintedTable:
    """A table of systems by metrics.

    Attributes
    ----------
    columns : tuple of str
        The headings, without that of the systems. A heading that spans columns stands before the heading of each.
    rows : tuple of (str, tuple of PrintedCell or None)
        The name of each system, and its cells; None where no number is printed.
    """

    columns: tuple[str, ...]
    rows: tuple[tuple[str, tuple[PrintedCell | None, ...]], ...]


def read_table(path: Path) -> PrintedTable:
    """The table in a file.

    Raises
    ------
    InputError
        If there is none, or the file cannot be read.
    """
    try:
        with open(path, "rb") as file:
            content = file.read(_MOST_BYTES + 1)
        text = content.decode("utf-8-sig").replace("\r\n", "\n")
    except OSError as error:
        raise InputError(f"{path!s}: {error.strerror or error}; a table is expected there.") from error
    except UnicodeDecodeError as error:
        raise InputError(f"{path!s}: it is not UTF-8; save the table so.") from error
    if len(content) > _MOST_BYTES:
        raise InputError(f"{path!s}: it has more than {_MOST_BYTES:,} bytes; give the table alone.")
    return parsed_table(text, str(path))


def parsed_table(text: str, owner: str = "table") -> PrintedTable:
    r"""The table in a text: its form is what its first lines say.

    Raises
    ------
    InputError
        If there is no row with a number, or no heading above it.

    Examples
    --------
    >>> parsed_table("| system | BLEU |\n| --- | --- |\n| ours | **26.6** |").rows
    (('ours', (PrintedCell(number='26.6', is_bold=True),)),)
    """
    lines = [line for line in text.split("\n") if line.strip()]
    if r"\begin{tab" in text or (r"\\" in text and "&" in text):
        rows = _latex(text)
    elif any("|" in line and _is_rule(line) for line in lines):
        start = next(place for place, line in enumerate(lines) if "|" in line and _is_rule(line)) - 1
        rows = [_markdown(line) for line in lines[max(start, 0) :] if "|" in line and not _is_rule(line)]
    else:
        comma = lines and "\t" not in lines[0]
        rows = [[*row] for row in csv.reader(lines, delimiter="," if comma else "\t")]
    rows = [row for row in rows if any(cell.strip() for cell in row)]
    if sum(map(len, rows)) > _MOST_CELLS:
        raise InputError(f"{owner}: the table has more than {_MOST_CELLS:,} cells; give the part that is checked.")
    first = next((place for place, row in enumerate(rows) if any(_cell(cell) for cell in row[1:])), None)
    if not first:
        lacking = "no row has a number after its name" if first is None else "its first row has numbers already"
        raise InputError(
            f"{owner}: {lacking}; a table has a row of headings, such as System and BLEU, and a row for each "
            f"system. It begins with {shown(text[:40])}."
        )
    width = max(map(len, rows[first:]))
    heads = [[_plain(cell) for cell in row] + [""] * (width - len(row)) for row in rows[:first]]
    columns = tuple(" ".join(filter(None, (head[at] for head in heads))) for at in range(1, width))
    body = [
        (_plain(row[0]), tuple(_cell(cell) for cell in [*row[1:], *[""] * (width - len(row))])) for row in rows[first:]
    ]
    return PrintedTable(columns, tuple((name, cells) for name, cells in body if any(cells)))


def _is_rule(line: str) -> bool:
    """Whether a line is what stands below the headings in Markdown: dashes between bars, with colons at their ends."""
    cells = line.strip().removeprefix("|").removesuffix("|").split("|")
    return all(cell.strip().removeprefix(":").removesuffix(":").strip("-") == "" and "-" in cell for cell in cells)


_BAR = re.compile(r"(?<!\\)\|")


def _markdown(line: str) -> list[str]:
    cells = _BAR.split(line.strip())
    return cells[line.strip().startswith("|") : len(cells) - line.strip().endswith("|")]


_COMMENT = re.compile(r"(?<!\\)%.*")
_TABULAR = re.compile(r"\\begin\{tab[a-z]*\*?\}(.*?)\\end\{tab[a-z]*\*?\}", re.DOTALL)
_RULES = re.compile(
    r"\\(?:toprule|midrule|bottomrule|hline|addlinespace)(?:\[[^\]]*\])?|\\c(?:mid|)(?:rule|line)(?:\([^)]*\))?\{[^}]*\}"
)
_SPAN = re.compile(r"\s*\\multicolumn\s*\{\s*(\d{1,3})\s*\}\s*(?=\{)")
_ROWS = re.compile(r"\\\\(?:\s*\[[^\]]*\])?|\\tabularnewline")
_AND = re.compile(r"(?<!\\)&")


def _latex(text: str) -> list[list[str]]:
    r"""The cells of the first tabular that has a row; a cell of \multicolumn stands in each of its columns."""
    bare = "\n".join(_COMMENT.sub("", line) for line in text.split("\n"))
    found = [match[1] for match in _TABULAR.finditer(bare)] or [bare]
    body = max(found, key=lambda each: each.count("&"))
    body = body if body is bare else _after_arguments(body)
    rows = []
    for line in _ROWS.split(_RULES.sub(" ", body)):
        row: list[str] = []
        for cell in _AND.split(line):
            span = _SPAN.match(cell)
            if span:
                cell = _after_arguments(cell[span.end() :], 1)
            row += [cell] * (int(span[1]) if span else 1)
        rows.append(row)
    return rows


def _after_arguments(text: str, most: int = 3) -> str:
    """What follows the arguments in brackets or braces at the start: the columns of a tabular, its width."""
    for _ in range(most):
        start = text.lstrip()
        if start[:1] not in ("{", "["):
            break
        depth, closing = 0, {"{": "}", "[": "]"}[start[0]]
        for place, mark in enumerate(start):
            depth += (mark == start[0]) - (mark == closing)
            if not depth:
                text = start[place + 1 :]
                break
        else:
            break
    return text


_BOLD = re.compile(r"\\(?:textbf|mathbf|boldsymbol|bm|bfseries|bf)\b|\*\*|__|<b>|<strong>")
_MULTIROW = re.compile(r"\\multirow\s*(?:\[[^\]]*\])?\{[^}]*\}(?:\[[^\]]*\])?\{[^}]*\}")
_RAISED = re.compile(r"[\^_]\s*(?:\{(?:[^{}]|\{[^{}]*\})*\}|\\[a-zA-Z]+|[^\s\w{}])")
_SUPERSCRIPT = re.compile(
    r"\\text(?:super|sub)script\s*\{[^{}]*\}|<su[pb]>.*?</su[pb]>|\\(?:cite[a-z]*|footnote\w*)\{[^}]*\}"
)
_COMMAND = re.compile(r"\\[a-zA-Z]+\*?")
_TAG = re.compile(r"</?[a-zA-Z][^<>]{0,50}>")
_PLUS_MINUS = re.compile(r"(?:\\pm|±|\+/-|\+-).*")
_NUMBER = re.compile(r"[-−+]?(?:\d+[.,]\d+|\d+|\.\d+)")


def _plain(cell: str) -> str:
    """The text of a heading or a name, without what marks it up."""
    text = _TAG.sub(" ", _SUPERSCRIPT.sub("", _MULTIROW.sub("", cell)))
    text = _COMMAND.sub(" ", _RAISED.sub("", text).replace(r"\_", "_").replace(r"\&", "&").replace(r"\%", "%"))
    return " ".join(re.sub(r"[{}$~*`†‡↑↓§¶]|__", " ", text).split())


def _cell(cell: str) -> PrintedCell | None:
    """The number of a cell; None for a cell without one, such as "--" or a text that begins with no number."""
    text = _PLUS_MINUS.sub("", _SUPERSCRIPT.sub("", _MULTIROW.sub("", cell)))
    text = _TAG.sub(" ", _COMMAND.sub(" ", _RAISED.sub("", text)))
    match = _NUMBER.match(re.sub(r"[{}$~*`_†‡§¶\s]", "", text))
    if not match:
        return None
    number = match[0].replace("−", "-").replace(",", ".").removeprefix("+")
    return PrintedCell(number, bool(_BOLD.search(cell)))
