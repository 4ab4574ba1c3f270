"""The part of docs/correlation.md on learned metrics: trained on some groups, measured on the others.

``python -m studies.correlation`` runs it. The part is made where the encoder is installed. Elsewhere, its text stays as
it is on the page. No model that is trained here is published. ``METROLOGUE_VECTORS=FOLDER`` keeps the vectors of the
texts in a folder, as for the part before, and what a training of networks has reached, which takes some minutes for
each.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
from metrologue_research.adem.network import TERMS
from metrologue_research.adem.training import Bilinear
from metrologue_research.comparator.training import held_out_pairs, ordered_right, pairs_of
from metrologue_research.esim import Esim
from metrologue_research.esim.training import Matching

from metrologue.attribution import composite_scores
from metrologue.learned import Examples, Features, Ridge, Scores, held_out, train
from metrologue.learned.examples import joined
from metrologue.learned.leaks import sharing_references
from metrologue.learned.measuring import HeldOut, compare_scores, folds
from metrologue.learned.named import NamedTrained
from metrologue.learned.training import PairClassifier
from metrologue.meta import read_judgements
from metrologue.scorers import (
    Bleu,
    Bleurt,
    Chrf,
    Cider,
    EditDistance,
    Gtm,
    Meteor,
    Rouge,
    Scorer,
    Ter,
    TokenF1,
    Wmd,
    WordErrorRate,
    Yisi,
)
from metrologue.scorers.bleurt.training import BleurtTrainer
from research.studies.arcs import arcs_and_questions
from research.studies.fined import fined
from studies.encoders import bertscore, encoder_folder, glove, rouge, similarity, translations
from studies.tables import Row, evaluated, interval, printed, prose, table

__all__ = ["LEARNED", "TRAINED", "learned"]

LEARNED = "## Learned metrics\n"


def _ours() -> list[Scorer | Scores]:
    """The metrics whose scores are features."""
    plain = [Bleu.variant("nltk"), Chrf(beta=3.0), Chrf.variant("chrf++"), Ter(), WordErrorRate(), Rouge(), TokenF1()]
    more = [Gtm(), EditDistance(), Yisi.variant("yisi-0"), similarity()]
    return [*plain, *more, *(Scores.of(bertscore(), number) for number in ("f1", "precision", "recall"))]


# ----- The corpora -----


def _wmt(folder: Path) -> Iterator[str]:
    rated = _translations(folder)
    vectors, ours = Features.of(encoders=[encoder_folder()]), Features.of(scores=_ours()).fitted(rated.segments)
    u, scores = (each.of_segments(rated.segments) for each in (vectors, ours))
    both = Features((*vectors.parts, *ours.parts))
    plain = {"chrF": Chrf(beta=3.0), "BERTScore, F1": bertscore()}
    single = {name: scorer.segments(rated.segments) for name, scorer in plain.items()}
    runs = {
        "RUSE: the vectors of the encoder": held_out(Ridge(), vectors, rated, rows=u),
        f"composite of {len(ours.parts)} numbers of our metrics": held_out(Ridge(), ours, rated, rows=scores),
        "both": held_out(Ridge(), both, rated, rows=np.hstack([u, scores])),
    }
    own = {**single, **{name: run.scores for name, run in runs.items()}}
    parts = folds(rated)
    lines = []
    for name, values in own.items():
        above = [compare_scores(parts, values, single[other], rated.targets) for other in single]
        figures = [printed(above[0][method].learned.mean, 3) for method in ("pearson", "kendall-b")]
        gaps = ["" if name == other else interval(each["kendall-b"].difference, signed=True) for other, each in
                zip(single, above, strict=True)]  # fmt: skip
        lines.append([name, *figures, *gaps])
    first = next(iter(runs.values()))
    dropped = first.dropped.values()
    yield "### Translation: WMT17\n"
    yield prose(
        "Means over the seven pairs. A ridge regression is trained on six pairs and scores the seventh; its alpha is "
        "chosen by leaving out a pair of the six. Intervals are of 1,000 resamples of the segments of each pair."
    )
    yield table(["metric", "r", "tau-b", "tau above chrF", "tau above BERTScore"], lines)
    yield prose(
        f"{_rivals(runs)} **Leak report.** Of the training, {min(dropped)} to {max(dropped)} segments were left out "
        "because their reference occurs in the tested pair. The encoder's own training is described above."
    )


def _translations(folder: Path) -> Examples:
    """The rated translations of all pairs."""
    return joined({pair: Examples.of_judgements(said) for pair, said in translations(folder).items()})


# Smaller than the paper's network, and trained with other steps; the vectors of the encoder are 384 wide.
_MATCHING = Matching(hidden=(100,), dropout=0.2, rate=1e-3, epochs=8, halve=False)
# The encoder itself is trained further, on ratings alone.
_TUNING = BleurtTrainer(epochs=1, synthetic=0, share=0.05)
_LEFT_OUT = ("lv-en", "de-en")


def _unfinished(name: str) -> Path | None:
    """The file in which the training of a network is kept, if there is a folder for it."""
    folder = os.environ.get("METROLOGUE_VECTORS")
    return Path(folder) / f"{name}.safetensors" if folder else None


def _networks(folder: Path) -> Iterator[str]:
    rated = _translations(folder)
    groups, lines, dropped = np.array(rated.groups), [], []
    for pair in _LEFT_OUT:
        rest, part = (rated.take(np.flatnonzero(rows)) for rows in (groups != pair, groups == pair))
        sharing = sharing_references(part, rest)
        dropped.append(int(sharing.sum()))
        model = train(
            "esim", rest.take(np.flatnonzero(~sharing)), encoders=[encoder_folder()], trainer=_MATCHING, measure=False,
            checkpoint=_unfinished(f"esim-{pair}"),
        )  # fmt: skip
        named = {"chrF": Chrf(beta=3.0), "BERTScore, F1": bertscore(), "ESIM": Esim(model=NamedTrained.of(model))}
        if pair == _LEFT_OUT[0]:  # a training takes several minutes
            tuned = train(
                "bleurt", rest.take(np.flatnonzero(~sharing)), encoders=[encoder_folder()], trainer=_TUNING,
                measure=False, checkpoint=_unfinished(f"bleurt-{pair}"),
            )  # fmt: skip
            named["BLEURT, without synthetic pairs"] = Bleurt(model=NamedTrained.of(tuned))
        scores = {name: scorer.segments(part.segments) for name, scorer in named.items()}
        for name, values in scores.items():
            found = compare_scores({pair: np.arange(len(part))}, values, scores["chrF"], part.targets)
            figures = [printed(found[method].learned.mean, 3) for method in ("pearson", "kendall-b")]
            gap = "" if name == "chrF" else interval(found["kendall-b"].difference, signed=True)
            lines.append([pair, name, *figures, gap])
    yield "### Translation: networks on WMT17\n"
    yield prose(
        f"A network is trained on six pairs and scores the seventh, here {' or '.join(_LEFT_OUT)}. ESIM has widths of "
        f"{_MATCHING.hidden[0]}, a rate of {_MATCHING.rate:g}, a dropout of {_MATCHING.dropout:g} and "
        f"{_MATCHING.epochs} epochs at most; the paper's is wider, and reads BERT. "
        f"These settings were chosen after the paper's dropout and rates had reached less on {_LEFT_OUT[0]}, so only "
        f"{_LEFT_OUT[1]} played no part in the choice. "
        f"BLEURT is the encoder, trained further in {_TUNING.epochs} pass over the ratings at a rate of "
        f"{_TUNING.rate:g}, on {_LEFT_OUT[0]} only."
    )
    yield table(["pair", "metric", "r", "tau-b", "tau above chrF"], lines)
    yield prose(
        f"**Leak report.** Of the training, {' and '.join(map(str, dropped))} segments were left out because their "
        "reference occurs in the tested pair."
    )


def _dialogue(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "usr_topicalchat", "usr")
    rated = Examples.of_judgements(said, "overall", groups=said.contexts)
    lines, beats = [], False
    for terms in (TERMS, ("context",), ("reference",)):
        own = train("adem", rated, encoders=[encoder_folder()], trainer=Bilinear(terms=terms))
        found, beats = own.report["held_out"]["compared"], beats or own.report["held_out"]["beats_rival"]
        figures = [printed(found[method]["learned"]["mean"], 3) for method in ("pearson", "kendall-b")]
        lines.append([f"ADEM, {' and '.join(terms)}", *figures])
    rival = [printed(found[method]["rival"]["mean"], 3) for method in ("pearson", "kendall-b")]
    names = sorted({each.partition("@")[0] for each in own.report["held_out"]["rivals"].values()})
    lines.append([f"the rival, {' or '.join(names)}", *rival])
    leaks = own.report["held_out"]["leaks"].values()
    yield "### Dialogue: TopicalChat\n"
    yield prose(
        f'{len(rated)} responses of {len({*(rated.contexts or ())})} dialogues, with the quality "overall". ADEM is '
        "trained on four fifths of the dialogues and scores the others; means over five parts. The reference is the "
        f"response of a person. ADEM {'beats' if beats else '**does not beat**'} its trivial rival."
    )
    yield table(["metric", "r", "tau-b"], lines)
    shared = sum(each["references"] + each["contexts"] for each in leaks)
    systems = sum(each["systems"] for each in leaks)
    yield prose(
        f"**Leak report.** {shared} responses have a reference or a context of the training part; {systems} have a "
        "system of it."
    )


def _rivals(runs: dict[str, HeldOut]) -> str:
    """Which of the learned metrics beat their trivial rivals."""
    told = []
    for name, run in runs.items():
        rivals = " or ".join(sorted({each.partition("@")[0] for each in run.rivals.values()}))
        gap = interval(run.compared["kendall-b"].difference, signed=True)
        told.append(f"{name} {'beats' if run.beats_rival else '**does not beat**'} its rival, {rivals} (tau {gap})")
    return "Trivial rivals: " + "; ".join(told) + "."


def _of_captions() -> dict[str, Scorer | Scores]:
    """The metrics of captions whose scores are features, by their names in the table."""
    bleu = {f"BLEU-{n}": Bleu.variant("coco", max_order=n) for n in range(1, 5)}
    meteor = Meteor.variant("coco")
    wmd = Wmd(tokenizer="ptb", vectors=glove(), normalize=True)
    return {
        **bleu,
        "ROUGE-L": Rouge.variant("coco"),
        "METEOR": meteor,
        **{f"METEOR, {name}": Scores.of(meteor, name) for name in ("precision", "recall", "penalty")},
        "CIDEr": Cider.variant("coco"),
        "chrF": Chrf(),
        "word F1": TokenF1(),
        "TER": Ter(),
        "WMD": replace(wmd, stop_words="sklearn"),
        "WMD with stop words": wmd,
    }


def _flickr(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "flickr8k_expert", "flickr8k-expert").without_copies()
    rated = Examples.of_judgements(said, groups=tuple(segment.partition(" ")[0] for segment in said.segments))
    named = _of_captions()
    features = Features.of(scores=[*named.values()]).fitted(rated.segments)
    columns = features.of_segments(rated.segments)
    run = held_out(Ridge(), features, rated, rows=columns)
    scores = {name: part.sign * own for name, part, own in zip(named, features.scores, columns.T, strict=True)}
    scores |= {"mean of their z-scores": composite_scores(scores), "ridge on all of them": run.scores}
    found = evaluated(replace(said, scores=scores), [Row(name, name) for name in scores], ("kendall-c",), judges="each")
    above = compare_scores(folds(rated), run.scores, scores["CIDEr"], rated.targets)["kendall-b"].difference
    yield "### Captions: Flickr8k-Expert\n"
    yield prose(
        "tau-c, times 100, of every rating alone, without captions that are equal to a reference. The composites have "
        "the numbers of the table, and no contextual encoder; WMD's vectors are GloVe's. The ridge regression is "
        "trained on four fifths of the images, and scores the captions of the others."
    )
    lines = [[name, printed(100 * own["kendall-c", "expert"], 1)] for name, own in found.items()]
    yield table(["metric", "tau-c"], lines)
    shared = sum(leaks.references for leaks in run.leaks.values())
    rivals = _rivals({"the ridge regression": run})
    yield prose(
        f"Its tau-b with the mean ratings is above CIDEr's by {interval(above, signed=True)}. {rivals} **Leak "
        f"report.** {shared} captions have a reference of the images that their model was trained on. CIDEr's weights "
        "are made from the references of all captions, and from no rating."
    )


def _summeval(folder: Path) -> Iterator[str]:
    said, quality = read_judgements(folder / "summeval", "summeval"), "relevance"
    rated = Examples.of_judgements(said, quality, groups=tuple(said.segments))
    trainer = PairClassifier()
    run = held_out_pairs(trainer, Features.of(encoders=[encoder_folder()]), rated)
    every = pairs_of(rated)
    counted = every.labels != 0
    plain = {
        "ROUGE-1, mean of 11": rouge("rouge1"),
        "BERTScore F1, mean of 11": bertscore(),
    }
    lines = []
    for name, scorer in plain.items():
        values = replace(scorer, multi_reference="mean").segments(rated.segments)
        lines.append([name, printed(float(ordered_right(values, every)[counted].mean()), 3)])
    found = run.compared["accuracy"]
    lines.append(["comparator: the vectors of the encoder", printed(found.learned.mean, 3)])
    rivals = " or ".join(sorted({*run.rivals.values()}))
    shared, dropped = sum(each.references for each in run.leaks.values()), sum(run.dropped.values())
    yield "### Summaries: SummEval\n"
    yield prose(
        f"The share of the {counted.sum():,} pairs of summaries of one document, with different ratings of {quality}, "
        "that are ordered as people order them; a tie counts half. The comparator reads both summaries and no "
        f"reference. It is trained on four fifths of the documents and compares the summaries of the others; it is "
        f"{trainer.about}."
    )
    yield table(["metric", "share of pairs"], lines)
    yield prose(
        f"The comparator {'beats' if run.beats_rival else '**does not beat**'} its trivial rival, {rivals} (share "
        f"{interval(found.difference, signed=True)}; a rival may read the references). **Leak report.** {shared} "
        f"summaries have a reference of the documents that their model was trained on, and {dropped} were left out of "
        "a training for that. The same 16 systems wrote the summaries of all documents, so a model may know a system "
        "by its style."
    )


TRAINED = (_wmt, _networks, _flickr, _summeval, _dialogue, fined, arcs_and_questions)


def learned(folder: Path) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    yield LEARNED
    yield prose(
        "A learned metric is trained on ratings, so it is measured on texts that were held out; texts that share a "
        "reference with them are left out of the training. Beside it stands a trivial rival: of the length, the "
        "overlap of words, the recall of names and numbers, and the encoder's cosine, the one that is best on the "
        "training part. No model that was trained on these data is kept or published. A network's figures are those "
        "of one training. An encoder's vectors differ in their last bits from run to run, and so a second training of "
        "ESIM differed by up to .03, of FactCC and FineD-Eval by up to .02."
    )
    for corpus in TRAINED:
        yield from corpus(folder)
