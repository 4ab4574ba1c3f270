"""What mkdocs asks for while it builds the site: the pages, the menu, and how a chart is drawn.

A file of the repository has the same path on the site. So a link between two files works on the site as it does in the
checkout. A link to a file that is not Markdown leads to a page that shows the file. All other pages are generated: two
for each scorer, one for each template of docs/templates, one for each part of the Python interface, and one for the
command line.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import metrologue
from docs.__main__ import TEMPLATES, module_facts, of_template, page
from metrologue.cli import main
from metrologue.modules import list_benchmarks
from metrologue.scorers import get_scorer, list_scorers
from metrologue.tasks import grouped

ROOT = Path(__file__).parents[1]
# The guides in the order of the menu. Any other page of docs/ is under "How it is made".
GUIDES = (
    "getting-started", "installing", "command-line", "logs", "coming-from", "comparing", "published", "languages",
    "significance", "cite", "pairwise", "scale",
)  # fmt: skip
# The tutorials, a page for each role.
TUTORIALS = ("train", "compare", "review", "speech", "simplification")
MEASURED = ("people", "correlation", "disagreement", "systems", "speed")
# The pages that are made of templates; and where a link to what the checkout has in their place leads on the site.
MADE = sorted(path.stem for path in TEMPLATES.glob("*.md"))
INSTEAD = {"metrics": "docs/metrics.md", **{f"docs/templates/{name}.md": f"docs/{name}.md" for name in MADE}}
# How much a page weighs in a search. Who searches wants a guide, then a metric, and the history of changes last.
_GUIDE, _HISTORY = 6.0, 0.05
# Two pages have the same heading, so the menu has another name for one.
_SHORTER = {"correlation": "People and metrics: all figures"}
# The parts of the Python interface: title, what is said first, the objects.
API: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "metrologue": (
        "Functions",
        "These functions are enough for most uses. A name is imported when it is first used.",
        ("score", "recommended", "pairwise", "explain", "trace", "compare", "which", "doctor", "mbr", "load",
         "install", "list_metrics", "list_comparisons", "list_statistics", "module_path", "__version__"),
    ),
    "results": (
        "Results",
        "What the functions and the scorers give. A notebook shows each of the first four as a table.",
        ("scorers.Result", "attribution.Explanation", "tracing.Trace", "comparison.showing.results.Comparison",
         "comparison.findings.records.Findings", "attribution.Contribution", "scorers.Totals"),
    ),
    "scorers": (
        "Scorers",
        "What all metrics have in common.",
        ("Scorer", "scorers.PairScorer", "scorers.SetScorer", "scorers.get_scorer", "scorers.list_scorers",
         "scorers.make_scorer", "scorers.Variant", "scorers.Choice", "scorers.Option"),
    ),
    "segments": ("Segments", "The texts that a scorer takes, checked and read once.", ("Segments", "segments.View")),
    "reading": ("Reading", "The steps from text to tokens.", ("text.reading", "text.tokenizers")),
    "attribution": (
        "Attribution",
        "`metrologue.explain` is described under [Functions](metrologue.md). These functions are below it.",
        ("attribution.explain_segments", "attribution.shapley", "attribution.sampled_shapley",
         "attribution.kernel_shapley", "attribution.contributions", "attribution.Contributions",
         "attribution.composite_scores", "attribution.composite_shares", "attribution.CompositeShares"),
    ),
    "inference": (
        "Intervals and tests",
        "[Is the difference real?](../docs/significance.md) explains the numbers, with examples.",
        ("inference.confidence_interval", "inference.confidence_intervals", "inference.Interval",
         "inference.paired_test", "inference.pairwise_tests", "inference.PairedResult", "inference.PairedResults",
         "inference.significance_groups", "inference.winners", "inference.Winner", "inference.Resampling",
         "inference.corrected", "inference.human_agreement", "inference.RESAMPLINGS", "inference.DRAWS",
         "inference.TESTS", "inference.CORRECTIONS", "inference.THRESHOLDS", "inference.FewSegmentsWarning"),
    ),
    "meta": (
        "Meta-evaluation",
        "[Do metrics agree with people?](../docs/correlation.md) has figures; `metrologue meta` is the command.",
        ("meta.read_judgements", "meta.meta_evaluate", "meta.MetaEvaluation", "meta.Judgements", "meta.Ratings",
         "meta.with_scores_from", "meta.agreement_of", "meta.AnnotatorAgreement", "meta.agreeing", "meta.READERS",
         "meta.MEASURES", "meta.REFERENCE_RULES"),
    ),
    "correlation": (
        "Correlation with people",
        "Whether a metric agrees with people, and whether one agrees better than another.",
        ("inference.correlation.correlation", "inference.correlation.correlations",
         "inference.correlation.Correlation", "inference.correlation.leaders",
         "inference.correlation.soft_pairwise_accuracy", "inference.correlation.williams_test",
         "inference.correlation.permutation_test", "inference.correlation.pair_permutation_test",
         "inference.correlation.MetricTest", "inference.correlation.COEFFICIENTS",
         "inference.correlation.LEVELS"),
    ),
    "agreement": (
        "Agreement of annotators",
        "Whether people agree with each other: without that, no metric can agree with them.",
        ("inference.agreement.krippendorff_alpha", "inference.agreement.fleiss_kappa",
         "inference.agreement.cohen_kappa", "inference.agreement.Agreement", "inference.classical.mcnemar_test",
         "inference.classical.wilcoxon_test", "inference.classical.ClassicalTest"),
    ),
    "language-models": (
        "Language models",
        "What gives each token of a text its probability, for perplexity and its like.",
        ("language_models.open_model", "language_models.LanguageModel", "language_models.NamedModel",
         "language_models.FunctionModel", "language_models.TokenScores"),
    ),
    "integrations": (
        "Other engines",
        "[Ten million to a trillion pairs](../docs/scale.md) shows how they are used.",
        ("integrations.fit_counts", "integrations.datasets", "integrations.torch", "integrations.spark"),
    ),
    "testing": (
        "Checks of a metric",
        "[A metric of your own](../docs/author.md) shows their use, and has the names from which a metric is made.",
        ("testing.check_metric", "testing.parametrize_with_checks"),
    ),
    "output": ("Output", "JSON that every reader takes.", ("output.as_json",)),
    "errors": ("Errors", "Input without a score is refused, and the message says why.", ("InputError",)),
}  # fmt: skip
_WHOLE = "::: metrologue.{}\n    options: {{ inherited_members: true }}"
_LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)")
_CHART = re.compile(r"^```mermaid\nflowchart TD\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LANGUAGES = {".py": "python", ".toml": "toml", ".cff": "yaml"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the menu."""
    known = {*GUIDES, *MEASURED, "metrics"}
    others = sorted({*MADE, *(path.stem for path in (ROOT / "docs").glob("*.md"))} - known)
    measured = [{_SHORTER[name]: f"docs/{name}.md"} if name in _SHORTER else f"docs/{name}.md" for name in MEASURED]
    made = ["CONTRIBUTING.md", *(f"docs/{name}.md" for name in others), "CHANGELOG.md"]
    config.nav = [
        {"Home": "README.md"},
        {"Tutorials": [{tutorial_title(name): f"docs/tutorial/{name}.md"} for name in TUTORIALS]},
        {"Guides": [f"docs/{name}.md" for name in GUIDES]},
        {"Metrics": [{"All metrics": "docs/metrics.md"}, *({task: grouped} for task, grouped in tasks().items())]},
        {"Paired tests": [{titled(name): f"metrics/{name}/README.md"} for name in metrologue.list_comparisons()]},
        {"Statistics": [{titled(name): f"metrics/{name}/README.md"} for name in metrologue.list_statistics()]},
        {"Benchmarks": [{titled(name): f"metrics/{name}/README.md"} for name in list_benchmarks()]},
        {"Measurements": measured},
        {"Python": [{title: f"api/{name}.md"} for name, (title, _, _) in API.items()]},
        {"Command line": "api/command-line.md"},
        {"How it is made": made},
    ]
    return config


def tutorial_title(name: str) -> str:
    """What a tutorial is about: its heading without "Tutorial:", which the menu has above it."""
    heading = (ROOT / "docs" / "tutorial" / f"{name}.md").read_text("utf-8").partition("\n")[0]
    about = heading.removeprefix("# Tutorial: ")
    return about[:1].upper() + about[1:]


def tasks() -> dict[str, list[Any]]:
    """The pages of the metrics of each task, under their titles. A module of another scorer comes after its metric."""
    pages = metrics()
    of_metric = {name: module_facts(ROOT / "metrics" / name)[0] for name in pages if name not in list_scorers()}
    return {
        task: [
            {titled(each): pages[each]}
            for name in names
            for each in (name, *(module for module, metric in of_metric.items() if metric == name))
        ]
        for task, names in grouped(list_scorers()).items()
    }


def titled(name: str) -> str:
    """A metric or a module by the name that people give it."""
    if name in list_scorers():
        return get_scorer(name).title
    (title,) = re.findall(r"^title: (.*)$", (ROOT / "metrics" / name / "README.md").read_text("utf-8"), re.MULTILINE)
    return title


def metrics() -> dict[str, list[Any]]:
    """The pages of each metric: its variants and fields, its card, its class."""
    pages: dict[str, list[Any]] = {}
    for name in sorted({*list_scorers(), *metrologue.list_metrics()}):
        card, variants = f"metrics/{name}/README.md", f"docs/metrics/{name}.md"
        if name not in list_scorers():  # a module of another scorer
            pages[name] = [card]
        else:
            pages[name] = [*[card] * (ROOT / card).exists(), {"Variants": variants}, {"Python": f"api/{name}.md"}]
    return pages


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Take the pages in place of the folder docs."""
    for file in list(files):
        if file.abs_src_path and Path(file.abs_src_path).is_relative_to(ROOT / "docs"):
            files.remove(file)
    for path in sources():
        files.append(File.generated(config, path, abs_src_path=str(ROOT / path)))
    for path, text in generated():
        files.append(File.generated(config, path, content=text))
    return files


def sources() -> list[str]:
    """The files that are pages, and the pictures on them."""
    pages = ("*.md", "docs/*.md", "docs/tutorial/*.md", "metrics/*/README.md")
    patterns = (*pages, *(f"docs/*.{kind}" for kind in ("svg", "png", "css", "js")))
    return sorted(str(path.relative_to(ROOT)) for pattern in patterns for path in ROOT.glob(pattern))


def generated() -> Iterator[tuple[str, str]]:
    """The other pages, and what is on them in Markdown."""
    for name, (title, about, objects) in API.items():
        yield f"api/{name}.md", "\n\n".join([f"# {title}", about, *(_WHOLE.format(each) for each in objects)])
    for name in list_scorers():
        scorer = get_scorer(name)
        about = (
            f"The [variants and fields](../docs/metrics/{name}.md) of `{name}` have a page of their own. "
            "[Scorer](scorers.md) has the methods of all metrics."
        )
        names = [each for each in metrologue.__all__ if getattr(metrologue, each) is scorer]
        names.sort(key=lambda each: each != scorer.__name__)  # an alias comes after its class
        yield f"docs/metrics/{name}.md", page(name)
        places = [f"metrologue.{each}" for each in names] or [f"{scorer.__module__}.{scorer.__name__}"]
        title = places[0].rpartition(".")[2]
        yield f"api/{name}.md", "\n\n".join([f"# {title}", about, *(f"::: {each}" for each in places)])
    yield from ((f"docs/{name}.md", of_template(name)) for name in MADE)
    yield "api/command-line.md", f"# Command line\n\n{''.join(commands())}"
    shown = {linked(path, target) for path in sources() if path.endswith(".md") for target in links(path)}
    for path in sorted(shown - {*sources(), *INSTEAD}):
        language = _LANGUAGES.get(Path(path).suffix, "text")
        text = f"# `{path}`\n\n````{language}\n{(ROOT / path).read_text('utf-8')}````\n"
        yield f"{path}.md", f"---\nsearch: {{ exclude: true }}\n---\n\n{text}"


def commands() -> Iterator[str]:
    """What ``--help`` says of each command."""
    for name in ("", *sorted(main.commands)):
        long = name and any(each.name == "help_all" for each in main.commands[name].params)
        call = ["metrologue", *[name] * bool(name), "--help-all" if long else "--help"]
        said = CliRunner().invoke(main, call[1:], prog_name="metrologue", terminal_width=80).output
        yield f"## {' '.join(call[:-1])}\n\n```text\n{said}```\n\n"


def links(path: str) -> list[str]:
    """What the links of a page lead to, outside code."""
    text = re.sub(r"^ *(```+).*?^ *\1", "", (ROOT / path).read_text("utf-8"), flags=re.DOTALL | re.MULTILINE)
    return _LINK.findall(text)


def linked(path: str, target: str) -> str:
    """The file to which a link on a page leads."""
    return str((ROOT / path).parent.joinpath(target).resolve().relative_to(ROOT))


def on_page_markdown(markdown: str, page: Any, config: MkDocsConfig, files: Files) -> str:
    """Let links to files lead to the pages that show them, draw charts, and say what the page weighs in a search."""
    path = page.file.src_uri
    name = path.removeprefix("docs/").removesuffix(".md")
    weight = _GUIDE if name in (*GUIDES, "people") else _HISTORY if name in ("changes", "CHANGELOG") else 1.0
    page.meta.setdefault("search", {"boost": weight})

    def shown(found: re.Match[str]) -> str:
        target = found[1]
        if not ((ROOT / path).exists() and (ROOT / path).parent.joinpath(target).exists()):
            return target
        file = linked(path, target)
        if file in INSTEAD:
            return os.path.relpath(INSTEAD[file], Path(path).parent)
        return target if file in sources() else f"{target}.md"

    return _CHART.sub(chart, _LINK.sub(shown, markdown))


def on_page_content(html: str, **_: Any) -> str:
    """Drop the dash after a name that has no description."""
    return re.sub(r"\s*–\s*(?:<div class=\"doc-md-description\">\s*</div>\s*)?(?=</li>)", "", html)


def chart(found: re.Match[str]) -> str:
    """A flow chart as a list of boxes, because the library that draws such charts would come from another host.

    Raises
    ------
    ValueError
        If the chart is more than one line of boxes.
    """
    lines = [line.strip() for line in found[1].splitlines()]
    labels = dict(match.groups() for line in lines if (match := re.fullmatch(r'(\w+)\["(.*)"\]', line)))
    if len(lines) != len(labels) + 1 or {*lines[-1].split(" --> ")} != {*labels}:
        raise ValueError("docs/pages.py draws charts of one line of boxes: the boxes, then `a --> b --> c`.")
    boxes = ("<br>".join(map(escape, labels[name].split("<br/>"))) for name in lines[-1].split(" --> "))
    return f'<ol class="flow">{"".join(f"<li>{box}</li>" for box in boxes)}</ol>'
