"""The rules of the tokenizer `ptb`: what a token is, as data."""

from __future__ import annotations

from dataclasses import dataclass

from metrologue.tokenizers.ptb.lists import (
    CONTRACTIONS,
    ENDING,
    NUMBERED,
    STARTERS,
    TITLES,
)

__all__ = ["MACROS", "RULES", "Rule"]

# What a rule's match becomes.
DROP = ""


@dataclass(frozen=True)
class Rule:
    """A kind of token.

    Attributes
    ----------
    pattern : str
        A regular expression. ``/`` separates a token from what must follow it; ``{name}`` is one of `MACROS`.
    text : str, optional
        The text of the token; by default the match itself. "" means that there is no token.
    keep : int, optional
        How many characters of the match are the token.
    back : int
        How many characters at the end of the match are not part of the token.
    upto : str
        The token ends with the last of these characters in the match.
    again : int
        How many characters at the end of the token begin the next token, too.
    ignore_case : bool
    """

    pattern: str
    text: str | None = None
    keep: int = -1
    back: int = 0
    upto: str = ""
    again: int = 0
    ignore_case: bool = False


MACROS = {
    "L": r"[A-Za-z\p{letter}\p{mark}\u00ad]",
    "P": r"[A-Za-z\p{letter}]",  # a letter, plain
    "N": r"[0-9\p{digit}]",
    "LN": r"[0-9\p{digit}A-Za-z\p{letter}\p{mark}\u00ad]",
    "PN": r"[0-9\p{digit}A-Za-z\p{letter}]",
    "W": r"{L}{LN}*",
    "AN": r"{PN}+",
    "S": r"[ \t\u00a0\u2000-\u200a\u3000\r\v\f\u2028\u2029]",
    "Q": r"['\u2019\u0092]",
    "NUM": r"(?:{N}*(?:[.,:\u00ad\u066b\u066c]{N}+)+|{N}+)",
    "ACRO": r"[A-Za-z](?:\.[A-Za-z])+\.",
    "UP": r"[A-Z\p{upper}]",
    "ANY": r"{LN}",
    "END": r"\n",
}
_c = "|".join
RULES: tuple[Rule, ...] = (
    Rule(r"{S}+", DROP),
    # SGML
    Rule(r"</?[A-Za-z!?][^> \t\n<]*(?:{S}*)>"),
    Rule(r"&lt;", "<", ignore_case=True), Rule(r"&gt;", ">", ignore_case=True), Rule("&amp;", "&", ignore_case=True),
    Rule("&quot;", "''", ignore_case=True), Rule("&apos;", "'", ignore_case=True), Rule("&nbsp;", DROP, ignore_case=True),
    # contractions
    *(Rule(f"{head}(?:{tail})", keep=len(head), ignore_case=True) for head, tail in CONTRACTIONS),
    Rule(r"{W}n{Q}t", back=3, ignore_case=True),
    Rule(r"n{Q}t", ignore_case=True),
    Rule(r"{W}{Q}(?:[msd])(?:[^A-Za-z])", back=3, ignore_case=True),
    Rule(r"{Q}[msd]", ignore_case=True),
    Rule(r"{Q}(?:ll|re|ve)", ignore_case=True),
    Rule(r"{Q}(?:em|till?|cause|n{Q}?|{N}{N}s?)", ignore_case=True),
    Rule(r"{Q}t(?:is|was)", keep=2, ignore_case=True),
    Rule(r"[A-HJ-XZdlno]{Q}{L}{L}+"),
    Rule(r"{L}+[aeiouyAEIOUY]{Q}[aeiouA-Z]{L}*"),
    Rule(r"[djly]{Q}{L}", back=1, ignore_case=True),
    # abbreviations
    Rule(f"(?:{_c(TITLES)})\\.", ignore_case=True),
    Rule(f"(?:{_c(ENDING)})\\.(?:{{S}}*{{END}}|{{S}}+{{UP}})", upto=".", again=1),
    Rule(f"(?:{_c(ENDING)})\\.[^\n]", back=1),
    Rule(f"(?:{_c(NUMBERED)})\\.{{S}}+{{N}}", upto=".", ignore_case=True),
    Rule(f"{{ACRO}}{{S}}+(?:{_c(STARTERS)}){{S}}", upto=".", again=1),
    Rule(f"[A-Za-z]\\.{{S}}+(?:{_c(STARTERS)}){{S}}", keep=1),
    Rule("{ACRO}"),
    Rule(r"[A-Za-z]\."),
    # words
    Rule(r"{W}(?:\.{W})+"),
    Rule(r"(?:{AN}|{W}|{NUM})(?:[-_]{AN})+"),
    Rule(r"(?:{AN}|{W})/(?:{AN}|{W})"),
    Rule(r"{N}{1,2}[/-]{N}{1,2}[/-]{N}{2,4}"),
    Rule(r"[-+]?{NUM}"),
    Rule(r"{W}"),
    Rule(r"{AN}"),
    Rule(r"(?:US|HK|A|C|NT|S|NZ|R|Z|M|X|AU|MX)\$"),
    Rule(r"[A-Z]+&[A-Z]+"),
    Rule(r"#{L}+"), Rule(r"@[A-Za-z_][A-Za-z_0-9]*"),
    Rule(r"https?://[^ \t\n\f\r\"<>|()]+[^ \t\n\f\r\"<>|.!?(){},-]", ignore_case=True),
    Rule(r"[^ \t\n@<>()\u00a0]+@[A-Za-z0-9.-]+[A-Za-z0-9]"),
    # punctuation
    Rule(r"\"{LN}", "``", back=1), Rule(r"\"", "''"),
    Rule(r"{Q}[A-Za-z][^ \t\n]", "`", keep=1),
    Rule(r"'", "'"), Rule("['\u2019]", "'"), Rule("''"), Rule("``"), Rule("`"),
    Rule("[\u2018\u201b\u2039\u0091]", "`"), Rule("[\u2019\u203a\u0092]", "'"),
    Rule("[\u201c\u00ab\u0093]", "``"), Rule("[\u201d\u00bb\u0094]", "''"),
    Rule(r"\.\.\.\.?|\u2026|\. \. \.", "..."),
    Rule(r"[?!]+"),
    Rule(r"-{2,4}", "--"), Rule(r"-{5,}"), Rule("-"), Rule("[\u2013-\u2015\u0096\u0097]", "--"),
    Rule("_+"), Rule(r"\*+"), Rule("#+"), Rule("@+"),
    Rule("[$%&/:;<=>+\\\\^|~.,()\\[\\]{}\\p{symbol}]"),
    Rule("\u00a3", "#"), Rule("\u00a2", "cents"), Rule("[\u0080\u00a4\u20a0\u20ac]", "$"),
    Rule("\u00bd", "1/2"), Rule("\u00bc", "1/4"), Rule("\u00be", "3/4"), Rule("\u2153", "1/3"), Rule("\u2154", "2/3"),
)
