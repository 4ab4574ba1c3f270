"""What griffe asks for while it reads the package: the default values of the scorers' fields.

The source declares a field as ``option(0, stage="pairs", ...)``. The site shows the value that a new scorer has.
"""

from __future__ import annotations

from typing import Any

import griffe

from metrologue.scorers import get_scorer, list_scorers


class Defaults(griffe.Extension):
    """Puts values in the place of declarations."""

    def __init__(self) -> None:
        scorers = (get_scorer(name)() for name in list_scorers())
        self.scorers = {f"{type(scorer).__module__}.{type(scorer).__qualname__}": scorer for scorer in scorers}

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Take the value of a field from a scorer with its defaults, or from the declaration."""
        if str(attr.annotation) == "ClassVar":  # without a type, griffe takes it for a field
            attr.labels.discard("instance-attribute")
        elif isinstance(attr.value, griffe.ExprCall) and str(attr.value.function) == "option":
            scorer = self.scorers.get(attr.parent.path)
            attr.value = repr(getattr(scorer, attr.name)) if scorer else attr.value.arguments[0]
