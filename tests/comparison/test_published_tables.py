"""docs/published.md: every number of it is made again, where the public outputs are at hand."""

from __future__ import annotations

import importlib
import re
from pathlib import Path

import pytest


def test_the_page_is_what_the_command_says(root: Path, shared_data: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for package in ("sacremoses", "nltk"):  # the page counts the settings that are tried
        pytest.importorskip(package)
    monkeypatch.syspath_prepend(str(root))
    docs = importlib.import_module("docs.published")
    written = docs.PAGE.read_text("utf-8")
    assert docs.page(shared_data) == written, "docs/published.md is out of date; run `python -m docs.published DATA`"
    right, planted = written.partition("## Planted errors")[::2]
    verdicts = [re.findall(r"\| (found|copied|swapped|near|unexplained) \|", part) for part in (right, planted)]
    assert verdicts[0] == ["found"] * 8
    assert sorted(verdicts[1]) == ["copied", *["found"] * 9, "swapped", "swapped"]
