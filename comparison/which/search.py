"""Which number is that? Every setting of a metric that prints a given number for given texts."""

from __future__ import annotations

import math
import shlex
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal, InvalidOperation
from functools import cache
from inspect import signature
from typing import Any

import numpy as np

from metrologue.comparison.which.evaluating import Known, evaluate
from metrologue.comparison.which.settings import (
    ALL,
    FIRST,
    UNIQUE,
    Alike,
    Change,
    Setting,
    alternatives,
    is_foreign,
    likely_language,
    missing_tokenizers,
    moses_tokenizers,
    rarity,
    reporting,
    settings,
    telling,
    usual_settings,
)
from metrologue.data.arrays import Floats
from metrologue.errors import InputError, checked_int, instead_of, shown
from metrologue.scorers import Scorer, get_scorer, list_scorers
from metrologue.scorers.core.inputs import REFERENCES, segments_of
from metrologue.scorers.core.inputs import texts as texts_input
from metrologue.scorers.core.many import Outcome, means_of, wanted
from metrologue.scorers.core.names import read_name, without_signature
from metrologue.scorers.core.needs import model_field
from metrologue.scorers.core.numbers import headings, main_headings, perfect_score
from metrologue.scorers.core.options import Choice, options_of, parsed_fields, spelled
from metrologue.scorers.core.registry import is_metric
from metrologue.scorers.core.typed import Typed, options_and_number, typed, with_number
from metrologue.segments import Segments
from metrologue.text.reading.kept import keeping_pages
from metrologue.text.tokenizers import get_tokenizer

__all__ = ["Answer", "Found", "NotTried", "Printed", "asked_for", "families", "which"]

# So many choices of a variant are changed at once, and a search takes so many seconds of a processor.
CHANGES, SECONDS = 2, 8.0
# Changes with the same effect are found on so many segments, evenly spread, in this part of the time.
_PROBED, _TELLING = 300, 0.4
# In this part of the time, settings are listed. Those that are left could not be tried in the rest of it.
_LISTING = 0.2
# What slow steps make of the texts is kept up to this size.
_KEPT_BYTES = 256 << 20
# A number, and one unit of its last digit, are powers of 10 up to this one: their products are floats.
_EXPONENT = 150
# Two numbers are equal up to this relative difference.
_EQUAL = 1e-11
# Numbers around the printed one, in units of its last digit, that tell how easily a number is hit.
_AROUND = 100
# So many of the nearest numbers are told if none fits.
_NEAREST = 3
# So many numbers that fit are told; more would only be in the way.
_SHOWN = 8
# A number is printed as it is, on a scale of 1 or of 100, or times 100, as people print CIDEr.
_SCALES = (1.0, 100.0)
# The command line prints so many decimals if nothing else is asked for, and at most so many.
_DECIMALS, _MOST_DECIMALS = 4, 17
# A setting for another language is as unlikely as one with so many changes.
_FOREIGN = 2
# So many reasons are told, and so many names for each.
_REASONS, _NAMES = 3, 6


@dataclass(frozen=True)
class Printed:
    """A number as somebody printed it.

    Attributes
    ----------
    text : str
    value : float
    unit : float
        One unit of its last digit.
    """

    text: str
    value: float
    unit: float

    @classmethod
    def of(cls, number: Any) -> Printed:
        """From a number or its text, whose digits count: "27.30" has one more than 27.3.

        Raises
        ------
        InputError
            If it is no finite number, or one of more digits than a float has.

        Examples
        --------
        >>> Printed.of("27.30").unit, Printed.of(27.3).unit
        (0.01, 0.1)
        """
        text, exponent = number.strip() if isinstance(number, str) else "", None
        try:
            if _is_number(number):
                text = str(int(number)) if float(number).is_integer() else str(number)
            exact = Decimal(text)
            last, first = exact.as_tuple().exponent, exact.adjusted()
            if isinstance(last, int) and max(abs(last), abs(first)) <= _EXPONENT:
                exponent = last
        except (InvalidOperation, OverflowError, ValueError):
            pass
        if exponent is None:
            raise InputError(
                f"which: the number is {shown(number)}; a finite number such as 27.3 is expected, with a point and "
                "without a sign of percent."
            )
        return cls(text, float(exact), 10.0**exponent)

    @property
    def decimals(self) -> int:
        """How many decimals it has."""
        return max(0, -round(math.log10(self.unit)))

    def fits(self, values: Floats | float) -> Any:
        """Whether a value, or each of several, is this number when it is rounded to its digits."""
        off = np.abs(values - self.value)
        return (off <= self.unit / 2 * (1 + 1e-9)) | (off <= _EQUAL * abs(self.value))


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float | np.integer | np.floating) and not isinstance(value, bool)


@dataclass(frozen=True)
class Answer:
    """All settings that give one number, or one number for each system.

    Attributes
    ----------
    values : tuple of float
        The numbers of the systems, on the scale of the printed ones.
    setting : Setting
        The nearest named variant, with the fewest changes.
    name : str
        Which of the scorer's numbers it is, such as "bleu" or "rougeL_fmeasure".
    count : int
        How many settings give these numbers.
    scale : float
        What a score of the scorer is multiplied by: 1 if the scorer prints on this scale.
    decimals : int
        How many decimals of it were printed.
    inputs : tuple of str
        The names of what was given beside predictions and references.
    """

    values: tuple[float, ...]
    setting: Setting
    name: str
    count: int
    scale: float = 1.0
    decimals: int = _DECIMALS
    inputs: tuple[str, ...] = ()

    @property
    def scorer(self) -> Scorer:
        """The scorer of the setting."""
        return self.setting.scorer()

    @property
    def parts(self) -> tuple[str, ...]:
        """The scorer's numbers of which this is the mean: itself, for all numbers but such means as people print."""
        return means_of(self.scorer).get(self.name, (self.name,))

    @property
    def about(self) -> str:
        """The setting in words."""
        kind = get_scorer(self.setting.metric)
        variant = kind.variants()[self.setting.variant]
        changes = ", ".join(f"{name}={spelled(value)}" for name, value in self.setting.changes.items())
        parts = [f"{self.setting.metric}:{self.setting.variant} ({variant.named()})"]
        parts += [f"with {changes}" if changes else variant.about]
        parts += [f"its {self.name}"] * (self.name != self.scorer.primary)
        parts[-1] += f" ({', '.join(self.parts)})" * (len(self.parts) > 1)
        parts += [f"of {_COMPARED.get(self.setting.texts, self.setting.texts)}"] * (self.setting.texts != ALL)
        parts += [f"times {self.scale:g}"] * (self.scale != 1)
        return ", ".join(parts)

    @property
    def _fields(self) -> dict[str, Any]:
        """What is set besides the variant: the changes, the scale, and which numbers if the variant reports others."""
        kind, scorer = get_scorer(self.setting.metric), self.scorer
        changes = dict(self.setting.changes)
        if not {*self.parts} <= {*kind.variant(self.setting.variant).range}:
            changes |= {name: getattr(scorer, name) for name in reporting(kind)}
        if self.scale != 1:
            changes["scale"] = (perfect_score(scorer) or 1.0) * self.scale
        return changes

    @property
    def command(self) -> str:
        """The command that prints the number, without the files."""
        return self.command_for({})

    def command_for(self, files: Mapping[str, Sequence[str]]) -> str:
        """The command that prints the number, for a shell; for a mean, the one that prints its parts.

        `files` has the options of its files for each name of compared texts: several, if that takes several commands.
        Texts that no options can name have the call in Python instead.
        """
        texts = self.setting.texts
        if texts not in files and (files or texts not in (ALL, _SWAPPED)):
            return self.call
        sets = "".join(f" --set {shlex.quote(f'{name}={spelled(value)}')}" for name, value in self._fields.items())
        head, scorer = f"metrologue score {self.setting.metric} --variant {self.setting.variant}{sets}", self.scorer
        in_table = {name for heading in main_headings(scorer) for name in headings(scorer)[heading]}
        tail = f" -w {min(self.decimals, _MOST_DECIMALS)}" if self.decimals > _DECIMALS else ""
        tail = tail if {*self.parts} <= in_table else " --format json"
        return " && ".join(f"{head}{own and f' {own}'}{tail}" for own in files.get(texts, [_PLACES.get(texts, "")]))

    def program(self, predictions: Sequence[str], references: Sequence[str]) -> str:
        """The command that prints the number of each file in Python, of texts that no options of `score` can name."""
        call = f"{self.call}.value" if self.name == self.scorer.primary else self.call
        read = "metrologue.read({}).texts".format
        theirs = read(repr(references[0]))
        if len(references) > 1:
            theirs = f"[*map(list, zip({', '.join(read(repr(path)) for path in references)}))]"
        files = f"for path in {[*predictions]!r} for predictions in [{read('path')}]"
        return "python -c " + shlex.quote(f"import metrologue; references = {theirs}; [print(path, {call}) {files}]")

    @property
    def call(self) -> str:
        """The call in Python; if the number is not the primary one, with its name."""
        others = [name for name in self.inputs if get_scorer(self.setting.metric).input(name)]
        sets = "".join(f", {name}={value!r}" for name, value in self._fields.items())
        sets = "".join(f", {name}={name}" for name in others) + sets
        texts = _arguments(self.setting.texts) if needs_references(self.setting.metric) else "predictions"
        metric, variant = self.setting.metric, self.setting.variant
        called = f'metrologue.score("{metric}", {texts}, variant="{variant}"{sets})'
        if self.name == self.scorer.primary:
            return called
        if len(self.parts) == 1:
            return f'{called}.scores["{self.name}"]'
        return f"sum({called}.scores[name] for name in {self.parts}) / {len(self.parts)}"


def _arguments(texts: str) -> str:
    """The arguments of a call that scores these of the predictions and references."""
    if texts == _SWAPPED:
        return "references, predictions"
    if texts.startswith(_ALONE):
        return f"predictions, [each[{int(texts.split()[1]) - 1}] for each in references]"
    if texts == UNIQUE:
        pairs = "{str(r): (p, r) for p, r in [*zip(predictions, references)][::-1]}"
        return f"*map(list, zip(*{pairs}.values()))"
    before, after = FIRST.split("{}")
    if texts.startswith(before):
        count = int(texts.removeprefix(before).removesuffix(after))
        return f"predictions[:{count}], references[:{count}]"
    return "predictions, references"


# The names of what is compared if it is not all of the texts as they are.
_SWAPPED, _ALONE = "swapped", "reference "
_COMPARED = {_SWAPPED: "swapped predictions and references"}
# What stands for the files in a command without them.
_PLACES = {_SWAPPED: "-p REFERENCES -r PREDICTIONS"}


@dataclass(frozen=True)
class NotTried:
    """Settings without a number, for one reason: their texts have no score, or something that they need is not here.

    Attributes
    ----------
    reason : str
    names : tuple of str
        The named variants, such as "meteor:nltk", and the tokenizers.
    settings : int
        How many other settings.
    """

    reason: str
    names: tuple[str, ...]
    settings: int

    def __str__(self) -> str:
        left = len(self.names) - _NAMES if len(self.names) > _NAMES + 1 else 0
        parts = [*self.names[: len(self.names) - left], *[f"{left} others"] * bool(left)]
        parts += [_count(self.settings, "changed setting")] * bool(self.settings)
        return f"{', '.join(parts)}: {self.reason.rstrip('.')}."


@dataclass(frozen=True)
class Found:
    """The answer to "which number is that?".

    Attributes
    ----------
    printed : mapping of str to Printed
        The number of each system.
    answers : tuple of Answer
        The numbers that fit: those of named variants first, then those with the fewest changes.
    nearest : tuple of Answer
        The nearest numbers, if none fits.
    separating : tuple of str
        The field that tells most of the answers apart, and its value under each of them.
    tried, untried : int
        How many settings were scored, and how many the time did not suffice for.
    not_tried : tuple of NotTried
        The settings without a number, by the reason; those with the most names first.
    values : int
        How many different numbers these settings give.
    near : int
        How many of them lie within one unit of the printed digits.
    chance : float
        The share of all printed numbers around this one, up to 100 units away and from a half to twice of it, that some
        setting gives. A number that has nothing to do with the texts would be found with this probability.
    all_listed : bool
        Whether the time sufficed to list all settings; if not, more than `untried` were not tried.
    changes : int
        So many choices were changed at once.
    """

    printed: Mapping[str, Printed]
    answers: tuple[Answer, ...]
    nearest: tuple[Answer, ...]
    separating: tuple[str, ...]
    tried: int
    untried: int
    values: int
    near: int
    chance: float
    not_tried: tuple[NotTried, ...] = ()
    all_listed: bool = True
    changes: int = 0

    def __repr__(self) -> str:
        best = self.answers[0].about if self.answers else "nothing fits"
        return f"<{type(self).__name__} {', '.join(each.text for each in self.printed.values())}: {best}>"

    def lines(self, files: Mapping[str, Sequence[str]] | None = None) -> Iterator[str]:
        """The answer as text, line by line. `files` are those of ``Answer.command_for``."""
        yield from told(self, files or {})

    def _repr_html_(self) -> str:
        """The HTML for a notebook."""
        from metrologue.tracing import notebook

        return notebook.block(*(notebook.note(line.strip()) for line in self.lines()))

    def to_dict(self, files: Mapping[str, Sequence[str]] | None = None) -> dict[str, Any]:
        """Plain values, as the command prints them in JSON. `files` are those of ``Answer.command_for``."""
        return {
            "printed": {name: each.text for name, each in self.printed.items()},
            "answers": [_plain(each, files or {}) for each in self.answers],
            "nearest": [_plain(each, files or {}) for each in self.nearest],
            "separating": [*self.separating],
            **{
                name: getattr(self, name)
                for name in ("changes", "tried", "untried", "all_listed", "values", "near", "chance")
            },
            "not_tried": [asdict(each) for each in self.not_tried],
        }


def _plain(answer: Answer, files: Mapping[str, Sequence[str]]) -> dict[str, Any]:
    return {
        "values": [*answer.values],
        "metric": answer.setting.metric,
        "variant": answer.setting.variant,
        "changes": {name: spelled(value) for name, value in answer.setting.changes.items()},
        "about": answer.about,
        "call": answer.call,
        "live": None
        if answer.setting.changes
        else get_scorer(answer.setting.metric).variants()[answer.setting.variant].live,
        "texts": answer.setting.texts,
        "number": answer.name,
        "scale": answer.scale,
        "settings": answer.count,
        "command": answer.command_for(files),
        "signature": answer.scorer.signature,
    }


def told(found: Found, files: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """The lines of an answer."""
    names = [*found.printed]
    texts = ", ".join(each.text if len(names) == 1 else f"{name} {each.text}" for name, each in found.printed.items())
    settings_ = sum(answer.count for answer in found.answers)
    if found.answers:
        yield f"{texts}: {_count(settings_, 'setting')}, {_count(len(found.answers), 'different number')}."
    else:
        yield f"{texts}: no setting gives {'this number' if len(names) == 1 else 'these numbers'}."
    shown_answers = found.answers[:_SHOWN]
    digits = _digits(shown_answers, min(each.unit for each in found.printed.values()))
    for answer in shown_answers:
        numbers = " ".join(f"{value:.{digits}f}" for value in answer.values)
        yield f"  {numbers}  {answer.about}{_others(answer)}"
        yield f"      {answer.command_for(files)}"
    if len(shown_answers) < len(found.answers):
        yield f"  and {_count(len(found.answers) - len(shown_answers), 'other number')}, of less likely settings."
    if found.separating:
        field, *values = found.separating
        yield f"What tells them apart: {field} ({' or '.join(dict.fromkeys(values))})."
    least = "" if found.all_listed else "at least "
    left = found.untried or not found.all_listed
    untried = f"; {least}{found.untried:,} more were not tried, for lack of time" if left else ""
    named = [each for each in found.not_tried if each.names]
    for each in named[:_REASONS]:
        yield f"Not tried: {each}"
    if more := sum(len(each.names) for each in named[_REASONS:]):
        reasons = _count(len(named) - _REASONS, "other reason")
        yield f"Not tried: {more} more, for {reasons}; --format json has them all."
    if others := [each for each in found.not_tried if not each.names]:
        count = _count(sum(each.settings for each in others), "changed setting")
        yield f"Without a score: {count}; for example, {others[0].reason.partition(';')[0].rstrip('.')}."
    near = f" {_count(found.near, 'of them lies', 'of them lie')} within one unit of the last digit."
    chance = f" An arbitrary number would match {found.chance:.0%} of the time{_strength(found.chance)}."
    option = "--changes 2" if files else "changes=2"
    more_changes = f" Settings with more changes are less likely, and were not tried: {option} tries them."
    said = near + chance + more_changes * (found.changes < CHANGES) if found.answers else ""
    yield f"Tried: {found.tried:,} settings with {found.values:,} different numbers{untried}.{said}"


def _strength(chance: float) -> str:
    """What a match says, if any number matches so often."""
    return ": weak evidence" if chance >= 0.2 else ""


def _count(count: int, one: str, several: str = "") -> str:
    return f"{count:,} {one if count == 1 else several or one + 's'}"


def _digits(answers: Sequence[Answer], unit: float) -> int:
    """So many decimals that the answers look as different as they are: at least one more than were printed."""
    least = max(1, 1 - round(math.log10(unit)))
    shown_ = ({tuple(f"{value:.{count}f}" for value in answer.values) for answer in answers} for count in range(13))
    return max(least, next((count for count, each in enumerate(shown_) if len(each) == len(answers)), 12))


def _others(answer: Answer) -> str:
    return f"; also {_count(answer.count - 1, 'other setting')}" if answer.count > 1 else ""


def families(metric: str) -> list[str]:
    """The metrics that people may mean by a name: those that have it in their own and take the same input; or "all".

    A number of a metric, such as "rouge2", stands for the metric. "all" are those with references.

    Raises
    ------
    InputError
        If there is no such metric, or it measures something other than texts, alone or with references.

    Examples
    --------
    >>> families("bleu"), families("fkgl")
    (['bleu', 'google_bleu'], ['readability'])
    """
    compared = _compared()
    if metric == "all":
        return compared
    if not is_metric(metric) and (own := [each for each in _searched() if numbers_of(get_scorer(each), metric)]):
        return own
    kind = get_scorer(metric)
    name = kind.name
    if name in _alone():
        return [name]
    if name not in compared and not (kind.takes("texts") and kind.input("references")):
        raise InputError(f"which: {name} does not compare texts with references; one that does is expected.")
    return [name, *(each for each in compared if name in each.split("_") and each != name)]


def _compared() -> list[str]:
    """The metrics that compare texts with references alone, and average."""
    names = [name for name in list_scorers() if get_scorer(name).input_names() == ("predictions", "references")]
    return [name for name in names if _AVERAGED in options_of(get_scorer(name))]


def _alone() -> list[str]:
    """The metrics that measure texts alone, without a model, and average."""
    kinds = [get_scorer(name) for name in list_scorers()]
    alone = [kind for kind in kinds if kind.input_names() == ("predictions",) and kind.takes("texts")]
    return [kind.name for kind in alone if _AVERAGED in options_of(kind) and model_field(kind) is None]


def _searched() -> list[str]:
    return [*_compared(), *_alone()]


def asked_for(metric: str) -> Typed:
    """What a name asks ``which``: a number of some metrics, such as "rouge2", stands as it is; all else as ``score``
    takes it, a signature as its variant with options.

    Examples
    --------
    >>> asked_for("rouge2").head, asked_for("chrF2").head
    ('rouge2', 'chrf:sacrebleu')
    """
    if "|" not in metric and "+" not in metric:
        given = typed(metric)
        name = given.head.partition(":")[0]
        if name == "all" or any(numbers_of(get_scorer(each), name) for each in _searched()):
            return given
    return without_signature(read_name(metric))


_AVERAGED = "aggregation"


def numbers_of(kind: type[Scorer], metric: str) -> set[str]:
    """The numbers of a metric that have this name, as rouge2_recall has the name rouge2."""
    reported = dict.fromkeys(name for variant in kind.variants() for name in wanted(kind.variant(variant)))
    return {name for name in reported if name == metric or name.startswith(f"{metric}_")}


def which(
    metric: str,
    number: Any,
    predictions: Any,
    references: Any,
    *,
    changes: int | None = None,
    tokenizers: Sequence[str] = (),
    seconds: float = SECONDS,
    progress: Callable[..., None] | None = None,
    **inputs: Any,
) -> Found:
    """The settings of a metric that print a number: variant, tokenizer, case, smoothing, averaging, and so on.

    Parameters
    ----------
    metric : str
        The name of a metric, such as "bleu"; of its number, such as "rouge2"; "all"; or a score as it is typed, such as
        "rouge:rouge-1.5.5[rouge1,recall]", whose variant, options and number then stay as they are.
    number : float or str, or mapping of str to float or str
        The printed number, on a scale of 1 or of 100. A text keeps its last zeros. A mapping has the numbers of several
        systems by their names.
    predictions : n strings, or mapping of str to n strings
        The output of the system, or of each system.
    references : n strings, or n lists of strings
        None for a metric of texts alone.
    changes : int, optional
        So many choices of each variant are changed at once, 0 to 3. The tokenizer and the case count as one. By
        default up to 2, and no more than in the likeliest setting that prints the number.
    tokenizers : sequence of str
        Tokenizers to try besides those that are on this machine, or with options.
    seconds : float
        So much time of a processor the search may take for each metric and system. The variants themselves are always
        tried. A search that is interrupted goes on where it was when it is called again.
    progress : callable, optional
        It is called while the search goes on, with ``total``, ``description`` and ``advance``, as rich's bars are.
    **inputs
        The metric's other inputs by their names, such as `sources`, as for ``score``.

    Returns
    -------
    Found

    Raises
    ------
    InputError
        If there is no such metric, number or tokenizer, or the texts make no segments.

    Examples
    --------
    >>> found = which("bleu", 37.99, ["the cat, it sat there"], ["the cat, he sat there"], changes=1)
    >>> found.answers[0].command
    'metrologue score bleu --variant sacrebleu'
    """
    most = CHANGES if changes is None else checked_int("`changes`", changes, 0, 3)
    given = number if isinstance(number, Mapping) else {"": number}
    systems = predictions if isinstance(number, Mapping) else {"": predictions}
    if not isinstance(systems, Mapping) or not given or {*given} != {*systems}:
        raise InputError("which: `number` and `predictions` have different systems; each system needs both.")
    printed = {name: Printed.of(each) for name, each in given.items()}
    asked = asked_for(metric) if isinstance(metric, str) else Typed(metric, {}, ())
    metric, _, variant = str(asked.head).partition(":")
    kinds = [get_scorer(name) for name in families(metric)]
    fixed, words = options_and_number(kinds[0], asked)
    kinds = kinds[:1] if variant or fixed or words else kinds
    for each in tokenizers:
        get_tokenizer(each)  # an unknown one is refused, not left out
    texts = {name: compared_texts(systems[name], references, kinds[0], inputs) for name in given}
    named = {kind.name: numbers_of(kind, metric) for kind in kinds if metric not in (kind.name, "all")}

    def fixing(chosen: list[Setting]) -> list[Setting]:
        return _with_fixed(chosen, kinds[0], variant, fixed) if variant or fixed else chosen

    if words:
        named[kinds[0].name] = {
            with_number(
                fixing([Setting(kinds[0].name, variant or next(iter(kinds[0].variants())))])[0].scorer(), words
            ).primary
        }
    with Search(
        kinds, texts, tokenizers=tokenizers, seconds=seconds, progress=progress, named=named, fixing=fixing
    ) as search:
        for at_once, is_usual in levels(most) if changes is None else [(most, False)]:
            tried = search.tried(at_once, is_usual)
            found = replace(_answered(printed, tried, (*inputs,)), changes=at_once, all_listed=tried.all_listed)
            if found.answers and search.steps(found.answers[0].setting) <= at_once:
                break
            if at_once < most and search.is_over:
                found = replace(found, all_listed=False)
                break
    return found


@dataclass(frozen=True)
class Tried:
    """The numbers of all settings that were tried on some systems.

    Attributes
    ----------
    candidates : list of Candidate
    tried, untried : int
    not_tried : list of NotTried
    all_listed : bool
    """

    candidates: list[Candidate]
    tried: int
    untried: int
    not_tried: list[NotTried]
    all_listed: bool = True


def levels(most: int) -> list[tuple[int, bool]]:
    """The parts of a search, the likeliest settings first: how many choices change, and whether only in the usual way.

    Examples
    --------
    >>> levels(2)
    [(0, False), (1, True), (1, False), (2, False)]
    """
    return [(0, False), *[(1, True)] * bool(most), *((each, False) for each in range(1, most + 1))]


class Search:
    """The numbers of the settings of some metrics, for each system: one search for a number and a table.

    What is once known is not computed again, within a ``with`` not even after an interruption.

    Parameters
    ----------
    kinds : sequence of classes of Scorers
    texts : mapping of str to mapping of str to Segments
        What may have been compared, for each system.
    tokenizers, seconds, progress
        As for ``which``.
    named : mapping of str to set of str, optional
        The numbers of a metric that are asked for; all by default.
    fixing : callable, optional
        Gives the settings that leave some fields as they are given.
    worth : (int, callable), optional
        So many systems are scored under all settings; the others under those for which the callable is true of the
        setting and of its numbers for the first ones.
    """

    def __init__(
        self,
        kinds: Sequence[type[Scorer]],
        texts: Mapping[str, Mapping[str, Segments]],
        *,
        tokenizers: Sequence[str] = (),
        seconds: float = SECONDS,
        progress: Callable[..., None] | None = None,
        named: Mapping[str, set[str]] | None = None,
        fixing: Callable[[list[Setting]], list[Setting]] = list,
        worth: tuple[int, Callable[[Setting, Sequence[Outcome]], bool]] | None = None,
    ) -> None:
        self._kinds, self._texts, self._progress = kinds, texts, progress
        self._named, self._fixing, self._worth = named or {}, fixing, worth
        whole = next(iter(texts.values()))[ALL]
        first = whole.texts("references" if whole.has("references") else "predictions").slice(0, _PROBED).to_pylist()
        moses = moses_tokenizers(first)
        self.usual = sorted({"13a", *moses[:2]})
        self._language, self._tokenizers = likely_language(first), [*dict.fromkeys([*tokenizers, *moses])]
        self._seconds, self._left = seconds, seconds * len(kinds) * len(texts)
        self._known = {name: Known(own[ALL], [kind.name for kind in kinds]) for name, own in texts.items()}
        self._told: dict[str, tuple[dict[Choice, list[Change]], Alike]] = {}

    def steps(self, setting: Setting) -> int:
        """How unlikely a setting is: the choices that are changed. One for another language counts as two."""
        return setting.steps + _FOREIGN * is_foreign(setting, self._language)

    @property
    def is_over(self) -> bool:
        """Whether no time is left."""
        return self._left <= 0

    def __enter__(self) -> Search:
        self._pages = keeping_pages(_KEPT_BYTES)
        self._pages.__enter__()
        return self

    def __exit__(self, kind: type[BaseException] | None, *others: Any) -> None:
        """Forget what was kept for an interruption, unless this is one."""
        self._pages.__exit__(kind, *others)
        if kind is None or issubclass(kind, Exception):
            for each in self._known.values():
                each.forget()

    def tried(self, most: int, is_usual: bool = False) -> Tried:
        """The numbers of the settings with up to so many changes, or of the usual ones."""
        start = time.process_time()
        listed = [self._listed(kind, most, is_usual) for kind in self._kinds]
        chosen = self._fixing([setting for own, _ in listed for setting in own])
        now = time.process_time()
        part = max(0.0, self._left - (now - start)) / len(self._texts)
        if self._progress:
            self._progress(total=len(chosen) * len(self._texts))
        numbers: list[list[Outcome]] = []
        count = len(chosen)
        for place, (name, own) in enumerate(self._texts.items()):
            if self._worth and place == self._worth[0]:
                rows = [*zip(*numbers, strict=True)]
                kept = [at for at, setting in enumerate(chosen) if self._worth[1](setting, rows[at])]
                chosen, numbers = [chosen[at] for at in kept], [[each[at] for at in kept] for each in numbers]
            numbers.append(evaluate(chosen, own, now + part * (place + 1), self._progress, self._known[name]))
        self._left -= time.process_time() - start
        tried = self._candidates(chosen, numbers, count - len(chosen), most)
        return replace(tried, all_listed=all(is_whole for _, is_whole in listed))

    def _listed(self, kind: type[Scorer], most: int, is_usual: bool) -> tuple[list[Setting], bool]:
        """The settings of a metric that are worth a try, and whether these are all that the time suffices to list.

        They are the variants, which are always listed, and the changes that change a number.
        """
        if is_usual:
            return usual_settings(kind, self.usual), True
        reduced, alike = self._telling(kind) if most else ({}, {})
        until = time.process_time() + min(self._seconds * len(self._texts) * _LISTING, max(0.0, self._left))
        chosen: list[Setting] = []
        for setting in settings(kind, reduced, most, [*next(iter(self._texts.values()))], alike):
            if setting.steps and time.process_time() > until:
                return chosen, False
            chosen.append(setting)
        return chosen, True

    def _telling(self, kind: type[Scorer]) -> tuple[dict[Choice, list[Change]], Alike]:
        """What ``telling`` says of a metric, of a few segments of each system."""
        if kind.name not in self._told:
            size = len(next(iter(self._texts.values()))[ALL])
            every = range(0, size, -(-size // _PROBED))
            probes = [{ALL: own[ALL].take(every)} for own in self._texts.values()]
            until = time.process_time() + min(self._seconds * len(probes) * _TELLING, max(0.0, self._left))
            self._told[kind.name] = telling(
                kind,
                alternatives(kind, self._tokenizers),
                lambda some: [*zip(*(evaluate(some, probe, until) for probe in probes), strict=True)],
            )
        return self._told[kind.name]

    def _candidates(
        self, chosen: Sequence[Setting], numbers: Sequence[Sequence[Outcome]], left: int, most: int
    ) -> Tried:
        """The candidates of settings that were tried; `left` of the settings were not worth it for every system."""
        candidates: list[Candidate] = []
        tried, untried = left, 0
        missing: dict[str, tuple[dict[str, None], list[Setting]]] = {}
        for setting, *outcomes in zip(chosen, *numbers, strict=True):
            scored = [own for own in outcomes if own is not None and not isinstance(own, InputError)]
            if error := next((own for own in outcomes if isinstance(own, InputError)), None):
                variants, others = missing.setdefault(str(error), ({}, []))
                if setting.steps:
                    others.append(setting)
                else:
                    variants[f"{setting.metric}:{setting.variant}"] = None
            elif len(scored) < len(outcomes):
                untried += 1
            elif common := [name for name in scored[0] if all(name in own for own in scored)]:
                tried += 1
                perfect, foreign = perfect_of(setting), is_foreign(setting, self._language)
                candidates += [
                    Candidate(setting, name, tuple(own[name] for own in scored), perfect, foreign)
                    for name in common
                    if name in self._named.get(setting.metric, common)
                ]
        for kind in self._kinds if most and candidates else ():
            for needed, away in missing_tokenizers(kind).items():
                missing.setdefault(f"tokenizers that need {needed}", ({}, []))[0].update(dict.fromkeys(away))
        not_tried = [NotTried(reason, (*names,), len(others)) for reason, (names, others) in missing.items()]
        not_tried.sort(key=lambda each: (-len(each.names), -each.settings))
        return Tried(candidates, tried, untried, not_tried)


def _with_fixed(chosen: Sequence[Setting], kind: type[Scorer], variant: str, texts: Mapping[str, str]) -> list[Setting]:
    """The settings of a variant, or of all, that leave some fields as they are given."""
    scorer = kind.variant(variant or next(iter(kind.variants())), **parsed_fields(kind, texts))
    fixed = {name: getattr(scorer, name) for name in texts}
    return [
        replace(each, changes={**each.changes, **fixed})
        for each in chosen
        if variant in ("", each.variant) and not fixed.keys() & each.changes.keys()
    ]


@dataclass(frozen=True)
class Candidate:
    """A number of a setting: its values for all systems, its scale, and whether it is made for another language."""

    setting: Setting
    name: str
    values: tuple[float, ...]
    perfect: float | None
    is_foreign: bool = False

    @property
    def steps(self) -> int:
        """How unlikely it is: the choices that are changed. To take a setting for another language counts as two."""
        return self.setting.steps + _FOREIGN * self.is_foreign


def needs_references(metric: Any) -> bool:
    """Whether a metric, as ``which`` takes it, compares texts with references.

    Examples
    --------
    >>> needs_references("rougeL"), needs_references("lexical_diversity[mtld]")
    (True, False)
    """
    head = asked_for(metric).head if isinstance(metric, str) else str(metric)
    return get_scorer(families(head.partition(":")[0])[0]).input("references") is not None


def compared_texts(
    predictions: Any, references: Any, kind: type[Scorer], inputs: Mapping[str, Any]
) -> dict[str, Segments]:
    """What may have been compared: all references, one of several, or both sides swapped; or the texts alone."""
    declared = [each for each in kind.inputs[1:] if each.name != "references"]
    names = [each.name for each in declared]
    if unknown := [name for name in inputs if name not in names]:
        instead = instead_of(unknown[0], [*names, *(name for name in signature(which).parameters if name != "inputs")])
        call = 'which("bleu", 27.3, predictions, references)'
        raise InputError(f"which: there is no input {unknown[0]!r}; {instead} A call is `{call}`.")
    given = {"predictions": predictions, "references": references, **inputs}
    alone = references is None and kind.input("references") is None
    sides = (texts_input("predictions"),) if alone else (texts_input("predictions"), REFERENCES)
    segments = segments_of((*sides, *declared), given, "which")
    if not len(segments):
        raise InputError("which: no segments; a score needs at least one.")
    if not alone and not segments.has("references"):
        raise InputError("which: `references` are missing; the metrics compare texts with them.")
    for each in declared:
        if each.required and not segments.has(each.name):
            raise InputError(f"{kind.__name__}: {each.missing}")
    others = {each.name: segments.columns[each.name] for each in declared if each.name in segments.columns}

    def with_others(ours: Any, theirs: Any) -> Segments:
        return Segments.of_columns({**Segments(ours, theirs).columns, **others})

    found = {ALL: segments}
    if alone:
        return found
    counts = np.diff(segments.reference_offsets)
    if counts.max() == 1:
        found[_SWAPPED] = with_others(segments.texts("references"), segments.texts("predictions"))
    elif counts.min() == counts.max():
        flat = segments.texts("references")
        for place in range(int(counts[0])):
            own = flat.take(np.arange(place, len(flat), counts[0]))
            found[f"{_ALONE}{place + 1} alone"] = with_others(segments.texts(), own)
    return found


def perfect_of(setting: Setting) -> float | None:
    """The perfect score of a setting's variant; None if it has none."""
    return _perfect(setting.metric, setting.variant)


@cache
def _perfect(metric: str, variant: str) -> float | None:
    return perfect_score(get_scorer(metric).variant(variant))


def scaled_values(tried: Tried) -> list[tuple[Candidate, float, tuple[float, ...]]]:
    """Each candidate on each scale on which its number is printed: the factor, and the values.

    Raises
    ------
    InputError
        If there is no number.
    """
    found = [
        (candidate, scale / (candidate.perfect or 1.0), tuple(value * scale for value in candidate.values))
        for candidate in tried.candidates
        for scale in scales_of(candidate.perfect)
    ]
    if not found:
        reasons = " ".join(map(str, tried.not_tried[:_REASONS]))
        raise InputError(f"which: no setting has a score of these texts. {reasons}")
    return found


def _answered(printed: Mapping[str, Printed], searched: Tried, inputs: tuple[str, ...]) -> Found:
    given = [*printed.values()]
    scaled = scaled_values(searched)
    values = np.array([each for _, _, each in scaled])
    off = np.stack([np.abs(values[:, i] - each.value) / each.unit for i, each in enumerate(given)], axis=1).max(axis=1)
    fitting = np.logical_and.reduce([each.fits(values[:, i]) for i, each in enumerate(given)])
    most = max(each.decimals for each in given)
    answers = _classes([(*scaled[i], 0.0) for i in np.flatnonzero(fitting)], most, inputs)
    closest = [] if answers else [(*scaled[i], off[i]) for i in np.argsort(off, kind="stable")[:50]]
    nearest = _classes(closest, most, inputs)
    ends = values[first_of_equal(values)]
    apart = np.stack([np.abs(ends[:, i] - each.value) / each.unit for i, each in enumerate(given)], axis=1)
    return Found(
        printed=printed,
        answers=tuple(answers),
        nearest=tuple(nearest[:_NEAREST]),
        separating=_separating(answers),
        tried=searched.tried,
        untried=searched.untried,
        values=len(first_of_equal(np.array([candidate.values for candidate in searched.candidates]))),
        near=int(np.count_nonzero(apart.max(axis=1) <= 1 + 1e-9)),
        chance=chance_of(ends, given),
        not_tried=tuple(searched.not_tried),
    )


def scales_of(perfect: float | None) -> list[float]:
    """The perfect scores of the scales on which a number is printed; 1 for a number without one."""
    if perfect is None:
        return [1.0]
    return [*dict.fromkeys([perfect, *_SCALES, *([100 * perfect] if perfect < 100 else [])])]


def first_of_equal(values: Floats) -> Any:
    """The indices of different rows, for rows that are equal but for the last bits."""
    order = np.lexsort(values.T[::-1])
    kept = values[order]
    new = np.ones(len(order), bool)
    new[1:] = (np.abs(np.diff(kept, axis=0)) > _EQUAL * np.abs(kept[1:])).any(axis=1)
    return order[new]


def chance_of(values: Floats, wanted: Sequence[Printed]) -> float:
    """The share of printed numbers around the wanted ones that some setting gives; for all systems together.

    Numbers below a half and above twice the wanted one are left out: nobody would take them for it.
    """
    ends = [
        (
            max(-_AROUND, math.ceil(-abs(each.value) / 2 / each.unit)),
            min(_AROUND, math.floor(abs(each.value) / each.unit)),
        )
        for each in wanted
    ]
    hit = set()
    for row in values.tolist():
        steps = tuple(round((value - each.value) / each.unit) for value, each in zip(row, wanted, strict=True))
        if all(low <= step <= high for step, (low, high) in zip(steps, ends, strict=True)):
            hit.add(steps)
    return len(hit) / math.prod(high - low + 1 for low, high in ends)


def _classes(
    fitting: list[tuple[Candidate, float, tuple[float, ...], float]], decimals: int, inputs: tuple[str, ...]
) -> list[Answer]:
    """The answers, one for all settings with equal values; the nearest variant and the smallest distance first."""
    fitting.sort(key=lambda each: (each[2], each[0].setting.steps))
    groups: list[list[tuple[Candidate, float, tuple[float, ...], float]]] = []
    for each in fitting:
        last = groups[-1][-1][2] if groups else (math.nan,) * len(each[2])
        if all(math.isclose(a, b, rel_tol=_EQUAL) for a, b in zip(each[2], last, strict=True)):
            groups[-1].append(each)
        else:
            groups.append([each])
    leads = [(min(group, key=rank), len({id(one.setting) for one, *_ in group})) for group in groups]
    leads.sort(key=lambda lead: (lead[0][3], rank(lead[0])))
    return [
        Answer(values, candidate.setting, candidate.name, count, scale, decimals, inputs)
        for (candidate, scale, values, _), count in leads
    ]


def rank(each: tuple[Candidate, float, tuple[float, ...], float]) -> tuple[Any, ...]:
    """How likely a setting is among those with the same number.

    Few changes, the primary number, the texts as they are, a common tokenizer, the printed scale, an early variant.
    """
    candidate, scale = each[:2]
    setting, kind = candidate.setting, get_scorer(candidate.setting.metric)
    changed = [value for name, value in setting.changes.items() if options_of(kind)[name].kind == "tokenizer"]
    return (
        candidate.steps,
        len(setting.changes),
        candidate.name != setting.scorer().primary,
        setting.texts != ALL,
        max(map(rarity, changed), default=0),
        scale != 1,
        [*kind.variants()].index(setting.variant),
    )


def _separating(answers: Sequence[Answer]) -> tuple[str, ...]:
    """The field that takes the most different values under the answers, and its values; empty for one answer."""
    if len(answers) < 2 or len({answer.setting.metric for answer in answers}) > 1:
        return ()
    scorers = [answer.scorer for answer in answers]
    by_field = {
        name: [f"{name}={spelled(getattr(scorer, name))}" for scorer in scorers]
        for name, declared in options_of(type(scorers[0])).items()
        if declared.choice is not None
    }
    field, values = max(by_field.items(), key=lambda item: len({*item[1]}))
    return (field, *values) if len({*values}) > 1 else ()
