"""Comparisons of the real libraries with our scorers: on the documents' cases, and on any texts."""

from metrologue.comparison.documents import Case, CaseResult, load_cases, run_cases
from metrologue.comparison.findings import Comparison
from metrologue.comparison.harness import compare

__all__ = ["Case", "CaseResult", "Comparison", "compare", "load_cases", "run_cases"]
