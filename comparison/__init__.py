"""Comparisons of the real libraries with our scorers: on the documents' cases, and on any texts.

It may import meta and what stands below it.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from metrologue.comparison.documents import Case, CaseResult, load_cases, run_cases
    from metrologue.comparison.findings import Comparison, Study
    from metrologue.comparison.harness import compare, compare_metrics

__all__ = ["Case", "CaseResult", "Comparison", "Study", "compare", "compare_metrics", "load_cases", "run_cases"]

# The modules of the names above. A process that runs one library needs none of them.
_MODULES = {
    "documents": ("Case", "CaseResult", "load_cases", "run_cases"),
    "findings": ("Comparison", "Study"),
    "harness": ("compare", "compare_metrics"),
}


def __getattr__(name: str) -> Any:
    for module, names in _MODULES.items():
        if name in names:
            return getattr(import_module(f"{__name__}.{module}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
