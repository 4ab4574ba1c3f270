"""Variants: whose number a scorer gives, as data."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

__all__ = ["Variant"]


@dataclass(frozen=True)
class Variant:
    """A library's number as field values.

    Attributes
    ----------
    library, version : str
        What is mirrored.
    about : str
        One sentence on what marks it.
    fields : mapping
        The values that differ from the scorer's defaults.
    """

    library: str
    version: str
    about: str
    fields: Mapping[str, Any]
