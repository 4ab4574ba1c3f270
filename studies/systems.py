"""The part of docs/correlation.md on whole systems: their corpus scores beside the means of their segments' scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np

from metrologue.meta import Judgements, Ratings, meta_evaluate, read_judgements
from metrologue.scorers import Bleu, Chrf, Rouge, Ter
from studies.tables import Row, evaluated, printed, prose, table

__all__ = ["systems"]

# The official BLEU of the task, of text that is not tokenized.
_WMT = (
    Row("BLEU", Bleu.variant("sacrebleu"), {"cs-en": ".971", "de-en": ".923"}),
    Row("BLEU of tokens", Bleu.variant("sacrebleu", tokenizer="whitespace"), {"cs-en": ".971", "de-en": ".923"}),
    Row("chrF", Chrf.variant("sacrebleu")),
    Row("TER", Ter.variant("sacrebleu")),
)


def _rouge(name: str, figures: str) -> Row:
    columns = dict(zip(_SIGNS.values(), figures.split(), strict=True))
    return Row(name, Rouge(types=(f"rouge{name[-1]}",), stemmer="porter"), columns)


_SIGNS = {"pearson": "r", "spearman": "rho", "kendall-b": "tau"}
_SUMMEVAL = (_rouge("ROUGE-1", ".61 .62 .50"), _rouge("ROUGE-2", ".64 .60 .43"), _rouge("ROUGE-L", ".61 .48 .32"))


def _translations(folder: Path, pair: str) -> Judgements:
    """The outputs of all systems, each with the system's rating on every segment."""
    ratings = {}
    for line in (folder / "DA-syslevel.csv").read_text("utf-8").splitlines()[1:]:
        rated, rating, system = line.split(" ")
        if rated == pair:
            ratings[system] = float(rating)
    name = f"newstest2017-{pair.replace('-', '')}-ref.en"
    references = (folder / "references" / name).read_text("utf-8").removesuffix("\n").split("\n")
    count, texts = len(references), []
    for system in ratings:
        path = folder / "system-outputs" / pair / f"newstest2017.{system}.{pair}"
        texts += path.read_text("utf-8").removesuffix("\n").split("\n")
    return Judgements(
        segments=tuple(str(place) for place in range(1, count + 1)) * len(ratings),
        hypotheses=tuple(texts),
        ratings={"adequacy": Ratings(np.repeat([*ratings.values()], count)[:, None], ("mean",))},
        systems=tuple(system for system in ratings for _ in range(count)),
        references=tuple((text,) for text in references) * len(ratings),
    )


def systems(folder: Path) -> Iterator[str]:
    pairs = {pair: _translations(folder / "wmt17_da", pair) for pair in ("cs-en", "de-en")}
    scorers = {row.name: row.scorer for row in _WMT}
    cells: dict[str, dict[str, str]] = {row.name: {} for row in _WMT}
    for pair, said in pairs.items():
        for way in ("corpus", "mean"):
            found = meta_evaluate(said, scorers, method="pearson", level="system", system_score=way)
            for row in _WMT:
                each = found.correlations[row.name]["adequacy"]
                published = row.published if way == "corpus" else {}
                [figure] = replace(row, published=published).cells({pair: each.value}, 3)
                ends = each.interval
                limits = f" [{printed(ends.low, 2)}, {printed(ends.high, 2)}]" if ends and way == "corpus" else ""
                cells[row.name][f"{pair} {way}"] = figure + limits
    columns = [f"{pair} {way}" for pair in pairs for way in ("corpus", "mean")]
    counts = " and ".join(f"{len(said.system_names)} ({pair})" for pair, said in pairs.items())
    yield "## Systems: corpus scores and means\n"
    yield prose(
        f"WMT17, {counts} systems, Pearson's r with the systems' direct assessments. corpus: each system has the "
        "metric's score of all its texts, as in WMT's tables; in square brackets the 95 % interval from resamples of "
        "segments. mean: the mean of its sentences' scores. They differ: papers that say BLEU of a system mean the "
        "first. The data are tokenized and in lower case; the official BLEU read text as the systems wrote it."
    )
    yield table(
        ["metric", "scorer", *columns],
        [[row.name, row.setting, *(cells[row.name][column] for column in columns)] for row in _WMT],
    )
    said = read_judgements(folder / "summeval", "summeval").of_qualities(["relevance"])
    found = evaluated(said, _SUMMEVAL, (*_SIGNS,), level="system", references="first")
    yield prose(
        f"SummEval, {len(said.system_names)} systems, relevance, with the original reference alone: ROUGE's corpus "
        "score is the mean of the summaries' scores. Published: the documentation of SacreROUGE, which runs "
        "ROUGE-1.5.5."
    )
    yield table(
        ["metric", "scorer", *_SIGNS.values()],
        [
            [row.name, row.setting, *row.cells({_SIGNS[method]: value for (method, _), value in own.items()}, 2)]
            for row, own in zip(_SUMMEVAL, found.values(), strict=True)
        ],
    )
