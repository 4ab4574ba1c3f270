"""sacrebleu's own signatures: those of scorers here, and the field values that one stands for.

They look like ``nrefs:1|case:mixed|eff:no|tok:13a|smooth:exp|version:2.6.0``. Those of version 1 look like
``BLEU+case.mixed+lang.en-de+numrefs.1+smooth.exp+tok.13a+version.1.5.1``.
"""

from __future__ import annotations

import importlib
import re
import warnings
from collections.abc import Mapping
from typing import Any

from metrologue.errors import InputError, shown
from metrologue.files.values import whole_of_text
from metrologue.scorers.core.scorer import Scorer
from metrologue.scorers.core.variants import LIBRARIES

# Keys that do not change how a score is computed: the data, the resampling, the version.
_ABOUT = {"nrefs", "#", "bs", "ar", "seed", "rs", "test", "lang", "l", "origlang", "o", "subset", "S", "version", "v"}
# The short keys of each metric with their full names. One key of `_MARKS` is enough to identify the metric.
_KEYS = {
    "ter": {"c": "case", "t": "tok", "nr": "norm", "pn": "punct", "as": "asian"},
    "chrf": {"c": "case", "e": "eff", "nc": "nc", "nw": "nw", "s": "space"},
    "bleu": {"c": "case", "e": "eff", "tok": "tok", "s": "smooth"},
}
_MARKS = {"ter": {"norm", "nr"}, "chrf": {"nc"}, "bleu": {"smooth", "s"}}
_ORDERS = {"nc": "char_order", "nw": "word_order"}
# The field of each key with the values "yes" and "no", and the value that "yes" stands for.
_FLAGS = {
    "eff": ("effective_order", True), "space": ("whitespace", True), "norm": ("normalized", True),
    "punct": ("no_punct", False), "asian": ("asian_support", True),
}  # fmt: skip
# sacrebleu writes MeCab's version and dictionary after these names.
_MECAB = re.compile(r"(ja-mecab|ko-mecab)-.*")
_EPSILON = {"average": "fscore", "effective_order": False, "smoothing": "epsilon"}


def _is_signature(text: str) -> bool:
    """Whether a text looks like a sacrebleu signature: ``key:value`` parts between bars, with or without a score."""
    signature = text.partition(" = ")[0]
    return "|" in signature and ":" in signature and "=" not in signature


def read_signature(text: str) -> tuple[str, str, dict[str, Any]] | None:
    """The metric of a signature, the variant "sacrebleu", and the field values to set on it; None for other text.

    The text is a full or a short signature, or the line that sacrebleu prints: ``BLEU|nrefs:1|... = 24.1 ...``.

    Raises
    ------
    InputError
        If it is not a signature of BLEU, chrF or TER, or has a key or a value that sacrebleu does not write.

    Warns
    -----
    UserWarning
        If it comes from another version of sacrebleu than the mirrored one.

    Examples
    --------
    >>> read_signature("nrefs:1|case:lc|eff:no|tok:13a|smooth:exp|version:2.6.0")
    ('bleu', 'sacrebleu', {'lowercase': True, 'effective_order': False, 'tokenizer': '13a', 'smoothing': 'exp'})
    """
    text = as_signature_of_2(text) or text
    if not _is_signature(text):
        return None
    name, pairs = _split(text)
    metric = next((metric for metric, marks in _MARKS.items() if marks & pairs.keys()), None)
    if metric is None:
        raise InputError(f"from_signature: {shown(text)} is not a sacrebleu signature of bleu, chrf or ter.")
    version = pairs.get("version", pairs.get("v"))
    if version not in (None, LIBRARIES["sacrebleu"]):
        warnings.warn(
            f"the signature comes from sacrebleu {version}; the numbers are those of {LIBRARIES['sacrebleu']}.",
            UserWarning,
            stacklevel=2,
        )
    fields: dict[str, Any] = {}
    in_full = _KEYS[metric]
    for key, value in pairs.items():
        known = in_full.get(key, key)
        if known in in_full.values():
            found = _fields(metric, known, value)
            if found is None:
                raise InputError(f"from_signature: {shown(text)} has `{key}:{value}`, which sacrebleu does not write.")
            fields |= found
        elif key not in _ABOUT:
            raise InputError(f"from_signature: {shown(text)} has the key {key!r}, which sacrebleu lacks for {metric}.")
    # The weight of recall is only in the name, such as chrF2++; the signature itself does not have it.
    if metric == "chrf" and (beta := re.fullmatch(r"chrF(\d+)\+*", name)):
        fields["beta"] = float(beta[1])
    return metric, "sacrebleu", fields


# The names of version 1, and what its signatures have of each metric: the keys, long and short, as they are today.
_OLD = re.compile(r"(BLEU|chrF\d+|TER)((?:\+[^+|\s.]+\.[^+|\s]+)+)")
_OLD_KEYS = {"numrefs": "nrefs", "#": "nrefs", "s": "smooth", "c": "case", "v": "version", "l": "lang", "o": "origlang",
             "S": "subset"}  # fmt: skip
_OLD_TER = re.compile(r"tercom-(norm|nonorm)-(punct|nopunct)-(asian|noasian)-(cased|uncased)")


def as_signature_of_2(text: str) -> str | None:
    """The signature of version 2 for one of version 1, with or without a score after it; None for other text.

    Examples
    --------
    >>> as_signature_of_2("BLEU+case.lc+numrefs.1+smooth.floor[0.10]+tok.13a+version.1.5.1 = 24.1")
    'BLEU|eff:no|case:lc|nrefs:1|smooth:floor[0.10]|tok:13a|version:1.5.1'
    >>> as_signature_of_2("TER+tok.tercom-nonorm-punct-noasian-uncased+version.1.5.1")
    'TER|norm:no|punct:yes|asian:no|case:lc|tok:tercom|version:1.5.1'
    """
    found = _OLD.fullmatch(text.strip().partition(" = ")[0])
    if not found:
        return None
    name, pairs = found[1], [part.partition(".")[::2] for part in found[2][1:].split("+")]
    if name == "TER":
        kept, own = [], None
        for key, value in pairs:
            own = own or _OLD_TER.fullmatch(value)
            if not _OLD_TER.fullmatch(value):
                kept.append((_OLD_KEYS.get(key, {"t": "test"}.get(key, key)), value))
        if own is None:
            return None
        flags = [("norm", own[1] == "norm"), ("punct", own[2] == "punct"), ("asian", own[3] == "asian")]
        told = [*((key, _said(flag)) for key, flag in flags), ("case", "mixed" if own[4] == "cased" else "lc")]
        told += [("tok", "tercom"), *kept]
    elif name == "BLEU":
        told = [("eff", "no"), *((_OLD_KEYS.get(key, {"t": "test"}.get(key, key)), value) for key, value in pairs)]
    else:
        own_keys = _OLD_KEYS | {"numchars": "nc", "n": "nc", "s": "space", "t": "test"}
        told = [("case", "mixed"), ("eff", "yes"), ("nw", "0")]
        told += [(own_keys.get(key, key), {"true": "yes", "false": "no"}.get(value, value)) for key, value in pairs]
    return "|".join([name, *(f"{key}:{value}" for key, value in told)])


def _split(text: str) -> tuple[str, Mapping[str, str]]:
    name, *parts = text.strip().partition(" = ")[0].split("|")
    if ":" in name:
        name, parts = "", [name, *parts]
    return name, dict(part.partition(":")[::2] for part in parts)


def _fields(metric: str, key: str, value: str) -> dict[str, Any] | None:
    """The field values that a key and its value mean; None if sacrebleu has no such value."""
    if key == "case" and value in ("lc", "mixed"):
        return {"case_sensitive": value == "mixed"} if metric == "ter" else {"lowercase": value == "lc"}
    if key == "tok" and metric == "ter":
        return {} if value == "tercom" else None
    if key == "tok":
        mecab = _MECAB.fullmatch(value)
        return {"tokenizer": mecab[1] if mecab else value}
    if key == "smooth":
        found = re.fullmatch(r"(exp|none|floor|add-k)(?:\[(\d+\.?\d*)\])?", value)
        return found and {"smoothing": found[1], **({"smooth_value": float(found[2])} if found[2] else {})}
    if key in _ORDERS and (order := whole_of_text(value)) is not None:
        return {_ORDERS[key]: order}
    if value not in ("yes", "no"):
        return None
    if key == "eff" and metric == "chrf":
        return {} if value == "yes" else _EPSILON
    if key not in _FLAGS:
        return None
    field, meaning_yes = _FLAGS[key]
    return {field: meaning_yes == (value == "yes")}


# The short names of what every signature may have.
_SHORT_ABOUT = {"nrefs": "#", "bs": "bs", "ar": "ar", "seed": "rs", "version": "v"}
# The fields that a call of sacrebleu chooses. `beta` is in chrF's name and not in its signature.
_CHOSEN = {
    "bleu": ("lowercase", "effective_order", "tokenizer", "smoothing", "smooth_value"),
    "chrf": ("lowercase", "char_order", "word_order", "whitespace", "beta", *_EPSILON),
    "ter": ("case_sensitive", "normalized", "no_punct", "asian_support"),
}
_TOKENIZERS = ("whitespace", "zh", "13a", "intl", "char", "flores101", "flores200", "spBLEU-1K", "ja-mecab", "ko-mecab")


def signature_of(scorer: Scorer, references: int | str, *, short: bool = False, **about: Any) -> str | None:
    """sacrebleu's signature of a scorer, with short keys if it is `short`; None if sacrebleu has no such setting.

    `references` is the number of references of each segment, or "var" if it varies. `about` is what else the signature
    says: `bs` or `ar`, the resamples or trials, and `seed`.

    Examples
    --------
    >>> from metrologue import Bleu
    >>> signature_of(Bleu.variant("sacrebleu", tokenizer="intl"), 2, short=True)
    '#:2|c:mixed|e:no|tok:intl|s:exp|v:2.6.0'
    >>> signature_of(Bleu.variant("nltk"), 1)
    """
    chosen = {name: getattr(scorer, name) for name in _CHOSEN.get(scorer.name, ())}
    if not chosen or type(scorer).variant("sacrebleu", **chosen) != scorer:
        return None
    if not _is_written(scorer):
        return None
    own = {key: _written(scorer, key) for key in _KEYS[scorer.name].values()}
    pairs = {"nrefs": references, **about, **own, "version": LIBRARIES["sacrebleu"]}
    names = {full: brief for brief, full in _KEYS[scorer.name].items()} | _SHORT_ABOUT if short else {}
    return "|".join(f"{names.get(key, key)}:{value}" for key, value in pairs.items())


def _said(flag: bool) -> str:
    return "yes" if flag else "no"


def _is_written(scorer: Any) -> bool:
    """Whether a signature can tell the scorer from others."""
    if scorer.name == "bleu":
        return scorer.tokenizer in _TOKENIZERS and _fields("bleu", "smooth", scorer.smoothing) is not None
    if scorer.name == "chrf" and scorer.smoothing == "epsilon":
        return all(getattr(scorer, name) == value for name, value in _EPSILON.items())
    return scorer.name != "chrf" or bool(scorer.effective_order)


def _written(scorer: Any, key: str) -> str:
    """The value of a key in the scorer's signature."""
    if key == "case":
        return "mixed" if (scorer.case_sensitive if scorer.name == "ter" else not scorer.lowercase) else "lc"
    if key == "tok":
        return "tercom" if scorer.name == "ter" else _tokenizer(scorer.tokenizer)
    if key == "smooth":
        valued = scorer.smoothing in ("floor", "add-k")
        return f"{scorer.smoothing}[{scorer.smooth_value:.2f}]" if valued else f"{scorer.smoothing}"
    if key in _ORDERS:
        return str(getattr(scorer, _ORDERS[key]))
    if key == "eff" and scorer.name == "chrf":
        return _said(scorer.smoothing != "epsilon")
    field, meaning_yes = _FLAGS[key]
    return _said(getattr(scorer, field) == meaning_yes)


def _tokenizer(name: str) -> str:
    """What sacrebleu calls a tokenizer: one of MeCab with its version and its dictionary."""
    if not name.endswith("-mecab"):
        return "none" if name == "whitespace" else name
    package, dictionary = ("MeCab", "IPA") if name == "ja-mecab" else ("mecab_ko", "KO")
    return f"{name}-{importlib.import_module(package).VERSION}-{dictionary}"
