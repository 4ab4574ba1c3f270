"""Tables as papers print them: the same numbers from TSV, CSV, Markdown and LaTeX."""

from __future__ import annotations

from pathlib import Path

import pytest

from metrologue.errors import InputError
from metrologue.files.printed import parsed_table, read_table

FORMS = {
    "tsv": "System\tBLEU\tchrF\nours\t26.6\t55.9\ntheirs\t22.7\t--\n",
    "csv": "System,BLEU,chrF\nours,26.6,55.9\ntheirs,22.7,--\n",
    "markdown": "| System | BLEU | chrF |\n|---|:-:|--:|\n| ours | **26.6** | 55.9 ± 0.4 |\n| theirs | 22.7 | - |\n",
    "latex": r"""
\begin{table}\begin{tabular}{l|cc} \toprule % a comment with & and 99.9
\textsc{System} & BLEU $\uparrow$ & chrF \\ \midrule
ours & \textbf{26.6}$^{\dagger}$ & $55.9_{\pm 0.4}$ \\[2pt]
theirs\footnote{1 2 3} & 22.7\% & -- \\ \bottomrule
\end{tabular}\end{table}""",
}


@pytest.mark.parametrize("form", FORMS)
def test_a_form(form: str, tmp_path: Path) -> None:
    path = tmp_path / "table.txt"
    path.write_text(FORMS[form], "utf-8")
    table = read_table(path)
    assert table.columns == ("BLEU", "chrF")
    numbers = {name: [cell and cell.number for cell in cells] for name, cells in table.rows}
    assert numbers == {"ours": ["26.6", "55.9"], "theirs": ["22.7", None]}
    bold = {name: [bool(cell and cell.is_bold) for cell in cells] for name, cells in table.rows}
    assert bold == {"ours": [form in ("markdown", "latex"), False], "theirs": [False, False]}


def test_headings_over_several_columns() -> None:
    text = (
        r"""\begin{tabular}{lcc} & \multicolumn{2}{c}{news} \\ System & BLEU & TER \\ a & 1.5 & 2.5 \\ \end{tabular}"""
    )
    assert parsed_table(text).columns == ("news BLEU", "news TER")


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", "no row has a number after its name"),
        ("System\tBLEU\n", "no row has a number after its name"),
        ("a\t1.5\n", "its first row has numbers already"),
        ("System\tBLEU\n" + "a\t1.5\n" * 60_000, "more than 100,000 cells"),
    ],
)
def test_what_is_no_table(text: str, told: str) -> None:
    with pytest.raises(InputError, match=told):
        parsed_table(text)


def test_files_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "table"
    path.write_bytes(b"System\tBLEU\n\xff\t1\n")
    with pytest.raises(InputError, match="not UTF-8"):
        read_table(path)
    with pytest.raises(InputError, match="a table is expected there"):
        read_table(tmp_path)
