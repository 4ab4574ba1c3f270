"""Comparisons of the real libraries with our scorers: on the documents' cases, and on any texts."""

from metrologue.comparison.documents import Case, CaseResult, load_cases, run_cases
from metrologue.comparison.findings import Comparison, Study
from metrologue.comparison.harness import compare, compare_metrics

__all__ = ["Case", "CaseResult", "Comparison", "Study", "compare", "compare_metrics", "load_cases", "run_cases"]
