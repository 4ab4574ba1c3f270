"""Segments of real text from the public test data: news, dialogue, summaries and captions, with their references."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, TypeVar

from strategies import Corpus

__all__ = ["real_text"]

T = TypeVar("T")


def real_text(data: Path, count: int) -> dict[str, Corpus]:
    """So many segments of each of four corpora, evenly spread over it."""
    return {
        "news": _news(data / "wmt17_ende", count),
        "dialogue": _dialogue(data / "usr_topicalchat", count),
        "summaries": _summaries(data / "summeval", count),
        "captions": _captions(data / "flickr8k_expert", count),
    }


def _news(folder: Path, count: int) -> Corpus:
    """One system; the reference, and for two of three segments other systems' outputs as references too."""
    first, second, third = [_lines(path) for path in sorted((folder / "systems").iterdir())[:3]]
    chosen = _spread([*zip(first, _lines(folder / "reference.de"), second, third, strict=True)], count)
    return [row[0] for row in chosen], [[*row[1:]][: 1 + i % 3] for i, row in enumerate(chosen)]


def _dialogue(folder: Path, count: int) -> Corpus:
    """Responses; the reference is what a person said."""
    rows = json.loads((folder / "unieval_topical_chat.json").read_text("utf-8"))
    truth = {row["source"]: row["system_output"].strip() for row in rows if row["system_id"] == "Original Ground Truth"}
    chosen = _spread([row for row in rows if row["system_id"] != "Original Ground Truth"], count)
    return [row["system_output"].strip() for row in chosen], [[truth[row["source"]]] for row in chosen]


def _summaries(folder: Path, count: int) -> Corpus:
    """Summaries with three of their references."""
    references = {row["doc"]: row["references"][:3] for row in _records(folder / "references.jsonl")}
    chosen = _spread(_records(folder / "summeval.jsonl"), count)
    return [row["hypothesis"] for row in chosen], [references[row["doc"]] for row in chosen]


def _captions(folder: Path, count: int) -> Corpus:
    """Captions with five references."""
    chosen = _spread(_records(folder / "flickr8k_expert.jsonl"), count)
    return [row["hypothesis"] for row in chosen], [row["references"] for row in chosen]


def _lines(path: Path) -> list[str]:
    return path.read_text("utf-8").removesuffix("\n").split("\n")


def _records(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in _lines(path)]


def _spread(rows: list[T], count: int) -> list[T]:
    return rows[:: max(1, len(rows) // count)][:count]
