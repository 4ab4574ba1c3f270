"""What mkdocs asks for while it builds the site: the pages, the menu, and how a chart is drawn.

A file of the repository has the same path on the site. So a link between two files works on the site as it does in the
checkout. A link to a file that is not Markdown leads to a page that shows the file. All other pages are generated: one
for each scorer, for each part of the Python interface, and for the command line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import Any

from click.testing import CliRunner
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import metrologue
from docs import alignments
from docs.__main__ import module_facts
from docs.tasks import grouped
from metrologue.cli import main
from metrologue.pages import formulas
from metrologue.scorers import get_scorer, list_scorers

ROOT = Path(__file__).parents[1]
# The parts of the Python interface: title, what is said first, the objects.
API: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "metrologue": (
        "Functions",
        "These functions are enough for most uses. A name is imported when it is first used.",
        ("score", "pairwise", "explain", "trace", "compare", "load", "list_metrics", "list_comparisons",
         "list_statistics", "module_path", "__version__"),
    ),
    "results": (
        "Results",
        "What the functions and the scorers give. A notebook shows each of the first four as a table.",
        ("scorers.Result", "attribution.Explanation", "tracing.Trace", "comparison.findings.Comparison",
         "attribution.Contribution", "scorers.Totals"),
    ),
    "scorers": (
        "Scorers",
        "What all metrics have in common.",
        ("Scorer", "scorers.PairScorer", "scorers.SetScorer", "scorers.get_scorer", "scorers.list_scorers",
         "scorers.make_scorer", "scorers.Variant", "scorers.Choice", "scorers.Option"),
    ),
    "segments": ("Segments", "The texts that a scorer takes, checked and read once.", ("Segments", "segments.View")),
    "reading": ("Reading", "The steps from text to tokens.", ("reading", "tokenizers")),
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
         "inference.paired_test", "inference.PairedResult", "inference.PairedResults",
         "inference.significance_groups", "inference.winners", "inference.Winner", "inference.Resampling",
         "inference.corrected", "inference.human_agreement", "inference.RESAMPLINGS", "inference.DRAWS",
         "inference.TESTS", "inference.CORRECTIONS", "inference.THRESHOLDS"),
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
         "language_models.TokenScores"),
    ),
    "integrations": (
        "Other engines",
        "[Ten million to a trillion pairs](../docs/scale.md) shows how they are used.",
        ("integrations.fit_counts", "integrations.datasets", "integrations.torch", "integrations.spark"),
    ),
    "output": ("Output", "JSON that every reader takes.", ("output.as_json",)),
    "errors": ("Errors", "Input without a score is refused, and the message says why.", ("InputError",)),
}  # fmt: skip
_WHOLE = "::: metrologue.{}\n    options: {{ inherited_members: true }}"
_LINK = re.compile(r"(?<=\]\()(?!\w+:)([^)#\s]+)")
_FORMULA = re.compile(r"(?<=^## Formula\n\n).*?(?=^## )", re.DOTALL | re.MULTILINE)
_ABOUT = re.compile(r"^## Metric Description\n.*?(?=^## )", re.DOTALL | re.MULTILINE)
_CHART = re.compile(r"^```mermaid\nflowchart TD\n(.*?)^```$", re.DOTALL | re.MULTILINE)
_LANGUAGES = {".py": "python", ".toml": "toml", ".cff": "yaml"}


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Make the menu."""
    first = [f"docs/{name}.md" for name in ("getting-started", "command-line", "coming-from", "comparing", "people")]
    others = (str(path.relative_to(ROOT)) for path in sorted((ROOT / "docs").glob("*.md")))
    guides = [*first, *(page for page in others if page not in (*first, "docs/metrics.md"))]
    config.nav = [
        {"Home": "README.md"},
        {"Guides": [*guides, "CONTRIBUTING.md", "CHANGELOG.md"]},
        {"Metrics": ["docs/metrics.md", *({task: grouped} for task, grouped in tasks().items())]},
        {"Paired tests": [{name: f"metrics/{name}/README.md"} for name in metrologue.list_comparisons()]},
        {"Statistics of numbers": [{name: f"metrics/{name}/README.md"} for name in metrologue.list_statistics()]},
        {"Python": [{title: f"api/{name}.md"} for name, (title, _, _) in API.items()]},
        {"Command line": "api/command-line.md"},
    ]
    return config


def tasks() -> dict[str, list[Any]]:
    """The pages of the metrics of each task, under their titles."""
    pages = metrics()
    return {
        task: [{get_scorer(name).title if name in list_scorers() else name: pages[name]} for name in names]
        for task, names in grouped(pages).items()
    }


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
    files.append(File.generated(config, "docs/formulas.css", content=formulas.STYLE))
    return files


def sources() -> list[str]:
    """The files that are pages, and the pictures on them."""
    pages = ("*.md", "docs/*.md", "docs/metrics/*.md", "metrics/*/README.md")
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
        yield f"api/{name}.md", "\n\n".join([f"# {names[0]}", about, *(f"::: metrologue.{each}" for each in names)])
    yield "api/command-line.md", f"# Command line\n\n{''.join(commands())}"
    shown = {linked(path, target) for path in sources() if path.endswith(".md") for target in links(path)}
    for path in sorted(shown - {*sources()}):
        language = _LANGUAGES.get(Path(path).suffix, "text")
        text = f"# `{path}`\n\n````{language}\n{(ROOT / path).read_text('utf-8')}````\n"
        yield f"{path}.md", f"---\nsearch: {{ exclude: true }}\n---\n\n{text}"


def commands() -> Iterator[str]:
    """What ``--help`` says of each command."""
    for name in ("", *sorted(main.commands)):
        call = ["metrologue", *[name] * bool(name), "--help"]
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
    """Let links to files lead to the pages that show them, and draw charts."""
    path = page.file.src_uri

    def shown(found: re.Match[str]) -> str:
        target = found[1]
        there = not target.endswith(".md") and (ROOT / path).exists() and (ROOT / path).parent.joinpath(target).exists()
        return f"{target}.md" if there and linked(path, target) not in sources() else target

    return _CHART.sub(chart, _LINK.sub(shown, typeset(path, markdown)))


def typeset(path: str, markdown: str) -> str:
    """A page of a metric with its formula typeset. A card gets the formula too, and the picture of what matches."""
    folder, _, file = path.rpartition("/")
    if folder == "docs/metrics":
        return _FORMULA.sub(lambda _: f"{formulas.definition_html(file.removesuffix('.md'))}\n\n", markdown)
    name = folder.removeprefix("metrics/")
    if file != "README.md" or name not in metrologue.list_metrics():
        return markdown
    metric, _ = module_facts(ROOT / folder)
    parts = [formulas.definition_html(metric)]
    if metric in alignments.DRAWN:
        parts.append(f"![{alignments.description(metric)}](../../docs/{metric}.svg)")
    return _ABOUT.sub(lambda found: found[0] + "\n\n".join([*parts, ""]), markdown, count=1)


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
