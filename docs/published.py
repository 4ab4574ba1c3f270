"""Writes docs/published.md: published tables checked, and one with planted errors.

``python -m docs.published DATA`` makes it from the public outputs in the folder DATA. A test makes it again where the
data are at hand.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from metrologue.comparison.which.table import check_table
from metrologue.scorers import Bleu, Chrf, Rouge
from studies.tables import prose, table

PAGE = Path(__file__).with_suffix(".md")

# What the sacrebleu project prints for four systems of WMT 2017: BLEU and chrF2.
PRINTED = {
    "LIUM-NMT": ("26.6", "55.9"),
    "C-3MA": ("22.7", "52.0"),
    "FBK": ("26.3", "54.7"),
    "KIT": ("26.1", "55.8"),
}
SEGMENTS, PLANTED, SYSTEM = 3004, 500, "M17"

INTRODUCTION = """\
`metrologue which table.tsv --systems outputs -r ref.txt` says of each cell of a printed table which setting prints it,
and whether a column compares like with like. It first tries each library's own setting, then lower case and tokenized
files, then up to two changed choices. A setting explains a column if it prints all its cells, or all but one in four. A
cell that is left over is "copied" only if a library's default prints it on the texts as they are, in lower case or
tokenized.

Marie et al. ([2021](https://aclanthology.org/2021.acl-long.566)) found that papers on translation copy scores across
settings; Grusky ([2023](https://aclanthology.org/2023.acl-long.107)) that most packages which say ROUGE print other
numbers than the script. A test makes all numbers of this page again.
"""
PROJECT = """
The project prints BLEU and chrF2 of four English-German systems of WMT 2017, {:,} segments. Both columns are right, and
compare like with like:
"""
PACKAGES = """
The F of system {} of SummEval, 100 summaries of CNN/DM against the original highlights, in per cent, by each package
and setting that metrologue mirrors. Papers print these side by side as ROUGE-1, 2 and L:
"""
ERRORS = """
The same systems, the first {} segments. Into a right table, three errors were put: BLEU of KIT is that of words between
whitespace, the second column is in lower case, and chrF of two systems is swapped. All three are found:
"""


def _lines(path: Path, count: int) -> list[str]:
    return path.read_text("utf-8").split("\n")[:count]


def _outputs(folder: Path, count: int) -> tuple[dict[str, list[str]], list[str]]:
    """The outputs of the four systems, and the references."""
    systems = {name: _lines(next((folder / "systems").glob(f"*.{name}.*")), count) for name in PRINTED}
    return systems, _lines(folder / "reference.de", count)


def _text(rows: Mapping[str, Sequence[str]], headings: Sequence[str]) -> str:
    return "\n".join("\t".join(row) for row in [("System", *headings), *((name, *own) for name, own in rows.items())])


def _checked(text: str, systems: Mapping[str, Sequence[str]], references: Sequence[str]) -> str:
    found = check_table(f"{text}\n", systems, references)
    return "\n".join(["```text", text, "```", "", found.to_markdown()])


def _packages(folder: Path) -> Iterator[tuple[str, str, str, str, str]]:
    """ROUGE of one system's summaries by each variant, in per cent."""
    main = {row["doc"]: row["reference_main"] for row in map(json.loads, _lines(folder / "references.jsonl", 100))}
    rows = [json.loads(line) for line in (folder / "summeval.jsonl").read_text("utf-8").splitlines()]
    chosen = [row for row in rows if row["system"] == SYSTEM]
    predictions, references = [row["hypothesis"] for row in chosen], [main[row["doc"]] for row in chosen]
    for name, variant in Rouge.variants().items():
        scores = Rouge.variant(name).corpus(predictions, references).scores
        cells = [scores.get(f"{each}_fmeasure") for each in ("rouge1", "rouge2", "rougeL")]
        numbers = ["" if cell is None else f"{100 * cell:.2f}" for cell in cells]
        yield f"`rouge:{name}`", variant.about, numbers[0], numbers[1], numbers[2]


def page(data: Path) -> str:
    """The page, from the folder of public outputs."""
    systems, references = _outputs(data / "wmt17_ende", SEGMENTS)
    parts = [
        "# Is this published table right?\n",
        INTRODUCTION,
        "## sacrebleu's own table\n",
        prose(PROJECT.format(SEGMENTS)),
        _checked(_text(PRINTED, ("BLEU", "chrF")), systems, references) + "\n",
        "## One output, many packages\n",
        prose(PACKAGES.format(SYSTEM)),
        table(("variant", "what it is", "R-1", "R-2", "R-L"), [*_packages(data / "summeval")]),
    ]
    systems, references = _outputs(data / "wmt17_ende", PLANTED)
    bleu = {name: Bleu().corpus(each, references).value for name, each in systems.items()}
    lower = {name: Bleu(lowercase=True).corpus(each, references).value for name, each in systems.items()}
    chrf = {name: Chrf().corpus(each, references).value for name, each in systems.items()}
    bleu["KIT"] = 100 * Bleu.variant("nltk").corpus(systems["KIT"], references).value
    chrf["LIUM-NMT"], chrf["C-3MA"] = chrf["C-3MA"], chrf["LIUM-NMT"]
    rows = {name: [f"{each[name]:.1f}" for each in (bleu, lower, chrf)] for name in systems}
    return "\n".join([
        *parts,
        "## Planted errors\n",
        prose(ERRORS.format(PLANTED)),
        _checked(_text(rows, ("BLEU", "uncased BLEU", "chrF")), systems, references) + "\n",
    ])  # fmt: skip


if __name__ == "__main__":
    PAGE.write_text(page(Path(sys.argv[1])), "utf-8")
