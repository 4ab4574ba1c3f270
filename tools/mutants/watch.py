"""What a run of tests does for a change of code: quick tests first, a limit for each test, and no small examples."""

from __future__ import annotations

import json
import os
import resource
import time
from pathlib import Path
from typing import Any

__all__ = ["Watch"]

_QUICK = 0.1
_BYTES = 8 << 30  # a loop that a change made endless may fill the memory too


class Watch:
    """A plugin of pytest.

    Parameters
    ----------
    current : Path
        Here is the test that runs: a process that ends at a limit says no name.
    times : Path
        How long each test took, in this run and in those before it.
    quick : bool
        Whether to leave out the tests that are known to take longer.
    limit : int
        So many seconds of the processor a test may take, and what is read before the first one. None takes half of it.
    """

    def __init__(self, current: Path, times: Path, *, quick: bool = False, limit: int = 20) -> None:
        self.current, self.times, self.quick, self.limit = current, times, quick, limit
        self.began = 0.0
        self.seconds: dict[str, float] = json.loads(times.read_text("utf-8")) if times.is_file() else {}

    def begin(self) -> None:
        """Set the limits of this process."""
        resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        self.pytest_runtest_logstart("")

    def pytest_plugin_registered(self, plugin: Any) -> None:
        """A failure need not be made small: that takes longer than all else."""
        if getattr(plugin, "__file__", "").endswith("conftest.py"):
            from hypothesis import Phase, settings

            settings.register_profile("mutants", settings(), phases=(Phase.explicit, Phase.generate))
            settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, config: Any, items: list[Any]) -> None:
        """The quick tests of all files, and then the others."""
        slow = [item for item in items if self.seconds.get(item.nodeid, 0.0) > _QUICK]
        left = {*slow}
        items[:] = [item for item in items if item not in left]
        if self.quick:
            config.hook.pytest_deselected(items=slow)
        else:
            items += slow

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        """A test has its own limit."""
        self.current.write_text(nodeid, "utf-8")
        end = int(time.process_time()) + self.limit
        resource.setrlimit(resource.RLIMIT_CPU, (end, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    def pytest_runtest_logreport(self, report: Any) -> None:
        """Keep how long it took, of all processors and without its fixtures."""
        now = sum(os.times()[:4])
        if report.when == "setup":
            self.began = now
        elif report.when == "call" and report.passed:
            self.seconds[report.nodeid] = round(now - self.began, 3)

    def pytest_sessionfinish(self) -> None:
        """Keep that for the next run."""
        self.times.write_text(json.dumps(self.seconds), "utf-8")
