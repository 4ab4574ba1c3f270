"""The tasks of runs: what a command prints of each task, together, and the tests over all of them."""

from __future__ import annotations

import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import redirect_stdout
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.significance import Inference, Inferred
from metrologue.cli.tables import Table, print_table, say
from metrologue.output import as_json
from metrologue.scorers.core.variants import short_signature

if TYPE_CHECKING:
    from metrologue.inference import PairedResult, PairedResults
    from metrologue.scorers import Scorer
    from metrologue.segments import Segments

# Which p-values are corrected: those of all tasks and systems, if the user does not say how.
_CORRECTION = "holm"


@dataclass(frozen=True)
class Tested:
    """What ``score`` has tested on one task.

    Attributes
    ----------
    scorers : sequence of Scorer
    inferred : sequence of Inferred, one for each scorer
    names : sequence of str, of the systems
    segments : sequence of Segments, of each system
    inference : Inference
    """

    scorers: Sequence[Scorer]
    inferred: Sequence[Inferred]
    names: Sequence[str]
    segments: Sequence[Segments]
    inference: Inference


@dataclass(frozen=True)
class _Row:
    """A test of one system on one task, with the p-value that is corrected for all tasks and systems."""

    task: str
    test: PairedResult
    corrected: float
    equal: bool


def run_tasks(tasks: Mapping[str, Callable[[], Any]], output_format: str) -> None:
    """Run a command for each task and print its output: below the task's name, or as one JSON value or one table."""
    together = output_format in ("json", "tsv")
    outputs, results = {}, {}
    for place, (task, command) in enumerate(tasks.items()):
        if together:
            with redirect_stdout(io.StringIO()) as output:
                results[task] = command()
            outputs[task] = output.getvalue()
        else:
            click.echo(f"{'' if place == 0 else chr(10)}{'%' if output_format == 'latex' else '#'} {task}")
            results[task] = command()
    tested = {task: each for task, each in results.items() if isinstance(each, Tested)}
    over = [*_over_tasks(tested)] if len(tested) > 1 else []
    if output_format == "json":
        value: dict[str, Any] = {"tasks": {task: json.loads(output) for task, output in outputs.items()}}
        click.echo(as_json(value | ({"over_tasks": [_as_object(*each) for each in over]} if over else {})))
    elif output_format == "tsv":
        click.echo("\n".join(_one_table(outputs)))
    elif over and output_format == "text":
        _print_over(over, next(iter(tested.values())))


def _over_tasks(tested: Mapping[str, Tested]) -> Iterator[tuple[Scorer, list[_Row], PairedResults | None]]:
    """For each metric, its tests on all tasks, and the tests of the means over tasks if it is in all of them."""
    from metrologue.inference import corrected, paired_test_over_tasks

    scorers = {each.signature: each for task in tested.values() for each in task.scorers}
    for signature, scorer in scorers.items():
        places = {task: [each.signature for each in own.scorers] for task, own in tested.items()}
        shared = {task: tested[task] for task, signatures in places.items() if signature in signatures}
        rows = [
            (task, test, i in inferred.equal)
            for task, own in shared.items()
            for inferred in [own.inferred[places[task].index(signature)]]
            for i, test in enumerate(inferred.tests)
            if test is not None
        ]
        if not rows:
            continue
        inference = next(iter(shared.values())).inference
        p_values = corrected([test.p_value for _, test, _ in rows], inference.correction or _CORRECTION)
        made = [_Row(task, test, p, equal) for (task, test, equal), p in zip(rows, p_values, strict=True)]
        means = None
        if len(shared) == len(tested):
            systems = {task: dict(zip(own.names, own.segments, strict=True)) for task, own in shared.items()}
            means = paired_test_over_tasks(
                scorer, next(iter(shared.values())).names[0], systems, method=inference.test or "bootstrap",
                resamples=inference.test_resamples, seed=inference.seed, level=inference.level,
                correction=inference.correction or _CORRECTION, resampling=inference.resampling_of(scorer),
            )  # fmt: skip
        yield scorer, made, means


def _print_over(over: Sequence[tuple[Scorer, list[_Row], PairedResults | None]], first: Tested) -> None:
    """Print the tests of all tasks as one table; the last rows of a metric are those of the mean over tasks."""
    rows: list[list[str]] = []
    for scorer, tests, means in over:
        for each in tests:
            rows.append([scorer.name, each.test.system, each.task, *_cells(each.test, each.corrected, each.equal)])
        for mean in means or ():
            rows.append([scorer.name, mean.system, "mean", *_cells(mean, mean.corrected_p_value, mean.difference == 0)])
    click.echo(f"\n# over tasks: differences from {first.names[0]}")
    correction = first.inference.correction or _CORRECTION
    print_table(Table(["metric", "system", "task", "difference", "p", correction], rows, words=3), "text")
    say(f"{correction}: p-values of a metric on all tasks after the correction; * is below 0.05")
    if any(means for _, _, means in over):
        say("mean: of the tasks' scores, each task counts alike; test sets are drawn within tasks")


def _cells(test: PairedResult, corrected: float, equal: bool) -> list[str]:
    margin = f" ± {test.difference_interval.margin:.4f}" if test.difference_interval else ""
    star = "*" if corrected < 0.05 and not equal else ""
    p_values = ["equal outputs", ""] if equal else [f"{test.p_value:.4f}", f"{corrected:.4f}{star}"]
    return [f"{test.difference:+.4f}{margin}", *p_values]


def _as_object(scorer: Scorer, tests: Sequence[_Row], means: PairedResults | None) -> dict[str, Any]:
    of_tasks = [
        {"task": each.task, **each.test.to_dict(), "p_value_over_tasks": each.corrected}
        | ({"equal_outputs": True} if each.equal else {})
        for each in tests
    ]
    facts = {"metric": scorer.name, "short_signature": short_signature(scorer), "tests": of_tasks}
    return facts | {"means": [each.to_dict() for each in means or ()]}


def _one_table(outputs: Mapping[str, str]) -> Iterator[str]:
    """The tab-separated tables of tasks as one: the task comes first, and a column that one lacks is empty there."""
    tables = {task: [line.split("\t") for line in output.splitlines()] for task, output in outputs.items()}
    columns = [*dict.fromkeys(name for table in tables.values() for name in table[0])]
    yield "\t".join(["task", *columns])
    for task, (header, *rows) in tables.items():
        for row in rows:
            cells = dict(zip(header, row, strict=True))
            yield "\t".join([task, *(cells.get(name, "") for name in columns)])
