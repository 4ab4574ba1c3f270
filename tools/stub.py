"""Writes ``src/metrologue/scorers/__init__.pyi``, the names of all metrics' classes: ``python -m tools.stub``.

Type checkers read it, and so does the package, which then knows where a name is without importing every metric. The
classes are those that a metric's home has in its ``__all__``.
"""

from importlib import import_module
from pathlib import Path

from metrologue import scorers
from metrologue.scorers.core.homes import own_homes
from metrologue.scorers.core.scorer import Scorer

STUB = Path(scorers.__path__[0]) / "__init__.pyi"
# The names that are no metrics.
_CORE = {
    "options": ("Choice", "Option"),
    "registry": ("get_scorer", "list_scorers", "make_scorer", "pairwise", "score"),
    "result": ("Result",),
    "scorer": ("Scorer",),
    "shapes": ("PairScorer", "SetScorer"),
    "totals": ("Totals",),
    "variants": ("Variant",),
}


def stub() -> str:
    """The text of the file."""
    lines = [f"from metrologue.scorers.core.{each} import {name} as {name}" for each in _CORE for name in _CORE[each]]
    for home in own_homes():
        module = import_module(f"metrologue.scorers.{home}")
        exported = [(name, getattr(module, name)) for name in module.__all__]
        classes = [name for name, kind in exported if isinstance(kind, type) and issubclass(kind, Scorer)]
        lines += [f"from {module.__name__} import {name} as {name}" for name in classes]
    return "# Made by `python -m tools.stub`.\n" + "".join(f"{line}\n" for line in sorted(lines))


if __name__ == "__main__":
    STUB.write_text(stub(), encoding="utf-8")
