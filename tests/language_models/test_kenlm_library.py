"""KenLM's package beside our scorer, in the comparison: live numbers on models that the tests write."""

from __future__ import annotations

import json
from importlib import metadata
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner
from compared import compared

from language_models.models import arpa_text, random_model, random_text
from metrologue import compare
from metrologue.cli import main
from metrologue.comparison.libraries import Available, LibraryError, get_library
from metrologue.errors import InputError
from metrologue.language_models.arpa import ArpaModel
from metrologue.origin import pip_install
from metrologue.scorers import Perplexity

needs_kenlm = pytest.mark.skipif(
    not isinstance(get_library("kenlm").status(), Available), reason="the package kenlm is not installed"
)


@pytest.fixture
def model(tmp_path: Path) -> Path:
    path = tmp_path / "model.arpa"
    path.write_text(arpa_text(random_model(Random(7), 3, size=300)), "utf-8")
    return path


@needs_kenlm
@pytest.mark.parametrize("seed", range(12))
@pytest.mark.parametrize("boundaries", [True, False])
def test_the_variant_is_the_librarys_summary(seed: int, boundaries: bool, tmp_path: Path) -> None:
    random = Random(seed)
    model = random_model(random, 2 + seed % 5, unknown=seed % 3 > 0, size=60)
    path = tmp_path / "model.arpa"
    path.write_text(arpa_text(model), "utf-8")
    texts = [text for text in (random_text(random, model) for _ in range(40)) if text.strip()]
    theirs = get_library("kenlm").scores("perplexity", texts, [""] * len(texts), model=path, boundaries=boundaries)
    own = ArpaModel(path) if boundaries else ArpaModel(path).without_boundaries()
    ours = Perplexity.variant("kenlm", model=own).corpus(texts).scores
    assert set(theirs) == {"perplexity", "perplexity_excluding_oovs", "oovs", "tokens"}
    for key, value in theirs.items():
        assert ours[key] == pytest.approx(value, rel=1e-12)
    compared(len(theirs))


@needs_kenlm
def test_the_comparison_has_both(model: Path) -> None:
    systems = {"one": ["a b the cat", "x"], "two": ["the", "cat cat"]}
    found = compare(systems, None, "perplexity", model=model)
    rows = {(number.kind, number.name, number.system): number.value for number in found.numbers}
    assert {name for kind, name, _ in rows if kind == "library"} == {"kenlm"}
    for system in systems:
        theirs, ours = rows["library", "kenlm", system], rows["variant", "kenlm", system]
        assert ours == pytest.approx(theirs, rel=1e-12)
        assert theirs != rows["variant", "evaluate", system]
        assert any({"kenlm 0.3.0", "metrologue kenlm"} <= {*group.members} for group in found.groups)


def run(*arguments: str, status: int = 0) -> tuple[str, str]:
    result = CliRunner().invoke(main, [*arguments])
    assert result.exit_code == status, result.output
    return result.stdout, result.stderr


@pytest.fixture
def text(tmp_path: Path) -> str:
    path = tmp_path / "text.txt"
    path.write_text("a b the cat\nthe x\n", "utf-8")
    return str(path)


def test_what_is_missing_is_told_with_its_cure(model: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    known = metadata.version

    def look(name: str) -> str:
        if name == "kenlm":
            raise metadata.PackageNotFoundError(name)
        return known(name)

    monkeypatch.setattr(metadata, "version", look)
    options = ["compare", "--metric", "perplexity", "-p", text]
    printed, told = run(*options, "--model", str(model), "--json")
    [row] = [number for number in json.loads(printed)["numbers"] if number["kind"] == "library"]
    assert row["name"] == "kenlm"
    assert pip_install("kenlm") in row["missing"]
    assert told.splitlines()[-1] == f"To install: {pip_install('kenlm')}"
    # Without a model, the lines are probabilities, which KenLM does not read.
    Path(text).write_text("0.5 0.25\n0.5\n", "utf-8")
    printed, told = run(*options, "--json")
    assert "kenlm" not in {number["name"] for number in json.loads(printed)["numbers"] if number["kind"] == "library"}
    assert "kenlm" not in told


def test_metrics_without_a_model(model: Path, text: str) -> None:
    files = ["-p", text, "-r", text, "--model", str(model)]
    assert "bleu takes no model; give no --model" in run("compare", *files, status=2)[1]
    with pytest.raises(InputError, match="dice takes no model"):
        compare({"a": ["a"]}, ["a"], "dice", model=model)
    both, _ = run("compare", *files, "--metric", "dice", "--metric", "perplexity", "--variant", "kenlm", "--json")
    assert '"metric": "perplexity"' in both
    assert '"metric": "dice"' in both
    assert (
        "no file or folder 'gone.arpa'"
        in run("compare", "--metric", "perplexity", "-p", text, "--model", "gone.arpa", status=2)[1]
    )


@needs_kenlm
def test_no_model(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="needs an n-gram model; give `model`"):
        get_library("kenlm").scores("perplexity", ["a"], [""])
    with pytest.raises(LibraryError, match="is a folder"):
        get_library("kenlm").scores("perplexity", ["a"], [""], model=tmp_path)
