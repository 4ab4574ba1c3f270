"""Metrics of research: a distribution beside this one, which nothing here names, and which a checkout finds."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from typing import Any

import pytest

import metrologue
from metrologue.learned import sample_model
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.homes import own_homes
from metrologue.scorers.core.research import how_to_install, reached_of


@pytest.fixture(scope="module")
def named(root: Path) -> dict[str, str]:
    """The classes of research by the names of their metrics."""
    project = tomllib.loads((root / "research" / "pyproject.toml").read_text("utf-8"))["project"]
    return {name: place.partition(":")[2] for name, place in project["entry-points"]["metrologue.metrics"].items()}


def test_nothing_here_names_them(root: Path, named: dict[str, str]) -> None:
    """A word of English may be a metric's name; a name of a metric stands in quotation marks, or after a point."""
    names, kinds = "|".join(named), "|".join(named.values())
    pattern = re.compile(rf"metrologue_research\.|scorers\.({names})\b|[\"']({names})[\"']|\b({kinds})\(")
    files = [path for top in ("src", "tests") for path in (root / top).rglob("*") if path.suffix in (".py", ".pyi")]
    found = {path.relative_to(root).as_posix(): pattern.search(path.read_text("utf-8")) for path in files}
    own = ("src/metrologue/metrics/", "tests/package/test_research.py")
    assert {path: match[0] for path, match in found.items() if match and not path.startswith(own)} == {
        "tests/helpers/one_metric.py": "metrologue_research."
    }


def test_each_has_its_home_its_module_and_what_it_reached(root: Path, named: dict[str, str]) -> None:
    assert {*named} == {*list_scorers()} - {*own_homes()} - {name for name in list_scorers() if not reached_of(name)}
    homes = root / "research" / "src" / "metrologue_research"
    for name, kind in named.items():
        assert get_scorer(name).__name__ == kind
        assert get_scorer(name).about.research == reached_of(name)
        assert (homes / name / "__init__.py").is_file()
        assert (root / "metrics" / name / "README.md").is_file()
    assert {path.parent.name for path in homes.glob("*/__init__.py")} == {*named}


TEXTS: dict[str, Any] = {"predictions": ["A cat slept on the sofa."], "references": ["The cat slept on a sofa."]}
LOAD = """\
import evaluate, json, metrologue, sys
texts, model = json.loads(sys.argv[2]), sys.argv[3]
print(metrologue.__file__)
print(*(module.compute(**texts, model=model)[sys.argv[4]] for module in (
    evaluate.load(sys.argv[1]), metrologue.load(sys.argv[4]))))
"""


def test_an_installed_package_finds_those_of_its_checkout(root: Path, named: dict[str, str], tmp_path: Path) -> None:
    """``pip install .`` writes where it found the sources."""
    site = tmp_path / "site"
    (site / "metrologue-1.dist-info").mkdir(parents=True)
    (site / "metrologue-1.dist-info" / "METADATA").write_text("Metadata-Version: 2.1\nName: metrologue\nVersion: 1\n")
    (site / "metrologue-1.dist-info" / "direct_url.json").write_text(json.dumps({"url": root.as_uri(), "dir_info": {}}))
    name = max(each for each in named if get_scorer(each).input_names() == (*TEXTS,))
    (site / "metrologue").symlink_to(root / "src" / "metrologue", target_is_directory=True)
    environment = {**os.environ, "PYTHONPATH": str(site)}
    arguments = [str(root / "metrics" / name), json.dumps(TEXTS), str(sample_folder_of(name)), name]
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", LOAD, *arguments],
        cwd=tmp_path, env=environment, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    place, numbers = done.stdout.splitlines()
    assert place == str(site / "metrologue" / "__init__.py")
    expected = str(metrologue.score(name, **TEXTS, model=sample_model(name)).value)
    assert numbers.split() == [expected, expected]


def sample_folder_of(name: str) -> Path:
    from metrologue.learned.store import sample_folder

    return sample_folder(name)


NOWHERE = """\
import metrologue, sys
for call in (metrologue.score, lambda metric, *texts: metrologue.load(metric)):
    for name in (sys.argv[1], f"{sys.argv[1]}:metrologue"):
        try:
            call(name, ["a"], ["a"])
        except metrologue.InputError as error:
            print(error)
"""


def test_elsewhere_a_sentence_says_what_to_install(named: dict[str, str]) -> None:
    name = min(named)
    environment = {**os.environ, "METROLOGUE_PLUGINS": "0"}
    done = subprocess.run([sys.executable, "-c", NOWHERE, name], env=environment, capture_output=True, text=True)
    lines = done.stdout.splitlines()
    assert len(lines) == 4, done.stderr[-2000:]
    assert all(line.endswith(how_to_install(name)) and "pip install ./research" in line for line in lines)
    listed = subprocess.run(
        [sys.executable, "-m", "metrologue", "list", "--all"],
        env=environment,
        capture_output=True,
        text=True,
        check=True,
    )
    assert " ".join(f"{name}. {reached_of(name)}".split()) in " ".join(listed.stdout.split())
    assert how_to_install("bleu") == ""
