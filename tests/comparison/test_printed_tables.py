"""A printed table is checked: right cells are found, and errors that were put into it are named."""

from __future__ import annotations

import contextlib
import io
import json
import random
import re
import shlex
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

import metrologue
from metrologue.cli import main
from metrologue.comparison.which import search
from metrologue.comparison.which.settings import UNIQUE, Setting, is_foreign
from metrologue.comparison.which.table import Checked, check_table
from metrologue.errors import InputError
from metrologue.scorers import Bleu, Chrf, Scorer

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


def scores(scorer: Scorer, part: slice = slice(None)) -> dict[str, float]:
    return {name: scorer.corpus(each[part], REFERENCES[part]).value for name, each in SYSTEMS.items()}


BLEU, CHRF = scores(Bleu()), scores(Chrf())


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


def run(folder: Path, text: str, *words: str, status: int = 0, changes: int = 1) -> Result:
    (folder / "table.txt").write_text(text, "utf-8")
    given = [str(folder / "table.txt"), "--systems", str(folder / "systems"), "-r", str(folder / "ref.txt")]
    result = CliRunner().invoke(main, ["which", *given, "--changes", str(changes), *words])
    assert result.exit_code == status, result.output
    return result


def both(bleu: dict[str, float], chrf: dict[str, float]) -> str:
    rows = "".join(f"{name}\t{bleu[name]:.2f}\t{chrf[name]:.2f}\n" for name in SYSTEMS)
    return f"System\tBLEU\tchrF\n{rows}"


def printed_by(command: str) -> list[float]:
    """The numbers that a printed command prints when it is run: one in Python, or one of `metrologue`."""
    words = shlex.split(command)
    if words[0] == "metrologue":
        result = CliRunner().invoke(main, [*words[1:], "--format", "json"])
        assert result.exit_code == 0, result.output
        found = json.loads(result.stdout)
        return [next(iter(each["scores"].values())) for each in found] if isinstance(found, list) else found
    assert words[:2] == ["python", "-c"]
    with contextlib.redirect_stdout(io.StringIO()) as out:
        exec(words[2], {})
    return [float(line.split()[-1]) for line in out.getvalue().splitlines()]


def checked(text: str) -> tuple[dict[str, str], str]:
    """The verdict on each cell, and what is printed."""
    found = check_table(text, SYSTEMS, REFERENCES, changes=1)
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
    assert isinstance(found, Checked)
    assert [column.heading for column in found.columns] == ["BLEU", "chrF"]
    assert {cell.verdict for column in found.columns for cell in column.cells} == {"found"}
    assert [cell.is_bold for cell in found.columns[0].cells] == [name == best for name in SYSTEMS]


def test_what_is_no_table() -> None:
    with pytest.raises(InputError, match="no row has a number after its name"):
        metrologue.which("System\tBLEU\n", SYSTEMS, REFERENCES)


def test_the_first_segments_explain_all_columns_and_the_command_gives_their_numbers(folder: Path) -> None:
    part = slice(0, 40)
    bleu, chrf = scores(Bleu(), part), scores(Chrf(), part)
    shown = run(folder, both(bleu | {"dune": 99.0}, chrf), "--format", "json", status=1, changes=0).stdout
    columns = json.loads(shown)["columns"]
    verdicts = [[cell["verdict"] for cell in column["cells"]] for column in columns]
    assert verdicts == [["found", "found", "found", "unexplained"], ["found"] * 4]
    for column, numbers in zip(columns, (bleu, chrf), strict=True):
        assert "of the first 40 segments" in column["setting"]
        assert printed_by(column["command"]) == pytest.approx([*numbers.values()], rel=1e-12)


def test_segments_that_occur_once(folder: Path) -> None:
    again = {name: [*each, *each[1:21]] for name, each in SYSTEMS.items()}
    found = check_table(table(BLEU), again, [*REFERENCES, *REFERENCES[:20]], changes=1)
    [column] = found.columns
    assert {cell.verdict for cell in column.cells} == {"found"}
    assert column.answer is not None
    assert column.answer.setting.texts in (UNIQUE, "the first 60 segments")
    names = {"metrologue": metrologue, "predictions": again["amber"], "references": [*REFERENCES, *REFERENCES[:20]]}
    assert float(eval(column.answer.call, names)) == pytest.approx(BLEU["amber"], rel=1e-12)


def test_another_of_the_references_explains_it(folder: Path) -> None:
    other = SYSTEMS["cedar"]
    (folder / "other.txt").write_text("\n".join(other) + "\n", "utf-8")
    shown = run(folder, table(BLEU), "-r", str(folder / "other.txt"), "--format", "json").stdout
    [column] = json.loads(shown)["columns"]
    assert "reference 1 alone" in column["setting"]
    assert shlex.split(column["command"])[-2:] == ["-r", str(folder / "ref.txt")]


def test_a_number_that_is_cut_and_one_that_is_a_digit_away() -> None:
    digits = {name: f"{int(10 * value) / 10:.1f}" for name, value in BLEU.items()}
    is_cut = {name: digits[name] != f"{BLEU[name]:.1f}" for name in SYSTEMS}
    assert any(is_cut.values())
    text = "System\tBLEU\n" + "".join(f"{name}\t{digits[name]}\n" for name in SYSTEMS)
    found = check_table(text, SYSTEMS, REFERENCES, changes=0)
    for cell in found.columns[0].cells:
        assert cell.verdict == ("near" if is_cut[cell.system] else "found")
        assert cell.about.startswith("cut, not rounded") == is_cut[cell.system]
    off = check_table(table(BLEU, amber=BLEU["amber"] + 0.1), SYSTEMS, REFERENCES, changes=0)
    assert [cell.verdict for cell in off.columns[0].cells] == ["near", "found", "found", "found"]
    assert "one unit of the last digit away" in off.columns[0].cells[0].about
    assert off.is_explained


def test_columns_under_each_others_heading() -> None:
    found = check_table(both(CHRF, BLEU), SYSTEMS, REFERENCES, changes=0)
    assert {cell.verdict for column in found.columns for cell in column.cells} == {"copied"}
    assert found.columns[0].notes[0] == "Its numbers are those of chrF, not of BLEU."


def test_a_cell_with_the_number_of_another_row() -> None:
    found = check_table(table(BLEU, amber=BLEU["cedar"]), SYSTEMS, REFERENCES, changes=0)
    cells = {cell.system: cell for cell in found.columns[0].cells}
    assert cells["amber"].verdict == "unexplained"
    assert cells["amber"].about.endswith("it is the number of cedar")
    assert not found.is_explained


# A system without capitals is good in lower case only.
CASED = {**SYSTEMS, "birch": [text.lower() for text in SYSTEMS["amber"]]}
LOWER = {name: Bleu(lowercase=True).corpus(each, REFERENCES).value for name, each in CASED.items()}


@pytest.mark.parametrize("mixed", [False, True])
def test_a_bold_winner_that_the_right_setting_reverses(mixed: bool) -> None:
    numbers = BLEU | {"birch": LOWER["birch"]} | ({"dune": LOWER["dune"]} if mixed else {})
    assert numbers["birch"] > BLEU["amber"]
    rows = [f"{name}\t{f'**{value:.1f}**' if name == 'birch' else f'{value:.1f}'}\n" for name, value in numbers.items()]
    [column] = check_table("System\tBLEU\n" + "".join(rows), CASED, REFERENCES, changes=0).columns
    assert (column.answer is None) == mixed
    verdicts = {cell.system: cell.verdict for cell in column.cells}
    copied = "found" if mixed else "copied"
    assert verdicts == {"amber": "found", "birch": copied, "cedar": "found", "dune": "found"}
    [note] = column.notes
    ahead = BLEU["amber"] - Bleu().corpus(CASED["birch"], REFERENCES).value
    under = "bleu:sacrebleu (" if mixed else "this setting amber"
    assert note.startswith(f"birch is bold, but under {under}")
    assert re.search(rf"amber is better, by {ahead:.2f} \(p = 0\.00\d+\)\.", note)


def test_pages_escape_names_and_have_the_command(folder: Path) -> None:
    text = table(BLEU).replace("amber", "<b>amber</b> & | co")
    html = run(folder, text.replace("| ", ""), "--format", "html", changes=0).stdout
    assert "amber &amp; co" in html
    assert "<pre>metrologue score bleu" in html
    assert '<tr class="found">' in html
    markdown = run(folder, table(BLEU), "--format", "markdown", changes=0).stdout
    assert "| amber |" in markdown
    assert "```text\nmetrologue score bleu --variant sacrebleu -p " in markdown


def test_without_time_for_more_changes_the_settings_that_were_tried_stand(monkeypatch: pytest.MonkeyPatch) -> None:
    changed = scores(Bleu(tokenizer="char", lowercase=True))
    tried = search.Search.tried

    def then_over(own: search.Search, most: int, is_usual: bool = False) -> search.Tried:
        found = tried(own, most, is_usual)
        if most == 1 and not is_usual:
            own._left = 0.0
        return found

    monkeypatch.setattr(search.Search, "tried", then_over)
    wrong = next(iter(SYSTEMS))
    [column] = check_table(table(changed | {wrong: changed[wrong] + 3.3}), SYSTEMS, REFERENCES, seconds=100).columns
    assert column.answer
    assert column.answer.setting.changes.keys() >= {"tokenizer"}
    assert [cell.verdict for cell in column.cells] == ["unexplained", "found", "found", "found"]


def test_what_is_settled_is_not_searched_further() -> None:
    few, many = (check_table(table(BLEU), SYSTEMS, REFERENCES, changes=most).columns[0] for most in (0, 2))
    assert few.tried == many.tried


@pytest.mark.parametrize(("language", "foreign"), [("zh", True), ("de", False), ("", False)])
def test_settings_for_another_language_are_less_likely(language: str, foreign: bool) -> None:
    assert is_foreign(Setting("bleu", "get-ende-bleu"), language) == foreign
    assert is_foreign(Setting("bleu", "sacrebleu", {"tokenizer": "zh"}, 1), language) == (language == "de")


def test_chinese_is_not_scored_as_german() -> None:
    predictions, references = ["猫坐在垫子上看着窗外的鸟。"], ["猫坐在垫子上看窗外的小鸟。"]
    number = Bleu(tokenizer="zh").corpus(predictions, references).value
    found = search.which("bleu", f"{number:.2f}", predictions, references, changes=1, tokenizers=["zh"])
    assert dict(found.answers[0].setting.changes) == {"tokenizer": "zh"}
