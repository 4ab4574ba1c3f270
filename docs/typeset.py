"""What mkdocs asks for while it builds the site: the formulas of the metrics, typeset."""

from __future__ import annotations

import re
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

import metrologue
from docs import alignments
from docs.__main__ import ROOT, module_facts
from metrologue.pages.formulas import STYLE, definition_html

_FORMULA = re.compile(r"(?<=^## Formula\n\n).*?(?=^## )", re.DOTALL | re.MULTILINE)
_ABOUT = re.compile(r"^## Metric Description\n.*?(?=^## )", re.DOTALL | re.MULTILINE)


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add the style sheet."""
    files.append(File.generated(config, "docs/formulas.css", content=STYLE))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Typeset the formula of a metric's page. A card gets the formula too, and the picture of what matches."""
    folder, _, file = page.file.src_uri.rpartition("/")
    if folder == "docs/metrics":
        return _FORMULA.sub(lambda _: f"{figure(file.removesuffix('.md'))}\n\n", markdown)
    if file != "README.md" or folder.removeprefix("metrics/") not in metrologue.list_metrics():
        return markdown
    metric, _ = module_facts(ROOT / folder)
    parts = [figure(metric)]
    if metric in alignments.DRAWN:
        parts.append(f"![{alignments.description(metric)}](../../docs/{metric}.svg)")
    return _ABOUT.sub(lambda found: found[0] + "\n\n".join([*parts, ""]), markdown, count=1)


def figure(metric: str) -> str:
    """A metric's formula. The search leaves it out: it would find its letters one by one."""
    return definition_html(metric).replace("<figure ", "<figure data-search-exclude ", 1)
