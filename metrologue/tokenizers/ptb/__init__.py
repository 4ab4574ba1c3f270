"""Stanford's PTBTokenizer 3.4.1, as the caption metrics run it."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np
import pyarrow as pa

from metrologue.data.text import buffers
from metrologue.kernels.interning import tokenize
from metrologue.kernels.lexer import longest_matches
from metrologue.tokenizers.automaton import automaton
from metrologue.tokenizers.base import Tokenizer, Tokens
from metrologue.tokenizers.functions import retokenize
from metrologue.tokenizers.meteor import java_lower
from metrologue.tokenizers.ptb.characters import SETS
from metrologue.tokenizers.ptb.rules import MACROS, RULES, Rule

__all__ = ["PTB", "PennTreebank"]

_PUNCTUATION = frozenset(["''", "'", "``", "`", "-LRB-", "-RRB-", "-LCB-", "-RCB-", ".", "?", "!", ",", ":", "-", "--", "...", ";"])
_END = 0x110000


def expanded(pattern: str) -> str:
    while True:
        found = re.sub(r"\{([A-Za-z_]+)\}", lambda match: f"(?:{MACROS[match[1]]})", pattern.replace(r"\p{", "\x00"))
        found = found.replace("\x00", r"\p{")
        if found == pattern:
            return found
        pattern = found


@cache
def _rules() -> tuple[Any, ...]:
    made = automaton([(expanded(rule.pattern), rule.ignore_case) for rule in RULES], SETS)
    classes = made.classes.copy()
    ending = int(classes[ord("\n")])
    classes[ord("\n")] = classes[ord(" ")]
    texts = bytearray()
    start, stop = [], []
    for rule in RULES:
        start.append(-1 if rule.text is None else len(texts) if rule.text else -2)
        texts += (rule.text or "").encode()
        stop.append(len(texts))
    keep = np.array([rule.keep for rule in RULES], np.int32)
    back = np.array([rule.back for rule in RULES], np.int32)
    upto = np.array([ord(rule.upto or "\0") for rule in RULES], np.int32)
    again = np.array([rule.again for rule in RULES], np.int32)
    return classes, made.moves, made.rules, keep, back, upto, again, np.array(start), np.array(stop), ending, bytes(texts)


@dataclass(frozen=True, eq=False)
class PennTreebank(Tokenizer):
    """The Penn Treebank's tokens, in lower case and without punctuation."""

    lowercase: bool = True
    punctuation: bool = False

    def __call__(self, texts: pa.LargeStringArray) -> Tokens:
        *rules, start, stop, ending, canned = _rules()
        buffer, offsets = buffers(texts)
        size = len(buffer)
        buffer = np.concatenate([buffer, np.frombuffer(canned.ljust(8, b" "), np.uint8)])
        moved = np.where(start >= 0, start + size, start)
        rules = (*rules, moved, stop + size, ending)
        ids, token_offsets, starts, lengths = tokenize(buffer, offsets, longest_matches, rules)
        return retokenize(Tokens(ids, token_offsets, buffer, starts, lengths), self._spelled)

    def _spelled(self, token: str) -> list[str]:
        token = spelled(token)
        if self.lowercase:
            token = java_lower(token)
        return [token] if token and (self.punctuation or token not in _PUNCTUATION) else []


_BRACKETS = {"(": "-LRB-", ")": "-RRB-", "[": "-LSB-", "]": "-RSB-", "{": "-LCB-", "}": "-RCB-"}


def spelled(token: str) -> str:
    if token in _BRACKETS:
        return _BRACKETS[token]
    if "\xad" in token:
        token = token.replace("\xad", "") or "-"
    if len(token) < 5:
        token = re.sub("^(n?)[\u2019\u0092](s|d|m|t|re|ve|ll)$", r"\1'\2", token, flags=re.I)
    return token


PTB: dict[str, Callable[..., Tokenizer]] = {"ptb": PennTreebank}
