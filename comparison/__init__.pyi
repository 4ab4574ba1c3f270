from metrologue.comparison.documents import Case as Case
from metrologue.comparison.documents import CaseResult as CaseResult
from metrologue.comparison.documents import load_cases as load_cases
from metrologue.comparison.documents import run_cases as run_cases
from metrologue.comparison.harness import compare as compare
from metrologue.comparison.harness import compare_metrics as compare_metrics
from metrologue.comparison.showing.results import Comparison as Comparison
from metrologue.comparison.showing.results import Study as Study
