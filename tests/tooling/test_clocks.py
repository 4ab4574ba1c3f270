"""No test reads a clock to pass, or sleeps to wait: what does so has a reason."""

from __future__ import annotations

import re
from pathlib import Path

CLOCK = re.compile(r"\b(time\.time|perf_counter|monotonic|process_time|thread_time|sleep)(_ns)?\(")
AT_A_FAULT = "gives a fault the time to show; without one, the test passes however long it takes"
REASONS = {
    "cli/test_ahead.py": AT_A_FAULT,
    "cli/test_checkpoint.py": "the process that is killed is a slow one",
    "cli/test_faults.py": AT_A_FAULT,
    "comparison/test_live.py": "a process that was killed is waited for; texts that no cache has",
    "files/test_cache.py": "work that takes long is what is told; the age of a file",
    "files/test_damage.py": "a process that is killed does nothing; the age of a file",
    "helpers/browser.py": "a page's script is waited for, and what did not come is said",
    "helpers/budgets.py": "a part of all tests has its minutes",
    "helpers/fake_libraries.py": "libraries that are slow, or never end",
    "helpers/growth.py": "processor time, beside that of a control in the same moment",
    "helpers/waiting.py": "another process is waited for, without an end",
    "native/test_kernels.py": "gives the interpreter's lock back, for no time",
    "package/test_interrupts.py": AT_A_FAULT,
    "package/test_package.py": "processor time of an import, beside that of another one",
    "parity/test_sweep.py": "each variant has its share of the minutes",
    "properties/test_threads.py": AT_A_FAULT,
}


def test_whatever_reads_a_clock_has_a_reason() -> None:
    tests = Path(__file__).parents[1]
    files = (path.relative_to(tests).as_posix() for path in tests.rglob("*.py") if path != Path(__file__))
    assert sorted(name for name in files if CLOCK.search((tests / name).read_text("utf-8"))) == [*REASONS]
