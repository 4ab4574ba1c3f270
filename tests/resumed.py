"""`--resume`: a test that has passed on this commit is not run again. `--part NAME`: one part of all tests.

build/test-all has a file for each commit, with a line for each test that has passed or was skipped. Only a checkout
without changes is a commit: in any other, every test runs, and nothing is kept. A test that was skipped runs again,
because what it needs may have been installed.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from compared import Counts, added, counts_of, told

__all__ = ["PARTS", "Resume", "add_options", "commit_of", "part_of"]

# What decides how much a test tries: what has passed with other amounts is another matter.
AMOUNTS = ("METROLOGUE_EXAMPLES", "METROLOGUE_SWEEP")

# What takes long, by file. The other tests are the parts "slow", those that are marked so, and "everyday". No part is
# called as a folder is, which pytest would take for what to test.
FILES = {
    "tests/test_site.py": "browsers",
    "tests/test_hostile_pages.py": "browsers",
    "tests/comparison/test_page_in_browser.py": "browsers",
    "tests/spaces/test_space_in_browser.py": "browsers",
    "tests/integrations/test_spark.py": "spark",
    "tests/meta/test_published_with_models.py": "figures",
    "tests/integrations/test_examples.py": "training",
    "tests/parity/test_sweep.py": "sweep",
}
PARTS = ("everyday", "slow", *dict.fromkeys(FILES.values()))

# So many seconds after another, it is seen whether the checkout is still the same, and what has passed is written.
SECONDS = 10.0


def add_options(parser: pytest.Parser) -> None:
    parser.addoption("--resume", action="store_true", help="do not run again what has passed on this commit")
    parser.addoption("--part", choices=PARTS, help="only one part of all tests")


def part_of(item: pytest.Item) -> str:
    """The part of a test; each belongs to one."""
    slow = any(item.iter_markers("slow")) or any(item.iter_markers("network"))
    return FILES.get(item.nodeid.partition("::")[0], "slow" if slow else "everyday")


def commit_of(root: Path) -> str | None:
    """The commit that is checked out, without changes; None otherwise."""

    def git(*words: str) -> str | None:
        done = subprocess.run(["git", *words], cwd=root, capture_output=True, text=True)
        return done.stdout.strip() if done.returncode == 0 else None

    return git("rev-parse", "HEAD") if git("status", "--porcelain") == "" else None


class Resume:
    """What has passed: read at the start, written as it goes on, told at the end.

    Processes of pytest-xdist are told by the one that started them what to leave out; that one alone reads and writes.
    """

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.part: str | None = config.getoption("--part")
        self.parts: dict[str, str] = {}  # of each test that there is
        self.kept: dict[str, tuple[str, Counts]] = {}  # outcome, and how many numbers it has compared
        self.running: dict[str, tuple[str, Counts]] = {}
        self.unwritten: list[str] = []
        self.seen = time.monotonic()
        self.commit: str | None = None
        if hasattr(config, "workerinput"):
            self.passed = frozenset(config.workerinput["passed"])
            return
        if config.getoption("--resume") and (commit := commit_of(config.rootpath)) is not None:
            self.commit = commit
            amounts = [f"{key[11:].lower()}-{os.environ[key]}" for key in AMOUNTS if key in os.environ]
            name = "-".join([str(sys.implementation.cache_tag), *amounts])
            self.path = config.rootpath / "build" / "test-all" / commit / f"{name}.jsonl"
            for line in self.path.read_text("utf-8").splitlines() if self.path.is_file() else ():
                one = json.loads(line)
                self.kept[one["test"]] = (one["outcome"], tuple(one["compared"]))
        self.passed = frozenset(test for test, (outcome, _) in self.kept.items() if outcome == "passed")

    def pytest_report_header(self) -> str | None:
        if not self.config.getoption("--resume"):
            return None
        if self.commit is None:
            return "resume: this is no commit without changes, so all tests run, and what passes is not kept"
        return f"resume: {len(self.passed):,} tests passed earlier on {self.commit[:10]}"

    @pytest.hookimpl(optionalhook=True)
    def pytest_configure_node(self, node: Any) -> None:
        # Not the file: a process that replaces one that died must leave out the same tests.
        node.workerinput["passed"] = sorted(self.passed)

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection_modifyitems(self, config: pytest.Config, items: list[pytest.Item]) -> None:
        self.parts = {item.nodeid: part_of(item) for item in items}
        left = [
            item for item in items if item.nodeid not in self.passed and self.part in (None, self.parts[item.nodeid])
        ]
        if len(left) < len(items):
            chosen = {*left}
            config.hook.pytest_deselected(items=[item for item in items if item not in chosen])
            items[:] = left

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """A test has passed if all of it has: what it needs, itself, and what clears up after it."""
        outcome, numbers = self.running.pop(report.nodeid, ("passed", (0, 0, 0)))
        if report.when == "call":
            numbers = counts_of(report)
        if report.failed or (report.skipped and not hasattr(report, "wasxfail")):
            outcome = report.outcome
        if report.when != "teardown":
            self.running[report.nodeid] = outcome, numbers
        elif outcome != "failed" and self.commit is not None:
            self.kept[report.nodeid] = outcome, numbers
            kept = {"test": report.nodeid, "outcome": outcome, "compared": numbers}
            self.unwritten.append(json.dumps(kept) + "\n")
            if time.monotonic() >= self.seen + SECONDS:
                self.write()

    def write(self) -> None:
        """Write what has passed, if the checkout is still the same. A change may go again, such as a test's file."""
        self.seen = time.monotonic()
        if self.unwritten and commit_of(self.config.rootpath) == self.commit:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            with self.path.open("a", encoding="utf-8") as file:
                file.writelines(self.unwritten)
            self.unwritten.clear()

    @pytest.hookimpl(optionalhook=True)
    def pytest_testnodedown(self, node: Any) -> None:
        self.parts = getattr(node, "workeroutput", {}).get("parts") or self.parts

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["parts"] = self.parts
        elif session.exitstatus == pytest.ExitCode.NO_TESTS_COLLECTED and self.passed:
            session.exitstatus = pytest.ExitCode.OK  # all has passed earlier

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if self.commit is None:
            return
        self.write()
        earlier = sum(self.part in (None, part) for test, part in self.parts.items() if test in self.passed)
        terminalreporter.write_line(f"{earlier:,} passed earlier on this commit")
        if self.unwritten:
            terminalreporter.write_line("The checkout has changed since: what passed after that is not kept.")
        elif self.config.args_source is pytest.Config.ArgsSource.TESTPATHS:
            terminalreporter.write_line(self.whole())

    def whole(self) -> str:
        """What has passed of all tests, over all runs."""
        mine = {test: kept for test, kept in self.kept.items() if test in self.parts}
        outcomes = Counter(outcome for outcome, _ in mine.values())
        said = f"{outcomes['passed']:,} tests passed, {outcomes['skipped']:,} skipped"
        said += "; " + told(added(numbers for _, numbers in mine.values()))
        if not (left := Counter(part for test, part in self.parts.items() if test not in mine)):
            return f"All tests have passed on commit {self.commit}: {said}"
        parts = ", ".join(f"{left[part]:,} of {part}" for part in PARTS if part in left)
        return f"Of all tests on commit {self.commit}, {parts} are left: {said}"
