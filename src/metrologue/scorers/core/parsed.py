"""The parses of the texts of segments, each text once."""

from __future__ import annotations

from metrologue.errors import InputError
from metrologue.representations.parses.columns import Parses
from metrologue.representations.parses.named import NamedParser
from metrologue.scorers.core.crossed import of_texts
from metrologue.scorers.core.distinct import Distinct, distinct_texts
from metrologue.segments import Segments

__all__ = ["parsed_texts"]


def parsed_texts(
    owner: str, segments: Segments, parser: NamedParser | None, needed: tuple[str, ...] = ()
) -> tuple[Distinct, Parses]:
    """The distinct texts of some segments, and the parse of each.

    Parameters
    ----------
    owner : str
        The scorer's name in messages.
    segments : Segments
    parser : NamedParser or None
        The value of the scorer's field `parser`.
    needed : tuple of str
        The columns that the metric cannot do without, such as "lemmas".

    Raises
    ------
    InputError
        If there is no parser, a text has no parse, or the parser does not give what is needed.

    Examples
    --------
    >>> from metrologue.representations.parses import FunctionParser, Token
    >>> words = FunctionParser("words", lambda texts: [[Token(w, w.lower()) for w in t.split()] for t in texts], "1")
    >>> texts, parses = parsed_texts("Tesla", Segments(["A cat"], ["a cat"]), NamedParser.of(words), ("lemmas",))
    >>> parses.texts("lemmas", texts.hypotheses[0])
    ['a', 'cat']
    """
    if parser is None:
        raise InputError(
            f"{owner}: `parser` is missing; give the name of a pipeline of spaCy, such as 'en_core_web_sm', a file in "
            "CoNLL-U with parses of the texts, or a parser of metrologue.representations.parses."
        )
    texts = of_texts(segments, ("distinct",), lambda: distinct_texts(segments))
    parses = of_texts(segments, ("parses", parser), lambda: parser.parser.parse(texts.texts))
    if (place := texts.first(~parses.known)) is not None:
        raise InputError.at(owner, *place, f" has no parse in {parser}; one of the same characters is expected.")
    if missing := parses.missing(*needed):
        raise InputError(f"{owner}: the parser {parser} gives no {' and no '.join(missing)}.")
    return texts, parses
