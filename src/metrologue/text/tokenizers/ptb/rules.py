"""The rules of the tokenizer `ptb`: what a token is, as data.

Of the rules that match at a place, the one with the longest match wins, and of several, the first. A match may be
longer than its token: what follows a token is part of the match.

The rules were found by experiment. The Java program read some millions of lines: each character in many words, all
texts of up to four characters, words with all kinds of neighbours, and newspapers. Its source was not used.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from metrologue.text.tokenizers.automaton import FOLDED
from metrologue.text.tokenizers.ptb.lists import (
    CONTRACTIONS,
    ENDING,
    ENDING_CAPITAL,
    EXTENSIONS,
    NUMBERED,
    STARTERS,
    TITLES,
)


@dataclass(frozen=True)
class Rule:
    """A kind of token.

    Attributes
    ----------
    pattern : str
        A regular expression. ``{NAME}`` is one of the patterns in `_PARTS`.
    text : str, optional
        The text of the token; by default the match itself. "" means that the match is no token.
    keep : int
        Only this many characters of the match are the token, unless it is 0.
    back : int
        So many characters at the end of the match are not part of the token.
    period : int
        1: the token ends with the first period that no letter follows. 2: that period is also the next token.
    ignore_case : bool
        Whether ASCII letters of the pattern match in any case.
    soft : bool
        Whether soft hyphens are left out of the token. A token of soft hyphens alone becomes "-".
    """

    pattern: str
    text: str | None = None
    keep: int = 0
    back: int = 0
    period: int = 0
    ignore_case: bool = False
    soft: bool = False


_PARTS = {
    # Vowels with an accent, which the program takes for letters.
    "VOWEL": "&[aeiouAEIOU](?:[aA][cC][uU][tT][eE]|[gG][rR][aA][vV][eE]|[uU][mM][lL]);",
    "L": r"(?:[A-Za-z\p{letter}\p{mark}\u00ad]|{VOWEL})",
    "P": r"[A-Za-z\p{letter}]",
    "N": r"[0-9\p{digit}]",
    "LN": r"(?:[0-9\p{digit}A-Za-z\p{letter}\p{mark}\u00ad]|{VOWEL})",
    "PN": r"[0-9\p{digit}A-Za-z\p{letter}]",
    "W": r"{L}{LN}*",
    "EL": r"(?:(?:[dDlLoO]{AQ}{PN})?{PN}+)",
    "DW": r"{W}(?:\.{W})*",
    "SMART": r"[`\u2018\u2019\u201b\u2039\u203a\u0091\u0092\u201c\u201d\u00ab\u00bb\u0093\u0094\u201a\u201e\u201f]",
    "S": r"[ \t\u00a0\u2000-\u200a\u3000\r\v\f\u2028\u2029]",
    "APOS": "&[aA][pP][oO][sS\u017f];",
    "AMP": "(?:&|&[aA][mM][pP];)",
    "Q": r"(?:['\u2019\u0092]|{APOS})",
    "NUM": r"(?:{N}*(?:[.,:\u00ad\u066b\u066c]{N}+)+|{N}+)",
    "ACRO": r"[A-Za-z](?:\.[A-Za-z])+\.",
    "UP": r"[A-Z\p{upper}]",
    "SN": r"[ \t\u00a0\u2000-\u200a\u3000\r\v\f\u2028\u2029\u0085]",
    "END": r"[\n\u0085]",
    "SEP": r"[ \u00a0-]",
    "SLASHED": r"[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}",
    "URL": r"[^ \t\n\f\r\"<>|()\{\}]",
    "PATH": r"[^ \t\n\f\r\"<>|()]",
    "URLEND": r"[^ \t\n\f\r\"<>|.!?()\{\},-]",
    "HOST": r"[^ \t\n\f\r\"'(){}!|$,-_`]",
    "WWW": r"[^ \t\n\f\r\"<>|()\{\}!?,.]",
    "MAIL": r"[^ \t\n\f\r\"<>|()\{\}\u00a0]",
    "MAILEND": r"[^ \t\n\f\r\"<>|()\{\}\u00a0.]",
    "NAME": r"[A-Za-z][A-Za-z0-9_:.-]*",
    "A": r"[A-Za-z0-9\u00ad]",
    "AS": r"['`\u2018\u2019\u201b\u0091\u0092]",
    "AQ": "(?:{AS}|{APOS})",
    "CAPS": r"[A-Z]+(?:(?:{AMP}|\+)[A-Z]+)+",
    "TAG": r"(?:<(?:{NAME}(?: +{NAME}(?: *= *(?:\"[^\"]*\"|'[^']*'))?)* */?|/{NAME} *)>|<[!?][A-Za-z-][^>\r\n]*>)",
    "HEAD": r"[A-Za-z0-9][A-Za-z0-9\u00ad.,]*",
    "DASHED": r"{HEAD}(?:-(?:{A}+|{ACRO}))+",
    "EYE": r"[\^x=~<>'-]",
    "ANY": r"[^\p{none}]",
    "TAIL": r"(?:/(?:{PATH}+{URLEND}|\p{astral}))?",
}


def expanded(pattern: str) -> str:
    """The pattern with each ``{NAME}`` replaced by its definition."""
    while True:
        found = re.sub(r"(?<!\\p)\{([A-Z]+)\}", lambda part: f"(?:{_PARTS[part[1]]})", pattern)
        if found == pattern:
            return found
        pattern = found


def _any(words: Iterable[str], capital: bool = False) -> str:
    """A pattern for one of these words; with `capital`, only the first letter must have the same case."""
    patterns = [
        "".join(
            f"[{letter.upper()}{letter}{FOLDED.get(letter, '')}]"
            if capital and at and letter.isalpha()
            else re.escape(letter)
            for at, letter in enumerate(word)
        )
        for word in words
    ]
    return f"(?:{'|'.join(patterns)})"


_AT_END = r"\.(?:{SN}*{END}|{SN}+(?:{SN}|{UP}|{TAG}))"
_STARTER = rf"{{SN}}+(?:{_any(STARTERS, capital=True)}|{{TAG}})(?:{{S}}|{{END}})"
RULES: tuple[Rule, ...] = (
    Rule(r"{S}+", ""),
    # SGML
    Rule("{TAG}"),
    Rule(r"&lt;", "<", ignore_case=True),
    Rule(r"&gt;", ">", ignore_case=True),
    Rule("&amp;", "&", ignore_case=True),
    Rule("&nbsp;", "", ignore_case=True),
    Rule("&(?:md|mdash|ndash);", "--", ignore_case=True),
    Rule("&(?:ht|tl|ur|lr|qc|ql|qr|odq|cdq);", ignore_case=True),
    Rule("&#[0-9]+;"),
    # contractions
    *(Rule(f"{head}(?:{tail})", keep=len(head), ignore_case=True) for head, tail in CONTRACTIONS),
    Rule(r"[A-Za-z\u00ad]*[A-MO-Za-mo-z][\u00ad]*n{AS}t", back=3, ignore_case=True, soft=True),
    Rule(r"[A-Za-z\u00ad]*[A-MO-Za-mo-z][\u00ad]*n{APOS}t", back=8, ignore_case=True, soft=True),
    Rule(r"n{AQ}t", ignore_case=True),
    Rule(r"{DW}['\u2019\u0092][msd]", back=2, ignore_case=True, soft=True),
    Rule(r"{DW}{APOS}[msd]", back=7, ignore_case=True, soft=True),
    Rule(r"{Q}[msd][^A-Za-z]", back=1, ignore_case=True),
    Rule(r"{DW}['\u2019\u0092](?:ll|re|ve)", back=3, ignore_case=True, soft=True),
    Rule(r"{DW}{APOS}(?:ll|re|ve)", back=8, ignore_case=True, soft=True),
    Rule(r"{Q}(?:ll|re|ve)[^A-Za-z]", back=1, ignore_case=True),
    Rule(r"{Q}[msd]", ignore_case=True),
    Rule(r"{Q}(?:em|till?|cause|n{Q}?|[2-9]0s)", ignore_case=True),
    Rule(r"{Q}[0-9][0-9](?:{S}|{END})", back=1),
    Rule(r"'t(?:is|was)", keep=2, ignore_case=True),
    Rule(
        r"(?:ol|dunkin){Q}|(?:c|k)ap{Q}n|c{Q}(?:est|mon)|(?:e|ne)'er|ev'ry|nat'l|li{Q}l|nor'easter|o{AQ}o",
        ignore_case=True,
    ),
    Rule(r"[A-HJ-XZn]{AQ}{P}{P}+"),
    Rule(r"{P}+[aeiouyAEIOUY]{AQ}[aeiouA-Z]{P}*"),
    Rule(r"[djl]{Q}", ignore_case=True),
    Rule(r"y{Q}{P}", back=1, ignore_case=True),
    Rule(r"(?:<|&[lL][tT];)?[A-Za-z0-9]{MAIL}*@{MAILEND}+(?:\.{MAILEND}+)*(?:>|&[gG][tT];)?"),
    Rule(r"{W}(?:\.{W})+", soft=True),
    # abbreviations
    Rule(_any(TITLES) + r"\.", ignore_case=True),
    Rule(_any(ENDING) + _AT_END, period=2, ignore_case=True),
    Rule(_any(ENDING) + r"\.[^\n]{ANY}", back=2, ignore_case=True),
    Rule(_any(ENDING_CAPITAL, capital=True) + _AT_END, period=2),
    Rule(_any(ENDING_CAPITAL, capital=True) + r"\.[^\n]{ANY}", back=2),
    Rule(_any(NUMBERED) + r"\.{S}?{N}", period=1, ignore_case=True),
    Rule("{ACRO}" + _STARTER, period=2),
    Rule(r"[A-Za-z]\." + _STARTER, keep=1),
    Rule("{ACRO}"),
    Rule(r"[A-Za-z]\."),
    Rule("{DASHED}", soft=True),
    Rule(r"(?:anti|pro)-", ignore_case=True),
    # words
    Rule(r"{EL}(?:[-_\u058a\u2010\u2011]{EL})*"),
    Rule(r"{SLASHED}(?:\\?/{SLASHED}){1,2}"),
    Rule(r"{N}{1,2}[/-]{N}{1,2}[/-]{N}{2,4}"),
    Rule(r"(?:{N}{1,4}[ \u00a0-])?{N}{1,4}(?:\\?/|\u2044){N}{1,4}"),
    Rule(r"(?:\([0-9]{2,3}\)[ \u00a0]?|\+{0,2}(?:[0-9]{2,4}{SEP})?[0-9]{2,4}{SEP})[0-9]{3,4}{SEP}?[0-9]{3,5}"),
    Rule("[-+]?{NUM}", soft=True),
    Rule("{W}", soft=True),
    Rule(r"(?:{DW}(?:[?!]{DW})*|{EL}(?:[-_\u058a\u2010\u2011]{EL})*|{CAPS}|{DASHED})\.[,:;]", back=1, soft=True),
    Rule("{DW}(?:[?!]{DW})+", soft=True),
    Rule(f"{{LN}}+(?:\\.{{LN}}+)*\\.{_any(EXTENSIONS)}[ \\t\\u00a0\\n.!?,]", back=1, ignore_case=True),
    Rule(r"[A-Z]+\$"),
    Rule(r"[CcFf]#"),
    Rule(r"[Cc]\+\+"),
    Rule("{CAPS}"),
    Rule("s{AMP}ls", ignore_case=True),
    Rule(r"#{L}+"),
    Rule(r"@[A-Za-z_][A-Za-z_0-9]*"),
    Rule(r"https?://(?:{URL}+{URLEND}|\p{astral})", ignore_case=True),
    Rule(r"[wW]{3}\.(?:{WWW}+\.)+[a-zA-Z]{2,4}{TAIL}"),
    Rule(r"(?:{HOST}+\.)+(?:[cC][oO][mM]|[nN][eE][tT]|[oO][rR][gG]|[eE][dD][uU]){TAIL}"),
    # smileys
    Rule(r"[<>]?[:;=][-o*']?[()DPdpO\\\{@|\[\]][^A-Za-z0-9]", back=1),
    Rule(r"{EYE}_{EYE}"),
    Rule(r"\((?:{EYE}[_.]?{EYE}|[\^x=~<>']-[\^x=~<>'])\)"),
    # punctuation
    Rule(r"\"[A-Za-z0-9$]", "``", back=1),
    Rule(r"&quot;[A-Za-z0-9$]", "``", back=1),
    Rule(r"\"|&quot;", "''"),
    Rule("&quot;", ignore_case=True),
    Rule(r"'[A-Za-z][^ \t\n\u00a0]", "`", keep=1),
    Rule(r"{Q}(?:ll|re|ve)", ignore_case=True),
    Rule("'|&apos;", "'"),
    Rule("&apos;", ignore_case=True),
    Rule("''"),
    Rule("{SMART}{1,2}"),
    Rule(r"\.\.\.\.?|\.\.\.\.\.|[\u2026\u0085]|\.(?:[ \u00a0]\.){2,4}", "..."),
    Rule(r"[?!]+"),
    Rule(r"-{2,4}", "--"),
    Rule(r"-{5,}"),
    Rule("-"),
    Rule("[\u2013-\u2015\u0096\u0097]", "--"),
    Rule("_+"),
    Rule(r"\*+"),
    Rule("#+"),
    Rule("@+"),
    Rule("<<|>>"),
    Rule("[\u00b2\u00b3\u00b9\u2070\u2074-\u2079]+"),
    Rule("[\u2080-\u2089]+"),
    Rule(r"\\\*"),
    Rule("[$%&/:;<=>+\\\\^|~.,()\\[\\]{}\\p{symbol}]"),
    Rule("\u00a3", "#"),
    Rule("\u00a2", "cents"),
    Rule("[\u0080\u00a4\u20a0\u20ac]", "$"),
    Rule("\u00bd", "1/2"),
    Rule("\u00bc", "1/4"),
    Rule("\u00be", "3/4"),
    Rule("\u2153", "1/3"),
    Rule("\u2154", "2/3"),
)
