"""What a difference of scores has meant to people (Kocmi et al. 2024)."""

from __future__ import annotations

import math
from collections.abc import Mapping

from metrologue.errors import InputError, shown
from metrologue.inference.resampling import one_of

# For each metric, as sacrebleu computes it (0 to 100), and each checkpoint of COMET, 100 times its score: how large the
# difference of two systems must be, so that people agree in this share of pairs, in per cent, about which of the two is
# better. 50 per cent is the toss of a coin. A share that is not here is not reached. From the table of thresholds of
# https://github.com/kocmitom/MT-Thresholds (appendix/main_thresholds.tex), for machine translation.
# fmt: off
THRESHOLDS: Mapping[str, Mapping[int, float]] = {
    "bleu": {50: 0.27, 55: 0.52, 60: 0.78, 65: 1.06, 70: 1.39, 75: 1.79, 80: 2.34, 85: 3.35},
    "wmt20-comet-da": {
        50: 0.08, 55: 0.36, 60: 0.65, 65: 0.96, 70: 1.29, 75: 1.67, 80: 2.10, 85: 2.66, 90: 3.45, 95: 5.10,
    },
    "wmt22-comet-da": {
        50: 0.03, 55: 0.10, 60: 0.18, 65: 0.26, 70: 0.35, 75: 0.45, 80: 0.56, 85: 0.71, 90: 0.94, 95: 1.53,
    },
    "wmt22-cometkiwi-da": {
        50: 0.01, 55: 0.08, 60: 0.16, 65: 0.24, 70: 0.33, 75: 0.42, 80: 0.53, 85: 0.67, 90: 0.85, 95: 1.18,
    },
    "chrf": {50: 0.14, 55: 0.33, 60: 0.54, 65: 0.76, 70: 1.00, 75: 1.28, 80: 1.63, 85: 2.12, 90: 3.05},
}
# fmt: on


def human_agreement(metric: str, difference: float) -> int | None:
    """In how many of 100 pairs of systems people agree with a difference of this size.

    Parameters
    ----------
    metric : str
        "bleu" or "chrf", or a checkpoint of COMET, such as "wmt22-comet-da".
    difference : float
        Of the scores of sacrebleu, from 0 to 100, or 100 times that of COMET's; its sign does not matter.

    Returns
    -------
    int or None
        The largest share of the paper's table whose threshold the difference reaches; None if it reaches none.

    Raises
    ------
    InputError
        If the paper's table does not have the metric, or the difference is not a finite number.

    References
    ----------
    Kocmi et al. 2024, Navigating the Metrics Maze, https://aclanthology.org/2024.acl-long.110.

    Examples
    --------
    >>> human_agreement("bleu", 2.5), human_agreement("chrf", -0.1)
    (80, None)
    """
    one_of("metric", metric, THRESHOLDS)
    if not math.isfinite(difference):
        raise InputError(f"`difference` is {shown(difference)}; a finite number is expected.")
    return max((share for share, least in THRESHOLDS[metric].items() if abs(difference) >= least), default=None)
