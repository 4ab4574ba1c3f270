"""Whose number: what a harness has printed for a log, beside ours from its samples, and why the two differ."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from metrologue.files.rows import Rows
    from metrologue.scorers import Result, Scorer

# The names that harnesses have for our metrics.
_OURS = {
    "acc": "accuracy", "chrf++": "chrf[word_order=2]", "chrf_plus": "chrf[word_order=2]",
    **{kind: f"rouge:rouge_score[{kind}]" for kind in ("rouge1", "rouge2", "rougeL", "rougeLsum")},
}  # fmt: skip
_LIGHTEVAL = {"em": "exact_match:helm", "f1": "token_f1"}
_INSPECT = {"exact": "exact_match:squad", "f1": "token_f1:squad", "choice": "accuracy"}
# The options of metrics in the settings of lm-evaluation-harness, and ours.
_OPTIONS = {"ignore_case": "lowercase", "ignore_punctuation": "ignore_punctuation", "ignore_numbers": "ignore_numbers"}
_ABOUT_EQUAL = 1e-9
_MOST_SEARCHED = 20_000  # samples for which settings are tried, which takes some passes over them
_SECONDS = 4.0  # of a processor for the search
_MOST_SHARES = 3


def metrics_of(path: str, log: Rows) -> dict[str, str]:
    """The log's own name of each metric that is here, by our name of it, with the options in its settings."""
    from metrologue.files.log_results import settings_of
    from metrologue.scorers.core.registry import is_metric

    settings = settings_of(path)
    made = {}
    for name in log.metrics:
        ours = _our_name(log, name)
        if is_metric(ours.partition(":")[0].partition("[")[0]):
            own = settings.get(name, {})
            options = ",".join(f"{our_name}=true" for theirs, our_name in _OPTIONS.items() if own.get(theirs))
            made[f"{ours}[{options}]" if options else ours] = name
    return made


def _our_name(log: Rows, name: str) -> str:
    own = _INSPECT if "inspect" in log.kind else _LIGHTEVAL if "lighteval" in log.kind else {}
    return own.get(name) or _OURS.get(name, name)


def beside_printed(
    scorers: Sequence[Scorer],
    paths: Sequence[str],
    labels: Sequence[str],
    results: Sequence[Sequence[Result]],
    key: str | None = None,
) -> Iterator[str]:
    """What the harness itself has printed for each log, beside our numbers from its samples: a line for each number.

    Parameters
    ----------
    scorers, paths : sequences
    labels : sequence of str
        What tables call the paths.
    results : sequence of sequences of Result
        Of each path, the result of each scorer.
    key : str, optional
        What was read of the logs, if not their first filter.
    """
    from metrologue.errors import InputError
    from metrologue.files.log_results import printed_in
    from metrologue.files.recognized import format_of, read_log

    for path, label, row in zip(paths, labels, results, strict=True):
        try:
            found = format_of(path)
            if found is None or not found.is_log or not printed_in(path):
                continue
            log = read_log(path, key=key)
        except InputError:  # the key is one of JSON Lines, not a filter
            continue
        printed = printed_in(path, log.filter)
        for name in dict.fromkeys([*metrics_of(path, log).values(), *printed]):
            ours = _our_name(log, name)
            asked, kind = ours.partition(":")[0].partition("[")[0], name if ours.startswith("rouge") else ""
            for scorer, result in zip(scorers, row, strict=True):
                if name in printed and scorer.name == asked and kind in ("", *getattr(scorer, "types", ())):
                    value = result.scores.get(f"{kind}_fmeasure", result.value)
                    told = _told(scorer, value, printed[name], log, name)
                    yield f"{label}: the harness printed {name} {printed[name]:.6g}; {told}."


def _told(scorer: Scorer, value: float, printed: float, log: Rows, name: str) -> str:
    if _is_same(scorer, value, printed):
        return "reproduced from the samples"
    why = _why(scorer, printed, log, name) if len(log.predictions or ()) <= _MOST_SEARCHED else ""
    return f"{value:.6g} from the samples: {why or 'no setting of ours prints it from the samples'}"


def _is_same(scorer: Scorer, value: float, printed: float) -> bool:
    scaled = (value, value / scorer.scale, 100 * value / scorer.scale)
    return any(math.isclose(printed, each, rel_tol=_ABOUT_EQUAL) for each in scaled)


def _why(scorer: Scorer, printed: float, log: Rows, name: str) -> str:
    """Why a printed number is not ours: another way to take the samples, or another setting with the shares of each."""
    from metrologue.comparison.which.search import which
    from metrologue.errors import InputError

    said = [each for each in log.predictions or () if isinstance(each, str)]
    right = log.references or []
    everything = [text for texts in right for text in texts]
    if "lighteval" in log.kind and said and _is_same(scorer, scorer.corpus(said[:1], [everything]).value, printed):
        return "the harness has compared the first prediction alone, with the references of all documents"
    stripped = [each.strip() for each in said]
    bare = [[each.strip() for each in texts] for texts in right]
    if _is_same(scorer, scorer.corpus(stripped, bare).value, printed):
        return "the harness strips whitespace around the texts"
    if _is_same(scorer, _mean_of_rounded(scorer, said, right), printed):
        return "the harness rounds the score of each sample to two decimals"
    try:
        found = which(name if name.startswith("rouge") else scorer.name, printed, said, right, seconds=_SECONDS)
    except InputError:
        return ""
    if not found.answers:
        return ""
    answer = found.answers[0]
    return f"the harness's number is that of {answer.about}{_shares(scorer, answer.scorer, said, right)}"


def _mean_of_rounded(scorer: Scorer, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> float:
    scores = scorer.segments([*predictions], [[*each] for each in references]) / scorer.scale
    return float(scores.round(2).mean()) * scorer.scale


def _shares(ours: Scorer, theirs: Scorer, predictions: Sequence[str], references: Sequence[Sequence[str]]) -> str:
    """The largest shares of the gap between two settings of a metric, in the unit of ours."""
    from metrologue.attribution import explain
    from metrologue.errors import InputError

    try:
        gap = explain(ours, theirs, [*predictions], [[*each] for each in references])
    except InputError:
        return ""
    unit = 100.0 if max(gap.scale_a, gap.scale_b) == 100 else 1.0
    shares = sorted(gap.contributions, key=lambda each: -abs(each.share))[:_MOST_SHARES]
    told = [f"{each.choice} {unit * each.share:+.4g}" for each in shares if abs(unit * each.share) >= 5e-5]
    return f" ({', '.join(told)})" if told else ""
