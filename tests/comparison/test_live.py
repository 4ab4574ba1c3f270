"""Libraries in processes of their own: what one of them does is a row, and everything else goes on."""

from __future__ import annotations

import os
import pickle
import signal
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path

import fake_libraries as fakes
import numpy as np
import pytest
from waiting import until

from metrologue.comparison import compare, harness
from metrologue.comparison.findings.records import Number
from metrologue.comparison.harness import Plan, begin, compare_metrics
from metrologue.comparison.libraries import Library, LibraryError
from metrologue.comparison.running import live as live_processes
from metrologue.comparison.running.worker import Outcome, Task
from metrologue.comparison.showing.results import Comparison
from metrologue.errors import InputError
from metrologue.scorers import Bleu

REFERENCES = ["the cat sat on the mat", "a dog ran to the house"]
SYSTEMS = {
    "odd": ["the cat sat on a mat, odd", "a dog ran to his house"],
    "plain": ["the cat sat on the mat", "the dog ran to the house"],
}


def compared(monkeypatch: pytest.MonkeyPatch, *libraries: Library, **options: object) -> Comparison:
    by_name = {library.name: library for library in libraries}
    monkeypatch.setattr("metrologue.comparison.harness.get_library", by_name.__getitem__)
    options = {"libraries": [*by_name], "variants": ["nltk"], "confidence": None, "processes": 2, **options}
    return compare(options.pop("systems", SYSTEMS), options.pop("references", REFERENCES), **options)


def live(found: Comparison) -> dict[str, Number]:
    return {number.system: number for number in found.numbers if number.kind == "library"}


@pytest.mark.parametrize(
    ("kind", "reason"),
    [
        (fakes.Raising, "raises ZeroDivisionError: by zero"),
        (fakes.Leaving, "raises SystemExit: enough"),
        (fakes.Exiting, "ends its process with status 3: no luck"),
        (fakes.Killed, "is ended by SIGKILL"),
    ],
)
def test_a_library_that_fails_on_one_system_is_a_reason_there(monkeypatch, kind, reason):
    found = compared(monkeypatch, kind(where="odd"))
    numbers = live(found)
    assert (numbers["odd"].value, numbers["odd"].missing) == (None, reason)
    assert numbers["plain"].value == Bleu.variant("nltk").corpus(SYSTEMS["plain"], REFERENCES).value
    ours = {number.system: number for number in found.numbers if number.kind == "variant"}
    assert all(number.value is not None for number in ours.values())
    assert not found.residuals
    assert numbers["odd"].label.startswith("nltk ")


def test_a_library_that_hangs_is_ended_with_all_that_it_started(monkeypatch, tmp_path):
    """And one that holds the interpreter's lock. The other one goes on."""
    for kind in (fakes.Hanging, fakes.Spinning):
        (tmp_path / "processes").unlink(missing_ok=True)
        found = compared(monkeypatch, kind(tmp_path, "odd"), library_timeout=5)
        numbers = live(found)
        assert {number.missing for number in numbers.values()} == {"takes longer than 5 s"}
        for process in (tmp_path / "processes").read_text().split():
            assert not is_running(int(process)), kind


def is_running(process: int) -> bool:
    """Whether a process runs. One that has ended may wait for its parent to notice."""
    for _ in range(1000):
        try:
            state = Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state in "ZX":
            return False
        time.sleep(0.05)
    return True


def test_what_a_library_prints_stays_away_from_the_terminal(monkeypatch, capfd):
    found = compared(monkeypatch, fakes.Printing(where="odd"))
    numbers = live(found)
    assert numbers["odd"].value == numbers["odd"].expected
    assert numbers["odd"].note == "prints: hello from Python"
    assert numbers["plain"].note is None
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("processes", [0, 2])
def test_a_library_that_changes_its_texts_changes_only_its_own(monkeypatch, processes):
    """Its own number differs, and is told to; no other number does."""
    found = compared(monkeypatch, fakes.Changing(where="odd"), processes=processes)
    assert [number.system for number in found.residuals] == ["odd"]
    assert (SYSTEMS["odd"][0], REFERENCES[0]) == ("the cat sat on a mat, odd", "the cat sat on the mat")
    ours = {number.system: number.value for number in found.numbers if number.kind == "variant"}
    assert ours["odd"] == Bleu.variant("nltk").corpus(SYSTEMS["odd"], REFERENCES).value


def test_a_difference_from_our_number_is_an_unexplained_residual(monkeypatch):
    found = compared(monkeypatch, fakes.Wrong())
    assert [number.system for number in found.residuals] == [*SYSTEMS]
    for number in found.residuals:
        ours = Bleu.variant("nltk").corpus(SYSTEMS[number.system], REFERENCES).value
        assert number.expected == ours
        assert number.residual == 0.1234 - ours
    assert "Unexplained, the library's number against that of our variant:" in found.to_markdown()
    assert not compared(monkeypatch, fakes.Fake(where="nothing")).residuals


def test_a_library_is_imported_once_for_all_metrics(monkeypatch):
    started = []

    class Counted(live_processes._Process):
        def __init__(self, name, arrived):
            started.append(name)
            super().__init__(name, arrived)

    monkeypatch.setattr(live_processes, "_Process", Counted)
    libraries = ["nltk", "sacrebleu", "jiwer", "rapidfuzz"]
    found = compare_metrics(
        SYSTEMS, REFERENCES, ["bleu", "chrf", "wer", "cer", "edit_distance"], libraries=libraries, processes=1
    )
    assert sorted(started) == sorted(libraries)
    ran = {
        (each.metric, number.name) for each in found.comparisons for number in each.numbers if number.name in started
    }
    assert {("bleu", "nltk"), ("edit_distance", "nltk"), ("chrf", "sacrebleu"), ("cer", "jiwer")} <= ran


def many(count: int = 40) -> dict[str, object]:
    """Texts of which a fifth is a sample; they are others in each run."""
    lines = [f"the cat number {index} of {os.getpid()} {time.time()} sat" for index in range(count)]
    systems = {"a": [f"{line} down" for line in lines], "b": lines}
    return {"systems": systems, "references": [f"{line} up" for line in lines]}


def test_a_slow_library_gets_a_sample_and_so_do_we(monkeypatch):
    """40 segments take 2 systems x 0.2 s; the limit is 0.3 s, and the sample takes 0.05 s."""
    texts = many()
    found = compared(monkeypatch, fakes.Slow(), **texts, library_timeout=0.3, sample=5, seed=1)
    numbers = live(found)
    chosen = sorted(np.random.default_rng(1).choice(40, 5, replace=False).tolist())
    for system, lines in texts["systems"].items():
        number = numbers[system]
        if number.sample is None:  # the machine was too busy for the sample, too
            assert number.missing.startswith("takes longer than 0.3 s, not even with 5 segments")
            continue
        ours = Bleu.variant("nltk").corpus([lines[i] for i in chosen], [texts["references"][i] for i in chosen]).value
        assert (number.value, number.sample.value, number.sample.expected) == (None, ours, ours)
        assert (number.sample.segments, number.sample.seed, number.sample.equal) == (5, 1, True)
        assert number.missing.startswith("too slow; on 5 of 40 segments ")
    assert not found.residuals
    assert all(column.label.startswith("metrologue") for column in found.columns)


def test_a_quick_library_gets_all_segments(monkeypatch):
    found = compared(monkeypatch, fakes.Slow(), **many(), library_timeout=60, sample=5)
    assert all(number.sample is None and number.value == number.expected for number in live(found).values())


def test_the_estimate_spares_a_slow_library_all_segments(tmp_path):
    """Its first sample shows that it would take too long."""
    texts = many(200)
    plan = Plan(metrics=["bleu"], libraries=[], variants=["nltk"], processes=1, library_timeout=1, sample=9)
    stages = begin(texts["systems"], texts["references"], plan)
    [answer] = stages.answers()
    steps = harness._live(stages.jobs[0], fakes.Counting(tmp_path), answer, stages.texts, stages.limits).steps()
    task = next(steps)
    assert len(pickle.loads(task.texts)[0]) == 9
    slow = Outcome(version="1", value=0.5, seconds=0.1)
    sizes = []
    step = steps.send(slow)
    with suppress(StopIteration):
        while True:
            if isinstance(step, Task):
                sizes.append(len(pickle.loads(step.texts)[0]))
                step = steps.send(slow)
            else:
                step = next(steps)
    assert sizes == [9, 9]  # 0.1 s x 200 / 9 x 2 systems is above 1 s


def test_numbers_are_kept(monkeypatch, tmp_path):
    """By texts, and one process serves all systems. A warm-up of one segment is no part of the time."""
    texts = many(4)
    for _ in range(2):
        found = compared(monkeypatch, fakes.Counting(tmp_path), **texts)
        assert all(number.value == number.expected for number in live(found).values())
    calls = [line.split() for line in (tmp_path / "calls").read_text().splitlines()]
    assert [size for _, size in calls] == ["1", "4", "4"]
    assert len({process for process, _ in calls}) == 1


def test_closing_ends_what_runs_and_keeps_what_is_there(monkeypatch, tmp_path):
    monkeypatch.setattr("metrologue.comparison.harness.get_library", lambda name: fakes.Hanging(tmp_path, "odd"))
    plan = Plan(metrics=["bleu"], libraries=["nltk"], variants=["nltk"], processes=1)
    stages = begin({"plain": SYSTEMS["plain"], "odd": SYSTEMS["odd"]}, REFERENCES, plan)
    assert [answer.metric for answer in stages.answers()] == ["bleu"]
    numbers = stages.numbers()
    assert next(numbers)[1].system == "plain"
    numbers.close()
    found = {n.system: n for n in stages.study.comparisons[0].numbers if n.kind == "library"}
    assert found["plain"].value is not None
    assert found["odd"].missing == "was not run to its end"


DYING = """
import sys, threading, time
sys.path.insert(0, {tests!r})
import fake_libraries, metrologue.comparison.harness as harness
from pathlib import Path
harness.get_library = lambda name: fake_libraries.{kind}(Path({folder!r}), "odd")
harness.compare({systems!r}, {references!r}, libraries=["nltk"], variants=["nltk"], confidence=None, processes=1)
"""


@pytest.mark.skipif(sys.platform != "linux", reason="/proc")
@pytest.mark.parametrize("kind", ["Hanging", "Spinning"])
def test_libraries_die_with_their_parent(kind, tmp_path):
    code = DYING.format(
        tests=str(Path(fakes.__file__).parent), kind=kind, folder=str(tmp_path), systems=SYSTEMS, references=REFERENCES
    )
    with subprocess.Popen([sys.executable, "-c", code]) as parent:
        notes = tmp_path / "processes"
        until(lambda: notes.exists() and notes.read_text().endswith("\n"), parent)
        parent.send_signal(signal.SIGKILL)
    assert not any(is_running(int(process)) for process in notes.read_text().split()[:1])


def test_bad_input_is_told_before_any_work(monkeypatch):
    work = "metrologue.comparison.findings.answer.answer"
    monkeypatch.setattr(work, lambda *given: pytest.fail("the work has begun"))
    for libraries, message in ((["nltk", "nltk"], "named twice"), (["nktl"], "no adapter"), (["jiwer"], "no bleu")):
        with pytest.raises(LibraryError, match=message):
            begin(SYSTEMS, REFERENCES, Plan(metrics=["bleu"], libraries=libraries))
    with pytest.raises(InputError, match="2 predictions but 1 reference;"):
        begin(SYSTEMS, REFERENCES[:1], Plan(metrics=["bleu"]))
    lines = ["a b c"] * 8
    with pytest.raises(InputError, match="log_loss_hashed does not fit these texts"):
        begin({"a": lines}, lines, Plan(metrics=["log_loss_hashed"]))
    for wrong in ({"library_timeout": 0}, {"sample": 0}, {"processes": -1}, {"library_timeout": "1"}):
        with pytest.raises(InputError, match=next(iter(wrong))):
            begin(SYSTEMS, REFERENCES, Plan(metrics=["bleu"], **wrong))


def test_options_of_the_live_call_are_those_of_the_variant():
    """The Hub's ROUGE draws resamples: its seed is that of our variant."""
    stages = begin(
        SYSTEMS, REFERENCES, Plan(metrics=["rouge"], libraries=["evaluate"], variants=["evaluate"], processes=0)
    )
    [answer] = stages.answers()
    steps = harness._live(stages.jobs[0], stages.jobs[0].live[0], answer, stages.texts, stages.limits)
    assert steps.options == {"seed": 0}
