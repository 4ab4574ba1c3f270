from metrologue.attribution import explain as explain
from metrologue.comparison.doctor import doctor as doctor
from metrologue.comparison.harness import compare as compare
from metrologue.comparison.which import which as which
from metrologue.errors import InputError as InputError
from metrologue.modules import list_comparisons as list_comparisons
from metrologue.modules import list_metrics as list_metrics
from metrologue.modules import list_statistics as list_statistics
from metrologue.modules import load as load
from metrologue.modules import module_path as module_path
from metrologue.scorers import *  # noqa: F403  # the classes of all metrics
from metrologue.scorers.core.mbr import mbr as mbr
from metrologue.scorers.core.registry import pairwise as pairwise
from metrologue.scorers.core.registry import score as score
from metrologue.scorers.core.scorer import Scorer as Scorer
from metrologue.scorers.core.trace import trace as trace
from metrologue.segments import Segments as Segments
from metrologue.version import __version__ as __version__
