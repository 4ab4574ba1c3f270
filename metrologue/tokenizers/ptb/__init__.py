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


SMARTS = {**dict.fromkeys("\u2018\u201b\u2039\x91", "`"), **dict.fromkeys("\u2019\u203a\x92", "'"), **dict.fromkeys("\u201c\xab\x93", "``"), **dict.fromkeys("\u201d\xbb\x94", "''")}
SMART = "`\u2018\u2019\u201b\u2039\u203a\x91\x92\u201c\u201d\xab\xbb\x93\x94\u201a\u201e\u201f"


def spelled(token: str) -> str:
    if token in _BRACKETS:
        return _BRACKETS[token]
    if "\xad" in token and "@" not in token and "/" not in token:
        token = token.replace("\xad", "") or "-"
    if len(token) < 9:
        token = re.sub("^(n?)(?:[\u2019\u0092]|&apos;)(s|d|m|t|re|ve|ll)$", r"\1'\2", token, flags=re.I)
        token = re.sub("^(n)[\u2018\u201b\u0091](t)$", r"\1`\2", token, flags=re.I)
    if token.isupper() and "&amp;" in token.lower():
        token = token.replace("&amp;", "&")
    if len(token) <= 2 and not token.strip(SMART):
        token = "".join(SMARTS.get(c, c) for c in token)
    if token[0] in "<>:;=(" and "@" not in token[1:-1] and (token[0] != "<" or token[-1] != ">"):
        token = token.replace("(", "-LRB-").replace(")", "-RRB-")
    if " " in token:
        token = token.replace(" ", "\xa0")
    return token


PTB: dict[str, Callable[..., Tokenizer]] = {"ptb": PennTreebank}
