"""`--metric NAME`: the tests that name one metric, its class or its folder, and no more than these is imported."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

import pytest

__all__ = ["OneMetric"]

# What a file whose tests are made for every metric has, or the conftest of its folder: such a list, or a fixture.
FOR_ALL = re.compile(r"\b(list_\w+|CONTRACTS|EVERY|params)\b|\bmade\(|def test_\w+\([^)]*\bfolder\b")


class OneMetric:
    """Leaves out files that cannot have a test of a metric, then the tests that are not its own."""

    def __init__(self, metric: str, root: Path) -> None:
        from metrologue.scorers import get_scorer

        scorer = get_scorer(metric)
        self.root = root
        # A metric's tests lie in a folder of its scorer's name.
        package = scorer.__module__.removeprefix("metrologue.scorers.").removeprefix("metrologue_research.")
        room = package.partition(".")[0]
        self.folder = re.compile(rf"(tests/metrics|src/metrologue/scorers|src/metrologue_research)/{room}(/|\.py)")
        # In an id, `self_bleu` does not name `bleu`; in the name of a function, an underscore is a space.
        names = rf"({re.escape(metric)}|{scorer.__name__})"
        word, function = rf"(?<![A-Za-z0-9_]){names}(?![A-Za-z0-9_])", rf"test_(\w+_)?{names}(_\w+)?"
        self.in_id = re.compile(rf"{word}|::{function}(\[|$)")
        self.in_text = re.compile(rf"{word}|def {function}\(")

    def is_its(self, test: str) -> bool:
        """Whether the id of a test, or a path, names the metric."""
        return bool(self.folder.search(test) or self.in_id.search(test))

    def pytest_ignore_collect(self, collection_path: Path) -> bool | None:
        if collection_path.suffix != ".py" or collection_path.name == "conftest.py":
            return None
        path = collection_path.relative_to(self.root).as_posix()
        if self.is_its(path):
            return None
        named = (
            path.startswith("tests/") and not path.startswith("tests/metrics/") and self._may_name_it(collection_path)
        )
        return None if named else True

    def _may_name_it(self, path: Path) -> bool:
        text = path.read_text("utf-8")
        return any(pattern.search(text) for pattern in (FOR_ALL, self.in_text)) or _is_for_all(path.parent)

    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        kept = [item for item in items if self.is_its(item.nodeid)]
        config.hook.pytest_deselected(items=[item for item in items if item not in {*kept}])
        items[:] = kept


@cache
def _is_for_all(folder: Path) -> bool:
    conftest = folder / "conftest.py"
    return conftest.parent.name != "tests" and conftest.is_file() and bool(FOR_ALL.search(conftest.read_text("utf-8")))
