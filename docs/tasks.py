"""What people use metrics for: the groups of the site's page of all metrics and of its menu."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from pathlib import Path

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
}
_OTHERS = "Others"
_CARDS = Path(__file__).parents[1] / "metrics"


def grouped(metrics: Iterable[str]) -> dict[str, list[str]]:
    """These metrics by task. Those that no task has come last."""
    groups: dict[str, list[str]] = {title: [] for title in (*TASKS.values(), _OTHERS)}
    for name in metrics:
        front = (_CARDS / name / "README.md").read_text("utf-8").split("---\n")[1]
        tags = re.findall(r"^- (.+)$", front, re.MULTILINE)
        groups[next((TASKS[tag] for tag in tags if tag in TASKS), _OTHERS)].append(name)
    return {title: names for title, names in groups.items() if names}
