"""A printed table is checked: right cells are found, and errors that were put into it are named."""

from __future__ import annotations

import json
import random
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Chrf

_WORDS = [
    "the",
    "Cat",
    "sat",
    "on",
    "a",
    "mat,",
    "and",
    "We",
    "saw",
    "it",
    "go",
    "Home",
    "well-known",
    "today:",
    "late",
]
_SHARES = {"amber": 0.9, "birch": 0.8, "cedar": 0.7, "dune": 0.6}


def texts() -> tuple[dict[str, list[str]], list[str]]:
    """Four systems of sixty segments, and the references."""
    draws = random.Random(5)
    references = [" ".join(draws.choices(_WORDS, k=12)) for _ in range(60)]
    systems = {
        name: [
            " ".join(
                word.lower() if draws.random() < 0.2 else word if draws.random() < share else draws.choice(_WORDS)
                for word in text.split()
            )
            for text in references
        ]
        for name, share in _SHARES.items()
    }
    return systems, references


SYSTEMS, REFERENCES = texts()
BLEU = {name: Bleu().corpus(each, REFERENCES).value for name, each in SYSTEMS.items()}
CHRF = {name: Chrf().corpus(each, REFERENCES).value for name, each in SYSTEMS.items()}


def table(bleu: dict[str, float], **changed: float) -> str:
    return "System\tBLEU\n" + "".join(f"{name}\t{(bleu | changed)[name]:.1f}\n" for name in SYSTEMS)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The outputs and the references as files."""
    folder = tmp_path_factory.mktemp("published")
    (folder / "systems").mkdir()
    for name, each in SYSTEMS.items():
        (folder / "systems" / f"{name}.txt").write_text("\n".join(each) + "\n", "utf-8")
    (folder / "ref.txt").write_text("\n".join(REFERENCES) + "\n", "utf-8")
    return folder


def run(folder: Path, text: str, *words: str, status: int = 0) -> Result:
    (folder / "table.txt").write_text(text, "utf-8")
    given = [str(folder / "table.txt"), "--systems", str(folder / "systems"), "-r", str(folder / "ref.txt")]
    result = CliRunner().invoke(main, ["which", *given, "--changes", "1", *words])
    assert result.exit_code == status, result.output
    return result


def checked(text: str) -> tuple[dict[str, str], str]:
    """The verdict on each cell, and what is printed."""
    found = metrologue.which(text, SYSTEMS, REFERENCES, changes=1)
    return {cell.system: cell.verdict for cell in found.columns[0].cells}, "\n".join(found.lines())


def test_a_right_table(folder: Path) -> None:
    shown = run(folder, table(BLEU)).stdout
    assert "4 of 4 cells by bleu:sacrebleu" in shown
    assert "unexplained" not in shown
    assert "swap" not in shown.lower()


def test_a_cell_of_another_library_is_named() -> None:
    nltk = 100 * Bleu.variant("nltk").corpus(SYSTEMS["cedar"], REFERENCES).value
    verdicts, shown = checked(table(BLEU, cedar=nltk))
    assert verdicts == {"amber": "found", "birch": "found", "cedar": "copied", "dune": "found"}
    [line] = [line for line in shown.splitlines() if "cedar" in line and f"{nltk:.1f}" in line]
    assert "nltk" in line or "whitespace" in line


def test_two_rows_that_are_swapped() -> None:
    verdicts, shown = checked(table(BLEU, amber=BLEU["birch"], birch=BLEU["amber"]))
    assert verdicts == {"amber": "swapped", "birch": "swapped", "cedar": "found", "dune": "found"}
    assert "swap" in shown.lower()


def test_a_lower_cased_column_is_one_setting() -> None:
    lower = Bleu(lowercase=True)
    verdicts, shown = checked(table({name: lower.corpus(each, REFERENCES).value for name, each in SYSTEMS.items()}))
    assert {*verdicts.values()} == {"found"}
    assert "lowercase" in shown


def test_a_wrong_cell_is_unexplained(folder: Path) -> None:
    shown = run(folder, table(BLEU, birch=BLEU["birch"] + 3.3), "--format", "json", status=1).stdout
    [column] = json.loads(shown)["columns"]
    assert [cell["verdict"] for cell in column["cells"]] == ["found", "unexplained", "found", "found"]


def test_latex_has_the_same_numbers() -> None:
    best = max(BLEU, key=BLEU.__getitem__)
    rows = []
    for name in SYSTEMS:
        bleu = f"{BLEU[name]:.1f}"
        marked = rf"\textbf{{{bleu}}}" if name == best else rf"{bleu}$^\dagger$"
        rows.append(rf"{name} & {marked} & {CHRF[name]:.1f} $\pm$ 0.3 \\")
    lines = [r"\begin{tabular}{lcc}", r"System & BLEU $\uparrow$ & chrF \\ \midrule", *rows, r"\end{tabular}"]
    found = metrologue.which("\n".join(lines), SYSTEMS, REFERENCES, changes=0)
    assert [column.heading for column in found.columns] == ["BLEU", "chrF"]
    assert {cell.verdict for column in found.columns for cell in column.cells} == {"found"}
    assert [cell.is_bold for cell in found.columns[0].cells] == [name == best for name in SYSTEMS]


def test_what_is_no_table() -> None:
    with pytest.raises(InputError, match="no row has a number after its name"):
        metrologue.which("System\tBLEU\n", SYSTEMS, REFERENCES)
