"""The front matter of the cards, which configures a Space: complete, and as the Hub takes it."""

import re
import tomllib
from pathlib import Path
from typing import Any

import pytest
import yaml
from needs import data_of
from packaging.specifiers import SpecifierSet

import metrologue
from metrologue.modules import list_benchmarks
from metrologue.scorers import list_scorers

ROOT = Path(__file__).parents[2]
CARDS = sorted(
    [
        *ROOT.glob("metrics/*/README.md"),
        *ROOT.glob("tools/room/metrics/*/README.md"),
        ROOT / "comparison/space/README.md",
    ]
)
COLOURS = {"red", "yellow", "green", "blue", "indigo", "purple", "pink", "gray"}


@pytest.fixture(params=CARDS, ids=lambda path: path.parent.name)
def fields(request: pytest.FixtureRequest) -> dict[str, Any]:
    start, front, _ = request.param.read_text("utf-8").split("---\n", 2)
    assert start == ""
    return {**yaml.safe_load(front), "folder": request.param.parent.name}


@pytest.fixture(scope="module")
def project() -> dict[str, Any]:
    return dict(tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["project"])


def test_what_the_page_of_a_space_shows(fields: dict[str, Any]) -> None:
    assert all(fields[name] for name in ("title", "emoji", "description"))
    assert {fields["colorFrom"], fields["colorTo"]} <= COLOURS
    assert 0 < len(fields["short_description"]) <= 60  # the Hub refuses a longer one
    assert fields["pinned"] is False
    source = ROOT / "metrics" / fields["folder"] / f"{fields['folder']}.py"
    of_numbers = fields["folder"] in (*metrologue.list_comparisons(), *metrologue.list_statistics(), *list_benchmarks())
    found = re.findall(r"evaluate\.(Metric|Measurement|Comparison)\)", source.read_text("utf-8")) if of_numbers else []
    kind = found[0].lower() if found else "metric"
    assert fields["tags"][:2] == ["evaluate", kind]


def test_what_a_space_runs(fields: dict[str, Any], project: dict[str, Any]) -> None:
    assert fields["sdk"] == "gradio"
    assert int(str(fields["sdk_version"]).split(".")[0]) >= 6
    assert fields["app_file"] == "app.py"
    assert isinstance(fields["python_version"], str)  # YAML reads 3.10 as the number 3.1
    assert fields["python_version"] in SpecifierSet(project["requires-python"])
    assert f"Programming Language :: Python :: {fields['python_version']}" in project["classifiers"]


def test_what_a_space_needs_of_debian_is_there() -> None:
    """nltk's METEOR and TESLA-M look words up in WordNet, which only Debian has as a package."""
    listed = {path.parent.name: path.read_text("utf-8") for path in ROOT.glob("comparison/*/packages.txt")}
    listed |= {path.parent.name: path.read_text("utf-8") for path in ROOT.glob("metrics/*/packages.txt")}
    in_need = {name for name in list_scorers() if "wordnet" in data_of(name)}
    assert in_need == {"meteor", "tesla"}
    # One package a line, and nothing else: the builder of a Space hands the lines to apt-get.
    assert listed == dict.fromkeys(["space", *in_need], "wordnet-base\nwordnet-sense-index\n")
    makefile = (ROOT / "Makefile").read_text("utf-8")
    assert all(f" {package} " in makefile for package in ("wordnet-base", "wordnet-sense-index"))


def test_the_licence_is_that_of_the_project(fields: dict[str, Any], project: dict[str, Any]) -> None:
    assert fields["license"] == project["license"].lower()  # the Hub's identifiers are in small letters
