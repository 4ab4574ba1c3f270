"""Runs of the tests on a copy of the project in which one file is changed.

A process imports what all tests import, but for the project itself, and forks for each run.
"""

from __future__ import annotations

import gc
import importlib
import json
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tools.mutants.mutations import Mutant
from tools.mutants.records import Outcome
from tools.mutants.watch import Watch

__all__ = ["ROOT", "Copy"]

ROOT = Path(__file__).parents[2]
_SECONDS = 900  # that a run of tests may take; no step takes a tenth of that by itself
_PASSED, _NO_TESTS = 0, 5
_TOO_LONG = (None, -signal.SIGXCPU, -signal.SIGKILL)


class Copy:
    """A copy of the files that git knows, with its own cache.

    Parameters
    ----------
    preload : list of str
        Modules that are imported once. One that is not installed is left out.
    """

    def __init__(self, preload: list[str]) -> None:
        self.folder = ROOT / "build" / "mutants"
        self.tree = self.folder / "tree"
        self.current, self.times = self.folder / "current.txt", self.folder / "seconds.json"
        self._changes = 0
        self._passing: set[tuple[str, ...]] = set()
        self._unfit: list[str] = []
        self._fill()
        os.environ |= {"HF_HUB_OFFLINE": "1", "METROLOGUE_EXAMPLES": "4"}
        os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
        sys.dont_write_bytecode = False
        for name in ["pytest", *preload]:
            with suppress(ImportError):
                importlib.import_module(name)
        gc.freeze()  # or each run looks at all that again

    def _fill(self) -> None:
        shutil.rmtree(self.tree, ignore_errors=True)
        listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
        names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True).stdout.decode().split("\0")
        made = [
            *ROOT.glob("src/metrologue/native/*kernels*"),
            *ROOT.glob("src/metrologue/text/tokenizers/ptb/ptb.arrow"),
        ]
        for path in [*(ROOT / name for name in names if name), *made]:
            target = self.tree / path.relative_to(ROOT)
            target.parent.mkdir(parents=True, exist_ok=True)
            if path.is_file() or path.is_symlink():
                shutil.copy2(path, target, follow_symlinks=False)
        beside = self.folder / "shared"  # the public test data, which tests look for beside the project
        if (ROOT.parent / "shared").is_dir() and not beside.exists():
            beside.symlink_to(ROOT.parent / "shared")

    def metrics(self) -> dict[str, list[str]]:
        """The metrics of each folder or file of scorers."""
        code = (
            "import json, metrologue.scorers as s;"
            "print(json.dumps([(s.get_scorer(n).__module__.split('.')[2], n) for n in s.list_scorers()]))"
        )
        environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(self.tree / "src"), str(self.tree)])}
        found = subprocess.run(
            [sys.executable, "-c", code], cwd=self.tree, env=environment, check=True, capture_output=True
        )
        rooms: dict[str, list[str]] = {}
        for room, name in json.loads(found.stdout):
            rooms.setdefault(room, []).append(name)
        return rooms

    def tried(self, mutant: Mutant, steps: list[list[str]], noticed: Counter[str], quick: bool) -> Outcome:
        """What the tests, or only the quick ones, say of a change, until one fails that passes without the change.

        `noticed` counts the files of tests by how many changes of the same file they noticed before.
        """
        path, began, ran = self.tree / mutant.path, _processor_seconds(), []
        original, stat = path.read_bytes(), path.stat()
        result, by = "survived", ""
        waiting = [self._ordered(step, mutant.path, noticed) for step in steps]
        while waiting:
            step = waiting[0]
            ran += [part for part in step if part.startswith("tests/")]
            try:
                path.write_bytes(mutant.applied(original))
                # Compiled code is kept, for it belongs to one time of its file, and each change has a time of its own.
                self._changes += 1
                os.utime(path, (self._changes, self._changes))
                status, failed = self._run(step, quick)
            finally:
                path.write_bytes(original)
                os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            if status in (_PASSED, _NO_TESTS):
                waiting.pop(0)
            elif self._passes_without(failed, step):
                result, by = ("timeout" if status in _TOO_LONG else "killed"), failed
                break
        return Outcome(result, by, round(_processor_seconds() - began, 1), tuple(dict.fromkeys(ran)))

    def _ordered(self, step: list[str], path: str, noticed: Counter[str]) -> list[str]:
        """A step with its files of tests one by one.

        First come those that noticed most, and then those that name the module, or its folder, most often.
        """
        tests = [part for part in step if part.startswith("tests/")]
        files = [
            file for part in tests for file in (sorted((self.tree / part).rglob("test_*.py")) or [self.tree / part])
        ]
        words = [Path(path).stem, Path(path).parent.name]
        named = {file: sum(map(file.read_text("utf-8").count, words)) for file in files if file.is_file()}
        names = [file.relative_to(self.tree).as_posix() for file in sorted(named, key=lambda file: -named[file])]
        return [*(part for part in step if part not in tests), *sorted(names, key=lambda name: -noticed[name])]

    def _passes_without(self, failed: str, step: list[str]) -> bool:
        """Whether a test passes without a change. One that does not, such as a test of time, is not asked again."""
        known = failed.startswith(("tests/", "src/"))
        asked = (failed,) if known else (*step,)
        if asked not in self._passing:
            status, again = self._run([*asked])
            if status in (_PASSED, _NO_TESTS):
                self._passing.add(asked)
            elif not known or not again:
                raise SystemExit(f"This does not pass without a change: {failed or ' '.join(step)}")
            else:
                print(f"not asked again, for it fails without a change: {failed}", flush=True)
                self._unfit.append(failed)
                return False
        return True

    def _run(self, step: list[str], quick: bool = False) -> tuple[int | None, str]:
        """pytest in a process of its own: its exit status, None if that took too long, and the first that failed."""
        log = self.folder / "log.txt"
        cache = self.folder / "cache"
        shutil.rmtree(cache, ignore_errors=True)
        source = Path(os.environ.get("METROLOGUE_CACHE") or Path.home() / ".cache" / "metrologue")
        if source.is_dir():  # links cost nothing, and files of a cache are replaced, never written in
            shutil.copytree(source, cache, copy_function=os.link, ignore=shutil.ignore_patterns("*.lock"))
        child = os.fork()
        if child == 0:
            self._child(step, quick, log, cache)
        status = self._awaited(child)
        ended = status is None or status < 0  # by a limit, or by a crash
        return status, self.current.read_text("utf-8") if ended else _first_failure(log)

    def _child(self, step: list[str], quick: bool, log: Path, cache: Path) -> None:
        status = 1
        try:
            os.setsid()
            watch = Watch(self.current, self.times, quick=quick)
            watch.begin()
            file = os.open(log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
            os.dup2(file, 1)
            os.dup2(file, 2)
            os.chdir(self.tree)
            os.environ |= {
                "PYTHONPATH": os.pathsep.join([str(self.tree / "src"), str(self.tree)]),
                "METROLOGUE_CACHE": str(cache),
            }
            roots = ("metrologue", "tools", "tests")
            for name in [name for name in sys.modules if name.partition(".")[0] in roots]:
                del sys.modules[name]
            own = [str(self.tree / "src"), str(self.tree)]
            sys.path[:] = [*own, *(each for each in sys.path if each not in ("", str(ROOT), str(ROOT / "src")))]
            import pytest

            deselected = [f"--deselect={each}" for each in self._unfit]
            quiet = ["-q", "-x", "--no-header", "-rfE", "--tb=line", "-p", "no:cacheprovider", "-p", "no:xdist"]
            asked = [*quiet, "-k", "not test_time_", *deselected, *step]  # a test of time may fail by chance
            status = int(pytest.main(asked, plugins=[watch]))
        finally:
            sys.stdout.flush()
            os._exit(status)

    @staticmethod
    def _awaited(child: int) -> int | None:
        end = time.monotonic() + _SECONDS
        try:
            while time.monotonic() < end:
                ended, status = os.waitpid(child, os.WNOHANG)
                if ended:
                    return os.waitstatus_to_exitcode(status)
                time.sleep(0.05)
            return None
        finally:
            with suppress(ProcessLookupError, PermissionError):
                os.killpg(child, signal.SIGKILL)
            with suppress(ChildProcessError):
                os.waitpid(child, 0)


def _processor_seconds() -> float:
    """What all runs so far took."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def _first_failure(log: Path) -> str:
    """The id of the first test that failed, or the file that could not be read."""
    lines = log.read_text("utf-8", "replace").splitlines() if log.is_file() else []
    told = (line.split(" ", 1)[1].split(" - ")[0] for line in lines if line.startswith(("FAILED ", "ERROR ")))
    return next(told, "")
