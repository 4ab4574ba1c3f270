"""The line protocol of METEOR 1.5, by which pycocoevalcap talks to the program."""

from __future__ import annotations

from metrologue.segments import Segments

__all__ = ["through_protocol"]

# The characters that Java's String.trim removes.
_TRIMMED = "".join(map(chr, range(0x21)))


def through_protocol(segments: Segments) -> Segments:
    """The texts that the program sees: ``|||`` splits a reference into several, and is dropped from a hypothesis.

    Examples
    --------
    >>> through_protocol(Segments(["a|||b"], ["a b ||| c"])).pair(0)
    ('ab', ['a b', 'c'])
    """
    hypotheses = [text.replace("|||", "").strip(_TRIMMED) for text in segments.texts().to_pylist()]
    if not segments.references or not segments.references.shared:
        return Segments(hypotheses, _parted(segments))
    # Shared references are split only once for all systems.
    first = segments.references.memoize("line protocol", lambda: Segments(hypotheses, _parted(segments), shared=True))
    return first.with_predictions(hypotheses)


def _parted(segments: Segments) -> list[list[str]]:
    every = (segments.pair(index)[1] for index in range(len(segments)))
    return [[part.strip(_TRIMMED) for text in references for part in text.split("|||")] for references in every]
