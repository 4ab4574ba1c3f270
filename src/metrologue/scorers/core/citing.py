"""How to report a number: one sentence with the short signature, and BibTeX of what to cite."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from importlib import resources

from metrologue.errors import InputError, number_of, shown
from metrologue.scorers.core.homes import file_in_home, homes, own_homes, texts_beside
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.variants import short_signature, variant_of
from metrologue.version import __version__

# Papers about mirrored libraries.
_LIBRARIES = {"sacrebleu": "post-2018-call", "nltk": "bird-etal-2009-nltk", "meteor": "denkowski-lavie-2014-meteor"}

# The file of a home that has the papers of its metric.
_PAPERS = "papers.bib"

_ACCENTS = {"'": "\u0301", "`": "\u0300", "^": "\u0302", '"': "\u0308", "~": "\u0303", "v": "\u030c", "c": "\u0327"}


def how_to_report(scorers: Sequence[Scorer], measured: Sequence[str] = (), segments: int = 0) -> str:
    """A sentence for each scorer, then BibTeX of everything that they cite.

    Parameters
    ----------
    scorers : sequence of n Scorer
    measured : sequence of n str, optional
        The numbers of each scorer, as they are to be printed: "77.3 ± 7.6".
    segments : int
        How many segments were scored.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> print(how_to_report([Bleu()]).splitlines()[0])
    We report bleu as sacrebleu 2.6.0 computes it (bleu|variant=sacrebleu|mirrors=sacrebleu-2.6.0|metrologue=...).
    >>> print(how_to_report([Bleu()], ["77.3 ± 7.6"], 40).splitlines()[0])
    BLEU 77.3 ± 7.6, as sacrebleu 2.6.0 computes it (bleu|variant=...|metrologue=...), on 40 segments.
    """
    sentences = [_sentence(*each, segments) for each in zip(scorers, measured or [""] * len(scorers), strict=True)]
    return "\n".join([*sentences, "", *bibtex(scorers)])


def _sentence(scorer: Scorer, measured: str, segments: int) -> str:
    variant = scorer.variants().get(variant_of(scorer) or "")
    whose = f"as {variant.named()} computes it" if variant else "with fields of our own"
    if not measured:
        return f"We report {scorer.name} {whose} ({short_signature(scorer)})."
    return f"{scorer.title} {measured}, {whose} ({short_signature(scorer)}), on {number_of(segments, 'segment')}."


def bibtex(scorers: Sequence[Scorer]) -> list[str]:
    """The BibTeX entries that scorers cite: papers of the metrics, papers of the libraries, and this software."""
    found = {key: _entry(key, type(scorer)) for scorer in scorers for own in cited(scorer) for key in own}
    return [*found.values(), _software()]


def entries_of(keys: Iterable[str]) -> list[str]:
    """The BibTeX entries with these keys, of some metric's papers.bib or of references.bib.

    Examples
    --------
    >>> entries_of(["mcnemar-1947-note"])[0].splitlines()[0]
    '@article{mcnemar-1947-note,'
    """
    return [_entry(key) for key in keys]


def _entry(key: str, kind: type[Scorer] | None = None) -> str:
    """The entry of a key: of our own papers, of those beside a class, or of another package's homes."""
    for entries in _places(kind):
        if key in entries:
            return entries[key]
    raise InputError(f"papers: no {_PAPERS} has an entry with the key {shown(key)}; give it one in the metric's home.")


def _places(kind: type[Scorer] | None) -> Iterator[dict[str, str]]:
    """The entries of each place, the next one read only where the key is in none before it."""
    yield _entries()
    if kind:
        yield from map(_parsed, texts_beside(kind, _PAPERS))
    yield _entries_outside()


def named_paper(key: str) -> str:
    """A paper by its first author, its year and its address; `key` is one of some papers.bib or of references.bib.

    Examples
    --------
    >>> named_paper("post-2018-call")
    'Post 2018, https://aclanthology.org/W18-6319'
    >>> named_paper("dusek-kasner-2020-evaluating")
    'Dušek and Kasner 2020, https://aclanthology.org/2020.inlg-1.19'
    """
    fields = dict(re.findall(r"^ +(\w+)\s*= [{\"](.*)[}\"],?$", _entry(key), re.MULTILINE))
    names = [_unicode(author.partition(",")[0]) for author in fields["author"].split(" and ")]
    several = len(names) > 2 or names[-1] == "others"
    who = f"{names[0]} et al." if several else " and ".join(names)
    address = fields.get("url") or (f"https://doi.org/{fields['doi']}" if "doi" in fields else "")
    return f"{who} {fields['year']}" + (f", {address}" if address else "")


def _unicode(name: str) -> str:
    """A name of BibTeX without braces, and its letters with their accents."""
    accented = re.sub(r"\\([^\w\s]|[vc])\{?(\w)\}?", lambda found: found[2] + _ACCENTS[found[1]], name)
    return unicodedata.normalize("NFC", re.sub("[{}]", "", accented))


def cited(scorer: Scorer) -> tuple[Sequence[str], Sequence[str]]:
    """The keys of the entries that a scorer cites: papers of the metric, and of the library.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> cited(Bleu())
    (('papineni-etal-2002-bleu',), ['post-2018-call'])
    """
    return scorer.about.papers, _of_library(scorer)


def _of_library(scorer: Scorer) -> list[str]:
    variant = scorer.variants().get(variant_of(scorer) or "")
    return [_LIBRARIES[variant.library]] if variant and variant.library in _LIBRARIES else []


@cache
def _entries() -> dict[str, str]:
    """The entries by their keys: those of all homes, and in references.bib those of libraries and statistics."""
    package = resources.files("metrologue")
    scorers = package / "scorers"
    folders = [each for place in (scorers, scorers / "families") for each in place.iterdir() if each.is_dir()]
    files = [package / "references.bib", *(each / _PAPERS for each in folders)]
    return {key: each for file in files if file.is_file() for key, each in _parsed(file.read_text("utf-8")).items()}


def _entries_outside() -> dict[str, str]:
    """The entries of the homes of other packages."""
    files = [file_in_home(name, _PAPERS) for name in homes() if name not in own_homes()]
    return {key: each for file in files if file for key, each in _parsed(file.read_text("utf-8")).items()}


@cache
def _parsed(text: str) -> dict[str, str]:
    entries = [part for part in re.split(r"^(?=@)", text, flags=re.MULTILINE) if part.startswith("@")]
    return {re.findall(r"@\w+\{([^,]+),", entry)[0]: f"{entry.strip()}\n" for entry in entries}


def _software() -> str:
    return (
        f"@software{{metrologue,\n  title   = {{metrologue}},\n  author  = {{{{The metrologue authors}}}},\n"
        f"  version = {{{__version__}}},\n}}\n"
    )
