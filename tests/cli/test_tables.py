"""Tables of commands in text: what is printed to a file does not depend on whether rich prints it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.cli import tables
from metrologue.cli.tables import Table, print_table

# Names and numbers: printable ASCII without a space at either end.
_CELLS = st.text(st.characters(min_codepoint=0x20, max_codepoint=0x7E), max_size=12).map(str.strip)


@st.composite
def _tables(draw: st.DrawFn) -> Table:
    width = draw(st.integers(1, 5))
    header = draw(st.lists(_CELLS.map(lambda cell: cell or "x"), min_size=width, max_size=width))
    rows = draw(st.lists(st.lists(_CELLS, min_size=width, max_size=width), max_size=4))
    return Table(header, rows, words=draw(st.integers(0, width)), best=frozenset({(0, width - 1)}))


def _printed(table: Table, with_rich: bool) -> str:
    with pytest.MonkeyPatch.context() as patch:
        lines: list[str] = []
        patch.setattr(tables, "may_have_style", lambda: with_rich)
        patch.setattr("click.echo", lines.append)
        if with_rich:
            patch.setattr(tables, "print_rich", lambda made: lines.extend(_by_rich(made)))
        print_table(table, "text")
        return "\n".join(lines)


def _by_rich(made: object) -> list[str]:
    from rich.console import Console

    console = Console(width=100_000, markup=False, highlight=False, color_system=None, force_terminal=False)
    with console.capture() as captured:
        console.print(made)
    return captured.get().split("\n")[:-1]


@given(_tables())
def test_a_plain_table_is_what_rich_prints(table: Table) -> None:
    assert _printed(table, with_rich=False) == _printed(table, with_rich=True)


def test_a_name_that_is_not_ascii_is_aligned_by_its_width(capsys: pytest.CaptureFixture[str]) -> None:
    print_table(Table(["system", "bleu"], [["中文", "1.0"], ["a", "10.0"]]), "text")
    assert capsys.readouterr().out.splitlines() == ["system  bleu", "中文     1.0", "a       10.0"]
