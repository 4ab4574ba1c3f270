"""`make test-all`: each part of all tests has a budget of minutes, and what does not fit is sampled.

    python -m pytest -m "" --part slow --minutes 5 --seed 20261127

With a seed, tests come in an order of that seed, first one of each function, and texts are drawn by it. When the
minutes are over, the test that runs is cut off, and the others are left to another seed. If none is given, the seed is
the date. A failure prints the command that repeats it: the seed gives the same texts again, whatever else runs.
"""

from __future__ import annotations

import json
import random
import signal
import subprocess
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from shlex import quote
from time import monotonic
from typing import Any

import pytest
from amounts import EXAMPLES
from compared import Counts, added, counts_of, told
from hypothesis import core, settings

__all__ = ["PARTS", "Budget", "add_options", "part_of"]

# The minutes of each part. No part is called as a folder is, which pytest would take for what to test.
PARTS = {"sweep": 12, "slow": 12, "figures": 12, "rest": 20}

# Tests that are a part of their own, or that need programs of their own, by file.
FILES = {
    "tests/parity/test_sweep.py": "sweep",
    "tests/meta/test_published_with_models.py": "figures",
    "tests/comparison/test_page_in_browser.py": "rest",
    "tests/integrations/test_examples.py": "rest",
    "tests/integrations/test_spark.py": "rest",
    "tests/spaces/test_space_in_browser.py": "rest",
    "tests/pages/test_hostile_pages.py": "rest",
    "tests/docs/test_site.py": "rest",
}

# `--record` adds a line here; and the last run's parts are told here, one after another.
RECORD = Path("tests", "compared.jsonl")
TOLD = Path("build", "test-all.txt")


def add_options(parser: pytest.Parser) -> None:
    parser.addoption("--part", choices=[*PARTS], help="one part of all tests, in its minutes")
    parser.addoption("--minutes", type=float, help="end after so many; what is not reached is left out")
    parser.addoption("--seed", type=int, help="the order, and what is drawn; with a part or minutes, the date")
    parser.addoption("--record", action="store_true", help=f"add what was compared to {RECORD}")


def part_of(item: pytest.Item) -> str:
    """The part of a test; each belongs to one."""
    slow = any(item.iter_markers("slow")) or any(item.iter_markers("network"))
    return FILES.get(item.nodeid.partition("::")[0], "slow" if slow else "rest")


class Budget:
    """Chooses, orders and ends the tests of one run."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.option = config.option
        self.reached: set[str] = set()
        self.failed: dict[str, None] = {}
        self.counts: list[Counts] = []
        self.total = 0
        if self.option.minutes is None and self.option.part is not None:
            self.option.minutes = PARTS[self.option.part]
        if self.option.seed is None and self.option.minutes is not None:
            self.option.seed = int(date.today().strftime("%Y%m%d"))
        self.ends = float("inf") if self.option.minutes is None else monotonic() + 60 * self.option.minutes
        # Processes of pytest-xdist have the seed and the end of the one that started them.
        self.option.seed, self.ends = getattr(config, "workerinput", {}).get("budget", (self.option.seed, self.ends))
        if self.option.seed is not None:
            settings.register_profile("drawn", settings(), derandomize=False, database=None)
            settings.load_profile("drawn")
            core.global_force_seed = self.option.seed

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        node.workerinput["budget"] = (self.option.seed, self.ends)

    def pytest_report_header(self) -> str | None:
        return None if self.option.seed is None else f"seed: {self.option.seed}"

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        if self.option.part is not None:
            parts = [part_of(item) == self.option.part for item in items]
            config.hook.pytest_deselected(items=[item for item, own in zip(items, parts, strict=True) if not own])
            items[:] = [item for item, own in zip(items, parts, strict=True) if own]
        if self.option.seed is not None:
            items[:] = _sampled(items, random.Random(self.option.seed))

    def pytest_collection_finish(self, session: pytest.Session) -> None:
        self.total = len(session.items)

    @pytest.hookimpl(optionalhook=True)
    def pytest_xdist_node_collection_finished(self, ids: Iterable[str]) -> None:
        self.total = len([*ids])

    @property
    def left(self) -> float:
        """The seconds that are left."""
        return self.ends - monotonic()

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_protocol(self) -> bool | None:
        return True if self.left <= 0 else None

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_setup(self) -> Generator[None, object, object]:
        with self._cut_off():
            return (yield)

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_call(self) -> Generator[None, object, object]:
        with self._cut_off():
            return (yield)

    @contextmanager
    def _cut_off(self) -> Iterator[None]:
        """End what is in it when the minutes are over. It need not be whole: no test comes after it."""
        if self.option.minutes is None or not hasattr(signal, "setitimer"):
            yield
            return

        def stop(*_: object) -> None:
            raise pytest.skip.Exception(f"cut off after {self.option.minutes:g} minutes")

        before = signal.signal(signal.SIGALRM, stop)
        signal.setitimer(signal.ITIMER_REAL, max(self.left, 1e-3))
        try:
            yield
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
            signal.signal(signal.SIGALRM, before)

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.reached.add(report.nodeid)
        if report.failed:
            self.failed[report.nodeid] = None
        if report.when == "call":
            self.counts.append(counts_of(report))

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(self.config, "workerinput"):
            return
        counts = added(self.counts)
        lines = [told(counts)] if any(counts) else []
        if self.option.minutes is not None:
            lines.insert(0, self._reached())
        if self.option.seed is not None:
            lines += map(self._again, self.failed)
        for line in lines:
            terminalreporter.write_line(line)
        if self.option.part is not None:
            with _opened(self.config.rootpath / TOLD) as file:
                file.writelines(f"{line}\n" for line in lines)
        if self.option.record:
            with _opened(self.config.rootpath / RECORD) as file:
                file.write(json.dumps(self._record(counts)) + "\n")

    def _reached(self) -> str:
        said = f"{self.option.part or 'These tests'}: {len(self.reached):,} of {self.total:,} tests reached in "
        said += f"{self.option.minutes:g} minutes, {len(self.failed):,} failed; seed {self.option.seed}"
        return said

    def _again(self, test: str) -> str:
        """The command that repeats a failure."""
        return f"METROLOGUE_EXAMPLES={EXAMPLES} python -m pytest -m '' --seed {self.option.seed} {quote(test)}"

    def _record(self, counts: Counts) -> dict[str, Any]:
        commit = subprocess.run(
            ["git", "describe", "--always", "--dirty", "--abbrev=12", "--exclude=*"],
            cwd=self.config.rootpath, capture_output=True, text=True,
        ).stdout.strip()  # fmt: skip
        numbers, with_bits, equal = counts
        return {
            "date": f"{date.today()}", "commit": commit, "part": self.option.part, "seed": self.option.seed,
            "compared": numbers, "to the bit": with_bits, "equal to the bit": equal, "differences": len(self.failed),
        }  # fmt: skip


def _sampled(items: Iterable[pytest.Item], draws: random.Random) -> list[pytest.Item]:
    """In rounds, each of which has a test of every function, and those of a file one after another."""
    drawn = sorted(items, key=lambda _: draws.random())
    places: dict[str, float] = {}
    rounds: Counter[str] = Counter()
    keys = {}
    for item in drawn:
        file, function = item.nodeid.partition("::")[0], item.nodeid.partition("[")[0]
        keys[item] = rounds[function], places.setdefault(file, draws.random())
        rounds[function] += 1
    return sorted(drawn, key=keys.__getitem__)


def _opened(path: Path) -> Any:
    path.parent.mkdir(parents=True, exist_ok=True)
    return path.open("a", encoding="utf-8")
