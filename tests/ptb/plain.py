"""The definition of the tokenizer `ptb` in plain Python: the longest match of a rule, again and again.

It shares the table of rules and the spelling of tokens with the package. The automaton and the kernel are not used: the
package `regex` matches each rule, by POSIX's leftmost-longest rule.
"""

from __future__ import annotations

import re
from functools import cache

import regex

from metrologue.text.tokenizers.automaton import FOLDED
from metrologue.text.tokenizers.ptb.characters import SETS
from metrologue.text.tokenizers.ptb.rules import RULES, Rule, expanded
from metrologue.text.tokenizers.ptb.spelling import spelled

__all__ = ["tokens"]


def _with_sets(pattern: str) -> str:
    """The pattern with each set of characters written out. A set is always part of a larger one, or stands alone."""
    pattern = pattern.replace(r"[^\p{none}]", r"[\s\S]").replace(r"|\p{astral}", r"|[\U00010000-\U0010ffff]")
    return re.sub(
        r"\\p\{(\w+)\}",
        lambda name: "".join(rf"\U{low:08x}-\U{high:08x}" for low, high in SETS[name[1]]),
        pattern,
    )


def _in_any_case(pattern: str) -> str:
    """The pattern with each letter outside of sets as the set of its cases."""
    written, inside, escaped = [], False, False
    for mark in pattern:
        plain = not inside and not escaped and mark.isascii() and mark.isalpha()
        cases = f"[{mark.upper()}{mark.lower()}{FOLDED.get(mark.lower(), '')}]"
        written.append(cases if plain else mark)
        if not escaped:
            inside = mark == "[" or (inside and mark != "]")
        escaped = mark == "\\" and not escaped
    return "".join(written)


@cache
def _patterns() -> list[tuple[Rule, regex.Pattern]]:
    found = []
    for rule in RULES:
        pattern = _with_sets(expanded(rule.pattern))
        # In sets, the flag tells apart ASCII letters from others.
        flags = regex.POSIX | regex.ASCII | (regex.IGNORECASE * rule.ignore_case)
        found.append((rule, regex.compile(_in_any_case(pattern) if rule.ignore_case else pattern, flags)))
    return found


def _end(rule: Rule, match: str) -> int:
    """How many characters of a match are the token."""
    if rule.keep:
        return rule.keep
    if rule.period:
        return next(end.end() for end in re.finditer(r"\.(?![A-Za-z])", match))
    return len(match) - rule.back


def tokens(text: str) -> list[str]:
    """The tokens of a text in its own case, with punctuation."""
    text = text.replace("\n", " ") + "\n"
    at, found = 0, []
    while at < len(text) - 1:
        longest, winner = "", None
        for rule, pattern in _patterns():
            match = pattern.match(text, at)
            if match and len(match[0]) > len(longest):
                longest, winner = match[0], rule
        if winner is None:
            at += 1
            continue
        end = _end(winner, longest)
        token = longest[:end]
        if winner.soft and "\xad" in token:
            token = token.replace("\xad", "") or "-"
        if winner.text != "":
            found.append(spelled(token) if winner.text is None else winner.text)
        at += end - (winner.period == 2)
    return found
