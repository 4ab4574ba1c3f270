"""What a run of tests does for changes of code: quick tests first, a limit for each test, and no small examples."""

from __future__ import annotations

import json
import resource
import time
from pathlib import Path
from typing import Any

__all__ = ["Watch"]

# No test takes a sixth of that. A loop that a change made endless may fill the memory too.
_PROCESSOR_SECONDS, _BYTES = 20, 8 << 30
_QUICK = 0.05


class Watch:
    """A plugin of pytest.

    Parameters
    ----------
    current : Path
        Here is the test that runs: what ends the process at a limit says no name.
    seconds : Path
        How long each test took, of this run and of those before it.
    """

    def __init__(self, current: Path, seconds: Path) -> None:
        self.current, self.file = current, seconds
        self.seconds: dict[str, float] = json.loads(seconds.read_text("utf-8")) if seconds.is_file() else {}
        resource.setrlimit(resource.RLIMIT_DATA, (_BYTES, resource.getrlimit(resource.RLIMIT_DATA)[1]))
        self._begin("")

    def _begin(self, test: str) -> None:
        """A test, or "" for what is read before the first one, may take so much from now on."""
        self.current.write_text(test, "utf-8")
        limit = int(time.process_time()) + _PROCESSOR_SECONDS
        resource.setrlimit(resource.RLIMIT_CPU, (limit, resource.getrlimit(resource.RLIMIT_CPU)[1]))

    def pytest_plugin_registered(self, plugin: Any) -> None:
        """A failure need not be made small: that takes longer than all else."""
        if getattr(plugin, "__file__", "").endswith("conftest.py"):
            from hypothesis import Phase, settings

            settings.register_profile("mutants", settings(), phases=(Phase.explicit, Phase.generate))
            settings.load_profile("mutants")

    def pytest_collection_modifyitems(self, items: list[Any]) -> None:
        """The quick tests of all files, and then the others."""
        items.sort(key=lambda item: self.seconds.get(item.nodeid, 0.0) > _QUICK)

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        self._begin(nodeid)

    def pytest_runtest_logreport(self, report: Any) -> None:
        if report.when == "call" and report.passed:
            self.seconds[report.nodeid] = round(report.duration, 3)

    def pytest_sessionfinish(self) -> None:
        self.file.write_text(json.dumps(self.seconds), "utf-8")
