"""The documents' figures, run again: what was published, what the live library says now, and what our variant says.

A case is data, in the TOML files beside this one: the texts, the library's call, our variant, the figures. Nothing
here knows one case from another, so that a verdict comes from the numbers alone.
"""

from metrologue.comparison.documents.cases import (
    Alternative,
    Case,
    CaseResult,
    Document,
    Figure,
    FigureResult,
    LibraryCall,
    VariantCall,
)
from metrologue.comparison.documents.load import load_cases
from metrologue.comparison.documents.run import VERDICTS, judge, run_cases

__all__ = [
    "VERDICTS",
    "Alternative",
    "Case",
    "CaseResult",
    "Document",
    "Figure",
    "FigureResult",
    "LibraryCall",
    "VariantCall",
    "judge",
    "load_cases",
    "run_cases",
]
