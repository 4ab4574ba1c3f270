"""The metrics by their names."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from threading import Lock
from typing import Any, TypeVar, cast, overload

from metrologue.data.arrays import Floats
from metrologue.data.named import NamedValue
from metrologue.errors import InputError, instead_of, shown
from metrologue.scorers.core.configuration import class_of_name
from metrologue.scorers.core.names import metric_of, read_name
from metrologue.scorers.core.needs import model_field, model_kind, model_of
from metrologue.scorers.core.options import canonical, options_of, parsed_fields, table_fields
from metrologue.scorers.core.result import Result
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.typed import options_and_number, with_number
from metrologue.scorers.core.variants import recommended as variant_to_report
from metrologue.text.lexicon.resource import Resource
from metrologue.text.scripts import language_of
from metrologue.text.tokenizers.registry import named_tokenizer

ScorerT = TypeVar("ScorerT", bound=Scorer)

# What says how a model runs, whichever metric takes it; and the encoder that a trained model needs.
_RUNNING = frozenset(("batch_size", "device", "dtype"))
_OF_MODEL = _RUNNING | {"encoder"}


def get_scorer(name: str) -> type[Scorer]:
    """The class of a metric. Raises an InputError if there is no metric of that name.

    Examples
    --------
    >>> get_scorer("bleu").__name__
    'Bleu'
    """
    return class_of_name(name)


def list_scorers() -> list[str]:
    """Names of the metrics that have a scorer."""
    return sorted(Scorer._registered)


def is_metric(name: str) -> bool:
    """Whether a metric has this name. Other packages are asked only for a name that is not ours.

    Examples
    --------
    >>> is_metric("bleu"), is_metric("bleux")
    (True, False)
    """
    return name in Scorer._registered


def loaded_scorers() -> list[type[Scorer]]:
    """The classes of the metrics that have been imported by now."""
    return Scorer._registered.loaded()


def make_scorer(metric: Scorer | str, variant: str | None = None, **fields: Any) -> Scorer:
    """The scorer that a name or a signature describes, with a variant and fields.

    Parameters
    ----------
    metric : Scorer or str
        A scorer; a name from ``list_scorers()``, such as "bleu"; a name with a variant, such as "bleu:nltk"; with
        options and the number that is the score, such as "rouge:rouge_score[rouge1,recall]", or as tables print them;
        another program's name, or that of a number, such as "chrF2++" or "rougeL"; or a signature of metrologue or of
        sacrebleu.
    variant : str, optional
        One of the metric's variants.
    **fields
        Field values that differ from the variant's.

    Raises
    ------
    InputError
        If there is no such metric, variant or field, or a value is out of range; if a variant or fields come with a
        scorer or a signature, or two variants are given.

    Examples
    --------
    >>> make_scorer("bleu:nltk", max_order=2) == make_scorer("bleu", "nltk", max_order=2)
    True
    >>> make_scorer("bleu:nltk[max_order=2]") == make_scorer("bleu:nltk max_order=2")
    True
    >>> make_scorer("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0").lowercase
    True
    """
    given = read_name(metric, variant) if isinstance(metric, str) else None
    if given and "|" in given.head:
        metric = Scorer.from_signature(given.head)
    if not isinstance(metric, str) and isinstance(metric, Scorer):
        if variant is not None or fields:
            changed = variant or next(iter(fields))
            raise InputError(f"score: `metric` is a scorer or a signature already; leave out {shown(changed)}.")
        return metric
    if given is None:
        raise InputError(f"score: `metric` is {shown(metric)}; a Scorer, a name or a signature is expected.")
    name, _, own = given.head.partition(":")
    if own and variant is not None and variant != own:
        raise InputError(f"score: `metric` is {shown(metric)}, and `variant` is {shown(variant)}; give one of them.")
    kind = get_scorer(name)
    if not (given.fields or given.words):
        return scorer_of(kind, own or variant, fields)
    texts, words = options_and_number(kind, given)
    if twice := texts.keys() & fields.keys():
        raise InputError(f"score: `metric` is {shown(metric)}, and `{min(twice)}` is given too; give one of them.")
    return with_number(scorer_of(kind, own or variant, {**parsed_fields(kind, texts), **fields}), words)


def recommended(metric: str, *, language: str | None = None, variant: str | None = None, **fields: Any) -> Scorer:
    """The scorer that the field uses, such as the one for texts in a language, whose tokenizer finds the words there.

    Without a language, it is the variant to report, such as METEOR 1.5; the metric as it is, where nobody advises one.

    Parameters
    ----------
    metric, variant, fields
        As for ``make_scorer``; the fields that are given come before those of the language.
    language : str, optional
        The code of the language of the references, such as "ja"; ``metrologue.text.scripts.LANGUAGES`` has them all,
        with the source of each advice. A metric that is right as it is stays so, such as chrF.

    Raises
    ------
    InputError
        If there is no such language, or as for ``make_scorer``.

    Examples
    --------
    >>> recommended("bleu", language="zh").tokenizer, recommended("wer", language="th").tokenizer
    ('zh', 'char')
    >>> from metrologue.scorers import Chrf
    >>> recommended("chrf") == Chrf.variant("sacrebleu")
    True
    """
    kind = _class_of(metric)
    if language is not None:
        return make_scorer(metric, variant, **{**kind._for_language(language_of(language)), **fields})
    is_open = variant is None and isinstance(metric, str) and not {":", "|"} & {*read_name(metric).head}
    advised = variant_to_report(kind.variants()) if is_open else None
    return make_scorer(metric, advised[0] if advised else variant, **fields)


def scorer_of(kind: type[ScorerT], variant: str | None, fields: Mapping[str, Any]) -> ScorerT:
    """The scorer of a class with a variant and field values: the one of an earlier call with the same values.

    So a score of one pair does not pay for the checks and for the signature again. If a field names a table, the scorer
    is made each time, because the name may stand for another table by now; then an equal scorer of an earlier call
    takes its place. A scorer that holds a model or a fitted table is not kept, so that both can be freed.

    `batch_size`, `device` and `dtype`, if they are no fields of the metric, are those with which its model is opened.
    """
    if not _OF_MODEL.isdisjoint(fields):
        fields = _with_model(kind, fields)
    key = _key(kind, variant, fields)
    if key is not None and (found := _kept.get(key)) is not None:
        return cast("ScorerT", found)
    made = kind.variant(variant, **fields) if variant else kind._from_fields(fields)
    if any(isinstance(value, (NamedValue, Resource)) for value in vars(made).values()):
        return made
    with _keeping:
        while len(_kept) >= _MOST_KEPT:
            del _kept[next(iter(_kept))]
        return cast("ScorerT", _kept.setdefault(made if key is None else key, made))


def _with_model(kind: type[Scorer], fields: Mapping[str, Any]) -> dict[str, Any]:
    """The fields with the model opened as they say."""
    names = _OF_MODEL if model_kind(kind) == "trained" else _RUNNING
    asked = {name: fields[name] for name in names & fields.keys() - options_of(kind).keys()}
    others = {name: value for name, value in fields.items() if name not in asked}
    field = model_field(kind)
    asked = {name: value for name, value in asked.items() if value is not None}
    others = run_fields(kind, {name: asked.pop(name) for name in asked.keys() & kind.about.running.keys()}, others)
    if not asked:
        return others
    if field is None or others.get(field) is None:
        model = "takes no model" if field is None else f"is given no `{field}`"
        what = "belongs to a model" if min(asked) == "encoder" else "says how a model runs"
        raise InputError(f"{kind.__name__}: `{min(asked)}` {what}, and this metric {model}.")
    return {**others, field: model_of(kind, others[field], **asked)}


def run_fields(kind: type[Scorer], asked: Mapping[str, Any], others: Mapping[str, Any]) -> dict[str, Any]:
    """The other fields, and those that a metric has in place of `batch_size` and its like.

    Raises an InputError if there is no such value, or the field is given too.
    """
    fields = dict(others)
    for name, value in sorted(asked.items()):
        own, meanings = kind.about.running[name]
        if meanings and value not in meanings:
            expected = " or ".join(map(repr, meanings))
            raise InputError(f"{kind.__name__}: `{name}` is {shown(value)}; {expected} is expected.")
        if own in fields:
            raise InputError(f"{kind.__name__}: `{name}` is the field `{own}`, which is given too; give one of them.")
        fields[own] = meanings.get(value, value)
    return fields


# The scorers of earlier calls, the oldest first.
_kept: dict[Hashable, Scorer] = {}
_keeping, _MOST_KEPT = Lock(), 256


def _key(kind: type[Scorer], variant: str | None, fields: Mapping[str, Any]) -> Hashable | None:
    """What always makes the same scorer; None if a value is not plain, or names a table or a model."""
    if not isinstance(variant, str | None) or (variant and variant not in kind.variants()):
        return None
    given = {**kind.variants()[variant].fields, **fields} if variant else fields
    if any(given.get(name, getattr(kind, name)) is not None for name in table_fields(kind)):
        return None
    options = options_of(kind)
    parts = []
    for name, value in fields.items():
        try:  # somebody may register another tokenizer under the same name
            parts.append((name, _plain(canonical(options[name], value) if name in options else value)))
        except (AttributeError, InputError, TypeError):
            return None  # the scorer refuses the value, and says why
    return kind, variant, tuple(parts)


def _plain(value: Any) -> Hashable:
    """A value with its type, because 1, 1.0 and True are equal. Raises a TypeError if it is no plain one."""
    if type(value) in (list, tuple):
        return tuple(map(_plain, value))
    if value is not None and type(value) not in (int, float, bool, str):
        raise TypeError
    return type(value), value


@overload
def score(metric: Scorer | str, predictions: Any, references: Any = None, **options: Any) -> Result: ...
@overload
def score(
    metric: Sequence[Scorer | str], predictions: Any, references: Any = None, **options: Any
) -> dict[str, Result]: ...
def score(
    metric: Scorer | str | Sequence[Scorer | str],
    predictions: Any,
    references: Any = None,
    *,
    variant: str | None = None,
    threads: int | None = None,
    confidence: float | None = None,
    confidence_seed: int = 12345,
    **fields: Any,
) -> Result | dict[str, Result]:
    """Score a corpus by one or more metrics: "bleu" is sacrebleu's, from 0 to 100, ``load("bleu")`` the Hub's, to 1.

    A name alone stands for the number that papers print; ``recommended`` gives the scorer of a language. The modules of
    ``load`` give the Hub's numbers by default, so that they can take its modules' place.

    Parameters
    ----------
    metric : Scorer or str, or a list of these
        A scorer, "bleu", "bleu:nltk" or a signature; see ``make_scorer``.
    predictions : n strings
    references : n strings, or n lists of strings
        None if the metric needs no references. Metrics of sets also take sets or lists of labels.
    variant : str, optional
        The variant: which library's number to give. Of several metrics, it is for those that name no variant.
    threads : int, optional
        ``$METROLOGUE_THREADS``, or 1, by default; the result is the same for any number.
    confidence : float, optional
        A level such as 0.95: also give a confidence interval of each number, in ``Result.intervals``.
    confidence_seed : int
        The seed of the bootstrap that gives the intervals. (`seed` is a field of some metrics.)
    **fields
        Field values that differ from the variant's, and the metric's other inputs, such as `sources`. Of several
        metrics, each takes the fields and inputs that it has. A `tokenizer` may be a function from a text to its list
        of tokens.
        A metric with a model takes `batch_size`, `device` ("cpu", "cuda") and `dtype` ("float32", "bfloat16"), with
        which its model is opened; one with a trained model also `encoder`, the encoder that the model needs.

    Returns
    -------
    Result, or for a list a dict of str to Result
        The keys of the dict are the metrics as they are given; of a scorer its ``name``, or its signature if another
        metric of the list has that name.

    Raises
    ------
    InputError
        If there is no such metric, variant or field, or the input has no score; if the list is empty, or has a metric
        twice.

    Examples
    --------
    >>> import metrologue
    >>> metrologue.score("bleu", ["a b c d e"], ["a b c d x"], variant="nltk").value
    0.668740304976422
    >>> found = metrologue.score(["bleu:nltk", "wer"], ["a b c d e"], ["a b c d x"])
    >>> {name: round(result.value, 4) for name, result in found.items()}
    {'bleu:nltk': 0.6687, 'wer': 0.2}
    """
    if callable(function := fields.get("tokenizer")):
        with named_tokenizer(function) as fields["tokenizer"]:
            return score(
                metric, predictions, references, variant=variant, threads=threads, confidence=confidence,
                confidence_seed=confidence_seed, **fields,
            )  # fmt: skip
    if isinstance(metric, (str, Scorer)):  # a class with abstract methods takes long to ask, so a str is asked first
        scorer, inputs = scorer_and_inputs(metric, variant, fields)
        return scorer.corpus(predictions, references, threads, confidence=confidence, seed=confidence_seed, **inputs)
    rows = {"predictions": predictions, "references": references}
    rows = {name: list(each) if isinstance(each, Iterator) else each for name, each in rows.items()}
    return {
        name: scorer.corpus(**rows, threads=threads, confidence=confidence, seed=confidence_seed, **inputs)
        for name, (scorer, inputs) in _several(metric, variant, fields).items()
    }


def scorer_and_inputs(
    metric: Scorer | str, variant: str | None, given: Mapping[str, Any]
) -> tuple[Scorer, dict[str, Any]]:
    """The scorer of ``make_scorer``, and those of the named values that are inputs of it. The others are fields."""
    if not given:
        return make_scorer(metric, variant), {}
    inputs = {name: given[name] for name in _class_of(metric).input_names() if name in given}
    return make_scorer(metric, variant, **{name: given[name] for name in given if name not in inputs}), inputs


def _class_of(metric: Any) -> type[Scorer]:
    """The class of a scorer, a name, a name with a variant, or a signature."""
    if not isinstance(metric, str):
        return type(make_scorer(metric))
    return get_scorer(metric_of(metric))


def _has_field(kind: type[Scorer], name: str) -> bool:
    """Whether a metric has a field of this name, or a model that takes it."""
    names = _OF_MODEL if model_kind(kind) == "trained" else _RUNNING
    return name in options_of(kind) or (name in names and model_field(kind) is not None)


def _several(metrics: Any, variant: str | None, given: Mapping[str, Any]) -> dict[str, tuple[Scorer, dict[str, Any]]]:
    """The scorer of each metric of a list with its inputs. Each has the fields and inputs that it knows."""
    several = [*metrics] if isinstance(metrics, Iterable) else [metrics]
    if not several:
        raise InputError('score: `metric` is an empty list; give at least one, as in `["bleu"]`.')
    kinds = [_class_of(each) for each in several]
    for name in given:
        if not any(_has_field(kind, name) or kind.input(name) for kind in kinds):
            known = dict.fromkeys(each for kind in kinds for each in (*kind.input_names()[1:], *options_of(kind)))
            names = " and ".join(dict.fromkeys(kind.name for kind in kinds))
            raise InputError(f"score: {names} have no field or input {shown(name)}; {instead_of(name, known)}")
    found: dict[str, tuple[Scorer, dict[str, Any]]] = {}
    for each, kind in zip(several, kinds, strict=True):
        has_all = isinstance(each, Scorer) or "|" in each  # it needs no variant and no fields
        own = {name: given[name] for name in given if kind.input(name) or (_has_field(kind, name) and not has_all)}
        made = scorer_and_inputs(each, None if has_all or ":" in each else variant, own)
        label = each if isinstance(each, str) else kind.name if kind.name not in found else each.signature
        if label in found:
            raise InputError(f"score: {shown(label)} is given twice; name it once.")
        found[label] = made
    return found


def pairwise(
    metric: Scorer | str,
    hypotheses: Any,
    references: Any = None,
    variant: str | None = None,
    threads: int | None = None,
    *,
    key: str | None = None,
    **fields: Any,
) -> Floats | list[Floats]:
    """The matrix of the scores of every hypothesis with every reference, under a metric that is given by its name.

    `metric`, `variant` and the fields are those of ``make_scorer``; all else is as for ``Scorer.pairwise``, and so are
    the result and the errors: float64 (n, m), or a list of such matrices for groups.

    Examples
    --------
    >>> import metrologue
    >>> metrologue.pairwise("edit_distance", ["cat", "dog"], ["cats", "do", "cat"])
    array([[1., 3., 0.],
           [4., 1., 3.]])
    """
    return make_scorer(metric, variant, **fields).pairwise(hypotheses, references, threads, key)


def scorers_to_warm(metrics: Iterable[str] = ()) -> list[Scorer]:
    """The scorers of all variants of these metrics, or of all metrics. Raises an InputError for an unknown name.

    Examples
    --------
    >>> [scorer.name for scorer in scorers_to_warm(["wer"])]
    ['wer', 'wer', 'wer', 'wer', 'wer']
    """
    kinds = [get_scorer(name) for name in metrics or list_scorers()]
    return [kind.variant(name) for kind in kinds for name in kind.variants()]


def warm_up(scorers: Iterable[Scorer]) -> Iterator[str | None]:
    """Put all tables that these scorers need into the cache: each scores a small text.

    Otherwise a container, a Space or a job would wait for them at its first number. After each scorer comes None, or a
    message that says what it lacks on this machine.

    Examples
    --------
    >>> list(warm_up(scorers_to_warm(["edit_distance"])))[0] is None
    True
    """
    for scorer in scorers:
        try:
            scorer.corpus(["on the mat, the cat sat"], ["the cat sat on the mat."])
            yield None
        except InputError as error:
            yield str(error)
