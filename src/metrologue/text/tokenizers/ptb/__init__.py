"""The tokens of Stanford's PTBTokenizer 3.4.1, as the caption metrics run it: ``-preserveLines -lowerCase``.

pycocoevalcap 1.2 runs it on all captions at once, a caption on each line, and drops the tokens of a list of punctuation
marks. The rules and the lists of words are data, in this folder. See docs/ptb.md for what the program does, and where
this tokenizer differs.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from metrologue.data.arrow import pa
from metrologue.data.strings import AnyTexts, buffers, of_buffers
from metrologue.kernels.interning import tokenize
from metrologue.kernels.utf8 import joined
from metrologue.text.lexicon.table_cache import built
from metrologue.text.tokenizers import automaton
from metrologue.text.tokenizers.base import Tokenizer, Tokens
from metrologue.text.tokenizers.functions import retokenize
from metrologue.text.tokenizers.java_case import java_lower
from metrologue.text.tokenizers.kernels.lexer import SKIPPED, dead_ends, longest_matches
from metrologue.text.tokenizers.ptb import characters, lists, rules
from metrologue.text.tokenizers.ptb.spelling import spelled

__all__ = ["PTB", "PUNCTUATION", "PennTreebank"]

# What pycocoevalcap drops. Its brackets are in capitals, so that those of a text in lower case stay.
PUNCTUATION = frozenset(
    ["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"]
)
# The automaton in the package, and what it is made from.
TABLE = Path(__file__).with_name("ptb.arrow")
SOURCES = [Path(str(module.__file__)) for module in (rules, characters, lists, automaton)]


class _Compiled(NamedTuple):
    """The rules as the kernel takes them; see ``lexer.longest_matches``. `texts` are places in `text`."""

    classes: NDArray[np.uint8]
    moves: NDArray[np.int32]
    accepted: NDArray[np.int32]
    cuts: NDArray[np.int32]
    texts: NDArray[np.int64]
    sizes: NDArray[np.int64]
    ending: int
    text: NDArray[np.uint8]


@cache
def _compiled() -> _Compiled:
    table = built(TABLE, SOURCES, make_automaton)
    classes = table["classes"].copy()
    ending = int(classes[ord("\n")])
    classes[ord("\n")] = classes[ord(" ")]  # pycocoevalcap puts a text on one line
    texts = [rule.text for rule in rules.RULES]
    sizes = np.array([len((text or "").encode()) for text in texts])
    places = np.cumsum(sizes) - sizes
    places[[text is None for text in texts]] = -1
    places[[text == "" for text in texts]] = SKIPPED
    cuts = np.array([(rule.keep, rule.back, rule.period, rule.soft) for rule in rules.RULES], np.int32)
    joined = (
        "".join([text or "" for text in texts]).encode().ljust(8)
    )  # the kernel of names reads eight bytes at a time
    accepted = table["accepted"]
    moves = np.ascontiguousarray(table["moves"].reshape(len(accepted), -1))
    return _Compiled(classes, moves, accepted, cuts, places, sizes, ending, np.frombuffer(joined, np.uint8))


def make_automaton() -> dict[str, NDArray[np.uint8] | NDArray[np.int32]]:
    """The arrays of the automaton that all rules become; see ``metrologue.text.tokenizers.automaton``."""
    patterns = [(rules.expanded(rule.pattern), rule.ignore_case) for rule in rules.RULES]
    made = automaton.automaton(patterns, characters.SETS)
    return {"classes": made.classes, "moves": made.moves.ravel(), "accepted": made.accepted}


@dataclass(frozen=True, eq=False)
class PennTreebank(Tokenizer):
    """The tokens of each text, as if the program read only this text, with a line end after it.

    Attributes
    ----------
    lowercase : bool
        The program's option ``-lowerCase``.
    punctuation : bool
        Whether the tokens that pycocoevalcap drops are kept.
    cut : str
        A telephone number with spaces is one token, and the program writes no-break spaces in it. pycocoevalcap joins
        the tokens of a text by spaces. Its scorers then cut this line, either at "whitespace", so that such a token
        falls apart, or only at a "blank". There, a text without tokens has one empty token, as with ``split(" ")``.
    """

    lowercase: bool = True
    punctuation: bool = False
    cut: str = "whitespace"

    def tokenize(self, texts: AnyTexts) -> Tokens:
        compiled = _compiled()
        buffer, offsets = buffers(texts)
        size = len(buffer)
        buffer = np.concatenate([buffer, compiled.text])
        places = np.where(compiled.texts >= 0, compiled.texts + size, compiled.texts)
        arguments = (*compiled._replace(texts=places)[:-1], dead_ends(offsets, len(compiled.accepted)))
        ids, token_offsets, starts, lengths = tokenize(buffer, offsets, longest_matches, arguments)
        tokens = retokenize(Tokens(ids, token_offsets, buffer, starts, lengths), self._spelled)
        return tokens if self.cut == "whitespace" else _with_empty(tokens)

    def lines(self, texts: AnyTexts) -> pa.LargeStringArray:
        """The tokens of each text between spaces: what pycocoevalcap hands to its scorers."""
        tokens = self(texts)
        spaced = np.frombuffer("".join([f"{spelling} " for spelling in tokens.spellings()]).encode(), np.uint8)
        stops = np.cumsum(tokens.lengths + 1)
        ends = stops[tokens.ids]
        ends[tokens.offsets[1:][np.diff(tokens.offsets) > 0] - 1] -= 1  # no space after the last token of a text
        starts = (stops - tokens.lengths - 1)[tokens.ids]
        data, limits = joined(spaced, starts, ends - starts)
        return of_buffers(data, limits[tokens.offsets])

    def _spelled(self, part: str) -> list[str]:
        token = spelled(part)
        if self.lowercase:
            token = java_lower(token)
        if not self.punctuation and token in PUNCTUATION:
            return []
        return token.split() if self.cut == "whitespace" else [token]


def _with_empty(tokens: Tokens) -> Tokens:
    """The tokens, with one empty token for each text that has none."""
    empty = np.diff(tokens.offsets) == 0
    added = np.concatenate([[0], np.cumsum(empty)])
    ids = np.insert(tokens.ids, tokens.offsets[:-1][empty], np.int32(len(tokens.starts)))
    starts, lengths = (np.append(array, 0) for array in (tokens.starts, tokens.lengths))
    return Tokens(ids, tokens.offsets + added, tokens.buffer, starts, lengths)


PTB: dict[str, Callable[..., Tokenizer]] = {"ptb": PennTreebank}
