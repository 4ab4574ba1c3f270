"""The part of docs/correlation.md on dependency arcs and on questions: DAE, the arc overlap, and APES.

``python -m studies.correlation`` runs it. Both models are trained here, on few texts, and neither is kept.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterator, Mapping
from dataclasses import replace
from pathlib import Path

import numpy as np
from metrologue_research.apes import Apes
from metrologue_research.apes.examples import cloze_examples
from metrologue_research.apes.training import ReaderTrainer
from metrologue_research.dae import Dae
from metrologue_research.dae.examples import ArcExamples, arc_examples

from metrologue.learned import Mlp, TrainedModel, train
from metrologue.meta import Judgements, read_judgements
from metrologue.representations.parses import Parser, open_parser
from metrologue.scorers import Scorer
from metrologue.scorers.factcc.corruptions import make_claims, parsed_sentences
from metrologue.segments import Segments
from studies.encoders import PIPELINE, encoder_folder, translations
from studies.tables import Row, evaluated, interval, printed, prose, table

__all__ = ["arcs_and_questions"]

_SENTENCES, _CLAIMS, _REFERENCES, _PASSAGES = 600, 800, 3, 4


def _arcs(folder: Path, parser: Parser) -> ArcExamples:
    """Errors that are made in references of WMT17, of which no other corpus here has a text."""
    texts: dict[str, None] = {}
    for said in translations(folder).values():
        texts |= dict.fromkeys(own[0] for own in said.references or ())
    draws = np.random.default_rng(0)
    sentences = [[*texts][place] for place in np.sort(draws.permutation(len(texts))[:_SENTENCES])]
    claims = make_claims(parsed_sentences(sentences, parser), others=3)
    chosen = [claims[place] for place in np.sort(draws.permutation(len(claims))[:_CLAIMS])]
    return arc_examples(
        [sentences[claim.source] for claim in chosen],
        [claim.text for claim in chosen],
        parser,
        [[claim.span] if claim.span else [] for claim in chosen],
    )


def _reader(said: Judgements) -> TrainedModel:
    """A reader that is trained on what the references of some articles ask of each other."""
    passages, references, groups = [], [], []
    for article, own in dict(zip(said.segments, said.references or (), strict=True)).items():
        for place in range(_PASSAGES):
            passages.append(own[place])
            references.append(own[(place + 1) % len(own)])
            groups.append(article)
    examples = cloze_examples(passages, references, PIPELINE, groups)
    return train("apes", examples, trainer=ReaderTrainer(epochs=12))


def _pairs(folder: Path, rows: Mapping[str, Scorer]) -> Iterator[list[str]]:
    """How often the right one of two sentences gets the better score, and how often both get the same."""
    found = json.loads((folder / "falke_pairs" / "summary_pairs.json").read_text("utf-8"))
    sources = [each["article_sent"] for each in found]
    for name, scorer in rows.items():
        right, wrong = (
            scorer.segments([each[f"{kind}_sent"] for each in found], sources) for kind in ("correct", "incorrect")
        )
        shares = (right > wrong).mean(), (right == wrong).mean()
        yield [name, *(printed(float(share), 3) for share in shares)]


def _reached(name: str, model: TrainedModel) -> str:
    """What a model reaches on what was held out, in a sentence."""
    found = model.report["held_out"]
    own, rival, gap = (found["compared"]["auc"][part] for part in ("learned", "rival", "difference"))
    rivals = " or ".join(sorted({*found["rivals"].values()}))
    shared = sum(leaks["references"] for leaks in found["leaks"].values())
    return (
        f"{name}: AUC {printed(own['mean'], 3)} on held-out parts; the rival, {rivals}, {printed(rival['mean'], 3)}; "
        f"difference {interval(gap)}; {shared} rows "
        "of the held-out parts share a text with the training."
    )


def arcs_and_questions(folder: Path) -> Iterator[str]:
    """The paragraphs and tables on DAE and APES."""
    parser = open_parser(PIPELINE)
    trainer = Mlp(hidden=(64,), head="classes", epochs=10, patience=2)
    every = _arcs(folder, parser)
    held = np.array([zlib.crc32(source.encode()) % 5 == 0 for (source,) in every.references])
    examples, test = (every.take(np.flatnonzero(part)) for part in (~held, held))
    model = train("dae", examples, encoders=[encoder_folder()], trainer=trainer, test=test)
    given = read_judgements(folder / "summeval", "summeval")
    articles = [*dict.fromkeys(given.segments)]
    training, tested = (
        given.where([segment in half for segment in given.segments]) for half in ({*articles[::2]}, {*articles[1::2]})
    )
    reader = _reader(training)
    arcs = {
        "arc overlap": Dae.variant("overlap", parser=parser),
        "DAE, mean of the arcs": Dae(model=model, parser=parser),
        "DAE, least arc": Dae(model=model, parser=parser, pooling="min"),
    }
    questions = {
        "APES, lexical rule": Apes.variant("lexical", parser=parser),
        "APES, trained reader": Apes(model=reader, parser=parser),
    }
    yield "### Arcs and questions: pairs of Falke et al., and SummEval\n"
    yield prose(
        f"DAE's classifier reads the vectors of the encoder. It is trained on {len(examples):,} sentences with "
        f"{sum(map(len, examples.arcs)):,} arcs: references of WMT17, right ones and ones with an error that a rule "
        "made. The parser is that of SPICE above. Of 373 pairs of summary sentences beside their source, one is right "
        "(Falke et al. 2019): how often it gets the better score, and how often both get the same."
    )
    yield table(["metric", "right", "the same"], [*_pairs(folder, {**arcs, **questions})])
    few = tuple(own[:_REFERENCES] for own in tested.references or ())
    segments = Segments([*tested.hypotheses], [[*own] for own in few])
    scores = {name: scorer.segments(segments) for name, scorer in {**arcs, **questions}.items()}
    rated = replace(tested.of_qualities(["consistency"]), references=few, scores=scores)
    found = evaluated(rated, [Row(name, name) for name in scores], ("spearman", "kendall-b"), level="item")
    lines = [[name, *(printed(value, 3) for value in own.values())] for name, own in found.items()]
    yield prose(
        f"SummEval has no articles here: the first {_REFERENCES} references stand for them. Of these the best one "
        f"counts for the arcs, and all ask their questions. {len(tested):,} summaries of {len(articles[1::2])} "
        "articles; the reader is trained on what references of the other articles ask of each other. Spearman's rho "
        "and Kendall's tau-b with consistency, the mean over documents:"
    )
    yield table(["metric", "rho", "tau"], lines)
    dae, overlap = (found[name]["spearman", "consistency"] for name in ("DAE, mean of the arcs", "arc overlap"))
    yield prose(
        f"{_reached('DAE', model)} {_reached('APES', reader)} On SummEval, DAE is "
        f"{'above' if dae > overlap else '**not above**'} the arc overlap, which needs no model: errors that rules "
        "make are not those of systems."
    )
