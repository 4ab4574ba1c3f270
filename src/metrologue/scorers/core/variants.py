"""Variants: the mirrored library, its version, the field values, and the live call to compare with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any

from metrologue.errors import InputError
from metrologue.scorers.core.options import signature_line

# The mirrored version of each library, program, paper or definition. Our own definitions have that of the package.
LIBRARIES: dict[str, str] = {
    "AlignScore": "2023",
    "BARTScore": "2021",
    "CodeXGLUE": "50a4830",
    "CrossCodeEval": "25f9cab",
    "DROP": "2019",
    "DUCView": "1.5",
    "GEval": "1.42.2.0",
    "GTM": "1.4",
    "HELM": "0.5.16",
    "HUSE": "0e7d6c1",
    "Han": "2013",
    "Hashimoto": "2019",
    "Jelinek": "1977",
    "KenLM": "4cb443e",
    "Moses": "3445289",
    "Li": "2016",
    "Lin": "2004",
    "Liu": "2010",
    "Lowe": "2017",
    "Nenkova": "2007",
    "RIBES.py": "1.03.1",
    "RepoBench": "630c865",
    "ROUGE-1.5.5.pl": "1.5.5",
    "Texygen": "3104e22",
    "UniEval": "2022",
    "Vedantam": "2015",
    "Xu": "0210f15",
    "Yang": "2016",
    "bert-score": "0.3.13",
    "bleuscore": "0.2.0",
    "cer": "1.2.0",
    "charcut": "1.1.1",
    "chrF++.py": "6d3c384",
    "codebleu": "0.7.0",
    "easse": "6a4352e",
    "evaluate": "0.4.6",
    "fairseq": "3d262bb",
    "files2rouge": "d3d09c8",
    "fed": "2020-06-07",
    "gensim": "4.4.0",
    "hLepor": "0.0.4",
    "fast-bleu": "0.0.90",
    "is21_deep_bias": "43cdb3c",
    "jiwer": "4.0.0",
    "lexical-diversity": "0.1.1",
    "lexicalrichness": "0.5.1",
    "meeteval": "0.4.3",
    "meteor": "1.5",
    "metricx": "fc4978e",
    "moverscore": "1.0.3",
    "mteval-v13a.pl": "13a",
    "mteval-v14.pl": "14",
    "nltk": "3.10.4",
    "py-readability-metrics": "1.4.5",
    "py-rouge": "1.1",
    "pycocoevalcap": "1.2",
    "pythonrouge": "0f1603d",
    "rapidfuzz": "3.14.6",
    "readability": "0.3.2",
    "rouge": "1.0.1",
    "rouge-chinese": "1.0.3",
    "rouge-metric": "1.0.1",
    "rouge_score": "0.1.2",
    "rougescore": "0.1.0",
    "sacrebleu": "2.6.0",
    "scikit-learn": "1.9.1",
    "sentence-transformers": "6.2.0",
    "sms": "2019-07-29",
    "sumeval": "0.2.2",
    "summ-eval": "0.892",
    "summac": "0.0.4",
    "tensor2tensor": "0d149ea",
    "tc-match.py": "06452e9",
    "spice": "1.0",
    "textstat": "0.7.13",
    "torchmetrics": "1.9.0",
    "travatar": "fa63412",
    "unbabel-comet": "2.2.7",
    "usr": "2020",
    "yisi": "2019-05-28",
}


@dataclass(frozen=True)
class Recommended:
    """Why a variant is the one to report. The advice of the README and of a comparison is this.

    Attributes
    ----------
    reason : str
        As the end of a sentence.
    source : str
        Who recommends or defines it: a key of some home's papers.bib, or of references.bib.
    """

    reason: str
    source: str


@dataclass(frozen=True)
class Variant:
    """A library's number as field values.

    Attributes
    ----------
    library : str
        The library, program, paper or definition that is mirrored.
    about : str
        One sentence on what is special about it.
    fields : mapping
        The values that differ from the scorer's defaults.
    live : str or None
        The call that gives the number, such as "nltk.bleu": the name of an adapter in ``comparison.libraries``, then
        the name of its method without "score_". None if there is nothing to run.
    options : mapping
        The arguments of the call `live`.
    needs : tuple of str
        Lexical data and programs that our number or the live call needs: "wordnet", "punkt", "cmudict", "textstat" (its
        list of words, and the hyphens of pyphen), "meteor-1.5" (the tables in its jar), "java", "perl".
    is_apart : bool
        Whether it is a measure of its own, such as BLEU's recall: nobody prints another variant's number with a value
        of its fields, and ``which`` tries it only as it is.
    recommended : Recommended, optional
        That it is the variant to report, and why.
    version : str
        The version of the library; by default the one in ``LIBRARIES``, or "" for what is not there.

    Examples
    --------
    >>> Variant("nltk", "a mean over segments", live="nltk.chrf").version
    '3.10.4'
    """

    library: str
    about: str
    fields: Mapping[str, Any] = field(default_factory=dict)
    live: str | None = None
    options: Mapping[str, Any] = field(default_factory=dict, kw_only=True)
    needs: tuple[str, ...] = field(default=(), kw_only=True)
    is_apart: bool = field(default=False, kw_only=True)
    recommended: Recommended | None = field(default=None, kw_only=True)
    version: str = field(default="", kw_only=True)

    def __post_init__(self) -> None:
        if not self.version:
            object.__setattr__(self, "version", LIBRARIES.get(self.library, ""))

    def named(self, between: str = " ") -> str:
        """The library and its version; the library alone if it has no version.

        Examples
        --------
        >>> Variant("nltk", "").named(), Variant("lengthgap", "").named("-")
        ('nltk 3.10.4', 'lengthgap')
        """
        return between.join(filter(None, (self.library, self.version)))


def recommended(variants: Mapping[str, Variant]) -> tuple[str, Recommended] | None:
    """The variant to report, and why; None if nobody recommends one.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> recommended(Bleu.variants())[0]
    'sacrebleu'
    """
    advised = ((name, each.recommended) for name, each in variants.items() if each.recommended)
    return next(advised, None)


def variant_of(scorer: Any) -> str | None:
    """The variant that has exactly these fields, or None."""
    return next((name for name in scorer.variants() if scorer.variant(name) == scorer), None)


def short_signature(scorer: Any) -> str:
    """The nearest variant and the fields that differ from it, to be cited; ``from_signature`` reads it too.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> short_signature(Bleu.variant("nltk", max_order=2))
    'bleu|variant=nltk|mirrors=nltk-3.10.4|max_order=2|metrologue=...'
    """
    variant, differing = _nearest(scorer)
    if variant is None:
        return str(scorer.signature)
    return signature_line(scorer, variant, _needed(scorer, variant, differing), f"variant={variant}")


def nearest_variant(scorer: Any) -> str | None:
    """The variant with the fewest other fields; None if there is no variant.

    Examples
    --------
    >>> from metrologue.scorers import Bleu
    >>> nearest_variant(Bleu.variant("nltk", max_order=2))
    'nltk'
    """
    return _nearest(scorer)[0]


def _nearest(scorer: Any) -> tuple[str | None, list[str]]:
    """The variant with the fewest other fields, and these fields."""
    differing = {name: _differing(scorer, name) for name in scorer.variants()}
    nearest = min(differing, key=lambda name: len(differing[name]), default=None)
    return nearest, differing[nearest] if nearest is not None else []


def _differing(scorer: Any, variant: str) -> list[str]:
    """The fields that differ from the variant's, and those that would follow from these with another value."""
    names: list[str] = []
    for _ in range(2):
        other = scorer.variant(variant, **{name: getattr(scorer, name) for name in names})
        own = [each.name for each in fields(scorer)]
        names = [name for name in own if name in names or getattr(scorer, name) != getattr(other, name)]
    return names


def _needed(scorer: Any, variant: str, names: list[str]) -> list[str]:
    """The differing fields without those that follow from others. (Uniform weights follow from their number.)"""
    for name in reversed(names):
        rest = [each for each in names if each != name]
        try:
            follows = scorer.variant(variant, **{each: getattr(scorer, each) for each in rest}) == scorer
        except InputError:
            follows = False
        names = rest if follows else names
    return names
