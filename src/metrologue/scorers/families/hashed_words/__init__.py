"""GEval's hashed metrics: the probability of the right word, over hashes in place of a vocabulary."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrays import Floats, Integers
from metrologue.data.strings import Strings, buffers, without_characters
from metrologue.errors import InputError, shown
from metrologue.scorers.core.about import About
from metrologue.scorers.core.numbers import counted, number
from metrologue.scorers.core.options import option
from metrologue.scorers.core.rows import columns_of
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.variants import Variant
from metrologue.scorers.families.hashed_words.kernels import ANY, NONE, hash_lines, read_items
from metrologue.segments import Segments

__all__ = ["HashedWords", "Masses", "masses"]


# A total that is this little below 1 counts as 1.
_TOLERANCE = 1e-8
# Beyond this, exponentials are infinite or 0 in a double.
_GREATEST_LOG = 700.0


@dataclass(frozen=True)
class Masses:
    """The column of the probability of n lines, before it is divided by `divisor`."""

    of_items: Floats  # (n_items,): the mass of each item; that of an empty word belongs to all buckets alike
    buckets: Integers  # (n_items,): the bucket of each item
    right: Integers  # (n,): the bucket of each line's right word
    own: Floats  # (n,): the mass of the items in the bucket of the right word
    spread: Floats  # (n,): the mass that all buckets share
    divisor: Floats  # (n,): what all masses are divided by
    are_probabilities: NDArray[np.bool_]  # (n,): whether the numbers are probabilities

    def logs(self, bits: int) -> Floats:
        """The log-probability of each line's bucket, (n,); minus infinity if it has no mass."""
        with np.errstate(divide="ignore"):
            logs: Floats = np.log((self.own + self.spread / (1 << bits)) / self.divisor)
        return logs


def masses(values: Floats, hashes: Integers, offsets: Integers, words: Integers, bits: int) -> Masses:
    """The column of the probability of each line, by the rules of GEval that ``HashedWords`` describes.

    Parameters
    ----------
    values : float64 (n_items,)
    hashes : int64 (n_items,)
        The hash of each item's word; ANY for the empty word; NONE in a line that has a number for each bucket.
    offsets : int64 (n + 1,)
        The items of line i are ``offsets[i]:offsets[i + 1]``.
    words : int64 (n,)
        The hash of each line's right word.
    bits : int
        There are 2^bits buckets, and the lowest bits of a hash choose one.

    Returns
    -------
    Masses

    References
    ----------
    GEval, https://gitlab.com/filipg/geval. Where its exponentials overflow and give NaN, the value without overflow.

    Examples
    --------
    One line with two words, 0.6 and 0.2. The rest, 0.2, is spread over four buckets.

    >>> found = masses(np.array([0.6, 0.2]), np.array([0, 5]), np.array([0, 2]), np.array([4]), 2)
    >>> found.own, found.spread.round(12), np.exp(found.logs(2)).round(12)
    (array([0.6]), array([0.2]), array([0.65]))
    """
    starts, size = offsets[:-1], 1 << bits
    line = np.repeat(np.arange(len(starts)), np.diff(offsets))
    listed = hashes[starts] != NONE
    buckets = hashes & (size - 1)
    if not listed.all():
        buckets = np.where(hashes == NONE, np.arange(len(hashes)) - starts[line], buckets)
    of_any = hashes == ANY
    least, most = np.minimum.reduceat(values, starts), np.maximum.reduceat(values, starts)
    are_probabilities = listed & (least >= 0) & (most <= 1) & (most > 0)
    shift = np.where(~are_probabilities & (np.abs(most) > _GREATEST_LOG), most, 0.0)
    mass = values
    if not are_probabilities.all():
        mass = np.where(are_probabilities[line], values, np.exp(np.minimum(values - shift[line], _GREATEST_LOG)))
    total = np.add.reduceat(mass, starts)
    complete = ~listed | np.logical_or.reduceat(of_any, starts) | (~are_probabilities & (most > 0)) | (shift != 0)
    rest = np.where(~complete & (total < 1 - _TOLERANCE), 1 - total, 0.0)
    total += rest
    spread = np.add.reduceat(np.where(of_any, mass, 0.0), starts) + rest
    right = words & (size - 1)
    own = np.add.reduceat(np.where(~of_any & (buckets == right[line]), mass, 0.0), starts)
    scaled = (shift != 0) | (total > 1) | (total < 1 - _TOLERANCE)
    return Masses(mass, buckets, right, own, spread, np.where(scaled, total, 1.0), are_probabilities)


@dataclass(frozen=True, kw_only=True)
class HashedWords(Scorer):
    """The base of the hashed metrics: the mean log-probability of the right words.

    A prediction is a line of text in GEval's layout: words with their numbers, as in "cat:0.5 dog:0.25 :0.25", or one
    log-probability for each of the 2^bits buckets. Items are separated by single spaces. The last colon of an item ends
    its word. The reference is the right word, with any tabs and spaces in it. As in GEval, carriage returns are
    dropped.

    The numbers of a line are probabilities if all are from 0 to 1 and one is positive. Otherwise they are
    log-probabilities, or logits. A word's probability goes to the bucket of its hash. The probability of the empty word
    goes to all buckets alike. What is missing to 1 goes there too, unless the line has an empty word or a positive
    logit. If the total is still not 1, it is divided by.

    A word's bucket depends on the number of its line, so the order of the lines matters. Batches go on counting.
    Each scorer reports all numbers: ``log_loss_hashed`` is the mean of -ln p in nats, ``likelihood_hashed`` is
    e^-log_loss, ``perplexity_hashed`` is e^log_loss, and ``impossible`` is the number of words with a probability of 0.
    One such word makes the log loss and the perplexity infinite and the likelihood 0.

    Confidence intervals resample the losses of the lines, each of which keeps the loss under its own number. GEval
    does not resample these metrics.

    Raises
    ------
    InputError
        If a line does not parse, has the wrong number of buckets, or does not have exactly one right word.

    References
    ----------
    GEval, https://gitlab.com/filipg/geval; Gralinski et al. 2019, https://aclanthology.org/W19-4826.
    """

    about: ClassVar = About(by_index=True, whole_trace=True, papers=("gralinski-etal-2019-geval",))

    bits: int = option(10, stage="pairs", choice="buckets", least=1, greatest=32, about="There are 2^bits buckets.")
    first_line: int = option(1, stage="pairs", choice="line numbers", least=0, about="The number of the first line.")

    _columns = ("log_loss", "impossible", "lines")

    numbers: ClassVar = (
        number(
            "log_loss_hashed", 0, math.inf, better="lower", title="hashed log loss", unit="nats", infinite=True,
            about="mean of -ln p of the right words",
        ),
        number(
            "likelihood_hashed", 0, "scale", better="higher", title="hashed likelihood",
            about="geometric mean of the probabilities of the right words",
        ),
        number(
            "perplexity_hashed", "scale", math.inf, better="lower", title="hashed perplexity", infinite=True,
            about="inverse of the hashed likelihood",
        ),
        counted("impossible", "words", about="right words with a probability of 0"),
        counted("lines", "lines", about="all lines, each with one right word"),
    )  # fmt: skip

    def _masses(self, segments: Segments) -> Masses:
        """The column of the probability of each line."""
        if (np.diff(segments.reference_offsets) != 1).any():
            at = segments.first + int(np.flatnonzero(np.diff(segments.reference_offsets) != 1)[0])
            raise InputError.at(self._label, "references", at, " has several words; a line has one right word.")
        first = self.first_line + segments.first
        lines, ends = _bytes(segments.strings())
        offsets, values, hashes, error = read_items(lines, ends, first)
        if error:
            at, byte = error
            raise self._unread(segments.first + at, lines[ends[at] : ends[at + 1]], byte - int(ends[at]))
        lengths = np.diff(offsets)
        wrong = (hashes[offsets[:-1]] == NONE) & (lengths != 1 << self.bits)
        if wrong.any():
            at = int(np.flatnonzero(wrong)[0])
            what = (
                f" has {lengths[at]} numbers; with {self.bits} bits {1 << self.bits} log-probabilities are expected, "
                "or words such as 'cat:0.5'."
            )
            raise InputError.at(self._label, "predictions", segments.first + at, what)
        words = hash_lines(*_bytes(segments.strings("references")), first)
        return masses(values, hashes, offsets, words, self.bits)

    def _statistics(self, segments: Segments) -> Floats:
        losses = -self._masses(segments).logs(self.bits)
        impossible = np.isinf(losses)
        # A line of probability 1 can come out as a tiny gain.
        losses = np.where(impossible, 0.0, np.maximum(losses, 0.0))
        return np.column_stack([losses, impossible, np.ones(len(losses))])

    def _unread(self, index: int, line: NDArray[np.uint8], byte: int) -> InputError:
        """The error for the item of a line that begins at a byte."""
        before, after = line[:byte].tobytes().decode(), line[byte:].tobytes().decode()
        item = after.split(" ")[0]
        example = "a word with its number, such as 'cat:0.5'," if ":" in before + after else "a number"
        what = (
            f", column {len(before) + 1}: {shown(item)} cannot be read; {example} is expected. Items are separated by "
            "single spaces."
        )
        return InputError.at(self._label, "predictions", index, what)

    def _score(self, statistics: Floats) -> dict[str, Floats]:
        total, impossible, lines = columns_of(statistics)
        loss = np.where(impossible > 0, math.inf, total / lines)
        with np.errstate(over="ignore"):
            return {
                "log_loss_hashed": self.scale * loss,
                "likelihood_hashed": self.scale * np.exp(-loss),
                "perplexity_hashed": self.scale * np.exp(loss),
                "impossible": impossible,
                "lines": lines,
            }

    _variants: ClassVar = {"geval": Variant("GEval", "GEval's rules, with 2^10 buckets")}


def _bytes(texts: Strings) -> tuple[NDArray[np.uint8], Integers]:
    """The bytes and offsets of texts without carriage returns, which GEval drops."""
    buffer, ends = buffers(texts)
    has_returns = (buffer[ends[0] : ends[-1]] == ord("\r")).any()
    return buffers(without_characters(texts, "\r")) if has_returns else (buffer, ends)
