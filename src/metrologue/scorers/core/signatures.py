"""Signatures, which describe a scorer on one line: the full one, a short one to cite, and sacrebleu's own."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

from metrologue.deferred import Deferred
from metrologue.errors import InputError, shown
from metrologue.scorers.core.options import field_types, item_type, spelled
from metrologue.version import __version__

__all__ = ["full", "read", "short"]

# A scorer and its class, a dataclass. A module that imports this one defines them.
Scorer = Any
ScorerClass = Any

# The reader of each program's own signatures.
_FOREIGN: Mapping[str, Any] = Deferred(
    {"sacrebleu": ("metrologue.scorers.core.sacrebleu_signatures", "read_signature")}
)

# Parts of a signature that are not fields.
_ABOUT = ("mirrors", "metrologue", "variant")


def full(scorer: Scorer) -> str:
    """All field values, with the version of the mirrored library and of metrologue."""
    return _line(scorer, scorer._variant_name, [each.name for each in fields(scorer)])


def short(scorer: Scorer) -> str:
    """The nearest variant, the fields that differ from it, and the versions of the mirrored library and metrologue."""
    differing = {name: _differing(scorer, name) for name in scorer.variants()}
    if not differing:
        return full(scorer)
    variant = min(differing, key=lambda name: len(differing[name]))
    return _line(scorer, variant, _needed(scorer, variant, differing[variant]), f"variant={variant}")


def _line(scorer: Scorer, variant: str | None, names: list[str], *parts: str) -> str:
    mirrored = [scorer.variants()[variant]] if variant else []
    return "|".join(
        [
            scorer.name,
            *parts,
            *(f"mirrors={each.library}-{each.version}" for each in mirrored),
            *(f"{name}={spelled(getattr(scorer, name))}" for name in names),
            f"metrologue={__version__}",
        ]
    )


def _differing(scorer: Scorer, variant: str) -> list[str]:
    """The fields that differ from the variant's, and those that would follow from these with another value."""
    names: list[str] = []
    for _ in range(2):
        other = scorer.variant(variant, **{name: getattr(scorer, name) for name in names})
        own = [each.name for each in fields(scorer)]
        names = [name for name in own if name in names or getattr(scorer, name) != getattr(other, name)]
    return names


def _needed(scorer: Scorer, variant: str, names: list[str]) -> list[str]:
    """The differing fields without those that follow from others. (Uniform weights follow from their number.)"""
    for name in reversed(names):
        rest = [each for each in names if each != name]
        try:
            follows = scorer.variant(variant, **{each: getattr(scorer, each) for each in rest}) == scorer
        except InputError:
            follows = False
        names = rest if follows else names
    return names


def read(signature: str, tables: Mapping[str, str], base: ScorerClass) -> Scorer:
    """The scorer of a class that a signature describes: one from ``full``, from ``short`` or from sacrebleu."""
    for foreign in _FOREIGN.values() if isinstance(signature, str) else ():
        if found := foreign(signature):
            if tables:
                raise InputError(f"from_signature: `{sorted(tables)[0]}` is not a table that the signature names.")
            metric, variant, values = found
            return _named(metric, signature, base).variant(variant, **values)
    scorer, texts = _texts(signature, base)
    values = scorer._parsed({key: text for key, text in texts.items() if key not in _ABOUT})
    named = [key for key in scorer._table_fields() if values.get(key) is not None]
    if unknown := sorted(tables.keys() - set(named)):
        raise InputError(f"from_signature: `{unknown[0]}` is not a table that the signature names.")
    for key in named:
        values[key] = _named_table(scorer, key, values[key], tables.get(key))
    return scorer.variant(texts["variant"], **values) if "variant" in texts else scorer._from_fields(values)


def _texts(signature: Any, base: ScorerClass) -> tuple[ScorerClass, dict[str, str]]:
    """The class that a signature names, and its parts by their names."""
    name, *parts = signature.strip().split("|") if isinstance(signature, str) else ("",)
    scorer = _named(name if all("=" in part for part in parts) else "", signature, base)
    texts = dict(part.split("=", 1) for part in parts)
    if len(texts) < len(parts):
        raise InputError(f"from_signature: {shown(signature)} has one field twice.")
    return scorer, texts


def _named(name: str, signature: Any, base: ScorerClass) -> ScorerClass:
    """The class of a metric, `base` or a subclass of it. Raises an InputError if there is none of that name."""
    registered: Mapping[str, ScorerClass] = base._registered
    if name in registered and issubclass(registered[name], base):
        return registered[name]
    known = ", ".join(sorted(each for each, kind in registered.items() if issubclass(kind, base)))
    raise InputError(f"from_signature: {shown(signature)} is not a signature of {known}.")


def _named_table(scorer: ScorerClass, field: str, named: str, path: str | None) -> Any:
    """The value of a field for which the signature gives a digest."""
    if scorer._options()[field].kind != "table":
        try:
            return item_type(field_types(scorer)[field]).found(named, path)
        except InputError as error:
            raise InputError(f"from_signature: `{field}`: {error}") from None
    from metrologue.text.lexicon import named_source

    return named_source(field, named, path)
