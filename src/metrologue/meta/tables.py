"""A meta-evaluation as tables of text, and what must be said beside them."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from metrologue.errors import number_of
from metrologue.inference.agreement import RELIABLE
from metrologue.inference.correlation import Correlation
from metrologue.meta.annotators import AnnotatorAgreement
from metrologue.meta.averages import AverageCorrelations
from metrologue.meta.evaluation import JUDGES, MetaEvaluation

_NAMES = {
    "pearson": "Pearson's r",
    "spearman": "Spearman's rho",
    "kendall-b": "Kendall's tau-b",
    "kendall-c": "Stuart's tau-c",
    "spa": "Soft pairwise accuracy",
}
_UNITS = {"segment": "all texts", "item": "the systems on each segment, averaged", "system": "the means of systems"}


_TESTS = {"perm-both": "PERM-BOTH", "williams": "Williams' test"}
# How systems got their scores.
_WAYS = {
    "corpus": "their corpus scores",
    "mean": "the means of their segments' scores",
    "given": "the scores that were given",
}


def fixed(value: float | None, digits: int = 3) -> str:
    """A number with this many decimals, or a dash."""
    if value is None or math.isnan(value):
        return "–"
    return f"{round(value, digits) + 0.0:.{digits}f}".replace("-", "−")


def _end(value: float) -> str:
    """The end of an interval, with two decimals and without the 0 before the point."""
    return fixed(value, 2).replace("0.", ".", 1)


def p_value(value: float | None) -> str:
    """A p-value in a table's cell."""
    if value is None or math.isnan(value):
        return "–"
    return "p<.001" if value < 0.001 else f"p={value:.3f}".replace("=0.", "=.")


def mark(evaluation: MetaEvaluation, metric: str, quality: str) -> str:
    """ "*" for the best metric, "=" for one that is not significantly worse, otherwise a space."""
    best = evaluation.best.get(quality) or [""]
    return "*" if metric == best[0] else "=" if metric in best else " "


def cell(evaluation: MetaEvaluation, metric: str, quality: str, p_values: bool = False) -> str:
    """A correlation with its mark, and with its interval or its p-value."""
    each: Correlation = evaluation.correlations[metric][quality]
    text = f"{mark(evaluation, metric, quality)} {fixed(each.value):>6}" if evaluation.best else fixed(each.value)
    if p_values:
        return f"{text} {p_value(each.p_value):>6}"
    if each.interval:
        return f"{text} [{_end(each.interval.low):>4},{_end(each.interval.high):>4}]"
    return text


def metric_name(evaluation: MetaEvaluation, name: str) -> str:
    """A metric's name, and its number if that is called otherwise; a minus sign if lower is better."""
    scored = next(each for each in evaluation.metrics if each.name == name)
    return f"{'' if scored.higher_is_better else '−'}{name} {scored.number}".rstrip()


def headline(evaluation: MetaEvaluation) -> str:
    """The first sentence of a report: the texts, the coefficient, the level and the ratings."""
    judgements = evaluation.judgements
    systems = f" of {len(judgements.system_names)} systems" if len(judgements.system_names) > 1 else ""
    judges = JUDGES[evaluation.judges] + ", as z-scores of each annotator" * evaluation.normalized
    coefficient = _NAMES.get(evaluation.method, evaluation.method)
    units = _UNITS[evaluation.level]
    if by_way := {way: [each for each, own in evaluation.system_scores.items() if own == way] for way in _WAYS}:
        told = [
            f"{_WAYS[way]}{f' ({_listed(names)})' if len(names) < len(evaluation.system_scores) else ''}"
            for way, names in by_way.items()
            if names
        ]
        units = f"the systems, by {' or '.join(told)}" if told else units
    return f"{len(judgements):,} texts{systems}. {coefficient} of {units}, with {judges}."


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + f" and {len(names) - 4} others" * (len(names) > 4)


def agreement_rows(agreement: Mapping[str, AnnotatorAgreement]) -> list[list[str]]:
    """For each quality: its annotators, the texts with two ratings, the measures, and the ratings "N/A"."""
    return [
        [
            name,
            str(each.annotators),
            str(each.rated),
            "! " * each.is_low + fixed(each.alpha),
            fixed(each.kappa),
            fixed(each.others),
            str(each.declined),
        ]
        for name, each in agreement.items()
    ]


def agreement_told(agreement: Mapping[str, AnnotatorAgreement]) -> str:
    """What the agreement means, in a sentence or two; empty if it is high for all qualities."""
    alone = [name for name, each in agreement.items() if each.annotators == 1]
    apart = [name for name, each in agreement.items() if each.annotators > 1 and not each.rated]
    low = [name for name, each in agreement.items() if each.is_low]
    told = []
    if alone:
        of = "The ratings" if len(alone) == len(agreement) else f"The ratings of {', '.join(alone)}"
        told.append(f"{of} are one for each text: how well annotators agree is not known.")
    if apart:
        told.append(f"No two annotators rated the same text for {', '.join(apart)}: their agreement is not known.")
    if same := [name for name, each in agreement.items() if each.rated and each.alpha is None]:
        told.append(f"All ratings of {', '.join(same)} are equal, so that agreement cannot be told from chance.")
    if low:
        count = number_of(len(low), "quality").replace("qualitys", "qualities")
        told.append(
            f"! Alpha is below {RELIABLE} for {count}: Krippendorff advises against conclusions from such ratings. "
            "No metric can be trusted to agree with people who do not agree with each other."
        )
    return " ".join(told)


def legend(evaluation: MetaEvaluation, p_values: bool = False) -> list[str]:
    """What the marks and brackets mean, in lines."""
    lines = []
    if p_values:
        lines.append("p: of no correlation, two-sided. It says nothing of how strong a correlation is.")
    elif evaluation.confidence and evaluation.method != "spa":
        of = " of segments" * ({"corpus", "given"} & {*evaluation.system_scores.values()} != set())
        lines.append(
            f"[ ]: {evaluation.confidence:.4g} interval, from {evaluation.resamples:,} bootstrap resamples{of}."
        )
    if evaluation.best:
        how = f"by {_TESTS[evaluation.test]}" if evaluation.test else "from resamples that both share"
        lines.append(f"*: the best. =: not significantly worse than it, {how}.")
    if any(not each.higher_is_better for each in evaluation.metrics):
        lines.append("−: lower is better, so scores are negated.")
    if evaluation.tie == "calibrated":
        lines.append(
            "tie: scores of a metric that differ by at most so much are ties; with this threshold, acc23 is greatest."
        )
    elif evaluation.tie:
        lines.append(f"Scores that differ by at most {evaluation.tie:g} are ties.")
    return lines


def cluster_rows(evaluation: MetaEvaluation) -> list[list[str]]:
    """For each metric the rank of its cluster, by quality; empty without a test."""
    if not evaluation.rankings:
        return []
    return [
        [
            metric_name(evaluation, each.name),
            *(str(own.clusters.get(each.name, "–")) for own in evaluation.rankings.values()),
        ]
        for each in evaluation.metrics
    ]


def tie_rows(evaluation: MetaEvaluation) -> list[list[str]]:
    """For each metric the threshold that was found for ties, by quality; empty if none was looked for."""
    if evaluation.tie != "calibrated":
        return []
    return [
        [metric_name(evaluation, name), *(f"{each.tie:.4g}" for each in row.values())]
        for name, row in evaluation.correlations.items()
    ]


def share_rows(evaluation: MetaEvaluation, combination: str) -> list[list[str]]:
    """For each part of a combination its share of the correlation, by quality; the last row is their sum."""
    shares = evaluation.shares[combination]
    parts: Sequence[str] = next(each.parts for each in evaluation.metrics if each.name == combination)
    rows = [[part, *(fixed(of_parts[part]) for of_parts in shares.values())] for part in parts]
    return [*rows, ["all together", *(fixed(sum(of_parts.values())) for of_parts in shares.values())]]


def average_rows(average: AverageCorrelations, quality: str) -> list[list[str]]:
    """For each metric its correlation in each data set, the mean, and the rank of its cluster if there is a test."""
    ranking = average.qualities[quality]
    return [
        [
            name,
            *(fixed(value) for value in ranking.values[name]),
            fixed(ranking.means[name]),
            *([str(ranking.clusters[name])] if ranking.clusters else []),
        ]
        for name in ranking.metrics
    ]


def average_legend(average: AverageCorrelations) -> list[str]:
    """What the columns of the averages are, in lines."""
    coefficient = _NAMES.get(average.method, average.method)
    lines = [f"{coefficient} in each data set, and the mean."]
    if average.is_tested:
        lines.append(
            "cluster: WMT's rank, by Williams' test of mean correlations; its n is that of all data sets together."
        )
    return lines
