"""The documents' figures, computed again: the published number, the live library's number and our variant's number.

A case is data, in the TOML files of this folder: the texts, the library's call, our variant, and the figures. The code
treats all cases alike, so that a verdict depends on the numbers alone.
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
