"""A metric has one home: no file of the package outside it names a metric, but for those here, each with a reason."""

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

# Why a file may name metrics. A word such as "precision" or "rouge" is also a number, a package or a tokenizer; such
# files are listed with what the word means there.
REASONS = {
    "bare_names.py": "modules that the Hub has under its measurements",
    "bridge/benchmark_module.py": "benchmarks, each a table of tasks with the numbers of metrics",
    "bridge/label_module.py": "the Hub's four modules of labels share it; it calls the matrix of another metric",
    "bridge/tag_module.py": "numbers of these names",
    "bridge/vector_module.py": "the Hub's `bertscore` has arguments of its own, and its hash code",
    "cli/baseline.py": "the command that makes BERTScore's baseline",
    "cli/coco.py": "the command that gives the numbers of the captioning challenge",
    "cli/compare.py": "the default metric of the command",
    "cli/foreign.py": "reads what other programs have printed",
    "cli/mbr.py": "the default metric of the command",
    "cli/meta.py": "data sets of these names",
    "cli/models.py": "an example of a command",
    "cli/sacrebleu.py": "the metrics of sacrebleu's command",
    "cli/whose.py": "metrics that harnesses print as means",
    "cli/trace.py": "jiwer's layout of an alignment, which ends with these rates",
    "files/captions.py": "the numbers of the captioning challenge",
    "inference/agreement.py": "a distance of this name",
    "inference/thresholds.py": "the differences of scores for which Kocmi et al. 2024 give agreement with people",
    "learned/card.py": "a measure of a held-out part",
    "learned/rivals.py": "the rivals, by their registered names",
    "learned/scorer.py": "a measure of a held-out part",
    "meta/corpora.py": "data sets of these names",
    "pages/gradio_page.py": "the page of all metrics opens with BLEU, and draws BERTScore's picture",
    "pages/page_parts.py": "the page of all metrics draws these pictures",
    "scorers/core/citing.py": "the papers of libraries",
    "scorers/core/configuration.py": "what people call a tokenizer of a metric",
    "scorers/core/names.py": "what other programs call the metrics",
    "scorers/core/sacrebleu_signatures.py": "reads and writes sacrebleu's signatures",
    "scorers/core/typed.py": "numbers of these names, and how people shorten them",
    "scorers/core/variants.py": "libraries of these names",
    "scorers/families/edits/trace.py": "the unit that texts are cut into",
    "scorers/families/means.py": "numbers of these names",
    "scorers/families/token_probabilities/__init__.py": "a field of this name, and a value of another",
    "scorers/families/token_probabilities/reading.py": "a value of a field",
    "scorers/families/translations.py": "a field of this name",
    "text/lexicon/locate.py": "word lists of the METEOR jar",
    "text/stemmers/snowball.py": "the stemmers of the METEOR jar",
    "text/tokenizers/composed.py": "tokenizers of these names",
    "text/tokenizers/meanings.py": "tokenizers of these names",
    "text/tokenizers/registry.py": "tokenizers of these names",
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
    named_by = outside()
    assert {place: names for place, names in named_by.items() if place not in REASONS} == {}
    assert [place for place in REASONS if place not in named_by] == []
