"""What people use metrics for: the groups of ``metrologue list``, and of the site's page and menu of all metrics."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

from metrologue.errors import InputError
from metrologue.modules import module_path

__all__ = ["TASKS", "grouped"]

# A metric is in the group in whose papers it is most often seen: a tag of its card.
TASKS: Mapping[str, str] = {
    "translation": "Translation, and any text with references",
    "summarization": "Summaries",
    "simplification": "Simplified text",
    "captions": "Captions",
    "meaning": "Meaning, by vectors",
    "ratings": "Ratings: learned, and by judges of your own",
    "faithfulness": "Is it true to its source?",
    "dialogue": "Dialogue",
    "speech": "Speech, and distances in edits",
    "language-models": "Language models",
    "diversity": "Diversity",
    "answers": "Answers, labels and sets",
    "code": "Code",
}
_OTHERS = "Others"


def grouped(metrics: Iterable[str]) -> dict[str, list[str]]:
    """These metrics by task. Those that no task has come last."""
    groups: dict[str, list[str]] = {title: [] for title in (*TASKS.values(), _OTHERS)}
    for name in metrics:
        tags = re.findall(r"^- (.+)$", _front_matter(name), re.MULTILINE)
        groups[next((TASKS[tag] for tag in tags if tag in TASKS), _OTHERS)].append(name)
    return {title: names for title, names in groups.items() if names}


def _front_matter(name: str) -> str:
    """What stands at the head of a metric's card; empty if another package ships none."""
    try:
        card = Path(module_path(name), "README.md")
    except InputError:  # a metric that is being made has no module yet
        return ""
    return card.read_text("utf-8").split("---\n")[1] if card.exists() else ""
