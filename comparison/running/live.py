"""The libraries themselves: each runs in a process of its own, within a time limit, and may do there what it wants."""

from __future__ import annotations

import math
import os
import pickle
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Generator, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain
from queue import Empty, SimpleQueue
from typing import Any

import numpy as np

from metrologue.comparison.findings.number import RESOLUTION, Number, Sample
from metrologue.comparison.libraries import Available, Library, Missing
from metrologue.comparison.libraries.history import change
from metrologue.comparison.running.worker import Outcome, Task, run, shortened
from metrologue.data.labels import Label, Labels
from metrologue.errors import InputError
from metrologue.scorers import Scorer
from metrologue.scorers.core.numbers import perfect_score
from metrologue.segments import Segments

__all__ = ["Limits", "Live", "run_live", "usual_processes"]

# So many processes that are not busy are kept, for the next metric of their library.
_IDLE = 1
_LOOK = 0.1  # seconds
_START = "import sys; sys.path[:] = {path!r}; from metrologue.comparison.running.worker import main; main()"


@dataclass(frozen=True, kw_only=True)
class Limits:
    """How long libraries may run.

    Attributes
    ----------
    seconds : float or None
        For one metric of a library, all systems together.
    sample : int or None
        The segments that a slower library gets instead of all.
    seed : int
        The seed of that sample.
    processes : int
        How many libraries run at once. 0: in this process, one after another, with no limit and no cache.
    """

    seconds: float | None = None
    sample: int | None = None
    seed: int = 12345
    processes: int = 1


@dataclass(frozen=True, eq=False)
class Live:
    """A library that shall run for one metric.

    Attributes
    ----------
    library : Library
    like : Scorer
        One of our variants: which number is wanted, and whether it has a perfect score.
    mirror : Scorer or None
        Our variant of the same name.
    numbers : mapping of str to float or None
        Its numbers, by system.
    texts : mapping of str to Segments
    options : mapping of str to Any
    options_key : str
        What identifies the options.
    limits : Limits
    started : callable
        Is called when the library begins.
    """

    library: Library
    like: Scorer
    mirror: Scorer | None
    numbers: Mapping[str, float | None]
    texts: Mapping[str, Segments]
    options: Mapping[str, Any]
    options_key: str
    limits: Limits
    started: Callable[[], None] = lambda: None

    @property
    def metric(self) -> str:
        """The name of the metric."""
        return self.like.name

    def steps(self) -> Generator[Task | Number, Outcome, None]:
        """The tasks, one after another, and the numbers that follow from the outcomes.

        If a sample shall stand for texts that take too long, the sample of the first system comes first: it tells how
        long all texts would take.
        """
        self.started()
        systems, slow = list(self.texts), False
        if self.library.is_told_at_once and isinstance(status := self.library.status(self.metric), Missing):
            yield from (self.number(system, Outcome(missing=str(status), is_absent=True)) for system in systems)
            return
        if self._may_be_slow:
            first = yield self._task(systems[0], sampled=True)
            slow = self._estimate(first) > (self.limits.seconds or math.inf)
            if first.is_late:
                yield from (self.number(system, self._late(first, all_late=True)) for system in systems)
                return
        while systems and not slow:
            found = yield self._task(systems[0])
            slow = found.is_late
            if not slow:
                yield self.number(systems.pop(0), found)
        if systems and not (self.limits.sample and self.limits.sample < self.count):
            yield from (self.number(system, self._late(found)) for system in systems)
            return
        while systems:
            found = yield self._task(systems[0], sampled=True)
            if found.is_late:
                yield from (self.number(system, self._late(found, all_late=True)) for system in systems)
                return
            yield self.number(systems.pop(0), found, sampled=True)

    @property
    def count(self) -> int:
        """The number of segments."""
        return len(next(iter(self.texts.values())))

    @property
    def _may_be_slow(self) -> bool:
        limits = self.limits
        return bool(limits.seconds and limits.sample and limits.processes and self.count > 2 * limits.sample)

    def _estimate(self, first: Outcome) -> float:
        """How many seconds all segments of all systems take, if the time grows as the texts do."""
        return first.seconds * len(self.texts) * self.count / (self.limits.sample or 1)

    def _late(self, found: Outcome, all_late: bool = False) -> Outcome:
        even = f", not even with {self.limits.sample} segments" if all_late else ""
        return replace(found, value=None, missing=f"takes longer than {self.limits.seconds:g} s{even}")

    @cached_property
    def _sample(self) -> list[int]:
        """The indices of the sample, in ascending order."""
        drawn = np.random.default_rng(self.limits.seed).choice(self.count, self.limits.sample or 0, replace=False)
        return sorted(drawn.tolist())

    def _task(self, system: str, sampled: bool = False) -> Task:
        segments = self.texts[system].take(self._sample) if sampled else self.texts[system]
        pairs = _pairs(segments)
        inputs = {name: segments.texts(name).to_pylist() for name in self.library.inputs.get(self.metric, ())}
        texts = [text for text, _ in pairs], [texts for _, texts in pairs], inputs
        return Task(
            library=self.library,
            metric=self.metric,
            primary=self.like.primary,
            texts=pickle.dumps(texts),
            options=self.options,
            options_key=self.options_key,
            in_process=not self.limits.processes,
        )

    def number(self, system: str, found: Outcome, sampled: bool = False) -> Number:
        """The number of the library for a system, or why there is none."""
        version = found.version
        if version is None and not found.is_absent and isinstance(status := self.library.status(), Available):
            version = status.version
        unit = None if perfect_score(self.like) is None else self.library.scale_of(self.metric)
        number = Number(
            kind="library",
            name=self.library.name,
            version=version,
            system=system,
            value=found.value,
            unit=unit,
            missing=found.missing,
            resolution=self.library.resolution,
            printed_digits=self.library.printed_digits,
            expected=self._expected(self.numbers.get(system), unit),
            seconds=found.seconds,
            note=found.note,
        )
        if found.value is not None and sampled:
            return self._of_sample(number, found.value)
        return replace(number, change=self._change(number)) if number.residual else number

    def _change(self, number: Number) -> str | None:
        """What the library changed after this version, if its number is what our variant of this version gives."""
        if self.mirror is None or number.version is None or number.value is None:
            return None
        found = change(self.mirror, number.version)
        if found is None:
            return None
        with suppress(InputError):
            before = found.before.corpus(self.texts[number.system]).value
            if math.isclose(before, number.value, rel_tol=max(number.resolution, RESOLUTION)):
                return found.sentence(before, number.expected or 0.0)
        return None

    def _expected(self, value: float | None, unit: float | None) -> float | None:
        if self.mirror is None or value is None:
            return None
        return value * (unit or 1.0) / (perfect_score(self.mirror) or 1.0)

    def _of_sample(self, number: Number, value: float) -> Number:
        """The number for a sample, beside ours for the same."""
        ours = None
        if self.mirror is not None:
            with suppress(InputError):
                ours = self.mirror.corpus(self.texts[number.system].take(self._sample)).value
        expected = self._expected(ours, number.unit)
        equal = None if expected is None else replace(number, expected=expected).residual == 0
        sample = Sample(segments=len(self._sample), seed=self.limits.seed, value=value, expected=expected, equal=equal)
        factor = 100.0 / number.unit if number.unit else 1.0
        beside = "" if expected is None else f", ours {factor * expected:.6g}{'' if equal else ' (differs)'}"
        why = f"too slow; on {sample.segments:,} of {self.count:,} segments {factor * value:.6g}{beside}"
        return replace(number, value=None, expected=None, missing=why, sample=sample)


def _pairs(segments: Segments) -> list[tuple[Any, list[Any]]]:
    """Each prediction with its references, as adapters take them: a label is a text, such as "1" for 1 and for True."""
    pairs = [segments.pair(index) for index in range(len(segments))]
    if isinstance(segments.predictions, Labels):
        return [(_as_text(ours), [*map(_as_text, right)]) for ours, right in pairs]
    return pairs


def _as_text(label: Label) -> str:
    return label if isinstance(label, str) else str(int(label))


def run_live(work: Sequence[Live], limits: Limits) -> Generator[tuple[Live, Number], None, None]:
    """The numbers of libraries, each as soon as it is there. When the iterator is closed, all processes are killed."""
    if not limits.processes:
        yield from ((live, number) for live in work for number in _here(live))
        return
    pool = _Pool(limits)
    try:
        yield from pool.numbers(work)
    finally:
        pool.close()


def _here(live: Live) -> Iterator[Number]:
    """The numbers of a library that runs in this process."""
    steps, found = live.steps(), None
    with suppress(StopIteration):
        while True:
            step = next(steps) if found is None else steps.send(found)
            found = run(step) if isinstance(step, Task) else None
            if isinstance(step, Number):
                yield step


class _Process:
    """A process that runs one library. What it sends goes to a queue, with the process itself."""

    def __init__(self, name: str, arrived: SimpleQueue[tuple[_Process, Outcome | None]]) -> None:
        self.name = name
        self.complaints = tempfile.TemporaryFile()  # noqa: SIM115 (it lives as long as the process)
        self.program = subprocess.Popen(
            [sys.executable, "-W", "ignore", "-c", _START.format(path=sys.path)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=self.complaints,
            start_new_session=True,
        )
        threading.Thread(target=self._receive, args=(arrived,), daemon=True).start()

    def _receive(self, arrived: SimpleQueue[tuple[_Process, Outcome | None]]) -> None:
        assert self.program.stdout
        try:
            while True:
                arrived.put((self, pickle.load(self.program.stdout)))
        except Exception:  # the process has ended, in the midst of an answer or between two
            arrived.put((self, None))
        finally:
            self.program.stdout.close()

    def send(self, task: Task) -> None:
        assert self.program.stdin
        # The thread that reads from a process reports that it is gone. A large text must not block this one.
        threading.Thread(target=self._send, args=(pickle.dumps(task),), daemon=True).start()

    def _send(self, task: bytes) -> None:
        assert self.program.stdin
        with suppress(OSError, ValueError):
            self.program.stdin.write(task)
            self.program.stdin.flush()

    def kill(self) -> None:
        """End the process with all that it started."""
        with suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self.program.pid, signal.SIGKILL)
            else:
                self.program.kill()
        self.program.wait()
        with suppress(OSError, ValueError):
            assert self.program.stdin
            self.program.stdin.close()
        self.complaints.close()

    def reason(self) -> str:
        """Why the process ended by itself, with the last line that it printed as an error."""
        status = self.program.wait()
        self.complaints.seek(0)
        lines = self.complaints.read().decode("utf-8", "replace").split("\n")
        last = shortened(next((line for line in reversed(lines) if line.strip()), ""))
        how = f"ends its process with status {status}" if status >= 0 else f"is ended by {_signal(-status)}"
        return f"{how}: {last}" if last else how


def _signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@dataclass
class _Running:
    """A library in its process, and when its time is up."""

    live: Live
    steps: Generator[Task | Number, Outcome, None]
    process: _Process | None = None
    deadline: float = math.inf


class _Pool:
    """Processes, at most so many of them busy at once. A process is used again for its library only."""

    def __init__(self, limits: Limits) -> None:
        self.limits = limits
        self.arrived: SimpleQueue[tuple[_Process, Outcome | None]] = SimpleQueue()
        self.idle: list[_Process] = []
        self.busy: dict[_Process, _Running] = {}

    def numbers(self, work: Iterable[Live]) -> Iterator[tuple[Live, Number]]:
        # A library's metrics come one after another, in the process that has imported it.
        by_library: dict[str, list[Live]] = {}
        for live in work:
            by_library.setdefault(live.library.name, []).append(live)
        waiting = list(chain.from_iterable(by_library.values()))
        while waiting or self.busy:
            while waiting and len(self.busy) < self.limits.processes:
                names = {process.name for process in self.busy}
                live = next((each for each in waiting if each.library.name not in names), waiting[0])
                waiting.remove(live)
                yield from self._go_on(_Running(live, live.steps()), None)
            if self.busy:
                yield from self._next()

    def _next(self) -> Iterator[tuple[Live, Number]]:
        """Wait for an outcome, or until some time is up."""
        soonest = min(running.deadline for running in self.busy.values())
        try:
            # Not longer: Python handles an interrupt of this thread only between two calls.
            process, outcome = self.arrived.get(timeout=min(max(0.0, soonest - time.monotonic()), _LOOK))
        except Empty:
            late = [process for process, running in self.busy.items() if running.deadline <= time.monotonic()]
            for process in late:
                running = self.busy.pop(process)
                process.kill()
                running.process = None
                yield from self._go_on(running, Outcome(is_late=True))
            return
        found = self.busy.pop(process, None)
        if found is None:  # it was killed before, or ends while nobody waits for it
            if outcome is None and process in self.idle:
                self.idle.remove(process)
            return
        if outcome is None:
            found.process = None
            outcome = Outcome(missing=process.reason())
            process.kill()
        yield from self._go_on(found, outcome)

    def _go_on(self, running: _Running, found: Outcome | None) -> Iterator[tuple[Live, Number]]:
        """Hand the outcome to the steps of a library, and send off its next task."""
        try:
            step = next(running.steps) if found is None else running.steps.send(found)
            while isinstance(step, Number):
                yield running.live, step
                step = next(running.steps)
        except StopIteration:
            if running.process:
                self._rest(running.process)
            return
        self._start(running, step)

    def _start(self, running: _Running, task: Task) -> None:
        name = task.library.name
        if running.process is None:
            running.process = next((each for each in self.idle if each.name == name), None)
            if running.process:
                self.idle.remove(running.process)
            else:
                running.process = _Process(name, self.arrived)
            running.deadline = math.inf
        if math.isinf(running.deadline) and self.limits.seconds:
            running.deadline = time.monotonic() + self.limits.seconds
        self.busy[running.process] = running
        running.process.send(task)

    def _rest(self, process: _Process) -> None:
        self.idle.append(process)
        while len(self.idle) > _IDLE:
            self.idle.pop(0).kill()

    def close(self) -> None:
        for process in (*self.idle, *self.busy):
            process.kill()
        self.idle.clear()
        self.busy.clear()


def usual_processes() -> int:
    """One for each processor that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
