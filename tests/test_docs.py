"""What is made from the scorers: cards' tables, docs/metrics and the README's index."""

import importlib.util
import re
from types import ModuleType

import pytest

from metrologue.scorers import get_scorer, list_scorers


@pytest.fixture(scope="module")
def docs(root) -> ModuleType:
    spec = importlib.util.spec_from_file_location("docs_of_metrologue", root / "docs" / "__main__.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_files_are_what_the_scorers_say(docs, root):
    stale = [str(path.relative_to(root)) for path, text in docs.files() if path.read_text("utf-8") != text]
    assert not stale, f"out of date: {', '.join(stale)}; run `make docs`"
    made = {path.stem for path, _ in docs.files() if path.parent.name == "metrics" and path.suffix == ".md"}
    assert made >= set(list_scorers())
    assert {path.stem for path in (root / "docs" / "metrics").iterdir()} == set(list_scorers())


@pytest.mark.parametrize("name", list_scorers())
def test_a_page_shows_the_definition_that_is_tested(docs, root, name):
    defined = docs.definition(get_scorer(name)).read_text("utf-8")
    assert "\ndef " in defined
    page = (root / "docs" / "metrics" / f"{name}.md").read_text("utf-8")
    assert f"## The definition in plain Python\n\n{docs.DEFINED}\n\n```python\n{defined}```\n" in page


def test_a_page_leads_nowhere_that_a_reader_cannot_go(root):
    """A class that says more is on the page, or is a link to its page. The card is a link."""
    for path in (root / "docs" / "metrics").glob("*.md"):
        text = path.read_text("utf-8").partition("## Variants")[0]
        assert not re.search(r"See `\w+`( for .*)?\.$", text, re.MULTILINE), path.name
        assert f"[card](../../metrics/{path.stem}/README.md)" in text
    page = (root / "docs" / "metrics" / "perplexity.md").read_text("utf-8")
    assert "`perplexity` is b^H" in page
    assert "See [`f1`](f1.md)." in (root / "docs" / "metrics" / "recall.md").read_text("utf-8")


def test_a_block_is_there_once(docs):
    start, end = "<!-- x: made by `make docs` -->\n", "<!-- end -->\n"
    assert docs.filled(f"a\n{start}old\n{end}b", "x", "new\n") == f"a\n{start}new\n{end}b"
    for text in ("", (start + end) * 2):
        with pytest.raises(ValueError, match="there must be one"):
            docs.filled(text, "x", "new")
