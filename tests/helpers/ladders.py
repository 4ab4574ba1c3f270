"""What the tests of directions and limits read: inputs that get worse, the best first.

A metric that does not read texts, or whose numbers need other inputs, has its own in ``tests/metrics/NAME/values.py``:
``LADDER``, the best input first; ``FURTHER``, more inputs, for limits; ``REPORTING``, the fields of the scorers that
are tried, if the defaults do not report every number; ``LOOSE``, limits that no input comes near to; ``ELSEWHERE``,
numbers that are not reported for these inputs.
"""

from __future__ import annotations

from metrologue.segments import Segments

__all__ = ["REFERENCE", "TABLE", "TEXTS", "Corpus", "against"]

Corpus = tuple[list[str], list[list[str]]]
REFERENCE = "the cat sat on the mat and then it looked at a big red dog"
# A table of rare words, for the metrics that weigh them.
TABLE = Segments(["."] * 4, [[REFERENCE], ["abc def"], ["the big mat"], ["a"]])


def against(prediction: str, reference: str = REFERENCE, times: int = 1) -> Corpus:
    return [prediction] * times, [[reference]] * times


# None of the others is better than the first in any number.
TEXTS = {
    "perfect": against(REFERENCE, times=60),
    "near": against("the cat sat on a mat and then it looked at the red dog"),
    "in another order": against("big red dog at a looked it then and mat the on sat cat the", times=40),
    "far": against("a dog looked and the mat was big"),
    "short": against("the", " ".join([REFERENCE] * 3), times=9),
    "unlike": against("zzz kkk vvv qqq xyz", "abc def", times=60),
    "long": against("zz kk " * 300, "a"),
    "empty": against(""),
}
