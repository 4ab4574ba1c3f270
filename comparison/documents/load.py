"""The cases of all documents, read from the TOML files in this folder."""

from __future__ import annotations

import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from importlib import resources
from importlib.resources.abc import Traversable
from typing import Any

from metrologue.comparison.documents.cases import (
    TOLERANCE,
    Alternative,
    Case,
    Document,
    Figure,
    LibraryCall,
    References,
    VariantCall,
)
from metrologue.comparison.documents.disagreements import DISAGREEMENTS
from metrologue.comparison.documents.games import Game
from metrologue.comparison.documents.systems import FILE
from metrologue.errors import InputError
from metrologue.origin import pip_install

__all__ = ["load_cases"]


def load_cases(folder: Traversable | None = None) -> list[Case]:
    """Read the cases of all documents.

    Parameters
    ----------
    folder : Path or other Traversable, optional
        A folder of TOML files. Default: the documents that come with the package.

    Returns
    -------
    list of Case
        The cases, in the order of the files' names.

    Raises
    ------
    InputError
        If a file does not follow ``schema.json``, names texts that it does not have, or repeats an id.
    ImportError
        If jsonschema is not installed.

    Examples
    --------
    >>> cases = load_cases()
    >>> [case.id for case in cases if case.document.code == "PL" and case.metric != "bleu"]
    ['wmd-obama', 'meteor-pl', 'rouge-fox', 'rouge-fox-pltrdy', 'shapley-3', 'shapley-3-text']
    """
    here = resources.files(__package__)
    check = _checker(json.loads((here / "schema.json").read_text(encoding="utf-8")))
    cases: dict[str, Case] = {}
    for path in sorted((folder or here).iterdir(), key=lambda path: path.name):
        if not path.name.endswith(".toml") or path.name in (FILE, DISAGREEMENTS):
            continue
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except ValueError as error:  # an error of TOML or of UTF-8
            raise InputError(f"{path.name}: not a TOML file in UTF-8: {error}") from error
        check(path.name, data)
        _register(data.get("tables", {}))
        for entry in data["cases"]:
            if entry["id"] in cases:
                raise InputError(f"{path.name}: there are two cases {entry['id']!r}; an id names one.")
            cases[entry["id"]] = _case(path.name, data, entry)
    return list(cases.values())


def _case(file: str, data: Mapping[str, Any], entry: Mapping[str, Any]) -> Case:
    references: dict[str, References] = {
        name: tuple(map(tuple, texts)) for name, texts in data.get("references", {}).items()
    }

    def named(kind: str, source: Mapping[str, Any]) -> Any:
        name, known = source.get(kind, entry.get(kind)), data.get(kind, {})
        if name is not None and name not in known:
            raise InputError(f"{file}: case {entry['id']!r} names {kind} {name!r}; there are {', '.join(known)}.")
        return name

    def texts(source: Mapping[str, Any]) -> tuple[tuple[str, ...], References]:
        predictions = tuple(data.get("predictions", {}).get(named("predictions", source), ()))
        return predictions, references.get(named("references", source), ((),) * len(predictions))

    predictions, own = texts(entry)
    library, variant = entry.get("library"), entry.get("variant")
    return Case(
        id=entry["id"],
        metric=entry["metric"],
        document=Document(**data["document"]),
        section=entry["section"],
        call=entry["call"],
        predictions=predictions,
        references=own,
        other_references={
            name: others for name, others in references.items() if others != own and len(others) == len(own)
        },
        equals=tuple((*texts(source), _frozen(source.get("overrides", {}))) for source in entry.get("equals", ())),
        better_than=texts(entry["better_than"]) if "better_than" in entry else None,
        prepare=tuple(entry.get("prepare", ())),
        library=library and LibraryCall(**{"call": entry["metric"], **_frozen(library)}),
        variant=variant and VariantCall(**_frozen(variant)),
        alternatives=tuple(Alternative(**_frozen(alternative)) for alternative in entry.get("alternatives", ())),
        # A figure without a library's call can only be computed by hand.
        definition=entry.get("definition", library is None),
        game=Game(**_frozen(entry["game"])) if "game" in entry else None,
        figures=tuple(map(_figure, entry["figures"])),
        **{name: entry.get(name) for name in ("quoted", "computed_in", "note")},
    )


def _register(tables: Mapping[str, Mapping[str, Sequence[Sequence[str]]]]) -> None:
    """Register a document's own tables, so that scorers find them by name."""
    if not tables:
        return
    from metrologue.text.lexicon import register_paraphrases, register_stems, register_synonyms

    kinds = {"stems": register_stems, "synonyms": register_synonyms, "paraphrases": register_paraphrases}
    for kind, named in tables.items():
        for name, rows in named.items():
            kinds[kind](name, rows)


def _figure(entry: Mapping[str, Any]) -> Figure:
    quantity = entry.get("quantity", entry["name"])
    return Figure(
        name=entry["name"],
        quantity=(quantity,) if isinstance(quantity, str) else tuple(quantity),
        published=_number(entry["published"]) if "published" in entry else None,
        tolerance=entry.get("tolerance", TOLERANCE),
        decimals=entry.get("decimals"),
        errs=entry.get("errs"),
        coincides=entry.get("coincides"),
    )


def _number(written: float | str) -> float:
    """A published number, which may be written as a fraction, or be infinite."""
    return float(Fraction(written)) if isinstance(written, str) else float(written)


def _frozen(values: Any) -> Any:
    """The values with TOML's arrays as tuples, as in scorers' fields."""
    if isinstance(values, dict):
        return {key: _frozen(value) for key, value in values.items()}
    return tuple(map(_frozen, values)) if isinstance(values, list) else values


def _checker(schema: Any) -> Callable[[str, Any], None]:
    try:
        from jsonschema import Draft202012Validator
        from jsonschema.exceptions import best_match
    except ImportError as error:
        raise ImportError(f"The documents' cases need jsonschema: {pip_install('compare')}.") from error
    validator = Draft202012Validator(schema)

    def check(file: str, data: Any) -> None:
        if (error := best_match(validator.iter_errors(data))) is not None:
            raise InputError(f"{file}: {error.json_path.removeprefix('$.')}: {error.message}")

    return check
