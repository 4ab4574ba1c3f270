"""Porter's stemmer (1980), as he wrote it, and in the dialects of nltk and of ROUGE-1.5.5."""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from functools import cache, partial
from typing import NamedTuple

import numpy as np

from metrologue.data.strings import Strings, buffers, characters, lower, of_characters, replaced
from metrologue.data.vocabulary import Vocabulary
from metrologue.text.stemmers.kernels import Dialect, stem


class _Dialect(NamedTuple):
    """A dialect of the stemmer. A rule is written ``ending>new``; letters before a bar must be there, and stay."""

    short_ie: bool
    double: str
    two: bool
    y_behind: bool
    steps: tuple[tuple[int, str], ...]  # the measure that the rest of the word must exceed, and the rules
    irregular: dict[str, str]


_SECOND_OF_1980 = (
    "ational>ate tional>tion enci>ence anci>ance izer>ize entli>ent eli>e ousli>ous ization>ize ation>ate "
    "ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive biliti>ble "
)
_SECOND = f"bli>ble {_SECOND_OF_1980}"
_THIRD = "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>"
_FOURTH = "al> ance> ence> er> ic> able> ible> ant> ement> ou> ism> ate> iti> ous> ive> ize> "
_DIALECTS = {
    "nltk": _Dialect(
        short_ie=True,
        double="lsz",
        two=True,
        y_behind=True,
        steps=(
            (0, "alli>al"),
            (0, _SECOND + "fulli>ful l|ogi>og"),
            (0, _THIRD),
            (1, _FOURTH + "ment> ent> s|ion> t|ion>"),
        ),
        irregular={
            "skies": "sky", "sky": "sky", "dying": "die", "lying": "lie", "tying": "tie", "news": "news",
            "innings": "inning", "inning": "inning", "outings": "outing", "outing": "outing", "cannings": "canning",
            "canning": "canning", "howe": "howe", "proceed": "proceed", "exceed": "exceed", "succeed": "succeed",
        },
    ),
    "1.5.5": _Dialect(
        short_ie=False,
        double="lszy",
        two=False,
        y_behind=False,
        steps=(
            (0, _SECOND + "alli>al logi>log"),
            (0, _THIRD),
            # Lin's change: a word may lose an ending of the fourth step, then -ment, and then -ent or -ion.
            (1, _FOURTH),
            (1, "ment>"),
            (1, "ent> s|ion> t|ion>"),
        ),
        irregular={},
    ),
    "original": _Dialect(
        short_ie=False,
        double="lsz",
        two=False,
        y_behind=False,
        steps=(
            (0, "alli>al abli>able " + _SECOND_OF_1980),
            (0, _THIRD),
            (1, _FOURTH + "ment> ent> s|ion> t|ion>"),
        ),
        irregular={},
    ),
}  # fmt: skip


@cache
def _rules(dialect: str) -> Dialect:
    chosen = _DIALECTS[dialect]
    measures, steps = zip(*((measure, rules.split()) for measure, rules in chosen.steps), strict=True)
    pairs = [rule.split(">") for rules in steps for rule in rules]
    letters, limits = characters(Strings.of([part for ending, new in pairs for part in (ending.replace("|", ""), new)]))
    return Dialect(
        letters,
        limits,
        np.array([ending.find("|") if "|" in ending else 0 for ending, _ in pairs]),
        np.cumsum([0, *map(len, steps)]),
        np.array(measures),
        chosen.short_ie,
        characters(Strings.of([chosen.double]))[0],
        chosen.two,
        chosen.y_behind,
    )


def porter(words: Sequence[str], dialect: str = "nltk") -> list[str]:
    """The stem of each word (Porter 1980), in lower case.

    Parameters
    ----------
    dialect : str
        "nltk": the PorterStemmer of nltk 3.10, with its extensions. "1.5.5": the stemmer of ROUGE-1.5.5, with its
        author's change, but without its irregular forms. "original": nltk's ORIGINAL_ALGORITHM.

    Examples
    --------
    >>> [porter(["died", "enjoy", "professional"], dialect) for dialect in ("nltk", "1.5.5")]
    [['die', 'enjoy', 'profession'], ['di', 'enjoi', 'profess']]
    """
    return porter_stems(Strings.of([*map(str.__str__, words)]), dialect).to_pylist()


def porter_stems(words: Strings, dialect: str = "nltk") -> Strings:
    """``porter`` of texts as bytes."""
    lowered = lower(words)
    stems = of_characters(*stem(*characters(lowered), _rules(dialect)))
    forms, irregular = _irregular(dialect)
    listed = irregular.find(lowered)
    if not forms or listed.max(initial=-1) < 0:
        return stems
    rows = (listed >= 0).nonzero()[0]
    chosen = iter([forms[number] for number in listed[rows].tolist()])
    return Strings(*replaced(*buffers(stems), rows, lambda stem: next(chosen)))


@cache
def _irregular(dialect: str) -> tuple[list[str], Vocabulary]:
    """The stems of irregular words, and these words."""
    stems = _DIALECTS[dialect].irregular
    return [*stems.values()], Vocabulary.of(Strings.of([*stems]))


# py-rouge gives these words the stems of the script: those of DUC 2004 in which nltk's stemmer differs.
_AS_IN_THE_SCRIPT = [
    "accidentally", "agreement", "agreements", "anthropology", "apologies", "apology", "argument", "arguments",
    "assembly", "bubbly", "cardiology", "coincidentally", "commissioner", "commissioners", "compassionate",
    "componentized", "congressional", "continental", "detrimental", "dimensional", "disproportionate", "divisional",
    "document", "documentation", "documented", "documenting", "documents", "element", "elements", "environmental",
    "experimentation", "fundamental", "fundamentalism", "governmental", "ideologies", "ideology", "immiment",
    "implement", "implementation", "implemented", "implementers", "implementing", "impossibly", "impressionable",
    "incredibly", "instrument", "instrumental", "instruments", "intentionally", "intergovernmental",
    "internationalize", "internationally", "judgement", "monument", "monumental", "movement", "movements",
    "mythology", "neurobiology", "occasional", "occasionally", "ostensibly", "parliament", "pharmacology",
    "physiology", "placement", "possibly", "professional", "professionals", "psychology", "representation",
    "responsibly", "revolutionize", "revolutionized", "sentiment", "sentimental", "sentiments", "settlement",
    "settlements", "statement", "statements", "supplement", "supplements", "technologies", "technology", "terribly",
    "testament", "tournament", "toxicology", "traditionally", "transnationalism", "unconstitutionally",
    "unintentionally", "unrepentant", "vacationers", "visibly",
]  # fmt: skip


def _irregular_first(words: Sequence[str], dialect: str = "1.5.5", others: Collection[str] = ()) -> list[str]:
    """WordNet's base forms of irregular words, and the stems of all other words: of `others` as in ROUGE-1.5.5."""
    from metrologue.text.lexicon.word_lists import rouge_exceptions

    forms = dict(zip(others, porter([*others], "1.5.5"), strict=True)) | rouge_exceptions()
    return [forms.get(word.lower(), stem) for word, stem in zip(words, porter(words, dialect), strict=True)]


STEMMERS: dict[str, Callable[[Sequence[str]], list[str]]] = {
    "porter": porter,
    "porter-1.5.5": _irregular_first,
    "porter-1.5.5-regular": partial(porter, dialect="1.5.5"),
    "porter-original": partial(_irregular_first, dialect="original", others=_AS_IN_THE_SCRIPT),
}
