"""The JSON Schema of what ``metrologue compare --format json`` prints, made from the classes that it prints.

``comparison.schema.json`` is this schema. ``python -m metrologue.comparison.showing.schema`` writes it again.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from pathlib import Path
from types import NoneType, UnionType
from typing import Any, Literal, Union, get_args, get_origin, get_type_hints

from metrologue.comparison.findings.elsewhere import Elsewhere
from metrologue.comparison.findings.number import Flip, Number
from metrologue.comparison.findings.records import Cause, Column
from metrologue.comparison.showing.results import Comparison
from metrologue.inference import Winner

__all__ = ["FILE", "schema"]

FILE = Path(__file__).parents[1] / "comparison.schema.json"
_DIALECT = "https://json-schema.org/draft/2020-12/schema"
_PLAIN = {str: {"type": "string"}, int: {"type": "integer"}, bool: {"type": "boolean"}}
# JSON has no infinite number: it is a text.
_FLOAT = {"anyOf": [{"type": "number"}, {"enum": ["Infinity", "-Infinity"]}]}

# What `to_dict` adds to a class, by name with its type, and what it leaves out.
_ADDED: Mapping[type, Mapping[str, Any]] = {
    Number: {"points": float | None, "points_interval": tuple[float, float] | None},
    Flip: {"is_significant": bool},
    Winner: {"is_clear": bool},
    Cause: {"sentence": str},
    Comparison: {"verdict": str, "shown_unit": str},
}
_LEFT_OUT: Mapping[type, tuple[str, ...]] = {Number: ("seconds",), Cause: ("pieces",)}


def schema() -> dict[str, Any]:
    """The schema: one comparison, or a study of several metrics.

    Examples
    --------
    >>> [each["$ref"] for each in schema()["anyOf"]]
    ['#/$defs/OneComparison', '#/$defs/Study']
    """
    made: dict[str, Any] = {}
    comparison = _of_class(Comparison, made)
    column = _of_type(Column, made)
    matrix = {"type": "array", "items": column}
    body = made["Comparison"]
    made["OneComparison"] = {
        **body,
        "properties": {**body["properties"], "matrix": matrix},
        "required": [*body["required"], "matrix"],
    }
    study = {
        "systems": _of_type(list[str], made),
        "segments": _of_type(int, made),
        "matrix": matrix,
        "comparisons": {"type": "array", "items": comparison},
    }
    given = {"elsewhere": _of_type(list[Elsewhere], made)}
    made["Study"] = _object({**study, **given}, [*study])
    return {
        "$schema": _DIALECT,
        "title": "metrologue compare",
        "anyOf": [{"$ref": "#/$defs/OneComparison"}, {"$ref": "#/$defs/Study"}],
        "$defs": dict(sorted(made.items())),
    }


def _object(properties: Mapping[str, Any], required: list[str]) -> dict[str, Any]:
    return {"type": "object", "properties": dict(properties), "required": required, "additionalProperties": False}


def _of_class(kind: type, made: dict[str, Any]) -> dict[str, Any]:
    """A reference to a class, which is described once."""
    if kind.__name__ not in made:
        made[kind.__name__] = {}  # a class may hold itself
        hints = get_type_hints(kind)
        names = [each.name for each in fields(kind) if each.name not in _LEFT_OUT.get(kind, ())]
        types = {name: hints[name] for name in names} | dict(_ADDED.get(kind, {}))
        made[kind.__name__] = _object({name: _of_type(own, made) for name, own in types.items()}, [*types])
    return {"$ref": f"#/$defs/{kind.__name__}"}


def _of_type(kind: Any, made: dict[str, Any]) -> dict[str, Any]:
    """The schema of a type of a field."""
    origin, parts = get_origin(kind), get_args(kind)
    if kind in _PLAIN:
        return _PLAIN[kind]
    if kind is float:
        return _FLOAT
    if kind is NoneType:
        return {"type": "null"}
    if is_dataclass(kind) and isinstance(kind, type):
        return _of_class(kind, made)
    if origin is Literal:
        return {"enum": [*parts]}
    if origin in (Union, UnionType):
        return {"anyOf": [_of_type(part, made) for part in parts]}
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return {"type": "object", "additionalProperties": _of_type(parts[1], made)}
    if origin is tuple and parts[-1] is not Ellipsis:
        items = [_of_type(part, made) for part in parts]
        return {"type": "array", "prefixItems": items, "minItems": len(items), "maxItems": len(items)}
    return {"type": "array", "items": _of_type(parts[0], made)}


if __name__ == "__main__":
    FILE.write_text(json.dumps(schema(), indent=1) + "\n", "utf-8")
