"""The calls of ``compare`` that people write, and its page."""

from __future__ import annotations

from pathlib import Path

import pytest

import metrologue
from metrologue.errors import InputError

P, Q, R = (
    ["the cat sat on it today", "a dog ran off", "rain fell"],
    ["the cat sits here", "one dog ran away", "it rained all day"],
    ["the cat sat on a mat today", "a dog ran away", "rain fell all day"],
)
OPTIONS = {"libraries": [], "processes": 0, "confidence": None}


def test_a_list_of_systems() -> None:
    named = metrologue.compare({"system 1": P, "system 2": Q}, R, "chrf", **OPTIONS)
    assert metrologue.compare([P, Q], R, "chrf", **OPTIONS).to_dict() == named.to_dict()
    assert metrologue.compare(P, R, "chrf", **OPTIONS).systems == ["predictions"]
    with pytest.raises(InputError):
        metrologue.compare([P, Q[:2]], R, "chrf", **OPTIONS)


def test_a_list_of_metrics() -> None:
    found = metrologue.compare(P, R, ["bleu", "chrf"], **OPTIONS)
    assert [each.metric for each in found.comparisons] == ["bleu", "chrf"]
    alone = metrologue.compare(P, R, "chrf", **OPTIONS)
    assert [each.value for each in found.comparisons[1].numbers] == [each.value for each in alone.numbers]
    for wrong in (3, [3], None, metrologue.Bleu()):
        with pytest.raises(InputError, match="the name of a metric is expected, or a list of names"):
            metrologue.compare(P, R, wrong, **OPTIONS)
    with pytest.raises(InputError, match="`metrics` is empty"):
        metrologue.compare(P, R, [], **OPTIONS)


@pytest.mark.parametrize("metric", ["bleu", ["bleu", "chrf"]])
def test_a_page(metric: str | list[str], tmp_path: Path) -> None:
    found = metrologue.compare({"<mine>": P}, R, metric, **OPTIONS)
    page = found.html()
    assert page.startswith("<!DOCTYPE html>")
    assert "&lt;mine&gt;" in page
    assert "<mine>" not in page
    found.save(tmp_path / "new" / "page.html")
    assert (tmp_path / "new" / "page.html").read_text("utf-8") == page
    with pytest.raises(InputError, match=r"'page\.pdf' is no \.html file"):
        found.save(tmp_path / "page.pdf")
