"""``metrologue compare``: every library and every variant on the same files."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from metrologue.cli.completion import complete_variant
from metrologue.cli.faults import Refused, echo_warning
from metrologue.cli.gathering import with_options
from metrologue.cli.inputs import NO_INPUTS, Files, InputCommand, Inputs
from metrologue.cli.models import encoder_option, model_option
from metrologue.cli.options import (
    INPUT,
    Keys,
    check_references,
    files_options,
    format_option,
    language_option,
    metrics_argument,
    out_option,
    system_names,
)
from metrologue.cli.printing import print_results
from metrologue.cli.significance import Sampled, sampling_options
from metrologue.cli.writing import write_report
from metrologue.writing import begin, finishing, progress_bar

if TYPE_CHECKING:
    from metrologue.comparison.findings.number import Flip
    from metrologue.comparison.harness import Plan, Stages
    from metrologue.comparison.showing.results import Study

# The seconds that a library may take for a metric, and the segments that a slower one gets.
TIMEOUT, SAMPLE = 60.0, 500
# Files with fewer segments are not examined for faults.
_EXAMINED = 30

# What ends a comparison with status 1: the condition on two systems that two numbers rank differently.
_FAILURES: Mapping[str, Callable[[Flip], bool]] = {
    "flip": lambda flip: True,
    "significant-flip": lambda flip: flip.is_significant,
}

# The options of a comparison that say whether libraries run, and how long.
limits_options = with_options(
    click.option("--live/--no-live", default=True, show_default=True, help="Run the libraries themselves."),
    click.option(
        "--library-timeout",
        type=click.FloatRange(0),
        default=TIMEOUT,
        show_default=True,
        help="Seconds for each metric of a library, all systems together; 0: no limit.",
    ),
    click.option(
        "--sample",
        type=click.IntRange(0),
        default=SAMPLE,
        show_default=True,
        help="Segments for a library that is too slow for all, drawn with --seed; 0: it gets none.",
    ),
)


@click.command(cls=InputCommand)
@files_options(several_systems=True)
@metrics_argument(
    'NAME, NAME:VARIANT, NAME[OPTION,…], "all"; a METRIC says the same. Default: bleu.',
    ("bleu",),
)
@click.option("--library", "libraries", multiple=True, help="Run only this library. Repeat for others.")
@limits_options
@click.option(
    "--variant",
    "variants",
    multiple=True,
    help="Run only this variant of ours. Repeat for others.",
    shell_complete=complete_variant,
)
@language_option
@model_option
@encoder_option
@sampling_options
@click.option(
    "--scores",
    "--scores-from",
    "scores_from",
    type=INPUT,
    multiple=True,
    help="Scores from elsewhere: .tsv or .jsonl with the columns system, segment (from 1) and one for each metric.",
)
@click.option("--lower-is-better", multiple=True, metavar="NAME", help="A metric of --scores that is an error.")
@click.option("--system-key", metavar="NAME", help="The key or column of the system, if one file has many systems.")
@click.option(
    "--between", nargs=2, metavar="A B", help="Two systems, to show where A beats B. Default: the best and the next."
)
@click.option(
    "--fail-on",
    type=click.Choice([*_FAILURES]),
    help="End with status 1 if two numbers rank two systems differently, or if they do so significantly.",
)
@format_option("text", "json", "markdown", "latex")
@out_option
def compare(
    predictions: tuple[str, ...],
    references: tuple[str, ...],
    keys: Keys,
    inputs: Inputs,
    metrics: tuple[str, ...],
    libraries: tuple[str, ...],
    live: bool,
    library_timeout: float,
    sample: int,
    variants: tuple[str, ...],
    language: str | None,
    model: str | None,
    encoders: tuple[str, ...],
    sampled: Sampled,
    scores_from: tuple[str, ...],
    lower_is_better: tuple[str, ...],
    system_key: str | None,
    between: tuple[str, str] | None,
    fail_on: str | None,
    output_format: str,
    out: Path | None,
) -> None:
    """Show which numbers of the libraries differ on the same files, and why.

    The answer comes first: our variants give every library's number within seconds. Then the libraries themselves run,
    each in a process of its own, and must give the same. Numbers have confidence intervals, and a winner has its
    p-value. They are in points from 0 to 100; a metric without a perfect score, such as a distance, is in its own unit.
    Ctrl-C ends the run and prints the numbers so far. The Hub's modules come over the network, or from the folder that
    METROLOGUE_HUB_MODULES names.

    \b
    Examples:
      metrologue compare -p hyp.txt -r ref.txt
      metrologue compare --no-live -p a.txt -p b.txt -r ref.txt
      metrologue compare bleu chrf -p a.txt -p b.txt -r ref1.txt -r ref2.txt --out report.html
      metrologue compare all -p hyp.txt -r ref.txt --format json
      metrologue compare -p hyp.txt -r ref.txt --library nltk --variant nltk --variant sacrebleu --format markdown
      metrologue compare bleu:coco meteor:coco rouge:coco cider:coco -p results.json -r captions.json
      metrologue compare perplexity --model news.arpa -p text.txt
      metrologue compare --no-live -p a.txt -p b.txt -p c.txt -r ref.txt --between a.txt c.txt
      metrologue compare --no-live -p a.txt -p b.txt -r ref.txt --scores comet.tsv
      metrologue compare --no-live -p all.jsonl --system-key system --prediction-key output -r ref.txt
      metrologue compare --no-live -p old.txt -p new.txt -r ref.txt --fail-on significant-flip
    """
    from metrologue.cli.boards import show
    from metrologue.comparison.harness import Plan
    from metrologue.comparison.showing.printed import given_lines

    if libraries and not live:
        raise click.UsageError("--library and --no-live contradict each other.")
    if encoders and not model:
        raise click.UsageError("--encoder belongs to --model.")
    plan = Plan(
        metrics=metrics,
        libraries=(libraries or None) if live else (),
        variants=variants or None,
        language=language,
        model=model,
        encoder=[*encoders] or None,
        library_timeout=library_timeout or None,
        sample=sample or None,
        between=between,
        lower_is_better=lower_is_better,
        **sampled,
    )
    with _refused():
        stages = _begun(predictions, references, keys, plan, scores_from, system_key, inputs)
    is_whole = show(stages) if output_format == "text" else _silent(stages)
    if not is_whole:
        finishing.set()
        echo_warning("interrupted; these are the numbers so far.")
    study = stages.study
    if study.comparisons:
        result = study.comparisons[0] if len(stages.jobs) == 1 and not study.elsewhere else study
        if output_format == "text" and study.elsewhere:
            print_results(output_format, study.to_json, lambda: "\n".join(given_lines(study.elsewhere)) + "\n")
        if output_format != "text":
            made = getattr(result, f"to_{output_format}")()
            click.echo(made, nl=output_format == "json")
        if out:
            write_report(out, found=result)
    if not is_whole:
        sys.exit(130)
    if fail_on and any(_FAILURES[fail_on](flip) for each in study.comparisons for flip in each.flips):
        sys.exit(1)


@contextmanager
def _refused() -> Iterator[None]:
    from metrologue.comparison.libraries import LibraryError

    try:
        yield
    except LibraryError as error:
        raise Refused(str(error)) from error


def _silent(stages: Stages) -> bool:
    """Run everything, with a progress bar. False if it was interrupted."""
    done, are_libraries = 0, False
    with progress_bar(total=stages.count) as update:

        def tell(job: Any, number: Any) -> None:
            nonlocal done
            done += 1
            what = f"{job.kind.name}: {number.label}"
            doing = f"libraries: {what}" if are_libraries else what
            update(description=doing, completed=done, finished=f"{what}, {number.system}")

        try:
            for _ in stages.answers(tell):
                pass
            are_libraries = True
            for job, number in stages.numbers():
                tell(job, number)
        except (KeyboardInterrupt, SystemExit):
            return False
    return True


def _tell_missing(plan: Plan) -> None:
    """Say before the work, all at once, what is not here, and one command that installs it."""
    from metrologue.comparison.running.absent import installing, lacking

    libraries, variants = (None if each is None else [*each] for each in (plan.libraries, plan.variants))
    absences = lacking([*plan.metrics], libraries, variants, plan.model is not None)
    for absence in absences:
        echo_warning(f"not here: {absence}")
    if command := installing(absences):
        click.echo(f"To install: {command}", err=True)


def _tell_faults(systems: Mapping[str, Any], references: Any) -> None:
    """Say before the work what is plainly wrong with the files. A few sentences show no fault, and labels have none."""
    from metrologue.comparison.doctor.diagnosis import doctor, told
    from metrologue.comparison.which.fitting import reads_as_labels

    if references is None or len(references) < _EXAMINED or reads_as_labels(references):
        return
    if faults := doctor(systems, references):
        for line in told(faults, len(systems)):
            echo_warning(line)


def _given_scores(paths: Sequence[str], systems: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    """The scores of files by metric and system. A file may name systems without the ends of their files' names."""
    from metrologue.errors import InputError
    from metrologue.meta.scores import read_scores

    by_metric: dict[str, dict[str, Any]] = {}
    count = len(next(iter(systems.values())))
    stems = [Path(name).stem for name in systems]
    names = [[*systems], stems] if len({*stems}) == len(stems) else [[*systems]]
    # A file may also count from 0, as Python does: it is read in the way that knows most of its rows.
    ways = [(each, [str(start + index) for index in range(count)]) for start in (1, 0) for each in names]
    for path in paths:
        scores, unknown = min(
            (
                read_scores(path, [name for name in each for _ in range(count)], rows * len(systems))
                for each, rows in ways
            ),
            key=lambda read: read[1],
        )
        if unknown:
            echo_warning(f"{path}: {unknown} rows are for other systems or segments than {', '.join(systems)}.")
        for metric, values in scores.items():
            if metric in by_metric:
                raise InputError(f"{path}: the metric {metric!r} is there already; give it another name.")
            by_metric[metric] = dict(zip(systems, values.reshape(len(systems), count), strict=True))
    return by_metric


def _begun(
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    plan: Plan,
    scores_from: Sequence[str] = (),
    system_key: str | None = None,
    inputs: Inputs = NO_INPUTS,
    names: Mapping[str, str] | None = None,
) -> Stages:
    """The stages of a comparison of files. All that is wrong with the call is said here, before any work."""
    begin(f"Reading {', '.join((names or {}).get(path, path) for path in (*predictions, *references))} ...")
    from metrologue.comparison import harness
    from metrologue.comparison.which.fitting import fitting_metrics, is_of_labels, reads_as_labels
    from metrologue.files.systems import read_systems
    from metrologue.scorers import get_scorer, list_scorers

    plan = plan.parted()
    metrics = [*plan.metrics]
    named = [get_scorer(metric) for metric in metrics if metric != "all"]
    if named:
        check_references(named, references)
        inputs.check(named)
    if system_key:
        if len(predictions) > 1:
            raise click.UsageError("--system-key is for one file that has all systems; give one -p.")
        if keys["resegment"]:
            raise click.UsageError("--resegment is for a file for each system; leave out --system-key.")
        own, theirs = keys["prediction_key"], keys["reference_key"]
        systems, texts = read_systems(
            predictions[0], references, system_key, prediction_key=own, reference_key=theirs, plain=keys["plain"]
        )
    else:
        part = Files(predictions, references, keys, inputs).read(named)
        texts = part.references
        labels = [names[path] for path in predictions] if names else system_names(predictions)
        systems = dict(zip(labels, part.systems, strict=True))
    _tell_faults(systems, texts)
    count = len(next(iter(systems.values())))
    others: dict[str, Any] = inputs.read(count, predictions[0]) if system_key else inputs.values(part.others)
    chosen = fitting_metrics(metrics, systems, texts, plan.model is not None, others)
    if "all" in metrics and (left := [metric for metric in list_scorers() if metric not in chosen]):
        click.echo(f"Left out, because they do not fit these files: {', '.join(left)}.", err=True)
    if (odd := [metric for metric in chosen if is_of_labels(metric)]) and not reads_as_labels(texts):
        echo_warning(f"{', '.join(odd)}: each line counts as one label, but these lines are sentences.")
    plan = replace(plan, metrics=chosen, scores=_given_scores(scores_from, systems), inputs=others)
    stages = harness.begin(systems, texts, plan)
    _tell_missing(plan)
    return stages


def run_compare(
    predictions: Sequence[str],
    references: Sequence[str],
    keys: Keys,
    plan: Plan,
    names: Mapping[str, str] | None = None,
) -> Study:
    """Compare files by the metrics that ``fitting_metrics`` takes, libraries included, with a progress bar.

    `names` has other names for systems than those of their files.
    """
    with _refused():
        stages = _begun(predictions, references, keys, plan, names=names)
    if not _silent(stages):
        sys.exit(130)
    return stages.study
