"""Writes docs/correlation.md: how well metrics agree with people, on corpora with ratings that are not shipped.

``python -m studies.correlation [FOLDER]`` reads the corpora from a folder, by default ``shared/data`` beside the
checkout, and ``--check`` only says whether the page is out of date. The page has figures and no text of the data. To
add a metric to a table, add a ``Row``: its name, its scorer, and the figures that were published, as they were printed.
What needs a model is in ``studies/encoders.py``, ``studies/learned.py`` and ``studies/dialogue.py``; without the model,
or with ``--without-encoder``, these parts stay as they are.
"""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import numpy as np

from metrologue.inference.agreement import krippendorff_alpha
from metrologue.meta import Judgements, agreement_of, meta_evaluate, read_judgements
from metrologue.scorers import (
    Bleu,
    Chrf,
    Cider,
    DistinctN,
    LexicalDiversity,
    Meteor,
    Pyramid,
    Rouge,
    RougeWe,
    Smd,
    Spice,
    Tesla,
    Wmd,
    Yisi,
)
from research.studies.learned import LEARNED, TRAINED, learned
from studies.dialogue import DIALOGUE, FOLLOW_UPS, dialogue, follow_ups, has_models
from studies.encoders import (
    ENCODED,
    HEADING,
    PACKAGE,
    PAIRS,
    encoders,
    glove,
    is_installed,
    kept,
    pipeline,
    rouge,
    translations,
)  # fmt: skip
from studies.facts import FACTS, facts
from studies.systems import systems
from studies.tables import Cells, Row, evaluated, printed, prose, table, written

PAGE = Path(__file__).parents[1] / "docs" / "correlation.md"
DATA = Path(__file__).parents[2] / "shared" / "data"


def by_method(found: Mapping[str, Mapping[tuple[str, str], float]]) -> list[dict[str, float]]:
    """The figures of each row by coefficient, for one quality."""
    return [{method.title(): value for (method, _), value in own.items()} for own in found.values()]


def equal_figures(rows: Sequence[Row], found: Sequence[Cells]) -> tuple[int, int, list[str]]:
    """How many figures were published and how many are equal; the others in words."""
    count, others = 0, []
    for row, cells in zip(rows, found, strict=True):
        for column, text in row.published.items():
            count += 1
            if (own := printed(cells[column], len(text.partition(".")[2]))) != text:
                others.append(f"{row.name}, {column}: {own} for {text} ({cells[column]:.5f})")
    return count - len(others), count, others


# ----- USR: TopicalChat -----

_USR = (
    Row("BLEU-1", Bleu.variant("pycocoevalcap", max_order=1), {"Pearson": ".2728", "Spearman": ".2876"}),
    Row("BLEU-2", Bleu.variant("pycocoevalcap", max_order=2), {"Pearson": ".2862", "Spearman": ".3012"}),
    Row("BLEU-3", Bleu.variant("pycocoevalcap", max_order=3), {"Pearson": ".2569", "Spearman": ".3006"}),
    Row("BLEU-4", Bleu.variant("pycocoevalcap"), {"Pearson": ".2160", "Spearman": ".2956"}),
    Row("METEOR", Meteor.variant("pycocoevalcap"), {"Pearson": ".3365", "Spearman": ".3908"}),
    Row("ROUGE-L", Rouge.variant("pycocoevalcap"), {"Pearson": ".2745", "Spearman": ".2870"}),
)


# The same metrics by system, as DialEvalMetrics prints them.
_USR_SYSTEMS = {
    "BLEU-4": {"Pearson": ".874", "Spearman": ".900"},
    "METEOR": {"Pearson": ".943", "Spearman": ".900"},
    "ROUGE-L": {"Pearson": ".814", "Spearman": ".900"},
}


def usr(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "usr_topicalchat", "usr").of_qualities(["overall"])
    cells = by_method(evaluated(said, _USR, ("pearson", "spearman")))
    rows = [replace(row, published=_USR_SYSTEMS[row.name]) for row in _USR if row.name in _USR_SYSTEMS]
    systems = by_method(evaluated(said, rows, ("pearson", "spearman"), level="system", system_score="mean"))
    with_limits = meta_evaluate(said, {row.name: row.scorer for row in _USR}, combine=[["BLEU-2", "METEOR", "ROUGE-L"]])
    limits = {name: own["overall"].interval for name, own in with_limits.correlations.items()}
    by_name = {row.name: printed(own["Spearman"], 4) for row, own in zip(_USR, cells, strict=True)}
    rhos = f"{by_name['BLEU-2']}, {by_name['ROUGE-L']} and {by_name['METEOR']}"
    yield "## Dialogue: USR-TopicalChat\n"
    yield prose(
        f"{len(said)} responses of {len(said.system_names)} systems; the reference is the ground truth, which is not "
        "scored itself; texts without whitespace at both ends; the mean overall rating of three annotators; all "
        "responses in one row (Mehri and Eskenazi 2020)."
    )
    yield table(
        ["metric", "scorer", "Pearson", "Spearman", "95 % interval of Spearman"],
        [
            [row.name, row.setting, *row.cells(own, 4), f"{printed(ends.low, 2)} to {printed(ends.high, 2)}"]
            for row, own in zip(_USR, cells, strict=True)
            if (ends := limits[row.name])
        ],
    )
    yield prose(
        "**Verdict: the paper's two columns are exchanged.** It prints .2862 (BLEU-2), .2745 (ROUGE-L) and .3365 "
        f"(METEOR) as Spearman's rho, and so do notes that quote it. These are Pearson's r. Spearman's rho is {rhos}."
    )
    yield prose(f"By system, the means of {len(said) // len(said.system_names)} responses (Yeh et al. 2021):")
    yield table(
        ["metric", "scorer", "Pearson", "Spearman"],
        [[row.name, row.setting, *row.cells(own, 3)] for row, own in zip(rows, systems, strict=True)],
    )
    yield "### What each part of a combination adds\n"
    [shares] = with_limits.shares.values()
    own = shares["overall"]
    yield prose(
        f"The mean of the z-scores of {', '.join(own)} has a Spearman correlation of {printed(sum(own.values()), 3)}. "
        "Its parts add these shares (Shapley values):"
    )
    yield table([*own], [[printed(share, 3) for share in own.values()]])
    best, *others = with_limits.best["overall"]
    told = f"Not significantly worse: {', '.join(others)}." if others else "All others are significantly worse."
    yield prose(f"The best of all is {best}. {told}")


# ----- Captions: Flickr8k-Expert -----

_FLICKR = (
    Row("BLEU-1", Bleu.variant("coco", max_order=1), {"tau-c": "32.3"}),
    Row("BLEU-4", Bleu.variant("coco"), {"tau-c": "30.8"}),
    Row("ROUGE-L", Rouge.variant("coco"), {"tau-c": "32.3"}),
    Row("METEOR", Meteor.variant("coco"), {"tau-c": "41.8", "Spearman": ".560"}),
    Row("CIDEr", Cider.variant("coco"), {"tau-c": "43.9", "Spearman": ".581"}),
)


def _flickr_rows() -> tuple[Row, ...]:
    """The metrics of the table, with those of word vectors and of parses."""
    wmd = Wmd(tokenizer="ptb", vectors=glove(), normalize=True)
    movers = Row("WMD", replace(wmd, stop_words="sklearn")), Row("WMD with stop words", wmd)
    return *_FLICKR, Row("SPICE", Spice.variant("spacy", parser=pipeline())), *movers


def flickr(folder: Path) -> Iterator[str]:
    every = read_judgements(folder / "flickr8k_expert", "flickr8k-expert")
    said, listed = every.without_copies(), _flickr_rows()
    taus = evaluated(said, listed, ("kendall-c",), judges="each")
    rhos = evaluated(every, listed, ("spearman",), judges="each")
    cells = [
        {"tau-c": 100 * taus[row.name]["kendall-c", "expert"], "Spearman": rhos[row.name]["spearman", "expert"]}
        for row in listed
    ]
    yield "## Captions: Flickr8k-Expert\n"
    yield prose(
        f"Every rating of three experts alone. tau-c, times 100: {len(said):,} captions that are not equal to a "
        f"reference (the CLIPScore paper's protocol). Spearman: all {len(every):,} captions (Elliott's table). CIDEr's "
        "weights are made from the references of the captions that are scored. SPICE has our rules over spaCy's "
        "parses; that paper's tau-c of the authors' program, which has a parser of its own, is 44.9. WMD's vectors are "
        "GloVe's, 50 wide."
    )
    columns = {"tau-c": 1, "Spearman": 3}
    yield table(
        ["metric", "scorer", *columns],
        [
            [row.name, row.setting, *(row.cells({key: own[key]}, digits)[0] for key, digits in columns.items())]
            for row, own in zip(listed, cells, strict=True)
        ],
    )
    agreement = agreement_of(every.ratings["expert"])
    yield prose(f"Krippendorff's alpha of the experts (ordinal) is {printed(agreement.alpha or 0.0, 3)}.")


# ----- Summaries: SummEval -----


def _summeval(rho: str, tau: str) -> dict[str, str]:
    """The published figures by column."""
    names = ("coherence", "consistency", "fluency", "relevance")
    return {
        f"{quality} {sign}": text
        for sign, texts in (("rho", rho), ("tau", tau))
        for quality, text in zip(names, texts.split(), strict=True)
    }


_SUMMEVAL = (
    Row("ROUGE-1", rouge("rouge1"), _summeval(".167 .160 .115 .326", ".126 .130 .094 .252")),
    Row("ROUGE-2", rouge("rouge2"), _summeval(".184 .187 .159 .290", ".139 .155 .128 .219")),
    Row("ROUGE-L", rouge("rougeL"), _summeval(".128 .115 .105 .311", ".099 .092 .084 .237")),
)


# No SCUs of these summaries are public.
_WORDS = (
    Row("Pyramid of words, modified", Pyramid(lowercase=True)),
    Row("Pyramid of words, original", Pyramid.variant("original", lowercase=True)),
)


def spelled(judgements: Judgements, change: Callable[[str], str]) -> Judgements:
    """The judgements with changed hypotheses and references."""
    references = judgements.references or ()
    return replace(
        judgements,
        hypotheses=tuple(map(change, judgements.hypotheses)),
        references=tuple(tuple(map(change, own)) for own in references),
    )


_SIGNS = {"spearman": "rho", "kendall-b": "tau"}


def _summeval_rows() -> tuple[Row, ...]:
    """The metrics of the tables, with those of word vectors."""
    vectors = glove()
    movers = {"SMS": "sms", "S+WMS": "s+wms", "WMS": "wms"}
    fields = {"sentences": "newline", "vectors": vectors, "stop_words": "sklearn"}
    return (
        *_SUMMEVAL,
        Row("ROUGE-WE-3", RougeWe.variant("summ-eval", vectors=vectors)),
        *(Row(name, Smd.variant(variant, **fields)) for name, variant in movers.items()),
    )


def _by_quality(said: Judgements, rows: Sequence[Row]) -> list[dict[str, float]]:
    """The figures of each row by quality and coefficient."""
    found = evaluated(said, rows, (*_SIGNS,), references="mean", level="item")
    return [
        {f"{quality} {_SIGNS[method]}": value for (method, quality), value in own.items()} for own in found.values()
    ]


def summeval(folder: Path) -> Iterator[str]:
    given = read_judgements(folder / "summeval", "summeval")
    said = spelled(given, lambda text: text.replace(" . ", " . \n"))
    listed = _summeval_rows()
    cells = _by_quality(said, listed)
    equal, count, others = equal_figures(listed, cells)
    dotted = spelled(given, lambda text: text.replace(" .", " .\n"))
    with_dots, _, _ = equal_figures(_SUMMEVAL, _by_quality(dotted, _SUMMEVAL))
    yield "## Summaries: SummEval\n"
    yield prose(
        f"{len(said):,} summaries of {len(said.system_names)} systems, experts' means; Spearman's rho and Kendall's "
        "tau-b of the systems on each document, the mean over documents. A score is the mean of those with each of the "
        '11 references; a newline follows each " . ", so that sentences are known (Fabbri et al. '
        "2021). ROUGE-WE and Sentence Mover's Similarity (SMS) have GloVe's vectors, 50 wide."
    )
    for sign in _SIGNS.values():
        yield table(
            [sign, "scorer", *said.qualities],
            [
                [row.name, row.setting, *row.cells({key: own[key] for key in own if key.endswith(sign)}, 3)]
                for row, own in zip(listed, cells, strict=True)
            ],
        )
    yield prose(
        f"{equal} of {count} published figures are equal. The other: {'; '.join(others)}. If a newline follows every "
        f'" .", so that an ellipsis ends a sentence too, {with_dots} of {count} are equal.'
    )
    yield prose(
        "The data have no content units (SCUs). With words as units, Pyramid only counts words: a word weighs as "
        "much as the number of the 11 references that have it. Spearman's rho:"
    )
    words = evaluated(given, _WORDS, ("spearman",), level="item")
    yield table(
        ["rho", "scorer", *said.qualities],
        [
            [row.name, row.setting, *row.cells({quality: own["spearman", quality] for quality in said.qualities}, 3)]
            for row, own in zip(_WORDS, words.values(), strict=True)
        ],
    )


# ----- Translation: WMT17 -----

_SENT_BLEU = Bleu(tokenizer="whitespace", smoothing="add-k", smooth_from=1, zero_when="never", scale=1.0)


def _wmt(figures: str) -> dict[str, str]:
    return dict(zip(PAIRS, figures.split(), strict=True))


_WMT = (
    Row("sentence BLEU, official", "sentBLEU", _wmt(".435 .432 .571 .404 .484 .538 .512")),
    Row("sentence BLEU, ours", _SENT_BLEU),
    Row("chrF", Chrf(beta=3.0), _wmt(".514 .531 .671 .525 .599 .607 .591")),
    Row("chrF++", Chrf.variant("chrf++"), _wmt(".523 .534 .678 .520 .588 .614 .593")),
    Row("YiSi-0", Yisi.variant("yisi-0")),
)


def _wmt_rows() -> tuple[Row, ...]:
    """The metrics of the table; TESLA-M has a pipeline of spaCy, and WordNet."""
    tesla = Tesla.variant("tesla-m", parser=pipeline())
    several = Tesla.variant("tesla-m-2010", parser=tesla.parser)
    return *_WMT, Row("TESLA-M", tesla), Row("TESLA-M, three similarities", several)


def wmt(folder: Path) -> Iterator[str]:
    listed = (*_wmt_rows(), Row("YiSi-1", Yisi.variant("yisi-1", vectors=glove())))
    said = translations(folder)
    cells: list[dict[str, float]] = [{} for _ in listed]
    equal = 0
    for pair, own in said.items():
        found = evaluated(own, listed, ("pearson",))
        for into, each in zip(cells, found.values(), strict=True):
            into[pair] = each["pearson", "adequacy"]
        ours = _SENT_BLEU.segments([*own.hypotheses], [[*each] for each in own.references or ()])
        equal += int((np.abs(ours - own.scores["sentBLEU"]) < 1e-4).sum())
    yield "## Translation: WMT17, direct assessments\n"
    yield prose(
        f"{sum(map(len, said.values())):,} segments translated to English, tokenized and in lower case; Pearson's r "
        "with the standardized rating, by language pair (Bojar et al. 2017). lv-en has 435 of its 560 segments. The "
        "official sentence BLEU is the one of Moses, from the data. YiSi-1's vectors are GloVe's, 50 wide."
    )
    yield table(
        ["metric", "scorer", *PAIRS],
        [[row.name, row.setting, *row.cells(own, 3)] for row, own in zip(listed, cells, strict=True)],
    )
    yield prose(
        f"Our sentence BLEU equals the official one in {equal:,} of {sum(map(len, said.values())):,} segments. The "
        "published chrF read text that was not tokenized. TESLA-M has lemmas and parts of speech from a "
        "pipeline of spaCy, and synonyms from WordNet."
    )


# ----- Dialogue without references: FED -----

_FED = (Row("type-token ratio", LexicalDiversity()), Row("distinct-n", DistinctN()))


def fed(folder: Path) -> Iterator[str]:
    yield "## Dialogue without references: FED\n"
    yield prose(
        "Five annotators for each text, known by their order only (Mehri and Eskenazi 2020). alpha is Krippendorff's, "
        "kappa Fleiss'; others: Spearman's correlation of an annotator with the mean of the others. N/A: ratings that "
        "annotators declined, with a reason. The last columns are Spearman's rho of metrics that need no reference."
    )
    alphas = []
    for kind, title in (("fed", "responses"), ("fed-dialogues", "dialogues")):
        said = read_judgements(folder / "fed", kind)
        found = evaluated(said, _FED, ("spearman",))
        rows = []
        for quality, ratings in said.ratings.items():
            own = agreement_of(ratings, resamples=0)
            levels = [krippendorff_alpha(ratings.values, each).value for each in ("nominal", "ordinal", "interval")]
            alphas += levels
            figures = [*levels, own.kappa or 0.0, own.others or 0.0]
            rhos = [found[row.name]["spearman", quality] for row in _FED]
            told = [printed(each, 3) for each in figures]
            rows.append([quality, *told, str(own.declined), *(printed(each, 3) for each in rhos)])
        yield f"### {len(said)} {title}\n"
        heads = ["quality", "alpha, nominal", "ordinal", "interval", "kappa", "others", "N/A"]
        yield table([*heads, *(row.name for row in _FED)], rows)
    low = sum(each < 0.667 for each in alphas)
    yield prose(
        f"{low} of {len(alphas)} alphas are below .667, the limit below which Krippendorff advises against any "
        f"conclusion; the greatest is {printed(max(alphas), 3)}. A correlation with such ratings says little."
    )


# ----- What cannot be computed here -----

# Figures of the notes: the source, the data, the figures, what is missing.
_WAITING = (
    ("USR (2020)", "PersonaChat", "BLEU-4 .1353, ROUGE-L .0659, METEOR .2527", "the ratings of PersonaChat"),
    ("USR (2020)", "TopicalChat", "BERTScore .298/.325, BLEURT .216/.261, USR .412/.423", "models"),
    ("Papineni et al. (2002)", "5 systems", "BLEU, Pearson: .99 and .96", "the outputs and ratings"),
    ("Liu et al. (2016)", "Twitter, Ubuntu", "BLEU-4, Spearman: .3417 and .1218", "the ratings"),
    ("Lowe et al. (2017)", "4,104 responses", "BLEU-4 .051, BLEU-2 .039, ROUGE .062; kappa .63", "the ratings"),
    ("GODEL (2022)", "MultiWOZ, WoW", "BLEU, Spearman: .217/.142/.132 and .072/−.022/.020", "the ratings"),
    (
        "Banerjee and Lavie (2005)",
        "TIDES 2003",
        "METEOR .964, BLEU .817, NIST .892 (systems)",
        "the outputs and ratings",
    ),
    ("DialEval (2021)", "ten sets", "USR .423, USL-H .523, GRADE .571, DEB .363, DynaEval .323", "models and ratings"),
    ("FineD-Eval (2022)", "FED, DSTC9, Persona-Eval", "61.84, 19.73, 22.32", "models, ratings of two sets"),
    ("Hashimoto et al. (2019)", "summarization", "HUSE .53, HUSE-Q .58, HUSE-D .95", "the ratings; a test has them"),
    ("Lin (2004)", "DUC 2001 to 2003", "no figures: R-SU9, R-W-1.2, R-L are the best", "DUC's summaries"),
)


def waiting(folder: Path) -> Iterator[str]:
    yield "## Published, and not computed here\n"
    yield table(["source", "data", "figures", "what is missing"], [[*row] for row in _WAITING])


SECTIONS: tuple[Callable[[Path], Iterator[str]], ...] = (
    usr, flickr, summeval, wmt, systems, fed, encoders, learned, facts, dialogue, follow_ups, waiting,
)  # fmt: skip
# What needs an encoder, and under which heading it stands.
_MODELS = {encoders: HEADING, learned: LEARNED, facts: FACTS, dialogue: DIALOGUE, follow_ups: FOLLOW_UPS}
# The same in pieces that can be made alone, each as it stands on the page.
PIECES = {
    f"{piece.__module__.rpartition('.')[2]}-{piece.__name__.strip('_')}": piece
    for piece in (*ENCODED, *TRAINED, facts, dialogue, follow_ups)
}

INTRODUCTION = """\
A metric stands for people: its scores are worth as much as they agree with people's ratings. `metrologue meta` measures
this on any data. The tables below are what it finds on five public corpora. The data are not part of this project; the
page has figures only.

    metrologue meta bleu:nltk chrf rouge --data rated.jsonl --out report.html

A figure is computed by our scorer, and printed with the digits that were published. **One that differs is bold**, and
the published figure follows it in brackets.
"""


def page(folder: Path, encode: bool = True) -> str:
    """The content of docs/correlation.md; without `encode`, what needs an encoder stays as it is."""
    parts: list[str] = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # scorers warn of short texts, and of items that do not vary
        for section in SECTIONS:
            made = encode and (section not in (dialogue, follow_ups) or has_models())
            heading = None if made else _MODELS.get(section)
            parts += section(folder) if heading is None else filter(None, [kept(PAGE.read_text("utf-8"), heading)])
    made = "<!-- Made by `python -m studies.correlation` from the data; do not edit. -->\n"
    return "\n".join(["# Do metrics agree with people?\n", made, INTRODUCTION, *parts])


def main(arguments: Sequence[str]) -> int:
    """Write the page, or with ``--check`` only say whether it is out of date."""
    folders = [each for each in arguments if not each.startswith("--")]
    encode = "--without-encoder" not in arguments and is_installed()
    if not encode:
        print(f"{PAGE.name}: what needs {PACKAGE}, torch and transformers stays as it is.", file=sys.stderr)
    return written([(PAGE, page(Path(folders[0]) if folders else DATA, encode))], "--check" in arguments)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
