"""The part of docs/correlation.md on factuality: FactCC on errors that rules make, on people's, and on ratings.

``python -m studies.facts [FOLDER]`` makes this part alone, and leaves the rest of the page as it is. It is made where
the encoder and a pipeline of spaCy are installed. No model that is trained here is kept.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from metrologue.data.arrays import Floats
from metrologue.learned import TrainedModel, train
from metrologue.meta import Judgements, read_judgements
from metrologue.scorers import EntityRecall, FactCC, Scorer
from metrologue.scorers.factcc.examples import claim_examples
from metrologue.segments import Segments
from studies.encoders import PIPELINE, bertscore, encoder_folder, is_installed, kept, pipeline
from studies.tables import Row, evaluated, interval, printed, prose, table

__all__ = ["FACTS", "facts"]

FACTS = "## Factuality\n"
_NEXT = "\n## Published, and not computed here\n"
_CLAIMS, _REFERENCES, _SYSTEMS, _LINES = 3000, 5, 8, 12  # claims of a model; every so many summaries and lines of news
_LAYER = 4  # of BERTScore, as shared notes of a first trial have it; FactCC's own is two thirds of the way up


def _halves(said: Judgements) -> list[set[str]]:
    """The documents in two halves."""
    names = sorted({*said.segments})
    order = np.random.default_rng(0).permutation(len(names))
    return [{names[place] for place in order[half::2]} for half in (0, 1)]


def _sources(folder: Path, said: Judgements, half: int, documents: set[str]) -> tuple[list[str], list[str]]:
    """The texts of a half in which errors are made, and their groups: summaries of people and of systems, and news."""
    found: dict[str, str] = {}
    references = said.references or ()
    for row, (document, text) in enumerate(zip(said.segments, said.hypotheses, strict=True)):
        if document in documents:
            found |= dict.fromkeys(references[row][:_REFERENCES], document)
            found |= {text: document} if row % _SYSTEMS == 0 else {}
    for pair in ("csen", "deen"):
        lines = (folder / "wmt17_da" / "references" / f"newstest2017-{pair}-ref.en").read_text("utf-8").splitlines()
        found |= {line: f"{pair} {place // 100}" for place, line in enumerate(lines)
                  if place % _LINES == 0 and place // 100 % 2 == half}  # fmt: skip
    return [*found], [*found.values()]


def _models(sources: Sequence[tuple[list[str], list[str]]]) -> list[TrainedModel]:
    """A model of each half, measured on claims of the other one."""
    claims = [claim_examples(texts, PIPELINE, groups=groups, most=_CLAIMS) for texts, groups in sources]
    pairs = ((claims[0], claims[1]), (claims[1], claims[0]))
    return [train("factcc", one, encoders=[encoder_folder()], test=other) for one, other in pairs]


def _whole(sources: Sequence[tuple[list[str], list[str]]]) -> TrainedModel:
    """A model of both halves, for data that share nothing with either."""
    texts, groups = ([each for own in column for each in own] for column in zip(*sources, strict=True))
    claims = claim_examples(texts, PIPELINE, groups=groups, most=2 * _CLAIMS)
    return train("factcc", claims, encoders=[encoder_folder()], measure=False)


def _generated(models: Sequence[TrainedModel]) -> Iterator[str]:
    yield "### Errors that rules make\n"
    yield prose(
        "Two models of FactCC on MiniLM's token vectors, which stay as they are. Each learned from sentences of a half "
        "of SummEval's documents (references and systems' summaries) and of WMT17's English references, half of them "
        "with an error, and is measured on the claims of the other half. Intervals are of 1,000 resamples."
    )
    lines = []
    for place, model in enumerate(models, start=1):
        found = model.report["held_out"]
        [rival] = {*found["rivals"].values()}
        auc = found["compared"]["auc"]
        cells = [interval(auc[name]) for name in ("learned", "rival", "difference")]
        lines.append([f"half {place}", f"{model.report['data']['rows']:,}", cells[0], rival, *cells[1:]])
    yield table(["trained on", "claims", "AUC", "rival", "its AUC", "difference"], lines)
    leaks = [model.report["held_out"]["leaks"]["test"] for model in models]
    yield prose(
        f"**Leak report.** {sum(each['references'] for each in leaks):,} claims have a source that their model was "
        "trained on. The halves share systems and rules: an error that no rule makes is not measured here."
    )


def _falke(folder: Path, models: Sequence[TrainedModel], whole: TrainedModel, texts: Sequence[str]) -> Iterator[str]:
    """Which of two sentences about a source is the right one."""
    pairs = json.loads((folder / "falke_pairs" / "summary_pairs.json").read_text("utf-8"))
    sides = [Segments([each[name] for each in pairs], [each["article_sent"] for each in pairs])
             for name in ("correct_sent", "incorrect_sent")]  # fmt: skip
    parser: Any = PIPELINE
    plain: tuple[tuple[str, Scorer, str], ...] = (
        (f"BERTScore precision, layer {_LAYER}", bertscore(_LAYER), "precision"),
        ("BERTScore precision, last layer", bertscore(), "precision"),
        ("entity recall's precision, by rule", EntityRecall(), "precision"),
        ("entity recall's precision, by spaCy", EntityRecall(parser=parser), "precision"),
    )
    scores = {name: [scorer.segments(side, key=key) for side in sides] for name, scorer, key in plain}
    each: list[list[Floats]] = [[FactCC(model=m).segments(side) for side in sides] for m in models]
    for place, own in enumerate(each, start=1):
        scores[f"FactCC of half {place}"] = own
    scores["FactCC, trained on both halves"] = [FactCC(model=whole).segments(side) for side in sides]
    yield "### Errors of systems: pairs of Falke et al. (2019)\n"
    yield prose(
        f"{len(pairs)} pairs of a right and a wrong sentence about a sentence of an article, all in lower case. The "
        "share of the pairs in which the right one scores more; a tie is not right."
    )
    lines = []
    for name, (right, wrong) in scores.items():
        share, ties = float((right > wrong).mean()), float((right == wrong).mean())
        draws = np.random.default_rng(0).choice(right > wrong, (1000, len(right))).mean(axis=1)
        low, high = np.quantile(draws, (0.025, 0.975))
        lines.append([name, interval({"mean": share, "low": low, "high": high}), printed(ties, 3)])
    yield table(["metric", "right", "ties"], lines)
    trained = " ".join(texts).lower()
    shared = sum(each["article_sent"] in trained for each in pairs)
    yield prose(
        f"**Leak report.** {shared} of the sentences of articles are in a text that a model was trained on. SummEval "
        "and these pairs are both of CNN/DailyMail."
    )


def _summeval(said: Judgements, halves: Sequence[set[str]], models: Sequence[TrainedModel]) -> Iterator[str]:
    """Ratings of consistency, with the references in place of the articles, which are not at hand."""
    segments = Segments([*said.hypotheses], [[*own] for own in said.references or ()])
    scores: dict[str, Floats] = {
        "BERTScore precision, greatest of 11": bertscore().segments(segments, key="precision"),
        "entity recall, 11 references together": EntityRecall().segments(segments),
        "entity recall's precision, mean of 11": EntityRecall().segments(segments, key="precision"),
        "FactCC, greatest of 11": np.zeros(len(said)),
    }
    for documents, model in zip(halves, models[::-1], strict=True):
        rows = np.flatnonzero([document in documents for document in said.segments])
        part = Segments([said.hypotheses[row] for row in rows], [[*(said.references or ())[row]] for row in rows])
        scores["FactCC, greatest of 11"][rows] = FactCC(model=model).segments(part)
    listed = [Row(name, name) for name in scores]
    found = evaluated(replace(said, scores=scores), listed, ("spearman", "kendall-b"), level="item")
    yield "### Ratings: SummEval's consistency\n"
    yield prose(
        f"{len(said):,} summaries; rho and tau-b of the systems on each document, the mean over documents. The "
        "articles are not at hand: the 11 references stand in their place, so a true statement that no reference has "
        "counts against a summary. A document's summaries are scored by the model of the other half."
    )
    lines = [[name, *(printed(own[method, "consistency"], 3) for method in ("spearman", "kendall-b"))]
             for name, own in found.items()]  # fmt: skip
    yield table(["metric", "rho", "tau-b"], lines)


def facts(folder: Path) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    pipeline()
    said = read_judgements(folder / "summeval", "summeval")
    halves = _halves(said)
    sources = [_sources(folder, said, half, own) for half, own in enumerate(halves)]
    models = _models(sources)
    yield FACTS
    yield prose(
        "A metric of factuality asks whether a text says what its source says. A trained one is worth something if it "
        "beats metrics that are not trained for this: the names and numbers that both texts have, and BERTScore."
    )
    yield from _generated(models)
    yield from _falke(folder, models, _whole(sources), [text for texts, _ in sources for text in texts])
    yield from _summeval(said, halves, models)


def main(arguments: Sequence[str]) -> int:
    """Make this part anew, and write it into the page."""
    from studies.correlation import DATA, PAGE

    if not is_installed():
        raise SystemExit("studies.facts: the encoder is not installed.")
    page = PAGE.read_text("utf-8")
    made = "\n".join(facts(Path(arguments[0]) if arguments else DATA))
    old = kept(page, FACTS) if f"\n{FACTS}" in page else None
    page = page.replace(old, made) if old else page.replace(_NEXT, f"\n{made}{_NEXT}")
    PAGE.write_text(page, "utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
