"""The line protocol of METEOR 1.5, by which pycocoevalcap talks to the program."""

from __future__ import annotations

from metrologue.segments import Segments

__all__ = ["through_protocol"]

# What Java trims.
_TRIMMED = "".join(map(chr, range(0x21)))


def through_protocol(segments: Segments) -> Segments:
    """The texts that the program sees: bars part a reference into several, and are dropped from a hypothesis.

    Examples
    --------
    >>> through_protocol(Segments(["a|||b"], ["a b ||| c"])).pair(0)
    ('ab', ['a b', 'c'])
    """
    pairs = [segments.pair(index) for index in range(len(segments))]
    return Segments(
        [hypothesis.replace("|||", "").strip(_TRIMMED) for hypothesis, _ in pairs],
        [[part.strip(_TRIMMED) for text in references for part in text.split("|||")] for _, references in pairs],
    )
