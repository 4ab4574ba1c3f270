"""``metrologue sacrebleu``: sacrebleu's own command, which counts and resamples with the engine here."""

from __future__ import annotations

import os
import secrets
import signal
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cached_property, lru_cache, partial
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from sacrebleu.metrics.base import Metric, Score
    from sacrebleu.significance import Result

    from metrologue.data.arrays import Floats
    from metrologue.scorers import Scorer
else:
    Metric = object  # sacrebleu's class comes after `_Counted` among the bases, and `--help` need not import it

# The versions of sacrebleu whose draws and formulas are tested equal to ours.
RESAMPLED = ("2.6.0",)


@click.command(add_help_option=False, context_settings={"ignore_unknown_options": True})
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def sacrebleu(arguments: tuple[str, ...]) -> None:
    """Run sacrebleu's command, in a fraction of its time: the same arguments, the same output.

    `metrologue sacrebleu --help` lists the arguments.
    """
    with counted_here() as module:
        given, sys.argv = sys.argv, ["sacrebleu", *arguments]
        try:
            module.main()
        except (UnicodeDecodeError, LookupError) as error:
            raise click.ClickException(f"{error}; --encoding has the encoding of the files.") from error
        finally:
            sys.argv = given


@contextmanager
def counted_here() -> Iterator[Any]:
    """The module of sacrebleu's command. Until the block ends, its metrics count and resample with our engine.

    A version of sacrebleu that is not tested does its own resampling, and standard error says so.

    Examples
    --------
    >>> with counted_here() as module:
    ...     print(module.METRICS["TER"]().corpus_score(["a cat"], [["the cat"]]))
    TER = 50.00
    """
    # The module sets a handler of a signal when it is imported, which no thread but the main one may do.
    with _replaced(vars(signal), signal=lambda *_: None):
        from sacrebleu import __version__, metrics, significance
        from sacrebleu import sacrebleu as module
    test, interval = significance.PairedTest, significance.estimate_ci
    functions: dict[str, Any] = {
        # One process: another one could import none of our classes, and would wait for the threads of this one.
        "PairedTest": lambda *texts, n_jobs, **options: test(*texts, **options),
        # Plain floats, as JSON has no others.
        "estimate_ci": lambda scores: tuple(map(float, interval(scores))),
    }
    if __version__ in RESAMPLED:
        tests = {"_paired_bs_test": partial(_tested, _bootstrap), "_paired_ar_test": partial(_tested, _randomization)}
        functions |= {"_bootstrap_resample": _bootstrap_resample, **tests}
    else:
        click.echo(f"metrologue: sacrebleu {__version__} resamples by itself; {RESAMPLED[-1]} is quicker.", err=True)
    counted = {name: type(kind.__name__, (_Counted, kind), {}) for name, kind in metrics.METRICS.items()}
    with _replaced(metrics.METRICS, **counted), _replaced(vars(significance), **functions):
        yield module


@contextmanager
def _replaced(names: dict[str, Any], **values: Any) -> Iterator[None]:
    kept = {name: names[name] for name in values}
    names.update(values)
    try:
        yield
    finally:
        names.update(kept)


class _Counted(Metric):
    """One of sacrebleu's metrics whose statistics come from a scorer, as rows (n, k) in the scorer's order."""

    @cached_property
    def scorer(self) -> Scorer:
        from metrologue.scorers import make_scorer
        from metrologue.scorers.core.variants import LIBRARIES

        signature, options = self.get_signature(), vars(self)
        signature.update("version", LIBRARIES["sacrebleu"])
        # The signature lacks the first, and has two digits of the second, which some methods do not use.
        names = ("beta",) if options.get("smooth_method") in ("exp", "none") else ("beta", "smooth_value")
        exact: dict[str, Any] = {name: options[name] for name in names if options.get(name) is not None}
        return replace(make_scorer(f"{type(self).__name__}|{signature}"), **exact)

    @cached_property
    def _places(self) -> NDArray[np.intp]:
        """Where the scorer has each of sacrebleu's statistics."""
        import numpy as np

        places = np.arange(len(self.scorer.columns))
        if self.scorer.name == "chrf":  # matches, counts and those of references, each of all orders
            return places.reshape(3, -1)[[1, 2, 0]].T.ravel()
        return places[[0, -1]] if self.scorer.name == "ter" else places  # TER: edits and length, not the kinds of edits

    def _preprocess_segment(self, sent: str) -> str:
        return sent

    def _extract_reference_info(self, refs: Sequence[str]) -> Any:
        return refs

    def _compute_segment_statistics(self, hypothesis: str, ref_kwargs: Any) -> Any:
        return hypothesis, ref_kwargs

    def _extract_corpus_statistics(self, hypotheses: Sequence[str], references: Any) -> Floats:
        from metrologue.segments import Segments

        texts, of_references = zip(*super()._extract_corpus_statistics(hypotheses, references), strict=True)
        return self.scorer.statistics(Segments(texts, of_references))

    def _aggregate_and_compute(self, stats: Any) -> Any:
        return self._compute_score_from_stats(stats.sum(axis=0))

    def _compute_score_from_stats(self, stats: Any) -> Any:
        return super()._compute_score_from_stats(stats[self._places])  # type: ignore[safe-super]  # of another base

    def resampled(self, rows: Floats, samples: int, seed: int) -> list[Score]:
        """The scores of so many resamples of the rows, in the single precision that sacrebleu has."""
        from metrologue.inference.totals import resampled_totals

        totals = resampled_totals([rows], _draws("counts", seed, len(rows), samples))
        return [self._compute_score_from_stats(row) for row in totals[:, 0].astype("float32")]


@lru_cache(maxsize=1)
def _draws(kind: str, seed: int, segments: int, trials: int) -> list[Any]:
    """The "counts" or the "subsets" of the segments in each trial, which all systems share."""
    from metrologue.inference.draws import DRAWS

    return [block.copy() for block in getattr(DRAWS["pcg64"](seed), kind)(segments, trials)]


def _bootstrap_resample(stats: Floats, metric: _Counted, n_samples: int) -> tuple[str, list[Score]]:
    seed = os.environ.get("SACREBLEU_SEED", "12345").lower()
    return seed, metric.resampled(stats, n_samples, secrets.randbits(64) if seed == "none" else int(seed))


def _tested(
    test: Callable[..., tuple[float, ...]], baselines: Mapping[str, tuple[Floats, Result]], system: str,
    hypotheses: Sequence[str], references: Any, metrics: Mapping[str, _Counted], samples: int, _: int, seed: int | None,
) -> tuple[str, dict[str, Result]]:  # fmt: skip
    """What sacrebleu's functions return for one system: its name, and its results under each metric."""
    from sacrebleu.significance import Result

    seed, results = secrets.randbits(64) if seed is None else seed, {}
    for name, metric in metrics.items():
        rows = metric._extract_corpus_statistics(hypotheses, references)
        score = metric._aggregate_and_compute(rows).score
        results[name] = Result(score, *test(metric, baselines[name][0], rows, samples, seed))
    return system, results


def _bootstrap(metric: _Counted, baseline: Floats, rows: Floats, samples: int, seed: int) -> tuple[float, ...]:
    import numpy as np
    from sacrebleu.significance import _compute_p_value, estimate_ci

    # All systems have one baseline, and with a fixed seed the same resamples of it.
    kept = vars(metric).setdefault("_of_baseline", {})
    if (id(baseline), seed) not in kept:
        kept[id(baseline), seed] = np.array([each.score for each in metric.resampled(baseline, samples, seed)])
    scores = np.array([each.score for each in metric.resampled(rows, samples, seed)])
    differences = np.abs(scores - kept[id(baseline), seed])
    first, second = (metric._aggregate_and_compute(each).score for each in (baseline, rows))
    return _compute_p_value(differences - differences.mean(), abs(first - second)), *estimate_ci(scores)


def _randomization(metric: _Counted, baseline: Floats, rows: Floats, samples: int, seed: int) -> tuple[float, ...]:
    import numpy as np
    from sacrebleu.significance import _compute_p_value

    from metrologue.inference.totals import exchanged

    scorer, trials = metric.scorer, _draws("subsets", seed, len(rows), samples)
    [differences] = exchanged(scorer, scorer.primary, [baseline, rows], [(0, 1)], trials)
    # By the formulas of the trials, so that a trial in which nothing is exchanged has the same difference.
    first, second = (float(scorer.score(each.sum(axis=0))[scorer.primary]) for each in (baseline, rows))
    return (_compute_p_value(np.abs(differences), abs(first - second)),)
