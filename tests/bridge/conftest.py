"""What the tests of the `evaluate` modules share.

All modules have one class below them. So the tests of a file with ``pytestmark = pytest.mark.bridge`` are run whole on
one of them; on the others only those that are a ``contract`` of every module, and in `make test-all` all of them.
"""

import os
import re
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("evaluate", reason="`evaluate` is not installed")
import evaluate
from layouts import SAMPLES, Columns, columns_of
from needs import WITH_ENCODER, WITH_FRAMES, data_of, provide

import metrologue
from metrologue.modules import list_benchmarks
from metrologue.scorers import get_scorer

METRICS = Path(__file__).parents[2] / "metrics"
# The paired tests and the modules of numbers have contracts of their own, in test_comparisons.py and test_numbers.py.
FOLDERS = {path.name for path in METRICS.iterdir() if path.is_dir() and not path.name.startswith("_")}
NAMES = sorted(FOLDERS - {*metrologue.list_comparisons(), *metrologue.list_statistics(), *list_benchmarks()})


WHOLE = "bleu"


@pytest.hookimpl(tryfirst=True)  # before the slow ones are left out
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What is the same code for every module waits for `make test-all`. It is tested with free text.

    The tests of one metric leave it out for every module.
    """
    whole = None if config.getoption("--metric", None) else WHOLE
    items[:] = [
        item
        for item in items
        if not (
            item.get_closest_marker("bridge")
            and getattr(getattr(item, "callspec", None), "params", {}).get("folder")
            in (*SAMPLES, *WITH_ENCODER, *WITH_FRAMES)
        )
    ]
    for item in items:
        parameters = getattr(getattr(item, "callspec", None), "params", {})
        elsewhere = item.get_closest_marker("bridge") and parameters.get("folder", whole) != whole
        if elsewhere and not item.get_closest_marker("contract"):
            item.add_marker(pytest.mark.slow)


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """The environment of other processes: caches of their own."""
    home = tmp_path / "huggingface"
    # `evaluate` imports transformers where it is there, for what is not needed here, and takes seconds over it.
    hidden = tmp_path / "hidden"
    hidden.mkdir()
    (hidden / "transformers.py").write_text("raise ImportError", "utf-8")
    paths = [str(hidden), str(METRICS.parent / "src")]
    return {
        **os.environ,
        "HF_HOME": str(home),
        "HF_MODULES_CACHE": str(home / "modules"),
        "PYTHONPATH": os.pathsep.join(paths),
    }


@pytest.fixture(params=NAMES)
def folder(request: pytest.FixtureRequest) -> Path:
    """Each folder in ``metrics/``."""
    folder = METRICS / request.param
    provide(request, data_of(metric_of(folder)))
    return folder


def metric_of(folder: Path) -> str:
    """The scorer that a module is made of."""
    (name,) = re.findall(r'^    metric = "(.*)"$', (folder / f"{folder.name}.py").read_text("utf-8"), re.MULTILINE)
    return str(name)


@pytest.fixture
def metric(folder: Path) -> str:
    """The name of the module's scorer."""
    return metric_of(folder)


@pytest.fixture
def columns(metric: str) -> Callable[..., Columns]:
    """What ``compute`` takes for some predictions and references: these, and what else the metric requires."""
    return partial(columns_of, metric)


@pytest.fixture
def source(folder: Path) -> Path:
    """The module's only Python file but ``app.py``."""
    return folder / f"{folder.name}.py"


@pytest.fixture
def load(folder: Path) -> Callable[..., Any]:
    """``evaluate.load`` of the folder."""

    def loader(*arguments: Any, **options: Any) -> Any:
        return evaluate.load(str(folder), *arguments, **options)

    return loader


@pytest.fixture
def module(load: Callable[..., Any], tmp_path: Path) -> Any:
    """The module as `evaluate` loads it, with a place for its pending rows that no other instance uses."""
    return load(cache_dir=str(tmp_path))


@pytest.fixture
def named(folder: Path) -> Callable[[Any], dict[str, Any]]:
    """A result as a dictionary, as it is but for those of the Hub's modules that give a bare number."""
    return lambda result: result if isinstance(result, dict) else {folder.name: result}


@pytest.fixture
def summing(module: Any) -> str:
    """A variant whose score comes of sums over the segments: resamples depend on their order and take their time."""
    if module.metric == "meteor":
        return "nltk"  # the others search, which takes long in long texts, or have nltk cut each text into words
    scorer = get_scorer(module.metric)
    variants = (name for name in (module.config_name, *scorer.variants()) if scorer.variant(name)._additive)
    return next(variants, module.config_name)  # a metric of sets does not depend on their order


@pytest.fixture(scope="session")
def predictions() -> list[str]:
    """Texts with everything that could be lost on the way to the scorer."""
    return [
        "It is a guide to action which ensures that the military always obeys the commands of the party.",
        "It is to insure the troops forever hearing the activity guidebook that party direct.",
        "👩‍👩‍👧 is a family 🎉, and ‮this‬ is مرحبا بالعالم",
        "a line\nanother line\r\nq\x00r s t u\u2028v\u00a0w",
        "the cat sat on the mat " * 5_000,
    ]


@pytest.fixture(scope="session")
def references() -> list[list[str]]:
    """One to three references for each of the predictions."""
    return [
        [
            "It is a guide to action that ensures that the military will forever heed Party commands.",
            "It is the guiding principle which guarantees the military forces always being under the command of the "
            "Party.",
            "It is the practical guide for the army always to heed the directions of the party.",
        ],
        ["It is a guide to action that ensures that the military will forever heed Party commands."],
        ["👩‍👩‍👧 is one family 🎉, and ‮this‬ is مرحبا أيها العالم", "🎉"],
        ["a line\nanother line\r\nq\x00r s t v\u2028v\u00a0w"],
        ["the cat sat on a mat " * 5_000],
    ]


# Their time grows with the square of a text's length.
_OF_SHORT_TEXTS = ("charcut_mt", "codebleu", "cpwer", "eed", "hlepor", "yisi")


@pytest.fixture
def rows(module: Any, columns: Callable[..., Columns], predictions: list[str], references: list[list[str]]) -> Columns:
    """These, by the names of the module's columns."""
    if getattr(module, "metric", None) in _OF_SHORT_TEXTS:
        return columns([*predictions[:4], predictions[0]], [*references[:4], references[0]])
    return columns(predictions, references)


@pytest.fixture
def pair(columns: Callable[..., Columns]) -> Columns:
    """Two short segments."""
    return columns(["a b c d e", "f g h i j"], [["a b c d f", "a b"], ["f g h i j"]])
