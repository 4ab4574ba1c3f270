"""All libraries and all our variants on the same texts: which numbers are equal, and what explains the others."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field, replace
from functools import cached_property, partial
from inspect import signature
from typing import Any, overload

import numpy as np

from metrologue.comparison.findings.answer import Job, answer, with_libraries
from metrologue.comparison.findings.elsewhere import Elsewhere, elsewhere
from metrologue.comparison.findings.records import Findings, Number, Sampling
from metrologue.comparison.findings.significance import checked_sampling, warn_of_few_segments
from metrologue.comparison.libraries import Library, LibraryError, adapters, get_library
from metrologue.comparison.running.live import Limits, Live, run_live, usual_processes
from metrologue.comparison.showing.results import Comparison, Study
from metrologue.comparison.which.fitting import check_fit, named_systems
from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, instead_of, shown
from metrologue.inference.resampling import chosen_seed
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.inputs import Input, segments_of
from metrologue.scorers.core.names import read_name, without_signature
from metrologue.scorers.core.needs import model_field, model_kind, model_of
from metrologue.scorers.core.options import parsed_fields
from metrologue.scorers.core.registry import is_metric
from metrologue.scorers.core.typed import Typed, options_and_number, with_number
from metrologue.segments import Segments
from metrologue.text.scripts import language_of

# What most metrics take.
_PLAIN = {"predictions", "references"}

__all__ = ["Plan", "Stages", "begin", "compare", "compare_metrics"]


@overload
def compare(
    systems: Mapping[str, Sequence[Any]] | Sequence[Any], references: Any = None, metric: str = "bleu", **options: Any
) -> Comparison: ...
@overload
def compare(
    systems: Mapping[str, Sequence[Any]] | Sequence[Any], references: Any, metric: Sequence[str], **options: Any
) -> Study: ...
def compare(
    systems: Mapping[str, Sequence[Any]] | Sequence[Any],
    references: Any = None,
    metric: str | Sequence[str] = "bleu",
    libraries: Iterable[str] | None = None,
    variants: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    processes: int | None = None,
    *,
    model: str | os.PathLike[str] | None = None,
    encoder: str | os.PathLike[str] | None = None,
    language: str | None = None,
    confidence: float | None = 0.95,
    resamples: int = 1000,
    seed: int | None = None,
    tests: bool = True,
    library_timeout: float | None = None,
    sample: int | None = None,
    between: tuple[str, str] | None = None,
    **inputs: Any,
) -> Comparison | Study:
    """Compare every installed library and every variant of ours on the predictions of one or several systems.

    Parameters
    ----------
    systems : mapping of str to sequence of n str, or sequence of n str
        The predictions of each system, by its name; those of a single system, without a name, are "predictions". Those
        in a list, each as long as the references, are "system 1" and so on.
    references : n strings, or n lists of strings
        None if the metric needs no references. Metrics of labels also take ints, bools, and sets or lists of labels.
        Metrics of sets take these sets, too.
    metric : str
        One of ``metrologue.scorers.list_scorers()``; or a score as it is typed: "bleu:nltk" is that variant alone, and
        "rouge[rouge1,recall]" all variants with these options, without the libraries. Also a list of them.
    libraries, variants : iterable of str, optional
        The names of adapters and of variants. Default: all that have the metric.
    progress : callable, optional
        Is called as ``progress(what, done, total)`` after each number.
    processes : int, optional
        How many libraries run at once, each in a process of its own. Default: one for each core. With 0 they run in
        this process, one after another, with no time limit: such a run can be looked into with a debugger.
    model : str or path, optional
        A language model that gives the tokens of the texts their probabilities, see ``open_model``; or an encoder that
        gives them vectors, see ``open_encoder``; or whatever the metric takes as its model. Libraries that take none,
        and score probabilities that they are given, are left out.
    encoder : str or path, optional
        The encoder that a trained model or a checkpoint needs, or a list of them.
    language : str, optional
        The language of the references, such as "zh": the verdict advises the number that ``recommended`` gives. By
        default it does so where a tokenizer does not find the words of the texts.
    confidence : float or None
        The level of the intervals of all numbers that our variants give; None: neither intervals nor tests.
    resamples, seed : int, optional
        For intervals and tests; the seed is 12345 by default. All systems and variants share the draws. The seed also
        draws `sample`.
    tests : bool
        Whether the best system under each variant is tested against each other system, by the paired bootstrap.
    library_timeout : float, optional
        How many seconds a library may take for a metric, all systems together. Default: no limit.
    sample : int, optional
        So many segments are given to a library that would take longer, instead of all. Our number for the same segments
        stands beside it.
    between : (str, str), optional
        The two systems of which ``Comparison.where`` says where the first beats the second. Default: the best system
        and the next, under the recommended variant.
    **inputs
        The metric's other inputs, by their names, such as `sources`: the same for all systems. Only libraries that take
        them run then.

    Returns
    -------
    Comparison, or for a list of metrics a Study
        A library that is missing, that fails on this input, or takes too long, has a number without a value that says
        why. What a library prints is kept from the terminal, and it cannot change the texts, or end this process.

    Raises
    ------
    InputError
        If there is no system, if the texts make no segments, if a metric or variant does not exist, if no variant can
        score the texts, if a number is out of range, if there is a model but no metric that takes one, or if no
        argument and no input has a name that is given.
    LibraryError
        If an adapter does not exist, is named twice, or does not have the metric.

    Examples
    --------
    >>> variants = ["nltk", "sacrebleu"]
    >>> found = compare({"mine": ["a cat sat, here"]}, ["a cat sat, there"], libraries=[], variants=variants)
    >>> for group in found.groups:
    ...     print(f"{group.value:.4f} {group.members}")
    0.0000 ['metrologue nltk']
    0.6687 ['metrologue sacrebleu']
    >>> found.explanations[0].contributions[0].choice
    'tokenizer'
    """
    several = not isinstance(metric, str | Scorer) and isinstance(metric, Iterable)
    metrics: list[Any] = [*metric] if several else [metric]
    if odd := [each for each in metrics if not isinstance(each, str)]:
        raise InputError(
            f"compare: `metric` is {shown(odd[0])}; the name of a metric is expected, or a list of names, as in "
            '`compare(predictions, references, ["bleu", "chrf"])`.'
        )
    plan = Plan(
        metrics=metrics,
        libraries=libraries,
        variants=variants,
        processes=processes,
        model=model,
        encoder=encoder,
        language=language,
        confidence=confidence,
        resamples=resamples,
        seed=seed,
        tests=tests,
        library_timeout=library_timeout,
        sample=sample,
        between=between,
        inputs=inputs,
    )
    study = _finished(begin(systems, references, plan), progress)
    if several:
        return study
    [comparison] = study.comparisons
    return comparison


@dataclass(frozen=True, kw_only=True)
class Plan:
    """What a comparison computes: the arguments of ``compare_metrics`` beside the texts, by the same names.

    `inputs` has the metrics' other inputs by their names.
    """

    metrics: Iterable[str]
    libraries: Iterable[str] | None = None
    variants: Iterable[str] | None = None
    processes: int | None = None
    model: str | os.PathLike[str] | None = None
    encoder: Any = None
    language: str | None = None
    confidence: float | None = 0.95
    resamples: int = 1000
    seed: int | None = None
    tests: bool = True
    library_timeout: float | None = None
    sample: int | None = None
    between: tuple[str, str] | None = None
    scores: Mapping[str, Mapping[str, Sequence[float]]] = field(default_factory=dict)
    lower_is_better: Iterable[str] = ()
    inputs: Mapping[str, Any] = field(default_factory=dict)
    settings: Mapping[str, Sequence[Typed]] = field(default_factory=dict)

    def parted(self) -> Plan:
        """The same plan with the names of metrics, and their variants and options apart in `settings`.

        A number such as "rouge2" stands for its metric. With options, libraries do not run: they cannot be given ours.
        Raises an InputError if one metric has two sets of options, or if libraries are named.
        """
        settings: dict[str, list[Typed]] = {}
        for metric in self.metrics:
            given = Typed(metric, {}, ()) if metric == "all" else without_signature(read_name(metric, whole=True))
            settings.setdefault(given.head.partition(":")[0], []).append(given)
        if twice := [name for name, own in settings.items() if any(each[1:] != own[0][1:] for each in own)]:
            raise InputError(f"compare: {twice[0]} has two sets of options; a comparison shows one of them.")
        changed = [
            name
            for name, own in settings.items()
            if is_metric(name) and options_and_number(get_scorer(name), own[0])[0]
        ]
        if changed and self.libraries:
            raise InputError(f"compare: libraries cannot be given the options of {changed[0]}; name none.")
        return replace(
            self,
            metrics=[*settings],
            libraries=() if changed else self.libraries,
            settings={**settings, **self.settings},
        )


def compare_metrics(
    systems: Mapping[str, Sequence[str]] | Sequence[str],
    references: Any,
    metrics: Iterable[str],
    libraries: Iterable[str] | None = None,
    variants: Iterable[str] | None = None,
    progress: Callable[[str, int, int], None] | None = None,
    processes: int | None = None,
    *,
    scores: Mapping[str, Mapping[str, Sequence[float]]] | None = None,
    lower_is_better: Iterable[str] = (),
    **others: Any,
) -> Study:
    """``compare`` by several metrics. The texts are read once.

    Parameters
    ----------
    systems, references, processes
        As for ``compare``.
    metrics : iterable of str
    libraries, variants : iterable of str, optional
        As for ``compare``. A metric takes those of them that it has.
    progress : callable, optional
        As for ``compare``; the numbers of all metrics are counted.
    scores : mapping of str to mapping of str to n floats, optional
        Segment scores of metrics that were computed elsewhere, such as COMET, or of people: by metric and system. NaN
        is a missing score. They get means, intervals and tests, and their agreement with our metrics is measured.
    lower_is_better : iterable of str
        Those of them that are errors.
    **others
        The other arguments of ``compare``. Metrics that take no `model` score the texts without it.

    Returns
    -------
    Study

    Raises
    ------
    InputError
        As for ``compare``, if there is no metric, if no metric has one of the variants, and if scores are not one
        number for each segment of each system.
    LibraryError
        If an adapter does not exist, is named twice, or has none of the metrics.

    Examples
    --------
    >>> found = compare_metrics({"mine": ["a cat sat"]}, ["a cat"], ["wer", "dice"], libraries=[])
    >>> [(column.metric, column.name, column.points) for column in found.matrix if column.name in ("jiwer", "bigrams")]
    [('wer', 'jiwer', {'mine': 50.0}), ('dice', 'bigrams', {'mine': 72.72727272727273})]
    """
    chosen = {name: value for name, value in others.items() if name in _KEYWORDS}
    plan = Plan(
        metrics=metrics,
        libraries=libraries,
        variants=variants,
        processes=processes,
        scores=scores or {},
        lower_is_better=lower_is_better,
        inputs={name: value for name, value in others.items() if name not in _KEYWORDS},
        **chosen,
    )
    return _finished(begin(systems, references, plan), progress, named=True)


# The arguments that both functions take only by name.
_KEYWORDS = {name for name, each in signature(compare).parameters.items() if each.kind == each.KEYWORD_ONLY}


@dataclass(eq=False)
class Stages:
    """A comparison that is under way: first the answer of our variants, then the numbers of the libraries as they come.

    Attributes
    ----------
    jobs : sequence of Job
    texts : mapping of str to Segments
    how : Sampling or None
    limits : Limits
    scores : mapping of str to mapping of str to float64 (n,)
        From elsewhere, by metric and system.
    lower_is_better : frozenset of str
        Those of them that are errors.
    """

    jobs: Sequence[Job]
    texts: Mapping[str, Segments]
    how: Sampling | None
    limits: Limits
    scores: Mapping[str, Mapping[str, Floats]]
    lower_is_better: frozenset[str]

    def __post_init__(self) -> None:
        self._answers: list[Findings] = []
        self._live: list[list[Number]] = [[] for _ in self.jobs]

    @property
    def count(self) -> int:
        """The number of numbers that the comparison will have."""
        return len(self.texts) * sum(job.count for job in self.jobs)

    def answers(self, tell: Callable[[Job, Number], None] = lambda job, number: None) -> Iterator[Findings]:
        """The answer of our variants for each metric. ``tell`` is called with each number."""
        for job in self.jobs:
            self._answers.append(answer(job, self.texts, self.how, partial(tell, job)))
            yield self._answers[-1]

    def numbers(
        self, started: Callable[[Job, Library], None] = lambda job, library: None
    ) -> Iterator[tuple[Job, Number]]:
        """The numbers of the libraries, each as soon as it is there. Closing the iterator ends what still runs.

        ``started`` is called with each library that begins.
        """
        places = {}
        work = []
        for place, (job, found) in enumerate(zip(self.jobs, self._answers, strict=True)):
            for library in job.live:
                live = _live(job, library, found, self.texts, self.limits)
                live = replace(live, started=partial(started, job, library))
                places[id(live)] = place
                work.append(live)
        running = run_live(work, self.limits)
        try:
            for live, number in running:
                place = places[id(live)]
                self._live[place].append(number)
                yield self.jobs[place], number
        finally:
            running.close()

    @property
    def study(self) -> Study:
        """The numbers that were found so far. A library without a number did not run."""
        found = []
        for job, own, numbers in zip(self.jobs, self._answers, self._live, strict=False):
            there = {(number.name, number.system) for number in numbers}
            others = [
                Number(kind="library", name=library.name, system=system, missing="was not run to its end")
                for library in job.live
                for system in self.texts
                if (library.name, system) not in there
            ]
            found.append(Comparison.of(with_libraries(own, [*numbers, *others], job)))
        return Study(comparisons=found, elsewhere=self.elsewhere)

    @cached_property
    def elsewhere(self) -> list[Elsewhere]:
        """What the scores from elsewhere say, after the answers of our variants."""
        ours = {job.kind.name: job.ours for job in self.jobs}
        return [
            elsewhere(name, own, self.texts, self._answers, ours, self.how, name not in self.lower_is_better)
            for name, own in self.scores.items()
        ]


def _finished(stages: Stages, progress: Callable[[str, int, int], None] | None, named: bool = False) -> Study:
    """The study when all libraries have run."""
    done = 0

    def tell(job: Job, number: Number) -> None:
        nonlocal done
        done += 1
        if progress:
            what = f"{number.label}, {number.system}"
            progress(f"{job.kind.name}: {what}" if named else what, done, stages.count)

    for _ in stages.answers(tell):
        pass
    for job, number in stages.numbers():
        tell(job, number)
    return stages.study


def begin(systems: Mapping[str, Sequence[Any]] | Sequence[Any], references: Any, plan: Plan) -> Stages:
    """The checked stages of a comparison, before any work. Errors are those of ``compare_metrics``."""
    how = checked_sampling(plan.confidence, plan.resamples, plan.seed, plan.tests)
    limits = Limits(
        seconds=_checked_seconds(plan.library_timeout),
        sample=None if plan.sample is None else checked_int("`sample`", plan.sample, 1),
        seed=chosen_seed(plan.seed, "metrologue"),
        processes=usual_processes() if plan.processes is None else checked_int("`processes`", plan.processes, 0, 1024),
    )
    plan = plan.parted()
    kinds = [get_scorer(metric) for metric in plan.metrics]
    if not kinds:
        raise InputError("compare: `metrics` is empty; give at least one.")
    systems = named_systems(systems, "compare", _CALL, references)
    inputs = {name: each for name, each in plan.inputs.items() if each is not None}
    _check_named(inputs, kinds)
    between = plan.between
    if between is not None and (len({*between}) != 2 or not {*between} <= {*systems}):
        raise InputError(f"compare: `between` is {between!r}; two of the systems are expected: {', '.join(systems)}.")
    if references is None and all((own := kind.input("references")) and own.required for kind in kinds):
        raise InputError(f"compare: {kinds[0].name} needs `references`; a call is `{_CALL}`.")
    told = None if plan.language is None else language_of(plan.language)
    jobs = [replace(job, between=between, language=told) for job in _jobs(kinds, plan, {*inputs})]
    # Every metric reads plain texts, but a metric of texts reads no labels and no numbers.
    plainest = min(kinds, key=lambda kind: (not {*kind.input_names()} <= _PLAIN, kind.takes("sets")))
    others = {each.name: each for kind in kinds for each in kind.inputs if each.name in inputs}
    declared = {each.name: each for each in plainest.inputs} | others
    texts = _texts(systems, {"references": references, **inputs}, tuple(declared.values()))
    if len(jobs) == 1:
        check_fit(jobs[0].kind.name, jobs[0].ours.values(), next(iter(texts.values())))
    warn_of_few_segments(how, texts)
    scores = {name: _checked_scores(name, own, texts) for name, own in plan.scores.items()}
    errors = frozenset(plan.lower_is_better)
    if unknown := sorted(errors - {*scores}):
        raise InputError(f"compare: `lower_is_better` names {unknown[0]!r}, which is not among the scores.")
    return Stages(jobs, texts, how, limits, scores, errors)


_CALL = 'compare(predictions, references, "bleu")'


def _check_named(given: Iterable[str], kinds: Sequence[type[Scorer]]) -> None:
    """Refuse what is neither an argument of ``compare`` nor an input of one of the metrics."""
    known = {name for kind in kinds for name in kind.input_names()[1:]}
    if unknown := next((name for name in given if name not in known), None):
        arguments = [name for name in signature(compare).parameters if name != "inputs"]
        cure = instead_of(unknown, dict.fromkeys([*arguments, *sorted(known)]))
        raise InputError(f"compare: there is no argument or input {unknown!r}; {cure}")


def _checked_scores(
    name: str, given: Mapping[str, Sequence[float]], texts: Mapping[str, Segments]
) -> dict[str, Floats]:
    """The scores of one metric, (n,) for each system."""
    found = {}
    for system, segments in texts.items():
        if system not in given:
            raise InputError(f"compare: `scores[{name!r}]` has no scores for the system {system!r}.")
        own = np.asarray(given[system], float)
        if own.shape != (len(segments),) or np.isinf(own).any():
            raise InputError(
                f"compare: `scores[{name!r}][{system!r}]` has the shape {own.shape}; {len(segments)} finite numbers "
                "are expected, or NaN where there is none."
            )
        found[system] = own
    return found


def _checked_seconds(seconds: Any) -> float | None:
    if seconds is None or (isinstance(seconds, int | float) and not isinstance(seconds, bool) and seconds > 0):
        return seconds
    raise InputError(f"compare: `library_timeout` is {seconds!r}; a number of seconds above 0, or None, is expected.")


def _jobs(kinds: Sequence[type[Scorer]], plan: Plan, inputs: Set[str]) -> list[Job]:
    """A job for each metric. `inputs` are the names of those that are given beside predictions and references."""
    asked = None if plan.libraries is None else [get_library(name) for name in _once(plan.libraries)]
    for library in asked or ():
        if not any(kind.name in library.metrics() for kind in kinds):
            none = " and no ".join(kind.name for kind in kinds)
            raise LibraryError(f"{library.name} has no {none}; it has {', '.join(library.metrics())}")
    names = None if plan.variants is None else list(plan.variants)
    for name in names or ():
        if not any(name in kind.variants() for kind in kinds):
            kinds[0].variant(name)  # refuses the name, and says which there are
    jobs = []
    for kind, given in _model_fields(kinds, plan.model, plan.encoder).items():
        live = adapters(kind.name, bool(given)) if asked is None else [e for e in asked if kind.name in e.metrics()]
        taken = inputs & {*kind.input_names()}
        deaf = [each for each in live if not taken <= {*each.inputs.get(kind.name, ())}]
        if deaf and asked is not None:
            raise InputError(
                f"compare: {deaf[0].name} is given predictions and references only; leave out `{min(taken)}`, or give "
                "libraries=[]."
            )
        live = [each for each in live if each not in deaf]
        own = kind.variants()
        usual = [name for name, variant in own.items() if not variant.is_apart]
        settings = plan.settings[kind.name]
        texts, number = options_and_number(kind, settings[0])
        fields = {**given, **parsed_fields(kind, texts)}
        typed_names = [variant for each in settings if (variant := each.head.partition(":")[2])]
        chosen = typed_names or [name for name in (usual if names is None else names) if name in own]
        ours = _with_number({name: kind.variant(name, **fields) for name in chosen}, number)
        options: dict[str, Any] = {"model": plan.model} if given else {}
        if plan.encoder and model_kind(kind) == "trained":
            options["encoder"] = plan.encoder
        jobs.append(Job(kind, live, ours, options, "".join(map(str, given.values()))))
    return jobs


def _with_number(ours: Mapping[str, Scorer], number: Sequence[str]) -> dict[str, Scorer]:
    """The scorers with a number that is chosen. Those that do not give it are left out, unless none does."""
    found, refused = {}, None
    for name, scorer in ours.items():
        try:
            found[name] = with_number(scorer, number)
        except InputError as error:
            refused = error
    if refused and not found:
        raise refused
    return found


def _once(names: Iterable[str]) -> list[str]:
    found = list(names)
    if twice := [name for name, count in Counter(found).items() if count > 1]:
        raise LibraryError(f"the library {twice[0]!r} is named twice; name it once")
    return found


def _live(job: Job, library: Library, found: Findings, texts: Mapping[str, Segments], limits: Limits) -> Live:
    """The library with what it shall be compared with."""
    mirror = job.mirror_of(library)
    variant = job.kind.variants()[mirror] if mirror else None
    own = variant.options if variant and variant.live == f"{library.name}.{job.kind.name}" else {}
    return Live(
        library=library,
        like=job.like,
        mirror=job.ours[mirror] if mirror else None,
        numbers={n.system: n.value for n in found.numbers if n.name == mirror},
        texts=texts,
        options={**job.options, **own},
        options_key=f"{job.options_key} {sorted(own.items())}",
        limits=limits,
    )


def _model_fields(
    kinds: Sequence[type[Scorer]], model: str | os.PathLike[str] | None, encoder: Any = None
) -> dict[type[Scorer], dict[str, Any]]:
    """The field of each metric that holds a model, with the one that the path stands for; {} without such a field."""
    if model is None:
        return {kind: {} for kind in kinds}
    if not any(map(model_field, kinds)):
        raise InputError(f"compare: {', '.join(kind.name for kind in kinds)} takes no model; give no `model`.")
    options = {"encoder": encoder} if encoder else {}
    if options and not any(model_kind(kind) == "trained" for kind in kinds):
        raise InputError(f"compare: {', '.join(kind.name for kind in kinds)} takes no `encoder` beside the model.")
    return {
        kind: {name: model_of(kind, model, **(options if model_kind(kind) == "trained" else {}))}
        if (name := model_field(kind))
        else {}
        for kind in kinds
    }


def _texts(systems: Mapping[str, Any], others: Mapping[str, Any], inputs: tuple[Input, ...]) -> dict[str, Segments]:
    """The segments of each system. The references and other inputs are read once for all systems."""
    if not systems:
        raise InputError("compare: `systems` is empty; give the predictions of at least one system, by its name.")
    texts: dict[str, Segments] = {}
    for name, predictions in systems.items():
        owner = f"compare, {name}"
        if first := next(iter(texts.values()), None):
            texts[name] = first.with_predictions(predictions, owner)
        else:
            texts[name] = segments_of(inputs, {"predictions": predictions, **others}, owner)
    if not all(map(len, texts.values())):
        raise InputError("compare: no segments; a score needs at least one.")
    return texts
