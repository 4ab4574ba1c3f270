"""The rules of the tokenizer `ptb`: what a token is, as data."""

from __future__ import annotations

from dataclasses import dataclass

from metrologue.tokenizers.ptb.lists import (
    CONTRACTIONS,
    ENDING,
    ENDING_CAPITAL,
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
    "P": r"[A-Za-z\p{letter}]",
    "N": r"[0-9\p{digit}]",
    "LN": r"[0-9\p{digit}A-Za-z\p{letter}\p{mark}\u00ad]",
    "PN": r"[0-9\p{digit}A-Za-z\p{letter}]",
    "W": r"{L}{LN}*",
    "AN": r"{PN}+",
    "EL": r"(?:(?:[dDlLoO]{AQ}{PN})?{PN}+)",
    "DW": r"{W}(?:\.{W})*",
    "SMART": r"[`\u2018\u2019\u201b\u2039\u203a\u0091\u0092\u201c\u201d\u00ab\u00bb\u0093\u0094\u201a\u201e\u201f]",
    "S": r"[ \t\u00a0\u2000-\u200a\u3000\r\v\f\u2028\u2029]",
    "Q": r"(?:['\u2019\u0092]|&apos;)",
    "NUM": r"(?:{N}*(?:[.,:\u00ad\u066b\u066c]{N}+)+|{N}+)",
    "DEC": r"(?:{N}+(?:[.,]{N}+)*{PN}*)",
    "ACRO": r"[A-Za-z](?:\.[A-Za-z])+\.",
    "UP": r"[A-Z\p{upper}]",
    "END": r"\n",
    "SEP": r"[ \u00a0-]",
    "SLASHED": r"[A-Za-z0-9]+(?:-[A-Za-z]+){0,2}",
    "URL": r"[^ \t\n\f\r\"<>|()\{\}]",
    "PATH": r"[^ \t\n\f\r\"<>|()]",
    "URLEND": r"[^ \t\n\f\r\"<>|.!?()\{\},-]",
    "HOST": r"[#%&*+~a-z\u0080-\uffff]",
    "WWW": r"[^ \t\n\f\r\"<>|()\{\}!?,]",
    "MAIL": r"[^ \t\n\f\r\"<>|()\{\}\u00a0]",
    "MAILEND": r"[^ \t\n\f\r\"<>|()\{\}\u00a0.]",
    "NAME": r"[A-Za-z][A-Za-z0-9_:.-]*",
    "A": r"[A-Za-z0-9\u00ad]",
    "AS": r"['`\u2018\u2019\u201b\u0091\u0092]",
    "AQ": r"(?:{AS}|&apos;)",
    "CAPS": r"[A-Z]+(?:(?:[&+]|&amp;)[A-Z]+)+",
    "TAG": r"(?:<(?:{NAME}(?: +{NAME}(?: *= *(?:\"[^\"]*\"|'[^']*'))?)*|/{NAME}) */?>|<[!?][A-Za-z-][^>\r\n]*>)",
    "TAIL": r"(?:/{PATH}+{URLEND})?",
}
_c = "|".join


def _any_case(word: str) -> str:
    return word[0] + "".join(f"[{letter.upper()}{letter}]" for letter in word[1:])



RULES: tuple[Rule, ...] = (
    Rule(r"{S}+", DROP),
    # SGML
    Rule("{TAG}"),
    Rule(r"&lt;", "<", ignore_case=True), Rule(r"&gt;", ">", ignore_case=True), Rule("&amp;", "&", ignore_case=True),
    Rule("&nbsp;", DROP, ignore_case=True), Rule("&mdash;", "--", ignore_case=True),
    Rule("&#{N}+;"), Rule("&[aeiouAEIOU](?:acute|grave|uml|circ);"),
    # contractions
    *(Rule(f"{head}(?:{tail})", keep=len(head), ignore_case=True) for head, tail in CONTRACTIONS),
    Rule(r"[A-Za-z\u00ad]+n{AS}t", back=3, ignore_case=True),
    Rule(r"[A-Za-z\u00ad]+n&apos;t", back=8, ignore_case=True),
    Rule(r"n{AQ}t", ignore_case=True),
    Rule(r"{W}['\u2019\u0092](?:[msd])[^A-Za-z]", back=3, ignore_case=True),
    Rule(r"{Q}[msd][^A-Za-z]", back=1, ignore_case=True),
    Rule(r"{Q}(?:[msd]|ll|re|ve)", ignore_case=True),
    Rule(r"{Q}(?:em|till?|cause|n{Q}?|{N}{N}s)", ignore_case=True),
    Rule(r"{Q}{N}{N}[ \n]", back=1),
    Rule(r"'t(?:is|was)", keep=2, ignore_case=True),
    Rule(r"(?:ol|dunkin){Q}|(?:c|k)ap{Q}n|c{Q}(?:est|mon)|(?:e|ne)'er|ev'ry|nat'l|li{Q}l|nor'easter|o{AQ}o", ignore_case=True),
    Rule(r"[A-HJ-XZn]{AQ}{P}{P}+"),
    Rule(r"{P}+[aeiouyAEIOUY]{AQ}[aeiouA-Z]{P}*"),
    Rule(r"d{Q}", ignore_case=True),
    Rule(r"[jly]{Q}{P}", back=1, ignore_case=True),
    # abbreviations
    Rule(f"(?:{_c(TITLES)})\\.", ignore_case=True),
    Rule(f"(?:{_c(ENDING)})\\.(?:{{S}}*{{END}}|{{S}}+(?:{{UP}}|{{TAG}}))", upto=".", again=1, ignore_case=True),
    Rule(f"(?:{_c(ENDING)})\\.[^\\n]", back=1, ignore_case=True),
    Rule(f"(?:{_c(ENDING_CAPITAL)})\\.(?:{{S}}*{{END}}|{{S}}+(?:{{UP}}|{{TAG}}))", upto=".", again=1),
    Rule(f"(?:{_c(ENDING_CAPITAL)})\\.[^\\n]", back=1),
    Rule(f"(?:{_c(NUMBERED)})\\.{{S}}+{{N}}", upto=".", ignore_case=True),
    Rule(f"{{ACRO}}{{S}}+(?:{_c(map(_any_case, STARTERS))}|{{TAG}})(?:{{S}}|{{END}})", upto=".", again=1),
    Rule(f"[A-Za-z]\\.{{S}}+(?:{_c(map(_any_case, STARTERS))}|{{TAG}})(?:{{S}}|{{END}})", keep=1),
    Rule("{ACRO}"),
    Rule(r"[A-Za-z]\."),
    Rule(r"[A-Za-z0-9]{A}*(?:-{A}+)*-{ACRO}"),
    Rule(r"[A-Za-z0-9][A-Za-z0-9\u00ad.,]*(?:-{A}+)+"),
    # words
    Rule(r"{W}(?:\.{W})+"),
    Rule(r"{EL}(?:[-_]{EL})*"),
    Rule(r"{SLASHED}(?:/{SLASHED}){1,2}"),
    Rule(r"{N}{1,2}[/-]{N}{1,2}[/-]{N}{2,4}"),
    Rule(r"(?:{N}{1,4}[ \u00a0-])?{N}{1,4}[/\u2044]{N}{1,4}"),
    Rule(r"(?:\({N}{2,3}\)[ \u00a0]?|\+?(?:{N}{2,4}{SEP})?{N}{2,4}{SEP}){N}{3,4}{SEP}?{N}{3,5}"),
    Rule(r"[-+]?{NUM}"),
    Rule(r"{W}"),
    Rule(r"(?:{DW}|{EL}(?:[-_]{EL})*|{CAPS})\.[,:;]", back=1),
    Rule(r"{DW}(?:[?!]{DW})+"),
    Rule(r"[A-Z]+\$"), Rule(r"[CcFf]#"), Rule(r"[Cc]\+\+"),
    Rule("{CAPS}"),
    Rule(r"#{L}+"), Rule(r"@[A-Za-z_][A-Za-z_0-9]*"),
    Rule(r"https?://{URL}+{URLEND}", ignore_case=True),
    Rule(r"www\.(?:{WWW}+\.)+[a-zA-Z]{2,4}{TAIL}"),
    Rule(r"(?:{HOST}+\.)+(?:com|net|org|edu){TAIL}"),
    Rule(r"(?:<|&lt;)?[A-Za-z0-9]{MAIL}*@{MAILEND}+(?:\.{MAILEND}+)*(?:>|&gt;)?"),
    # smileys
    Rule(r"[<>]?[:;=][-o*']?[()DPdpO\\\{@|\[\]][^A-Za-z0-9]", back=1), Rule(r"[-^x=~<>'][_][-^x=~<>']"),
    # punctuation
    Rule(r"\"[A-Za-z0-9$]", "``", back=1), Rule(r"&quot;[A-Za-z0-9$]", "``", back=1), Rule(r"\"|&quot;", "''"),
    Rule(r"'[A-Za-z][^ \t\n]", "`", keep=1),
    Rule("'|&apos;", "'"), Rule("''"), Rule("{SMART}{1,2}"),
    Rule(r"\.\.\.\.?|\.\.\.\.\.|\u2026|\. \. \.", "..."),
    Rule(r"[?!]+"),
    Rule(r"-{2,4}", "--"), Rule(r"-{5,}"), Rule("-"), Rule("[\u2013-\u2015\u0096\u0097]", "--"),
    Rule("_+"), Rule(r"\*+"), Rule("#+"), Rule("@+"), Rule("<<|>>"), Rule("[\u00b2\u00b3\u00b9\u2070\u2074-\u2079\u2080-\u2089]+"), Rule(r"\\\*"),
    Rule("[$%&/:;<=>+\\\\^|~.,()\\[\\]{}\\p{symbol}]"),
    Rule("\u00a3", "#"), Rule("\u00a2", "cents"), Rule("[\u0080\u00a4\u20a0\u20ac]", "$"),
    Rule("\u00bd", "1/2"), Rule("\u00bc", "1/4"), Rule("\u00be", "3/4"), Rule("\u2153", "1/3"), Rule("\u2154", "2/3"),
)
