"""The doctor: what is wrong with the files of a comparison, and how much each fault moves the score.

A fault is told only if it is plain. Each finding has the score as it is, and the score after the repair.
"""

from __future__ import annotations

import html
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import cache
from itertools import pairwise
from typing import Any
from unicodedata import is_normalized

import numpy as np

from metrologue.comparison.doctor.around import peeled
from metrologue.comparison.doctor.order import reordered
from metrologue.comparison.which.fitting import named_systems
from metrologue.data.arrays import Floats
from metrologue.data.intake import listed
from metrologue.data.strings import of_strings
from metrologue.errors import InputError, number_of
from metrologue.scorers import Bleu, Chrf, GoogleBleu, Rouge, Scorer, WordErrorRate
from metrologue.scorers.core.engine import fields_for
from metrologue.scorers.core.hints import spelled_fields
from metrologue.segments import Segments
from metrologue.text.looks import Look, differing, shares
from metrologue.text.scripts import joined_words, main_script, may_join_words

__all__ = ["Fault", "Finding", "doctor", "told"]

Texts = Sequence[str]
References = Sequence[Sequence[str]]
Check = Callable[[Texts, References], "Fault | None"]

# So many lines may be missing before a system is out of step with its references.
_SHIFTS = (1, -1, 2, -2, 3, -3)
# A system is out of step if its overlap with the references rises by this factor, and by this much.
_SHIFT_FACTOR, _SHIFT_GAIN = 1.3, 0.02
# So many lines may be missing or too many, and so many of them are named.
_MOST_LINES, _TOLD = 50, 5
_CHARACTERS = Chrf(char_order=2, word_order=0)
# A length ratio outside of these limits, and a share of known words below this one, are no translation's.
_SHORT, _LONG, _KNOWN = 0.75, 1.3, 0.2
# A hypothesis of so many words is hardly equal to its reference, or to another hypothesis, by chance.
_LONG_TEXT, _LONG_JOINED = 6, 10
# Shares of segments from which copies are told.
_COPIES, _REPEATED = 0.02, 0.02
# Mean sentences in a text from which newlines are missed.
_SENTENCES = 1.8

_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#\d{1,6}|#x[0-9A-Fa-f]{1,6});")
_SPACED = re.compile(r"\w [.,;:!?](?: |$)", re.MULTILINE)
_JOINED = re.compile(r"\w[.,;:!?](?: |$)", re.MULTILINE)
# A first byte of two or more, then others, as Latin-1 or Windows-1252 shows them.
_MOJIBAKE = re.compile(
    "[\u00c2-\u00f4]"
    "[\u0080-\u00bf\u0152\u0153\u0160\u0161\u0178\u017d\u017e\u0192\u02c6\u02dc\u2013-\u203a\u20ac\u2122]+"
)
_SENTENCE_END = re.compile(r"(?<![.!?])[.!?]+[\"')\]]* +(?=[A-ZÀ-ÖØ-ÞА-Я])")


@dataclass(frozen=True)
class Finding:
    """A fault of the files of one system.

    Attributes
    ----------
    system : str
    fault : str
        Its name, such as "lower case".
    about : str
        What is seen, in a sentence.
    segments : int
        How many segments have it.
    metric : str
        The variant that measures it, such as "bleu:sacrebleu".
    score, repaired : float
        Its number of the files as they are, and after the repair.
    repair : str
        What was done for the second number; empty if there is no repair, and both numbers are the same.
    """

    system: str
    fault: str
    about: str
    segments: int
    metric: str
    score: float
    repaired: float
    repair: str

    @property
    def effect(self) -> float:
        """What the repair adds to the score."""
        return self.repaired - self.score

    def __str__(self) -> str:
        repaired = f", and {self.repaired:.2f} ({self.effect:+.2f}) {self.repair}" if self.repair else ""
        return f"{self.fault}: {self.about} {self.metric} is {self.score:.2f}{repaired}."

    def to_dict(self) -> dict[str, Any]:
        """Plain values, as the command prints them in JSON."""
        return {**asdict(self), "effect": self.effect}


class Findings(list[Finding]):
    """The faults that ``doctor`` finds: a list, which a notebook shows as a table."""

    def _repr_html_(self) -> str:
        """What a notebook shows: a row for each fault, with the score before and after the repair."""
        from metrologue.tracing import notebook

        if not self:
            return notebook.block(notebook.note("Nothing is plainly wrong with these texts."))
        header = ["system", "fault", "what is seen", "repair", "metric", "segments", "score", "repaired"]
        rows = []
        for each in self:
            words = each.system, each.fault, each.about, each.repair, each.metric
            repaired = f"{each.repaired:.2f}" if each.repair else ""
            rows.append([*words, f"{each.segments:,}", f"{each.score:.2f}", repaired])
        return notebook.block(notebook.table("Faults of these texts", header, rows, words=5))


@dataclass(frozen=True)
class Fault:
    """What a check has found: the fault, and texts without it."""

    fault: str
    about: str
    segments: int
    repair: str
    predictions: Texts
    references: References
    metric: str = "bleu:sacrebleu"
    fields: Mapping[str, Any] = field(default_factory=dict)  # of the metric, for the score after the repair


def doctor(
    systems: Mapping[str, Any] | Sequence[str], references: Any, sources: Sequence[str] | None = None
) -> Findings:
    """The plain faults of the output of some systems and of their references; none for sound files.

    Parameters
    ----------
    systems : mapping of str to sequence of n str, or sequence of n str
        The predictions of each system, by its name; those of a single system, without a name, are "predictions".
    references : n strings, or n lists of strings
        A system may have more lines or fewer, up to 50: they are put in step, and what is missing is found.
    sources : n strings, optional
        What was translated or summarized, to find outputs that are copies of it.

    Returns
    -------
    Findings, a list of Finding
        Those with the largest effect on a system first.

    Raises
    ------
    InputError
        If there are no references, if the texts make no segments, one with each source, or if the numbers of lines
        differ too much.

    Examples
    --------
    >>> references = [f"Line {i}: The Cat sat on Mat {i}, and then it slept." for i in range(30)]
    >>> [each.fault for each in doctor({"mine": [text.lower() for text in references]}, references)]
    ['lower case']
    >>> doctor([text.replace("and then", "until") for text in references], references)
    []
    """
    if references is None:
        raise InputError("doctor: `references` are missing; it compares texts with them.")
    found = Findings()
    texts = _nested(references)
    originals = None if sources is None else Segments(sources, owner="doctor: `sources`").texts().to_pylist()
    for system, predictions in named_systems(systems, "doctor", "doctor(predictions, references)").items():
        hypotheses = Segments(predictions, owner="doctor").texts().to_pylist()
        if not hypotheses:
            raise InputError("doctor: no segments; at least one is expected.")
        if originals is not None and len(originals) != len(hypotheses):
            counts = number_of(len(originals), "source"), number_of(len(hypotheses), "prediction")
            raise InputError(f"doctor: {counts[0]} for {counts[1]}; each prediction needs its source.")
        common, theirs, kept = min(len(hypotheses), len(texts)), texts, originals
        if len(hypotheses) != len(texts):
            unequal, places = _unequal(hypotheses, texts, *_in_step(hypotheses, texts))
            found.append(_finding(system, unequal, Segments(hypotheses[:common], texts[:common])))
            hypotheses, theirs = [*unequal.predictions], unequal.references
            kept = originals and [originals[i] for i in places]
        checks = _CHECKS if kept is None else (*_CHECKS, _copies_of(kept))
        cleaned, looks = _cleaned(hypotheses, theirs)
        # A fault that is gone from the texts as they look is caused by how they look.
        faults = [*looks, *(f for check in checks if (f := check(hypotheses, theirs)) and check(*cleaned))]
        segments = Segments(hypotheses, theirs)
        own = [_finding(system, fault, segments) for fault in faults]
        found += sorted(own, key=lambda each: -abs(each.effect))
    return found


def _nested(references: Any) -> References:
    rows = listed(references, "references", "doctor")
    segments = Segments([""] * len(rows), rows, owner="doctor")
    flat, offsets = segments.texts("references").to_pylist(), segments.reference_offsets.tolist()
    return [flat[start:stop] for start, stop in pairwise(offsets)]


@cache
def _scorer(metric: str) -> Scorer:
    made: dict[str, Scorer] = {
        "bleu:sacrebleu": Bleu(),
        "bleu:nltk": Bleu.variant("nltk", scale=100.0),
        "wer:jiwer": WordErrorRate(scale=100.0),
        "rouge:rouge_score, rougeLsum": Rouge(types=("rougeLsum",), scale=100.0),
        "rouge:rouge_score, rouge1": Rouge(types=("rouge1",), scale=100.0),
    }
    return made[metric]


def _finding(system: str, fault: Fault, segments: Segments) -> Finding:
    scorer = _scorer(fault.metric)
    before = scorer.corpus(segments).value
    repaired = replace(scorer, **fault.fields).corpus(Segments(fault.predictions, fault.references)).value
    return Finding(system, fault.fault, fault.about, fault.segments, fault.metric, before, repaired, fault.repair)


# The checks. Each takes the hypotheses (n,) and the references of each segment (n,), and gives a fault or None.


def _share(pattern: re.Pattern[str], texts: Sequence[str]) -> float:
    """The share of texts in which a pattern is found."""
    return sum(1 for text in texts if pattern.search(text)) / len(texts)


def _flat(references: References) -> list[str]:
    return [text for texts in references for text in texts]


def _mapped(references: References, change: Callable[[str], str]) -> References:
    return [[*map(change, texts)] for texts in references]


def _changed(hypotheses: Texts, references: References, change: Callable[[str], str]) -> tuple[list[str], References]:
    return [*map(change, hypotheses)], _mapped(references, change)


def _tokenized(hypotheses: Texts, references: References) -> Fault | None:
    ours, theirs = _spaced(hypotheses), _spaced(_flat(references))
    if abs(ours - theirs) < 0.5:
        return None
    side = "predictions" if ours > theirs else "references"
    about = f"The {side} have spaces before their marks of punctuation, as tokenizers write them; the others do not."
    changed = hypotheses if ours < theirs else [*map(_detokenized, hypotheses)]
    other = references if ours > theirs else _mapped(references, _detokenized)
    count = sum(1 for text in hypotheses if _SPACED.search(text)) if ours > theirs else len(references)
    return Fault("tokenized on one side", about, count, "without these spaces", changed, other, "bleu:nltk")


def _spaced(texts: Texts) -> float:
    """The share of marks of punctuation that stand after a space."""
    text = "\n".join(texts)
    spaced, joined = len(_SPACED.findall(text)), len(_JOINED.findall(text))
    return spaced / (spaced + joined) if spaced + joined else 0.0


def _detokenized(text: str) -> str:
    return re.sub(r"(?<=[(\[{„“]) | (?=[.,;:!?)\]}”])", "", text)


def _cased(texts: Texts) -> float:
    """The share of capitals among all letters that have a case."""
    text = "".join(texts)
    capitals, small = sum(map(str.isupper, text)), sum(map(str.islower, text))
    return capitals / (capitals + small) if capitals + small else -1.0


def _lowered(hypotheses: Texts, references: References) -> Fault | None:
    flat = _flat(references)
    ours, theirs = _cased(hypotheses), _cased(flat)
    if min(ours, theirs) < 0 or max(ours, theirs) < 0.01 or min(ours, theirs) > 0.05 * max(ours, theirs):
        return None
    side = "predictions" if ours < theirs else "references"
    return Fault(
        "lower case",
        f"The {side} have almost no capital letters, but the other side does.",
        len(hypotheses),
        "with both sides in lower case",
        *_changed(hypotheses, references, str.lower),
    )


def _entities(hypotheses: Texts, references: References) -> Fault | None:
    flat = _flat(references)
    ours, theirs = _share(_ENTITY, hypotheses), _share(_ENTITY, flat)
    if max(ours * len(hypotheses), theirs * len(flat)) < 2 or min(ours, theirs) > 0.5 * max(ours, theirs):
        return None
    side = "predictions" if ours > theirs else "references"
    count = sum(1 for text in (hypotheses if ours > theirs else flat) if _ENTITY.search(text))
    about = f"{count:,} of the {side} have entities such as &quot; or &amp;."
    return Fault(
        "escaped characters", about, count, "without escapes", *_changed(hypotheses, references, html.unescape)
    )


def _mojibake(hypotheses: Texts, references: References) -> Fault | None:
    flat = _flat(references)
    counts = [sum(1 for text in texts if _decoded(text) != text) for texts in (hypotheses, flat)]
    if max(counts) < 2 or min(counts) > 0.5 * max(counts):
        return None
    side = "predictions" if counts[0] > counts[1] else "references"
    about = f"{max(counts):,} of the {side} are UTF-8 that was read as Latin-1, such as “Ã¤” for “ä”."
    return Fault("wrong encoding", about, max(counts), "decoded", *_changed(hypotheses, references, _decoded))


def _decoded(text: str) -> str:
    """Text whose UTF-8 was read as Latin-1 or Windows-1252, as it was."""
    if text.isascii() or not _MOJIBAKE.search(text):
        return text
    return _MOJIBAKE.sub(_piece, text)


def _piece(match: re.Match[str]) -> str:
    for encoding in ("cp1252", "latin-1"):
        try:
            return match[0].encode(encoding).decode("utf-8")
        except UnicodeError:
            continue
    return match[0]


def _forms(hypotheses: Texts, references: References) -> Fault | None:
    flat = _flat(references)
    counts = [sum(not is_normalized("NFC", text) for text in texts) for texts in (hypotheses, flat)]
    if max(counts) < 2 or min(counts) > 0.5 * max(counts):
        return None
    side, others = ("predictions", "references")[:: 1 if counts[0] > counts[1] else -1]
    about = f"{max(counts):,} of the {side} are not in the Unicode form NFC, but most of the {others} are."
    return Fault(
        "two Unicode forms", about, max(counts), "with unicode='NFC'", hypotheses, references, fields={"unicode": "NFC"}
    )


def _overlap(hypotheses: Texts, references: References) -> Floats:
    """How much each hypothesis shares with its references."""
    scorer = GoogleBleu(tokenizer="whitespace", lowercase=True, max_order=2)
    return scorer.segment_scores(Segments(hypotheses, references))["google_bleu"]


def _in_step(hypotheses: Texts, references: References) -> tuple[list[int], list[int]]:
    """The lines of both sides that belong together, if one side has some more: the choice with the most in common.

    How much two texts have in common is counted in pairs of their characters.
    """
    short, more = sorted((len(hypotheses), len(references)))
    shifts = np.arange(more - short + 1)
    if len(shifts) > _MOST_LINES + 1:
        counts = number_of(len(hypotheses), "prediction"), number_of(len(references), "reference")
        raise InputError(
            f"doctor: {counts[0]} but {counts[1]}; too many lines are missing to find them. "
            "If they are cut otherwise, `--resegment`, in Python `metrologue.resegment`, cuts the output anew."
        )
    is_longer, alike = len(hypotheses) > len(references), np.empty((short, len(shifts)))
    for shift in shifts.tolist():  # line i of the shorter side with line i + shift of the other one
        first, start = (shift, 0) if is_longer else (0, shift)
        segments = Segments(hypotheses[first : first + short], references[start : start + short])
        alike[:, shift] = _CHARACTERS.segments(segments)
    totals, came_from = np.zeros(len(shifts)), np.empty(alike.shape, np.int64)
    for line, values in enumerate(alike):  # the shift never falls
        reached = np.maximum.accumulate(totals)
        came_from[line] = np.maximum.accumulate(np.where(totals == reached, shifts, 0))
        totals = reached + values
    chosen = np.empty(short, np.int64)
    at = int(np.argmax(totals))
    for line in range(short - 1, -1, -1):
        chosen[line] = at
        at = came_from[line, at]
    ends: list[list[int]] = [[*range(short)], (np.arange(short) + chosen).tolist()]
    return (ends[1], ends[0]) if is_longer else (ends[0], ends[1])


def _unequal(hypotheses: Texts, references: References, own: list[int], its: list[int]) -> tuple[Fault, list[int]]:
    """What is said of lines that one side alone has; and the places of the predictions that are kept."""
    is_longer = len(hypotheses) > len(references)
    gone = sorted({*range(max(len(hypotheses), len(references)))} - {*(own if is_longer else its)})
    doubled = is_longer and all(i and hypotheses[i] in (hypotheses[i - 1], *hypotheses[i + 1 : i + 2]) for i in gone)
    lines = f"line{'s' * (len(gone) > 1)} {', '.join(str(i + 1) for i in gone[:_TOLD])}"
    lines += f" and {len(gone) - _TOLD} others" if len(gone) > _TOLD else ""
    if not is_longer:
        about = f"There are no predictions for {lines} of the references."
    elif doubled:
        about = f"The predictions have {lines} twice."
    else:
        about = f"There are no references for {lines} of the predictions."
    about += " The first score pairs the others by their numbers. `--resegment` is for output that is cut otherwise."
    fault = "doubled lines" if doubled else "lines too many" if is_longer else "missing lines"
    kept = [hypotheses[i] for i in own], [references[i] for i in its]
    return Fault(fault, about, len(gone), "in step", *kept), own


def _sides(hypotheses: Texts, references: References) -> tuple[Mapping[str, float], Mapping[str, float]]:
    return shares(hypotheses), shares(_flat(references))


def _as_they_look(look: Look, is_ours: bool, texts: tuple[Texts, References]) -> tuple[Texts, References]:
    """The texts of both sides, with one side as it looks."""
    hypotheses, references = texts
    if is_ours:
        return [*map(look.plain, hypotheses)], references
    return hypotheses, _mapped(references, look.plain)


def _cleaned(hypotheses: Texts, references: References) -> tuple[tuple[Texts, References], list[Fault]]:
    """The texts without what only looks equal on one side, and without what stands around them; and these faults."""
    texts: tuple[Texts, References] = hypotheses, references
    for look, is_ours in differing(*_sides(*texts)):
        texts = _as_they_look(look, is_ours, texts)
    around = _around(*texts)
    if around is None:
        return texts, _looks(hypotheses, references)
    own = _around(hypotheses, references) or around
    return (around.predictions, around.references), [*_looks(hypotheses, references), own]


def _looks(hypotheses: Texts, references: References) -> list[Fault]:
    """Characters that a person does not see, or takes for others, on one side only, where they change a score."""
    found = []
    for look, is_ours in differing(*_sides(hypotheses, references)):
        count = sum(1 for text in (hypotheses if is_ours else _flat(references)) if look.has(text))
        repaired = _as_they_look(look, is_ours, (hypotheses, references))
        as_they_are = Segments(hypotheses, references)
        for metric in ("bleu:sacrebleu", "wer:jiwer") if count > 1 else ():
            before, after = (_scorer(metric).corpus(each).value for each in (as_they_are, Segments(*repaired)))
            if after < before if metric == "wer:jiwer" else after > before:
                side = "predictions" if is_ours else "references"
                about = f"{count:,} of the {side} have {look.name}; most of the other side have none."
                found.append(Fault("only looks equal", about, count, look.repair, *repaired, metric))
                break
    return found


def _around(hypotheses: Texts, references: References) -> Fault | None:
    """What stands around the texts of one side, such as numbers, if the score rises without it."""
    flat, rows = _flat(references), [i for i, texts in enumerate(references) for _ in texts]
    own = hypotheses, [*range(len(hypotheses))]
    bleu, found = _scorer("bleu:sacrebleu"), []
    before = bleu.corpus(Segments(hypotheses, references)).value
    changed, told = peeled(*own, flat, rows)
    if told:
        found.append(("predictions", told, changed, references))
    changed, told = peeled(flat, rows, *own)
    if told:
        left = iter(changed)
        found.append(("references", told, [*hypotheses], [[next(left) for _ in texts] for texts in references]))
    for side, told, texts, theirs in found:
        if bleu.corpus(Segments(texts, theirs)).value > before:
            count = sum(old != new for old, new in zip(hypotheses, texts, strict=True)) or len(references)
            about = f"Of the {side}, {'; '.join(told)}. The other side has none of this."
            return Fault("text around the lines", about, count, "without it", texts, theirs)
    return None


def _ordered(hypotheses: Texts, references: References) -> Fault | None:
    """Lines in another order than the references; otherwise lines that are shifted."""
    if (rows := reordered(hypotheses, references)) is None:
        return _shifted(hypotheses, references)
    moved = sum(row != line for line, row in enumerate(rows))
    lines = [*hypotheses]
    how = "sorted" if lines == sorted(lines) else "reversed" if rows == [*range(len(rows))][::-1] else "shuffled"
    about = f"{moved:,} of the predictions stand in another order than the references"
    about += "." if how == "shuffled" else f": they are {how}."
    return Fault(
        "shuffled lines", about, moved, "in the order of the references", hypotheses, [references[i] for i in rows]
    )


def _shifted(hypotheses: Texts, references: References) -> Fault | None:
    count = len(hypotheses)
    if count < 20:
        return None
    own = _overlap(hypotheses, references)
    # Sums of the overlap up to each segment; after the break, another reference counts.
    before = np.concatenate([[0.0], np.cumsum(own)])
    best: tuple[float, int, int] = (before[-1], 0, count)
    for shift in _SHIFTS:
        inside = [place for place in range(count) if 0 <= place + shift < count]
        moved = np.zeros(count)
        moved[inside] = _overlap([hypotheses[i] for i in inside], [references[i + shift] for i in inside])
        after = moved.sum() - np.concatenate([[0.0], np.cumsum(moved)])
        place = int(np.argmax(before + after))
        best = max(best, (float((before + after)[place]), shift, place))
    total, shift, place = best
    rest = own[place:].mean() if place < count else 0.0
    if not shift or total - before[-1] < _SHIFT_GAIN * (count - place) or count - place < 10:
        return None
    if (total - before[place]) < _SHIFT_FACTOR * max(rest * (count - place), 1e-9):
        return None
    kept = [*range(place), *(i for i in range(place, count) if 0 <= i + shift < count)]
    partners = [references[i if i < place else i + shift] for i in kept]
    where = "All lines" if place == 0 else f"From line {place + 1} on, the lines"
    lines = f"{abs(shift)} line{'s' * (abs(shift) > 1)}"
    about = f"{where} of the predictions belong to references {lines} {'further down' if shift > 0 else 'further up'}."
    return Fault("shifted lines", about, count - place, "in step", [hypotheses[i] for i in kept], partners)


def _layout(hypotheses: Texts, references: References) -> Fault | None:
    if all(len(text) <= 1 for texts in references for text in texts) and any(len(text) > 3 for text in hypotheses):
        joined = [["".join(texts)] for texts in references]
        about = "Every reference is a single character: a string stands where a list of strings is expected."
        return Fault(
            "layout of the references", about, len(hypotheses), "with the characters joined", hypotheses, joined
        )
    if len(references) < 2 or {*map(len, references)} != {len(hypotheses)}:
        return None
    turned = [*map(list, zip(*references, strict=True))]
    # The best of all references says nothing: each layout has the right one among them.
    as_they_are, other = (_overlap(hypotheses, [texts[:1] for texts in each]).mean() for each in (references, turned))
    if other <= _SHIFT_FACTOR * as_they_are:
        return None
    about = "The lists of references go by their number, not by segment."
    return Fault(
        "layout of the references", about, len(hypotheses), "with one list for each segment", hypotheses, turned
    )


def _without(
    gone: Iterable[int], hypotheses: Texts, references: References
) -> tuple[list[str], list[Sequence[str]]] | None:
    """The other segments; None if there are none."""
    left = sorted({*range(len(hypotheses))} - {*gone})
    return ([hypotheses[i] for i in left], [references[i] for i in left]) if left else None


def _empty(hypotheses: Texts, references: References) -> Fault | None:
    empty = [i for i, text in enumerate(hypotheses) if not text.strip()]
    none = [i for i, texts in enumerate(references) if not all(text.strip() for text in texts)]
    if not (gone := {*empty, *none}):
        return None
    parts = [f"{len(empty):,} of the predictions"] * bool(empty) + [f"the references of {len(none):,}"] * bool(none)
    about = f"{' and '.join(parts)} are empty lines, the first one line {min(gone) + 1}."
    return _left_out("empty lines", about[0].upper() + about[1:], gone, hypotheses, references)


def _left_out(fault: str, about: str, gone: Iterable[int], hypotheses: Texts, references: References) -> Fault:
    """A fault of some segments. The repair leaves them out; that of all segments has none."""
    count = len({*gone})
    if left := _without(gone, hypotheses, references):
        return Fault(fault, about, count, "without these segments", *left)
    return Fault(fault, f"{about} No other segments are left.", count, "", hypotheses, references)


def _is_long(text: str) -> bool:
    """Whether a text is hardly equal to another one by chance."""
    if text.count(" ") >= _LONG_TEXT - 1:
        return True
    return len(text) >= _LONG_JOINED and may_join_words(text.encode())


def _repeated(hypotheses: Texts, references: References) -> Fault | None:
    """Long texts that stand for several references: a program that was stuck, or a file that was joined twice."""
    places: dict[str, list[int]] = {}
    for i, text in enumerate(hypotheses):
        if _is_long(text):
            places.setdefault(text, []).append(i)
    gone = [
        i
        for each in places.values()
        if len(each) > 1 and len({tuple(references[i]) for i in each}) > 1
        for i in each[1:]
    ]
    if len(gone) < max(2, _REPEATED * len(hypotheses)) or not (left := _without(gone, hypotheses, references)):
        return None
    about = f"{len(gone):,} of the predictions repeat another one, but their references differ."
    return Fault("repeated predictions", about, len(gone), "without the repetitions", *left)


def _copied(hypotheses: Texts, references: References) -> Fault | None:
    return _copies(hypotheses, references, references, "equal to a reference", "one of their references")


def _copies_of(sources: Texts) -> Check:
    return lambda hypotheses, references: _copies(
        hypotheses, references, [[text] for text in sources], "equal to the source", "their source"
    )


def _copies(hypotheses: Texts, references: References, others: References, fault: str, what: str) -> Fault | None:
    stripped = [text.strip() for text in hypotheses]
    gone = [i for i, text in enumerate(stripped) if text and text in {other.strip() for other in others[i]}]
    # A short text may be equal by chance. Long copies make the finding, and all of them are counted.
    long = sum(_is_long(hypotheses[i]) for i in gone)
    if long < max(2, _COPIES * len(hypotheses)):
        return None
    which = "all" if long == len(gone) else f"{long:,} of them"
    about = f"{len(gone):,} of the predictions, {which} of {_LONG_TEXT} words or more, are equal to {what}."
    return _left_out(fault, about, gone, hypotheses, references)


def _erased(hypotheses: Texts, references: References) -> Fault | None:
    letters = [mark for mark in "".join(_flat(references)) if mark.isalpha()]
    beyond = sum(1 for mark in letters if not mark.isascii())
    if 2 * beyond <= len(letters):
        return None
    about = (
        f"{beyond / len(letters):.0%} of the letters of the references are not ASCII. rouge_score and ROUGE-1.5.5 drop "
        "them."
    )
    return Fault(
        "erased by ASCII tokenizers", about, len(hypotheses), "with tokenizer='unicode-words'", hypotheses, references,
        "rouge:rouge_score, rouge1", {"tokenizer": "unicode-words"},
    )  # fmt: skip


def _unseparated(hypotheses: Texts, references: References) -> Fault | None:
    joined = joined_words(of_strings(_flat(references)), Bleu.tokenizer)
    if joined is None:
        return None
    fields = fields_for(Bleu, joined.language.here)
    about = f"{joined.about}, because no spaces part the words."
    repair = f"with {spelled_fields(fields)}"
    return Fault("words not found", about, len(hypotheses), repair, hypotheses, references, fields=fields)


def _unparted(hypotheses: Texts, references: References) -> Fault | None:
    flat = _flat(references)
    if any("\n" in text for text in (*hypotheses, *flat)):
        return None
    ours, theirs = (
        sum(1 + len(_SENTENCE_END.findall(text)) for text in texts) / len(texts) for texts in (hypotheses, flat)
    )
    if min(ours, theirs) < _SENTENCES:
        return None
    about = f"A prediction has {ours:.1f} sentences, but no newline parts them, as rougeLsum needs it."
    parted: Callable[[str], str] = lambda text: _SENTENCE_END.sub(lambda match: match[0].rstrip() + "\n", text)  # noqa: E731
    metric, repair = "rouge:rouge_score, rougeLsum", "with a newline after each sentence"
    return Fault("no newlines", about, len(hypotheses), repair, *_changed(hypotheses, references, parted), metric)


def _length(hypotheses: Texts, references: References) -> Fault | None:
    own = sum(len(text.split()) for text in hypotheses)
    shortest = sum(min(len(text.split()) for text in texts) for texts in references)
    longest = sum(max(len(text.split()) for text in texts) for texts in references)
    if _SHORT * shortest <= own <= _LONG * longest or not own or not shortest:
        return None
    ratio = own / (longest if own > longest else shortest)
    words = [text.split() for text in hypotheses]
    limits = [max(len(text.split()) for text in texts) for texts in references]
    cut = [" ".join(each[:limit]) for each, limit in zip(words, limits, strict=True)]
    # Characters also tell of scripts without spaces.
    marks = sum(map(len, hypotheses)) / sum((max if own > longest else min)(map(len, each)) for each in references)
    about = f"The predictions are {ratio:.2f} times as long as their references ({marks:.2f} times in characters)."
    return Fault("length", about, len(hypotheses), "cut to the length of the references", cut, references)


def _unlike(hypotheses: Texts, references: References) -> Fault | None:
    """Texts of another language or of another test set: few of their words are anywhere in the references."""
    known = {word.lower() for text in _flat(references) for word in text.split()}
    words = Counter(word.lower() for text in hypotheses for word in text.split())
    total = words.total()
    share = sum(count for word, count in words.items() if word in known) / total if total else 1.0
    if total < 100 or share >= _KNOWN or joined_words(of_strings(hypotheses), "whitespace"):
        return None
    scripts = [main_script(of_strings(texts)) for texts in (hypotheses, _flat(references))]
    about = f"Only {share:.0%} of the words of the predictions are anywhere in the references"
    about += (
        f", which are {scripts[1]}, not {scripts[0]}."
        if scripts[0] != scripts[1]
        else ": another language or test set?"
    )
    return Fault("other language or test set", about, len(hypotheses), "", hypotheses, references)


_CHECKS: tuple[Check, ...] = (
    _layout, _ordered, _lowered, _tokenized, _entities, _mojibake, _forms, _unparted, _empty, _repeated, _copied,
    _erased, _unseparated, _length, _unlike,
)  # fmt: skip


def told(found: Sequence[Finding], systems: int) -> Iterator[str]:
    """The findings as lines."""
    for finding in found:
        yield f"{finding.system}: {finding}" if systems > 1 else str(finding)
    if not found:
        yield "Nothing is plainly wrong with these files."
