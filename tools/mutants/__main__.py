"""Does any test notice a small change of the code? Changes are drawn, made one by one, and tried on the tests.

    python -m tools.mutants [AREA ...] [--sample N] [--seed N] [--minutes N] [--list]

A change is tried on the quick tests of its area, and on all of them if these do not notice it. What was tried stands
in build/mutants/results.jsonl and is not tried again until the file, or the tests that let the change pass, have
changed. A run that was ended goes on. It ends with how many were noticed, by area, and with each that was not;
``reasons.toml`` has those that no test could notice.

Why no tool from the index: mutmut 3.8 changes the bodies of functions only, where most rules of tokenizers are data,
and does not get the tests of this layout to run; cosmic-ray 8.7 changes no text of a rule, and edits the working tree.
"""

from __future__ import annotations

import argparse
import random
import signal
import sys
import time
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from fnmatch import fnmatch
from hashlib import sha256
from pathlib import Path
from typing import Any

from tools.mutants.mutations import Mutant, mutants_of
from tools.mutants.records import Records
from tools.mutants.runs import ROOT, Copy

HERE = Path(__file__).parent
SETTINGS: dict[str, Any] = tomllib.loads((HERE / "areas.toml").read_text("utf-8"))
REASONS: list[dict[str, Any]] = tomllib.loads((HERE / "reasons.toml").read_text("utf-8"))["reasons"]


def files_of(area: str) -> list[str]:
    """The files of an area, from the root."""
    facts = SETTINGS["areas"][area]
    paths = {path.relative_to(ROOT).as_posix() for pattern in facts["files"] for path in ROOT.glob(pattern)}
    return sorted(path for path in paths if not any(fnmatch(path, each) for each in facts.get("without", ())))


def drawn(area: str, sample: int, seed: int) -> list[Mutant]:
    """A sample of the changes of an area. A larger one has all of a smaller one, and an edit leaves the others."""
    strings = SETTINGS["areas"][area].get("strings", False)
    found = [each for path in files_of(area) for each in mutants_of(path, (ROOT / path).read_bytes(), strings)]
    return sorted(found, key=lambda each: sha256(f"{seed} {each.key}".encode()).digest())[:sample]


def steps_of(area: str, path: str, metrics: dict[str, list[str]]) -> Iterator[list[str]]:
    """The arguments of pytest, run after run."""
    room = Path(path).parts[3].removesuffix(".py")
    rooms = SETTINGS["rooms"].get(room, [room])
    for step in SETTINGS["areas"][area]["steps"]:
        if any("{metric}" in part for part in step):
            of_rooms = [metric for each in rooms for metric in metrics.get(each, ())]
            yield from ([part.format(metric=metric) for part in step] for metric in of_rooms)
        else:
            yield [part.format(path=path, room=each) for part in step for each in (rooms if "{room}" in part else [""])]


def reason(mutant: Mutant) -> str | None:
    """Why no test can notice it, if that is known."""
    told = (each for each in REASONS if all(getattr(mutant, key) == each[key] for key in each if key != "why"))
    return next((each["why"] for each in told), None)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(SETTINGS["areas"]) + "; by default all")
    parser.add_argument("--sample", type=int, default=SETTINGS["sample"], help="so many of each area")
    parser.add_argument("--seed", type=int, default=SETTINGS["seed"])
    parser.add_argument("--minutes", type=float, default=float("inf"), help="stop after that")
    parser.add_argument("--list", action="store_true", help="only say what was found so far")
    given = parser.parse_args()
    if unknown := {*given.areas} - {*SETTINGS["areas"]}:
        parser.error(f"no area {', '.join(sorted(unknown))}")
    chosen = {area: drawn(area, given.sample, given.seed) for area in given.areas or SETTINGS["areas"]}
    records = Records(ROOT / "build" / "mutants" / "results.jsonl", ROOT)
    if not given.list:
        run(chosen, records, given.minutes)
    report(chosen, records)


def run(chosen: dict[str, list[Mutant]], records: Records, minutes: float) -> None:
    """Try what was not yet tried, in an order that gives each area its turn."""
    end = time.monotonic() + 60 * minutes
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(1))  # so that the tests end too
    waiting = [(area, each) for area, mutants in chosen.items() for each in mutants if not reason(each)]
    waiting = [(area, each) for area, each in waiting if records.outcome(each) is None]
    random.Random(0).shuffle(waiting)
    if not waiting:
        return
    copy = Copy(SETTINGS["preload"])
    metrics = copy.metrics()
    for quick in (True, False):  # most changes are noticed by a quick test; the others are tried again on all
        todo, waiting = waiting, []
        for done, (area, mutant) in enumerate(todo):
            if time.monotonic() > end:
                return
            steps = [*steps_of(area, mutant.path, metrics)]
            outcome = copy.tried(mutant, steps, records.noticed(mutant.path), quick)
            if quick and outcome.result == "survived":
                waiting.append((area, mutant))
            else:
                records.add(mutant, outcome, copy.tree)
            told = "not by a quick test" if (area, mutant) in waiting else outcome.result
            print(f"{done + 1}/{len(todo)} {area} {told} {outcome.seconds:.0f} s  {mutant}", flush=True)


def report(chosen: dict[str, list[Mutant]], records: Records) -> None:
    """What was noticed of what was tried, and all that was not."""
    left: dict[str, list[Mutant]] = defaultdict(list)
    for area, mutants in chosen.items():
        explained = [each for each in mutants if reason(each)]
        outcomes = {each: records.outcome(each) for each in mutants if not reason(each)}
        tried = {each: outcome for each, outcome in outcomes.items() if outcome}
        left[area] = [each for each, outcome in tried.items() if outcome.result == "survived"]
        late = sum(outcome.result == "timeout" for outcome in tried.values())
        print(
            f"{area}: {len(tried) - len(left[area])} of {len(tried)} noticed ({late} by a time limit); "
            f"{len(explained)} more cannot be, for a reason; {len(outcomes) - len(tried)} not tried"
        )
    for area, mutants in left.items():
        for each in mutants:
            print(f"\n{area}: no test notices\n  {each}")


if __name__ == "__main__":
    main()
