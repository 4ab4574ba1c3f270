"""What all tests share: where the large files are, and how hypothesis searches."""

# First: it says where the caches are.
from everyday import ROOT, ended_when, pytest_ignore_collect, pytest_unconfigure, root, shared_data, torch

# isort: split
import gc
import os
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from budgets import Budget, add_options
from compared import counted
from needs import data_of, provide
from one_metric import OneMetric
from small_cmudict import make_cmudict
from small_perluniprops import make_perluniprops
from small_punkt import make_punkt

from metrologue.comparison.libraries import hub

__all__ = ["ended_when", "pytest_ignore_collect", "pytest_unconfigure", "root", "shared_data", "torch"]


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--metric", help="only tests that name this metric, its class or its folder")
    add_options(parser)


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Budget(config))
    if (metric := config.getoption("--metric")) is not None:
        config.pluginmanager.register(OneMetric(metric, ROOT))


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """What is collected lives to the end: the garbage collector need not look at it, now or in each test."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport() -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """A report with half a surrogate pair is written with its number: pytest-xdist could not send it, and would end."""
    report = yield
    if report.failed:
        try:
            report.longreprtext.encode()
        except UnicodeEncodeError:
            report.longrepr = report.longreprtext.encode(errors="backslashreplace").decode()
    return report


pytest_runtest_call = pytest.hookimpl(wrapper=True)(counted)


@pytest.fixture(scope="session", autouse=True)
def live_hub() -> Iterator[None]:
    """The Hub's own modules from the public test data, here and in other processes, unless the user names others."""
    folder = ROOT.parent / "shared" / "data" / "hub_modules"
    with pytest.MonkeyPatch.context() as patch:
        if folder.is_dir() and not os.environ.get("METROLOGUE_HUB_MODULES"):
            patch.setenv("METROLOGUE_HUB_MODULES", str(folder))
        yield


@pytest.fixture(scope="session")
def hub_modules(live_hub: None) -> Path:
    """The folder of the Hub's own modules."""
    folder = Path(os.environ.get("METROLOGUE_HUB_MODULES") or "none")
    if not folder.is_dir():
        pytest.skip(
            "METROLOGUE_HUB_MODULES names no folder with the Hub's modules, nor do they lie beside the repository"
        )
    return folder


@pytest.fixture(scope="session")
def newstest(shared_data: Path) -> tuple[dict[str, list[str]], list[str]]:
    """newstest2017 English-German: the 16 systems' outputs by name, and the reference, 3,004 segments each."""
    folder = shared_data / "wmt17_ende"
    if not folder.is_dir():
        pytest.skip(f"no folder {folder} with newstest2017")

    def lines(path: Path) -> list[str]:
        return path.read_text("utf-8").removesuffix("\n").split("\n")

    systems = {path.name: lines(path) for path in sorted((folder / "systems").iterdir())}
    return systems, lines(folder / "reference.de")


@pytest.fixture(scope="session")
def own_punkt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for nltk with a `punkt_tab`."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
    folder = tmp_path_factory.mktemp("nltk_data")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(nltk.data, "path", [*nltk.data.path])
        make_punkt(folder)
    return folder


@pytest.fixture(scope="module")
def punkt_data(own_punkt: Path) -> Iterator[None]:
    """nltk's model of sentences, here and in other processes; it may be a small one."""
    import nltk

    try:
        nltk.data.find("tokenizers/punkt_tab/english/")
    except LookupError:
        pass
    else:
        yield
        return
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("NLTK_DATA", os.pathsep.join([*filter(None, [os.environ.get("NLTK_DATA")]), str(own_punkt)]))
        # Only this folder goes again: the reader of WordNet may add its own in the meantime, and needs it later.
        nltk.data.path.append(str(own_punkt))
        yield
        nltk.data.path.remove(str(own_punkt))


@pytest.fixture(scope="session")
def cmudict(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """nltk's dictionary of pronunciations, here and in other processes; that of the package cmudict if it lacks."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
    try:
        nltk.data.find("corpora/cmudict")
    except LookupError:
        folder = tmp_path_factory.mktemp("cmudict")
        make_cmudict(folder)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("NLTK_DATA", os.pathsep.join([*filter(None, [os.environ.get("NLTK_DATA")]), str(folder)]))
            nltk.data.path.append(str(folder))
            yield
            nltk.data.path.remove(str(folder))
    else:
        yield


@pytest.fixture(scope="session")
def textstat() -> None:
    """The list of easy words in textstat, and the hyphens of pyphen, which it brings."""
    pytest.importorskip("textstat", reason="textstat is not installed: pip install textstat")


@pytest.fixture(scope="session")
def perluniprops(tmp_path_factory: pytest.TempPathFactory) -> None:
    """nltk's lists of characters by category, which it downloads; Python's own if they are not there."""
    nltk = pytest.importorskip("nltk", reason="nltk is not installed: pip install nltk")
    try:
        nltk.data.find("misc/perluniprops")
    except LookupError:
        folder = tmp_path_factory.mktemp("perluniprops")
        make_perluniprops(folder)
        nltk.data.path.append(str(folder))
        hub._attempt.cache_clear()  # what could not be loaded before


@pytest.fixture(scope="session")
def wordnet() -> None:
    """WordNet, which nltk's METEOR looks words up in."""
    _require_table("synonyms", "wordnet", "apt install wordnet-base wordnet-sense-index")


@pytest.fixture(scope="session")
def meteor_tables() -> None:
    """The tables in METEOR 1.5's jar."""
    _require_table("paraphrases", "meteor-1.5", "pip install pycocoevalcap")


def _require_table(kind: str, source: str, cure: str) -> None:
    from metrologue.text.lexicon import canonical_source

    if "@" not in canonical_source(kind, source):
        pytest.skip(f"no {source} {kind}: {cure}")


@pytest.fixture(scope="session")
def java() -> None:
    """A Java that runs."""
    from metrologue.comparison.libraries.meteor import java

    if missing := java():
        pytest.skip(str(missing))


@pytest.fixture(scope="session")
def perl() -> None:
    """A Perl with what ROUGE-1.5.5 uses."""
    from metrologue.comparison.libraries import Missing, get_library

    if isinstance(status := get_library("rouge-1.5.5").status(), Missing):
        pytest.skip(str(status))


@pytest.fixture(scope="module")
def lexical_data(request: pytest.FixtureRequest) -> None:
    """What the variants of all metrics look up, here and in other processes."""
    from metrologue.scorers import list_scorers

    provide(request, data_of(*list_scorers()))
