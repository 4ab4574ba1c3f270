"""What griffe asks for while it reads the package: the default values and the meanings of the scorers' fields.

The source declares a field as ``option(0, stage="pairs", about="...")``. The site shows the value that a new scorer
has, and the docstring with the section ``Parameters`` that is made from the declarations.
"""

from __future__ import annotations

import inspect
import sys
from typing import Any

import griffe

import metrologue
from metrologue.scorers import Scorer, get_scorer, list_scorers

_DECLARATIONS = ("option", "with_default")


class Defaults(griffe.Extension):
    """Puts values in the place of declarations, and docstrings as Python has them in the place of the source's."""

    def __init__(self) -> None:
        scorers = (get_scorer(name)() for name in list_scorers())
        self.scorers = {f"{type(scorer).__module__}.{type(scorer).__qualname__}": scorer for scorer in scorers}

    def on_package(self, *, pkg: griffe.Module, **_: Any) -> None:
        """Give the front door the metrics' classes. Its stub has a star for them, of which griffe knows no names."""
        for name, member in pkg["scorers"].members.items() if pkg.name == "metrologue" else ():
            if name in metrologue.__all__ and name not in pkg.members:
                pkg.set_member(name, griffe.Alias(name, member.target_path))

    def on_class_instance(self, *, cls: griffe.Class, **_: Any) -> None:
        """Take the docstring of a scorer's class from the class."""
        if cls.docstring and cls.path.startswith(("metrologue.scorers.", "metrologue_research.")):
            made = getattr(sys.modules.get(cls.module.path), cls.name, None)
            if isinstance(made, type) and issubclass(made, Scorer):
                cls.docstring.value = inspect.getdoc(made) or ""

    def on_attribute_instance(self, *, attr: griffe.Attribute, **_: Any) -> None:
        """Take the value of a field from a scorer with its defaults, or from the declaration."""
        if str(attr.annotation) == "ClassVar":  # without a type, griffe takes it for a field
            attr.labels.discard("instance-attribute")
        elif isinstance(attr.value, griffe.ExprCall) and str(attr.value.function) in _DECLARATIONS:
            scorer = self.scorers.get(attr.parent.path)
            attr.value = repr(getattr(scorer, attr.name)) if scorer else attr.value.arguments[0]
