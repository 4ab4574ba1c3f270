"""docs/disagreement.md: how far implementations are apart, from a small corpus and from the real ones."""

from __future__ import annotations

import importlib
import math
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType
from xml.etree import ElementTree

import numpy as np
import pytest
from later import imported_later

from metrologue.scorers import Bleu
from metrologue.scorers.core.numbers import perfect_score

stats = imported_later("scipy.stats")


@pytest.fixture(scope="module")
def docs(root: Path) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        yield importlib.import_module("studies.disagreement")


@pytest.fixture(scope="module")
def small(docs: ModuleType):
    """A corpus of four systems, and what is made of it."""
    rng = np.random.default_rng(5)
    words = ["the", "cat,", "sat.", "on", "a", "mat;", "dog", "runs", "(home)", "well"]
    references = [" ".join(rng.choice(words, 12)) for _ in range(40)]

    def spoiled(share: float) -> list[str]:
        return [" ".join(w if rng.random() > share else "ZZZ" for w in text.split()) for text in references]

    systems = {f"s{i}": spoiled(share) for i, share in enumerate((0.1, 0.12, 0.2, 0.3))}
    corpus = docs.Corpus("small", "Small: made up", "40 segments.", systems, references, ("bleu", "chrf", "ter"))
    return corpus, dict(docs.files(Path(), [lambda _: corpus]))


def row(page: str, heading: str, start: str) -> list[str]:
    """The cells of a row of the table that begins with the column `heading`."""
    _, _, after = page.partition(f"| {heading} |")
    line = next(line for line in after.splitlines() if line.startswith(f"| {start} |"))
    return [cell.strip() for cell in line.strip("|").split("|")]


def test_figures_are_those_of_the_scorers(docs, small):
    corpus, made = small
    page = made[docs.PAGE]
    scorers = {name: Bleu.variant(name) for name in ("nltk", "sacrebleu")}
    points = {
        name: [100 * s.corpus(texts, corpus.references).value / perfect_score(s) for texts in corpus.systems.values()]
        for name, s in scorers.items()
    }
    cells = row(page, "implementation", "`bleu:nltk`")
    assert float(cells[1]) == pytest.approx(np.mean(points["nltk"]), abs=0.005)
    assert float(cells[2]) == pytest.approx(stats.kendalltau(points["nltk"], points["sacrebleu"]).statistic, abs=5e-4)
    own = [
        stats.kendalltau(*(np.round(s.segments(texts, corpus.references), 10) for s in scorers.values())).statistic
        for texts in corpus.systems.values()
    ]
    assert float(cells[3]) == pytest.approx(math.fsum(own) / 4, abs=5e-4)
    assert row(page, "implementation", "`bleu:sacrebleu`")[2:] == ["base", "base"]
    widest = row(page, "metric | implementations", "`bleu`")
    gap = float(widest[5].split()[0]) - float(widest[4].split()[0])
    shares = [float(each.replace("−", "-")) for each in re.findall(r"[+−][\d.]+", widest[7])]
    assert sum(shares) == pytest.approx(gap, abs=0.05 * gap)


def test_the_page_and_its_plots_have_figures_and_no_text_of_the_data(docs, small):
    corpus, made = small
    [plot] = (text for path, text in made.items() if path.suffix == ".svg")
    assert ElementTree.fromstring(plot).tag.endswith("svg")
    assert "var(--ink)" in plot
    assert "--ink: #" in plot
    assert "ZZZ" not in "".join(made.values())
    assert docs.plot_file(corpus).name in made[docs.PAGE]


@pytest.mark.slow
def test_the_page_is_what_the_data_give(docs, shared_data, meteor_tables):
    page = dict(docs.files(shared_data))[docs.PAGE]
    assert docs.PAGE.read_text("utf-8") == page, "out of date; run `python -m studies.disagreement`"


def test_the_headline_is_that_of_the_tables(docs):
    """It says what the tables say: how many cases flip, and in how many significantly."""
    page = docs.PAGE.read_text("utf-8")
    flips = re.findall(r"^\| `\w+` \| \d+ \| ([^|]+) \| (\d+) of 120 \| (\d+) \|", page, re.MULTILINE)
    assert len(flips) == 10
    told = re.search(r"In (\d+)\sof\s10 cases .*?in\s(\d+),\ssignificantly;\sin\s(\d+),", page, re.DOTALL)
    assert told is not None
    expected = [sum(n != "0" for _, n, _ in flips), sum(n != "0" for *_, n in flips), sum("," in s for s, *_ in flips)]
    assert [*map(int, told.groups())] == expected
