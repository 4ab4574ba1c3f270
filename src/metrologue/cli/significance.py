"""The options of ``metrologue score`` for confidence intervals and paired tests, and their part of its output."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypedDict

import click
import numpy as np

from metrologue.cli.faults import shown_path
from metrologue.cli.gathering import gathered
from metrologue.cli.tables import Score
from metrologue.errors import number_of
from metrologue.scorers.core.engine import for_resampling, is_separable
from metrologue.writing import progress_bar

if TYPE_CHECKING:
    from metrologue.inference import Interval, PairedResult
    from metrologue.scorers import Scorer
    from metrologue.segments import Segments

_LEVEL = 0.95
_ALPHA = 0.05
_EQUAL = "equal outputs"
_LETTER = re.compile(r"[a-z]\d*")
_TEST_NAMES = {"bootstrap": "paired bootstrap test", "randomization": "paired randomization test"}


@dataclass(frozen=True)
class Inference:
    """The values of the options for intervals and tests.

    Attributes
    ----------
    confidence : bool
        Whether intervals were asked for. A bootstrap test gives them too, as in sacrebleu.
    level : float
    resamples : int
        For intervals without a bootstrap test.
    test : str or None
        The method of the paired test, "bootstrap" or "randomization"; None: no test.
    test_resamples : int
        For the test.
    seed : int or None
    correction : str or None
    resampling : str or None
        A name in ``RESAMPLINGS``. None: sacrebleu's for scorers that mirror it, so that ± and p are those of sacrebleu;
        otherwise ours.
    """

    confidence: bool
    level: float
    resamples: int
    test: str | None
    test_resamples: int
    seed: int | None
    correction: str | None
    resampling: str | None

    def resampling_of(self, scorer: Scorer) -> str:
        """Whose draws and rules the intervals and tests of a scorer have."""
        from metrologue.scorers.core.sacrebleu_signatures import signature_of

        return self.resampling or ("sacrebleu" if signature_of(scorer, 1) else "metrologue")

    @property
    def has_intervals(self) -> bool:
        """Whether to give intervals. A bootstrap test always has them."""
        return self.confidence or self.test == "bootstrap"

    @property
    def interval_resamples(self) -> int:
        """For the intervals. They share the resamples of a bootstrap test."""
        return self.test_resamples if self.test == "bootstrap" else self.resamples

    @property
    def wanted(self) -> bool:
        """Whether there is anything to compute."""
        return self.confidence or self.test is not None


@dataclass(frozen=True)
class Inferred:
    """The intervals and tests of one metric's columns.

    Attributes
    ----------
    primary : str, the name of the number that is tested
    intervals : list of dict of str to Interval, one for each system; empty if none were asked for
    tests : list of PairedResult or None, one for each system, None for the baseline; empty without a test
    groups : list of str, one for each system; empty without a test
    equal : set of int, the systems whose output, or score of every segment, is that of the baseline
    """

    primary: str
    intervals: list[dict[str, Interval]]
    tests: list[PairedResult | None]
    groups: list[str]
    equal: frozenset[int] = frozenset()

    @property
    def _own(self) -> list[Interval | None]:
        """The interval of each system's primary number. It has none if it is infinite in a resample."""
        return [intervals.get(self.primary) for intervals in self.intervals]

    def cells(self, key: str, values: Sequence[float], digits: int | None) -> list[Score]:
        """The cells of a number: each with its margin; the primary one with its star and letters, too.

        Without `digits`, numbers have as many decimals as the least margin needs for two digits, and at most four.
        """
        cell_intervals = [intervals.get(key) for intervals in self.intervals] or [None] * len(values)
        margins = [each.margin for each in cell_intervals if each]
        decimals = _decimals(margins) if digits is None else digits
        tested = bool(self.tests) and key == self.primary
        return [
            Score(
                f"{value:.{decimals}f}",
                "" if interval is None else f"{interval.margin:.{decimals}f}",
                "*" if tested and self._is_significant(i) else "",
                self.groups[i] if tested else "",
            )
            for i, (value, interval) in enumerate(zip(values, cell_intervals, strict=True))
        ]

    def _is_significant(self, index: int) -> bool:
        test = self.tests[index]
        return test is not None and index not in self.equal and test.corrected_p_value < _ALPHA

    @property
    def p_values(self) -> list[str]:
        """The p-value of each system as text; empty for the baseline."""
        return [
            "" if each is None else _EQUAL if i in self.equal else f"{each.corrected_p_value:.4f}"
            for i, each in enumerate(self.tests)
        ]

    def beside(self, best: int) -> set[int]:
        """The systems that do not differ significantly from the best one, if this was tested."""
        letters = [{*_LETTER.findall(group)} for group in self.groups]
        return {i for i, own in enumerate(letters) if own & letters[best]}

    @property
    def of_intervals(self) -> str:
        """What ± is, in a sentence; empty without intervals."""
        first = next(filter(None, self._own), None)
        return f" ({first.level:.0%} interval, bootstrap, {first.resamples} resamples)" if first else ""

    def in_full(self) -> dict[str, list[str]]:
        """The columns of a table of all digits."""
        columns: dict[str, list[str]] = {}
        if self.intervals:
            for name in ("low", "high", "mean"):
                columns[name] = ["" if each is None else repr(getattr(each, name)) for each in self._own]
        if self.tests:
            for name in ("p_value", "corrected_p_value"):
                columns[name] = [
                    "" if each is None or i in self.equal else repr(getattr(each, name))
                    for i, each in enumerate(self.tests)
                ]
            columns["group"] = self.groups
        return columns

    def of_system(self, index: int, segments: int) -> dict[str, Any]:
        """The entries of one system for JSON."""
        from metrologue.inference.resampling import few_segments

        entries: dict[str, Any] = {}
        if self.intervals:
            interval = self._own[index]
            entries["confidence"] = interval and interval.to_dict()
            entries["intervals"] = {name: [each.low, each.high] for name, each in self.intervals[index].items()}
            entries |= {"few_segments": told} if (told := few_segments(segments)) else {}
        if self.tests:
            test = self.tests[index]
            entries["paired_test"] = None if test is None else test.to_dict()
            entries |= {"equal_outputs": True} if index in self.equal else {}
            entries["group"] = self.groups[index]
        return entries

    def notes(self, baseline: str, segments: int) -> list[str]:
        """Lines below the table that say what was computed."""
        from metrologue.inference.resampling import FEW

        lines = (
            [f"only {number_of(segments, 'segment')}: all intervals and p-values are rough"] if segments < FEW else []
        )
        if first := next(filter(None, self._own), None):
            lines.append(f"±: half of the {first.level:.4g} interval, {first.signature}")
        if None in self._own:
            lines.append(f"±: {self.primary} is infinite in a resample, so that it has no interval")
        if test := next(filter(None, self.tests), None):
            lines += [
                f"p: against {shown_path(baseline)}, {_TEST_NAMES[test.method]}, {test.signature}; * is below {_ALPHA}",
                "letters: two systems that share one do not differ (all pairs, p < 0.05 after Holm's correction)",
            ]
        return lines


def _decimals(margins: Sequence[float]) -> int:
    """So many decimals that the least margin above 0 shows two digits; at most four."""
    positive = [margin for margin in margins if margin > 0]
    return min(4, max(0, 1 - math.floor(math.log10(min(positive))))) if positive else 4


def infer(
    scorers: Sequence[Scorer],
    names: Sequence[str],
    segments: Sequence[Segments],
    wanted: Inference,
    threads: int | None,
) -> list[Inferred]:
    """The intervals and tests of each metric for all systems; the first one is the baseline."""
    if not wanted.wanted:
        return []
    from metrologue.comparison.findings.significance import told_already
    from metrologue.inference.resampling import checked_resamples, warn_of_few

    used = [wanted.interval_resamples] * wanted.has_intervals + [wanted.test_resamples] * (wanted.test is not None)
    for count in dict.fromkeys(used):
        checked_resamples(count)
    if wanted.has_intervals and len(segments[0]) > 1:  # one segment is refused
        warn_of_few(len(segments[0]))
    inferred = []
    with told_already(), progress_bar(total=len(scorers)) as update:
        for scorer in scorers:
            update(description=scorer.name)
            inferred.append(_inferred(scorer, names, segments, wanted, threads))
            update(advance=1)
    return inferred


def _inferred(
    scorer: Scorer, names: Sequence[str], segments: Sequence[Segments], wanted: Inference, threads: int | None
) -> Inferred:
    from metrologue.inference import confidence_intervals, paired_test, significance_groups
    from metrologue.inference.resampling import chosen_seed

    separable = is_separable(for_resampling(scorer))
    samples: dict[str, Any] = {
        name: scorer.statistics(each, threads) if separable else each
        for name, each in zip(names, segments, strict=True)
    }
    resampling = wanted.resampling_of(scorer)
    shared: Any = {"seed": chosen_seed(wanted.seed, resampling), "resampling": resampling}
    intervals: list[dict[str, Interval]] = []
    if wanted.has_intervals:
        given: Any = {"level": wanted.level, "resamples": wanted.interval_resamples, **shared}
        intervals = [confidence_intervals(scorer, each, **given) for each in samples.values()]
    if wanted.test is None:
        return Inferred(scorer.primary, intervals, [], [])
    given = {"level": wanted.level, "resamples": wanted.test_resamples, "correction": wanted.correction, **shared}
    tests = paired_test(scorer, names[0], samples, method=wanted.test, **given)
    first, *others = segments
    # Without a difference, sacrebleu's rule gives the least p-value that there is.
    equal = frozenset(
        i
        for i, each in enumerate(others, 1)
        if _same_texts(first, each) or (separable and np.array_equal(samples[names[0]], samples[names[i]]))
    )
    groups = significance_groups(scorer, samples, method=wanted.test, **shared)
    return Inferred(scorer.primary, intervals, [None, *tests], [*groups.values()], equal)


def _same_texts(some: Segments, others: Segments) -> bool:
    from metrologue.text.reading.text import Text

    columns = some.predictions, others.predictions
    return all(isinstance(each, Text) for each in columns) and some.texts().equals(others.texts())


def _inference_of(values: dict[str, Any]) -> Inference:
    paired_bs, paired_ar, resamples_bs, resamples_ar, level, confidence, correction = (
        values.pop(name)
        for name in ("paired_bs", "paired_ar", "paired_bs_n", "paired_ar_n", "level", "confidence", "correction")
    )
    del values["paired_jobs"]
    if paired_bs and paired_ar:
        raise click.UsageError("--paired-bs and --paired-ar are two tests; choose one.")
    test = "bootstrap" if paired_bs else "randomization" if paired_ar else None
    systems = values["predictions"]
    if test and len(systems) < 2:
        raise click.UsageError("a paired test compares systems; give -p twice or more, the baseline first.")
    if correction and not test:
        raise click.UsageError("--correction corrects the p-values of a test; give --paired-bs or --paired-ar.")
    inference = Inference(
        confidence=confidence,
        level=level,
        resamples=values.pop("confidence_n"),
        test=test,
        test_resamples=resamples_bs if paired_bs else resamples_ar,
        seed=values.pop("seed"),
        correction=correction,
        resampling=values.pop("resampling"),
    )
    if level != _LEVEL and not inference.has_intervals:
        raise click.UsageError("--level is the level of intervals; give --confidence or --paired-bs.")
    return inference


_SEVERAL = click.IntRange(2)

# The options for intervals and tests, named as in sacrebleu. The command gets them as its argument `inference`.
inference_options = gathered(
    "inference",
    _inference_of,
    click.option("--confidence", "-ci", is_flag=True, help="Give confidence intervals, by the bootstrap."),
    click.option("--level", type=float, default=_LEVEL, show_default=True, help="The level of confidence."),
    click.option("--confidence-n", "-cin", type=_SEVERAL, default=1000, show_default=True, help="Resamples."),
    click.option("--paired-bs", "-pbs", is_flag=True, help="Test against the first system: bootstrap."),
    click.option("--paired-ar", "-par", is_flag=True, help="Test against the first system: randomization."),
    click.option("--paired-bs-n", "-pbsn", type=_SEVERAL, default=1000, show_default=True, help="Resamples."),
    click.option("--paired-ar-n", "-parn", type=_SEVERAL, default=10_000, show_default=True, help="Exchanges."),
    click.option("--paired-jobs", "-j", type=int, default=1, hidden=True, help="Without effect: one is enough."),
    click.option("--seed", type=click.IntRange(0), help="The random seed. Default: 12345, or $SACREBLEU_SEED."),
    click.option("--correction", help="Correct the p-values: bonferroni, holm or benjamini-hochberg."),
    click.option(
        "--resampling",
        metavar="NAME",
        help="Whose random draws and rules to use: metrologue, sacrebleu or rouge_score. Default: sacrebleu for "
        "variants that mirror it, otherwise metrologue.",
    ),
)


class Sampled(TypedDict):
    """The arguments of ``compare_metrics`` with these names."""

    confidence: float | None
    resamples: int
    seed: int | None
    tests: bool


def _sampled_of(values: dict[str, Any]) -> Sampled:
    level = values.pop("level")
    return Sampled(
        confidence=level if values.pop("confidence") else None,
        resamples=values.pop("confidence_n"),
        seed=values.pop("seed"),
        tests=values.pop("tests"),
    )


# The options of a comparison, named as those of `score`. The command gets them as its argument `sampled`.
sampling_options = gathered(
    "sampled",
    _sampled_of,
    click.option("--confidence/--no-confidence", "-ci", default=True, show_default=True,
                 help="Give confidence intervals and tests, by the bootstrap."),
    click.option("--level", type=float, default=_LEVEL, show_default=True, help="The level of confidence."),
    click.option("--confidence-n", "--resamples", "-cin", "confidence_n", type=_SEVERAL, default=1000,
                 show_default=True, help="Resamples."),
    click.option("--seed", type=click.IntRange(0), help="The random seed. Default: 12345."),
    click.option("--tests/--no-tests", default=True, show_default=True, help="Test the best system."),
)  # fmt: skip
