"""Exact match (the Hub's `exact_match`; the normalization of SQuAD is in token_f1's)."""

import re
from collections.abc import Callable
from statistics import fmean
from string import digits, punctuation


def kept(text: str, regexes: list[str], lowercase: bool, no_punctuation: bool, no_numbers: bool) -> str:
    """What is left of a text when all that is to be ignored is removed, in this order."""
    for regex in regexes:
        text = re.sub(regex, "", text)
    text = text.lower() if lowercase else text
    ignored = punctuation * no_punctuation + digits * no_numbers
    return "".join(character for character in text if character not in ignored)


def math_answer(text: str) -> tuple[str, ...]:
    r"""An answer in LaTeX as Hendrycks et al. 2021 spell it before two are compared, by their ``math_equivalence.py``.

    A text on which that program fails has an entry more, so that it equals no other one.

    >>> math_answer(r"x = \tfrac12"), math_answer("1/2"), math_answer(r"5\text{ cm}")
    (('\\frac{1}{2}',), ('\\frac{1}{2}',), ('5',))
    """

    def with_braces(command: str, count: int, said: str) -> str:
        """`said`, where each of the `count` characters after a command is in braces, unless one opens such."""
        first, *parts = said.split(command)
        changed = first
        for part in parts:
            if not part:
                raise ValueError(said)
            if part[0] != "{" and len(part) < count:
                return said
            left, taken = part, ""
            while len(taken) < count and left[0] != "{":
                taken, left = taken + left[0], left[1:]
                if not left:
                    break
            changed += command + "".join(f"{{{character}}}" for character in taken) + left
        return changed

    said = text.replace("\n", "").replace("\\!", "").replace("\\\\", "\\")
    said = said.replace("tfrac", "frac").replace("dfrac", "frac").replace("\\left", "").replace("\\right", "")
    said = said.replace("^{\\circ}", "").replace("^\\circ", "").replace("\\$", "")
    if said.count("\\text{ ") > 1:
        return text, "cannot be read"
    said = said.split("\\text{ ")[0].replace("\\%", "").replace("\\%", "").replace(" .", " 0.").replace("{.", "{0.")
    said = "0" + said if said[:1] == "." else said
    said = said.split("=")[1] if said.count("=") == 1 and said.index("=") <= 2 else said
    try:
        said = with_braces("\\frac", 2, with_braces("\\sqrt", 1, said).replace(" ", ""))
    except ValueError:
        return text, "cannot be read"
    above, _, below = ("1/2" if said == "0.5" else said).partition("/")
    if all(re.fullmatch("-?[0-9]+", part) and str(int(part)) == part for part in (above, below)):
        return (f"\\frac{{{above}}}{{{below}}}",)
    return (said,)


def exact_match(
    hypotheses: list[str],
    references: list[list[str]],
    regexes: list[str],
    lowercase: bool = False,
    no_punctuation: bool = False,
    no_numbers: bool = False,
) -> float:
    """The share of texts that equal one of their references.

    There is a list of references for each hypothesis.

    >>> exact_match(["cat?", "dog"], [["the cat"], ["dogs"]], ["the "], no_punctuation=True)
    0.5
    """
    options = regexes, lowercase, no_punctuation, no_numbers
    return fmean(
        kept(hypothesis, *options) in [kept(reference, *options) for reference in own]
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )


def helm(hypotheses: list[str], references: list[list[str]], normalized: Callable[[str], str], prefix: bool) -> float:
    """HELM's exact match or prefix match of texts after `normalized`; an empty text is wrong.

    >>> helm(["Yes, sir"], [["yes"]], str.lower, prefix=True)
    1.0
    """
    match = str.startswith if prefix else str.__eq__
    return fmean(
        bool(hypothesis) and any(match(normalized(hypothesis), normalized(reference)) for reference in own)
        for hypothesis, own in zip(hypotheses, references, strict=True)
    )
