"""Texts that are longer than a model's context, in windows as wide as the context.

The windows of a text begin a `stride` after each other::

    stride = 2, a context of 4        s = the start token
    s  a  b  c                        scores a, b, c
          b  c  d  e                  scores d, e
                d  e  f  g            scores f, g

Each token is scored once. In the first window it has all tokens before it as context. In a later window it has at least
context - stride tokens, and at most context - 1. A small stride gives more context, and takes longer.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = ["Window", "windows"]


class Window(NamedTuple):
    """The tokens that the model sees at once.

    Attributes
    ----------
    text : int
        The index of the text.
    start, stop : int
        The first of its tokens, and the one after the last.
    scored : int
        The first token that is scored here. Those before it are context.
    """

    text: int
    start: int
    stop: int
    scored: int


def windows(text: int, length: int, width: int, stride: int) -> list[Window]:
    """The windows of a text. Its first token is never scored, because nothing is before it.

    Parameters
    ----------
    text : int
        The index of the text.
    length, width : int
        The tokens of the text and of a window.
    stride : int
        Less than `width`: the tokens from the start of one window to the start of the next.

    Examples
    --------
    >>> [window[1:] for window in windows(0, 7, 4, 2)]
    [(0, 4, 1), (2, 6, 4), (4, 7, 6)]
    >>> [window[1:] for window in windows(0, 4, 4, 2)]
    [(0, 4, 1)]
    """
    later = range(stride, length - width + stride, stride)
    first = Window(text, 0, min(width, length), 1)
    return [first, *(Window(text, at, min(at + width, length), at + width - stride) for at in later)]
