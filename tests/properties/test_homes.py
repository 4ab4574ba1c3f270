"""A metric has one home: nothing of the package outside it names the metric, but for what is listed here."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import metrologue
from metrologue.scorers import get_scorer, list_scorers
from metrologue.scorers.core.homes import homes

PACKAGE = Path(metrologue.__file__).parent

# Why a file may name metrics, and which ones. A word such as "precision" or "rouge" is also a number, a package or a
# tokenizer; such files are listed with what the word means there.
REASONS: dict[str, tuple[str, set[str]]] = {
    "bridge/label_module.py": (
        "the Hub's four modules of labels share it; it calls the matrix of another metric",
        {"confusion_matrix", "f1", "precision", "recall"},
    ),
    "bridge/tag_module.py": ("numbers of these names", {"accuracy", "f1", "precision", "recall"}),
    "bridge/vector_module.py": ("the Hub's `bertscore` has arguments of its own, and its hash code", {"bertscore"}),
    "cli/baseline.py": ("the command that makes BERTScore's baseline", {"bertscore"}),
    "cli/coco.py": ("the command that gives the numbers of the captioning challenge", {"cider", "meteor"}),
    "cli/compare.py": ("the default metric of the command", {"bleu"}),
    "cli/foreign.py": ("reads what other programs have printed", {"bleu", "chrf", "rouge", "ter", "wer"}),
    "cli/mbr.py": ("the default metric of the command", {"chrf"}),
    "cli/meta.py": ("data sets of these names", {"fed", "usr"}),
    "cli/models.py": ("an example of a command", {"perplexity"}),
    "cli/sacrebleu.py": ("the metrics of sacrebleu's command", {"chrf", "ter"}),
    "cli/trace.py": (
        "jiwer's layout of an alignment, which ends with these rates",
        {"cer", "mer", "wer", "wil", "wip"},
    ),
    "files/captions.py": ("the numbers of the captioning challenge", {"bleu", "cider", "meteor", "rouge"}),
    "inference/thresholds.py": (
        "the differences of scores for which Kocmi et al. 2024 give agreement with people",
        {"bleu", "chrf"},
    ),
    "learned/card.py": ("a measure of a held-out part", {"accuracy"}),
    "learned/rivals.py": (
        "the rivals, by their registered names",
        {"entity_recall", "semantic_similarity", "token_f1"},
    ),
    "learned/scorer.py": ("a measure of a held-out part", {"accuracy"}),
    "meta/corpora.py": ("data sets of these names", {"fed", "usr"}),
    "pages/gradio_page.py": (
        "the page of all metrics opens with BLEU, and draws BERTScore's picture",
        {"bertscore", "bleu"},
    ),
    "pages/page_parts.py": ("the page of all metrics draws these pictures", {"bertscore", "bleu", "meteor"}),
    "scorers/core/citing.py": ("the papers of libraries", {"meteor"}),
    "scorers/core/sacrebleu_signatures.py": ("reads and writes sacrebleu's signatures", {"bleu", "chrf", "ter"}),
    "scorers/families/means.py": ("numbers of these names", {"precision", "recall"}),
    "scorers/core/typed.py": ("numbers of these names, and how people shorten them", {"f1", "precision", "recall"}),
    "scorers/core/variants.py": (
        "libraries of these names",
        {"cer", "fed", "meteor", "moverscore", "rouge", "spice", "usr", "yisi"},
    ),
    "scorers/families/edits/trace.py": ("the unit that texts are cut into", {"character"}),
    "scorers/families/token_probabilities/__init__.py": (
        "a field of this name, and a value of another",
        {"character", "precision"},
    ),
    "scorers/families/token_probabilities/reading.py": ("a value of a field", {"character"}),
    "text/lexicon/locate.py": ("word lists of the METEOR jar", {"meteor"}),
    "text/stemmers/snowball.py": ("the stemmers of the METEOR jar", {"meteor"}),
    "text/tokenizers/composed.py": ("tokenizers of these names", {"chrf", "rouge"}),
    "text/tokenizers/registry.py": ("tokenizers of these names", {"chrf", "meteor", "rouge"}),
    "text/tokenizers/meanings.py": ("tokenizers of these names", {"chrf", "rouge"}),
}


def named(tree: ast.Module, metrics: dict[str, str]) -> Iterator[str]:
    """The metrics that a module names: as a text, or by an import; the examples of docstrings do not count."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and node.value in metrics.values():
            yield str(node.value)
        if isinstance(node, ast.ImportFrom) and node.module:
            home = re.match(r"metrologue\.scorers\.(\w+)", node.module)
            yield from [home[1]] if home and home[1] in metrics.values() else []
            yield from (metrics[each.name] for each in node.names if each.name in metrics)


def of_family(name: str) -> set[str]:
    """The metrics that are derived from a class of a family."""
    family = f"metrologue.scorers.families.{name.removesuffix('.py')}"
    return {each for each in homes() if any(kind.__module__.startswith(family) for kind in get_scorer(each).__mro__)}


@cache
def outside() -> dict[str, set[str]]:
    """The metrics that each file outside of homes names."""
    metrics = {get_scorer(name).__name__: name for name in list_scorers() if name in homes()}
    found = {}
    for path in sorted(PACKAGE.rglob("*.py")):  # not through the links to metrics and comparison
        place = path.relative_to(PACKAGE)
        if not (place.parts[0] == "scorers" and place.parts[1] in homes()):
            own = of_family(place.parts[2]) if place.parts[:2] == ("scorers", "families") else set()
            found[place.as_posix()] = {*named(ast.parse(path.read_text("utf-8")), metrics)} - own
    return {place: names for place, names in found.items() if names}


def test_no_file_outside_a_home_names_its_metric() -> None:
    """The numbers of a family have the names of its metrics."""
    assert outside() == {place: names for place, (_, names) in REASONS.items()}
