"""Every system that the documents name has a module that loads, or a reason why there is none."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

import metrologue
from metrologue.comparison.documents.systems import DOCUMENTS, load_systems
from metrologue.errors import InputError
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.registry import make_scorer

SYSTEMS = load_systems()
ENTRIES = [entry for entries in SYSTEMS.values() for entry in entries]
# What the tests of statistics import, and those of language models and modules.
_OTHERS = ("inference", "language_models", "bridge")
TESTS = "\n".join(
    path.read_text("utf-8") for room in _OTHERS for path in (Path(__file__).parents[1] / room).rglob("test_*.py")
)
# The names of the list that the project began with, in the documents' order.
WITHOUT_MODULE = {"named", "data", "protocol"}


def loads(module: str) -> bool:
    """Whether there is such a module, in the folder that it should have."""
    try:
        return (Path(metrologue.module_path(module)) / f"{module}.py").exists()
    except (InputError, ValueError):
        return False


def test_every_entry_has_a_module_that_loads_or_a_reason() -> None:
    missing = {
        module for entry in ENTRIES if "because" not in entry for module in entry["module"].split() if not loads(module)
    }
    assert not missing, f"systems.toml names modules that there are not yet, without a reason: {sorted(missing)}"


def test_every_variant_there_is() -> None:
    known = {*list_scorers()}
    for entry in ENTRIES:
        if "variant" in entry:
            name = entry["variant"].partition(":")[0]
            assert name in known, entry
            make_scorer(entry["variant"])


def test_what_is_not_built_says_why() -> None:
    for kind in WITHOUT_MODULE:
        assert all(entry["because"] for entry in SYSTEMS[kind]), kind
    for entry in SYSTEMS["built"]:
        assert entry.get("checked") or entry.get("because"), entry


# A number that is no part of a name, as BLEU-4 and WMT17 are.
FIGURE = re.compile(r"(?<![\w.\-])\u2212?(?:\d*\.)?\d+(?![\w\-]|\.\d)")
# Programs as `checked` calls them, where the variants or the tests have another name.
CALLED = {
    "the Hub's module": "evaluate", "the Perl script": "ROUGE-1.5.5.pl", "the jar of 1.5": "meteor",
    "hLepor of PyPI": "hLepor", "scikit-learn": "sklearn",
}  # fmt: skip


def section_of(place: str, root: Path) -> str:
    """The text of a file, or of what stands there under a heading, and under a lower heading in it."""
    file, _, headings = place.partition("#")
    text = (root / file).read_text("utf-8")
    for marks, heading in zip(("##", "###"), headings.split("/") if headings else (), strict=False):
        _, found, rest = f"\n{text}".partition(f"\n{marks} {heading}\n")
        assert found, f"{place} has no heading {heading!r}"
        text = rest.partition(f"\n{marks} ")[0]
    return text


@pytest.mark.parametrize(
    "entry", [each for each in SYSTEMS["built"] if "reached" in each], ids=lambda entry: entry["name"]
)
def test_the_figures_that_were_reached_stand_where_they_are_said_to(entry: dict[str, str], root: Path) -> None:
    places = entry["at"].split("; ")
    section = {figure for place in places for figure in FIGURE.findall(section_of(place, root))}
    own = FIGURE.findall(entry["reached"])
    assert own, f"{entry['name']}: {entry['reached']!r} has no figure"
    assert {*own} <= section, f"{entry['name']}: {sorted({*own} - section)} is not in {entry['at']}"


def test_figures_are_found_in_prose() -> None:
    assert FIGURE.findall("WMT17, BLEU-4: .286 or 30.8 and \u2212.05; 23 of 24.") == [
        ".286", "30.8", "\u2212.05", "23", "24",
    ]  # fmt: skip


def libraries_of(entry: dict[str, str]) -> set[str]:
    """The libraries with which the tests compare the variants of an entry's metrics, live."""
    known = [name for name in entry["module"].split() if name in list_scorers()]
    found = {one.library for name in known for one in get_scorer(name).variants().values() if one.live}
    return found | ({"sacrebleu"} if "sacrebleu" in entry["module"].split() else set())


@pytest.mark.parametrize("entry", SYSTEMS["built"], ids=lambda entry: entry["name"])
def test_what_is_checked_live_or_recorded_is_in_the_tests(entry: dict[str, str], root: Path) -> None:
    """A program that is checked live is one of the contract, or is named in tests; recorded numbers are in a file."""
    kinds = [get_scorer(name) for name in entry["module"].split() if name in list_scorers()]
    # The tests of a family stand in a folder of the family's name.
    rooms = {part for kind in kinds for each in kind.__mro__ for part in each.__module__.split(".")}
    for clause in entry["checked"].split("; "):
        names, _, how = clause.rpartition(", ")
        if how == "live" and names != "each of them":
            for name in names.split(": ")[-1].replace(" and ", ", ").split(", "):
                known = CALLED.get(name, name)
                assert {name, known} & libraries_of(entry) or known in TESTS, f"{entry['name']}: no test runs {name}"
        if how == "recorded":
            files = [path for room in rooms for path in (root / "tests" / "metrics" / room).glob("*.json")]
            assert files, f"{entry['name']}: {clause}"


def named_in(entry: dict[str, str], text: str) -> bool:
    """Whether a document's text has one of the entry's names as a word, or what `words` says."""
    plain = (rf"(?<![^\W_]){re.escape(name)}(?![^\W_])" for name in entry["name"].split(", "))
    return re.search(f"(?i:{entry.get('words') or '|'.join(plain)})", text) is not None


@pytest.mark.parametrize("entry", ENTRIES, ids=lambda entry: entry["name"])
def test_the_documents_that_are_said_to_name_it_do_and_no_others(entry: dict[str, str], shared_data: Path) -> None:
    paths = sorted((shared_data.parent / "seeds").glob("*.txt"))
    if len(paths) != len(DOCUMENTS):
        pytest.skip(f"{shared_data.parent / 'seeds'} has {len(paths)} texts of documents, not {len(DOCUMENTS)}")
    texts = {code: path.read_text("utf-8") for code, path in zip(DOCUMENTS, paths, strict=True)}
    assert entry["documents"].split() == [code for code, text in texts.items() if named_in(entry, text)]


def test_names_are_there_once() -> None:
    names = [entry["name"] for entry in ENTRIES]
    assert len(names) == len({*names})


def test_nothing_of_the_list_is_left_out(shared_data: Path) -> None:
    """The list from which the file was made has no module, and no name, that the file lacks."""
    import tomllib

    path = shared_data.parent / "systems.toml"
    if not path.exists():
        pytest.skip(f"no file {path}")
    given = tomllib.loads(path.read_text("utf-8"))
    ours = {module for entry in ENTRIES for module in entry.get("module", "").split()}
    asked = {module for kind in ("built", "to_build") for entry in given[kind] for module in entry["module"].split()}
    assert asked - ours <= {"compare"}
    for kind in ("named", "data", "protocol"):
        assert len(given[kind]) <= len(SYSTEMS[kind])


def test_page_is_up_to_date(root: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-m", "docs.systems", "--check"], cwd=root, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
