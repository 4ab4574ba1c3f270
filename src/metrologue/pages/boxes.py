"""The boxes of a page, one for each input of text that a metric declares, and the rows that are written in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from metrologue.errors import InputError, number_of
from metrologue.scorers import Scorer, get_scorer
from metrologue.scorers.core.inputs import Input
from metrologue.scorers.families.dialogues import OfDialogues

# The kinds of inputs that may be text, and those of which a segment has a group of lines.
_TEXTS, _GROUPS = ("texts", "groups", "turns", "sets", "spans"), ("groups", "turns")


def boxes(metrics: Iterable[str]) -> dict[str, Input]:
    """The inputs of text that metrics declare beside predictions and references, by their names.

    Examples
    --------
    >>> [*boxes(["usr"])], [*boxes(["bleu", "perplexity"])]
    (['contexts', 'facts'], [])
    """
    declared = (each for metric in metrics for each in get_scorer(metric).inputs[1:])
    return {each.name: each for each in declared if each.kind.name in _TEXTS and each.name != "references"}


def is_grouped(each: Input) -> bool:
    """Whether a segment may have several lines of an input beside the predictions."""
    return each.many or each.kind.name in _GROUPS


def holds_turns(kind: type[Scorer], name: str) -> bool:
    """Whether the lines of a segment are turns: in an input of turns, and in predictions that may be dialogues."""
    each = kind.input(name)
    is_dialogue = name == "predictions" and issubclass(kind, OfDialogues)
    return is_dialogue or (each is not None and each.kind.name == "turns")


def file_label(each: Input) -> str:
    """What is above the upload for an input.

    Examples
    --------
    >>> [file_label(each) for each in get_scorer("usr").inputs]
    ['Predictions', 'Contexts (optional)', 'Facts (optional)']
    """
    return each.name.replace("_", " ").capitalize() + ("" if each.required else " (optional)")


def box_label(each: Input) -> str:
    """What is above the box of an input.

    Examples
    --------
    >>> box_label(get_scorer("usr").input("facts"))
    'Facts (optional), one per line; an empty line before those of the next prediction'
    """
    groups = "; an empty line before those of the next prediction" if is_grouped(each) else ""
    return f"{file_label(each)}, one per line{groups}"


def predictions_label(metric: str) -> str:
    """What is above the box of predictions."""
    if issubclass(get_scorer(metric), OfDialogues):
        return "Predictions: dialogues, a turn per line, and an empty line between two of them"
    return "Predictions, one per line"


def lines_in(text: str) -> list[str]:
    """The lines of a text. The last one may have an end or not."""
    return [line.removesuffix("\r") for line in text.removesuffix("\n").split("\n")]


def _groups(text: str) -> list[list[str]]:
    """The lines of a text, in groups between empty lines."""
    groups: list[list[str]] = [[]]
    for line in lines_in(text):
        if line.strip():
            groups[-1].append(line)
        elif groups[-1]:
            groups.append([])
    return [group for group in groups if group]


def split_groups(text: str, count: int, name: str = "references") -> list[list[str]]:
    r"""The references of each prediction, or its other inputs of this name, from a text with one per line.

    Raises an InputError if the text has groups for another number of predictions.

    An empty line separates what belongs to one prediction from what belongs to the next. Without empty lines, each of
    several predictions gets one line, and a single prediction gets all lines. There are `count` predictions.

    Examples
    --------
    >>> split_groups("a cat\none cat\n\na dog", 2)
    [['a cat', 'one cat'], ['a dog']]
    >>> split_groups("a cat\na dog", 2)
    [['a cat'], ['a dog']]
    >>> split_groups("a cat\none cat", 1)
    [['a cat', 'one cat']]
    """
    groups = _groups(text)
    if len(groups) == 1 and len(groups[0]) == count:
        return [[line] for line in groups[0]]
    if len(groups) != count:
        raise InputError(
            f"{name}: {number_of(len(groups), 'group')} of lines for {number_of(count, 'prediction')}; write one "
            f"{name.removesuffix('s')} per line, and an empty line between the {name} of one prediction and the next."
        )
    return groups


def predictions_of(kind: type[Scorer], text: str) -> list[str]:
    """The predictions in a box. The lines of a text are the turns of a dialogue."""
    return ["\n".join(turns) for turns in _groups(text)] if holds_turns(kind, "predictions") else lines_in(text)


def rows(kind: type[Scorer], predictions: Sequence[str], texts: Mapping[str, str]) -> dict[str, Any]:
    r"""What boxes hold, as a scorer takes it. An empty box gives nothing, and neither do references that are not read.

    Raises an InputError as ``split_groups`` does, and as ``require_short`` does.

    Examples
    --------
    >>> rows(get_scorer("usr"), ["I do.", "No."], {"contexts": "Hi!\nDo you?\n\nHi!", "facts": "", "references": "x"})
    {'predictions': ['I do.', 'No.'], 'contexts': ['Hi!\nDo you?', 'Hi!']}
    """
    made: dict[str, Any] = {"predictions": predictions}
    for name, text in texts.items():
        each = kind.input(name)
        if not text.strip() or (each is None and name == "references"):
            continue
        if each is None or not is_grouped(each):
            made[name] = lines_in(text)
        else:
            groups = split_groups(text, len(predictions), name)
            made[name] = ["\n".join(turns) for turns in groups] if each.kind.name == "turns" else groups
    require_short(kind, made)
    return made


def require_short(kind: type[Scorer], written: Mapping[str, Any]) -> None:
    """Raise an InputError if a metric would need more than about a minute for the texts that boxes hold.

    Examples
    --------
    >>> require_short(get_scorer("character"), {"predictions": ["a " * 401], "references": ["a"]})
    Traceback (most recent call last):
    ...
    metrologue.errors.InputError: segment 1, with 401 words: ...
    """
    growth, done, pairs = kind.about.growth, 0, 0
    if growth is None:
        return
    count = len if growth.unit == "characters" else lambda text: len(text.split())
    for segment, (prediction, *others) in enumerate(zip(*written.values(), strict=False), 1):
        texts = [text for other in others for text in ([other] if isinstance(other, str) else other)]
        lengths = [max(count(prediction), count(text)) for text in texts or [prediction]]
        done += sum(length**growth.power for length in lengths)
        pairs += (1 + len(texts)) ** 2
        if growth.most is not None and pairs > growth.most**2:
            raise InputError(
                f"segment {segment}, with {1 + len(texts):,} texts: {kind.title} compares them with each other, and "
                f"would need too much time and memory on this page; it takes {growth.most:,} of them, or several "
                "segments that are as much work. Python and the command line take all texts."
            )
        if done > growth.longest**growth.power:
            raise InputError(
                f"segment {segment}, with {max(lengths):,} {growth.unit}: {kind.title} would keep this page busy for "
                f"long; it takes a text of {growth.longest:,} {growth.unit}, or several shorter ones that are as much "
                "work. Python and the command line take all texts."
            )


def written(kind: type[Scorer], name: str, segments: Sequence[Sequence[str]]) -> str:
    r"""What the box of an input holds for the lines of each segment, so that these are read again.

    Raises an InputError if some segments have several lines, and others none.

    Examples
    --------
    >>> written(get_scorer("usr"), "contexts", [["Hi!", "Do you?"], ["Hi!"]])
    'Hi!\nDo you?\n\nHi!'
    >>> [written(get_scorer(metric), "predictions", [["I do."], ["No."]]) for metric in ("usr", "bleu")]
    ['I do.\n\nNo.', 'I do.\nNo.']
    """
    single = all(len(lines) == 1 for lines in segments)
    # Without an empty line, single lines in the box of dialogues would be the turns of one dialogue.
    is_apart = (
        name != "predictions" or not holds_turns(kind, name) or not all(lines[0].strip() for lines in segments if lines)
    )
    if single and is_apart:
        return "\n".join(lines[0] for lines in segments)
    groups = [[line for line in lines if line.strip()] for lines in segments]
    if [] in groups:
        raise InputError(
            f"{name}: segment {groups.index([]) + 1} has no line, but the page takes one at least for each."
        )
    return "\n\n".join("\n".join(group) for group in groups)
