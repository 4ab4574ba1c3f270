"""What is made from the scorers: modules, cards' tables, the site's pages and the README's index."""

import importlib
import re
from collections.abc import Iterator
from types import ModuleType

import pytest
from needs import provide

import metrologue
from metrologue.modules import all_names
from metrologue.scorers import get_scorer, list_scorers


@pytest.fixture(scope="module")
def docs(root) -> Iterator[ModuleType]:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root)
        yield importlib.import_module("docs.__main__")


MODULES = {*all_names()}
NAMES = sorted({*list_scorers(), *MODULES})


@pytest.mark.parametrize("name", NAMES)
def test_files_are_what_the_scorers_say(docs, root, name):
    made = dict(docs.files_of(name))
    stale = [str(path.relative_to(root)) for path, text in made.items() if path.read_text("utf-8") != text]
    assert made
    assert not stale, f"out of date: {', '.join(stale)}; run `make docs`"


def test_what_is_made_of_all_metrics(docs, root):
    assert docs.names() == NAMES
    stale = [path.name for path, text in docs.files() if path.parent == root and path.read_text("utf-8") != text]
    assert not stale, f"out of date: {', '.join(stale)}; run `make docs`"


def test_a_module_is_made_or_mirrors_the_hub(docs, root):
    """A module that is made says so, and the others name the Hub."""
    made = {name for name in NAMES if docs.modules.is_made(name)}
    for name in metrologue.list_metrics():
        first = (root / "metrics" / name / f"{name}.py").read_text("utf-8").partition("\n")[0]
        says = "generated; the Hub has no module of this name"
        assert (says in first) == (name in made), name
        assert name in made or "Hub" in first or name in ("meteor", "rouge"), name


def test_programs_of_a_module_as_python(docs):
    literal = docs.modules.literal
    assert literal(["a"]) == '("a",)'
    assert literal(["a", "b"]) == '("a", "b")'
    assert literal(["a" * 60, "b" * 60]) == f'(\n    "{"a" * 60}",\n    "{"b" * 60}",\n)'


def test_what_a_module_cannot_say(docs):
    """`evaluate` takes what follows a # for a comment, and a card without an example makes no module."""
    with pytest.raises(ValueError, match="cannot hold a #"):
        docs.modules.wrapped("the C# of it")
    card = docs.modules.Card("---\ntitle: X\n---\n## How to Use\n\nNot yet.\n")
    assert card.front("title") == "X"
    for missing in (card.example, lambda: card.front("description"), lambda: card.section("Inputs")):
        with pytest.raises(ValueError, match="a card has no"):
            missing()


def test_a_page_shows_the_definition_that_is_tested(docs):
    defined = docs.definition(get_scorer("bleu")).read_text("utf-8")
    assert "\ndef " in defined
    page = docs.page("bleu")
    assert f"## The definition in plain Python\n\n{docs.DEFINED}\n\n```python\n{defined}```\n" in page


@pytest.mark.parametrize("name", list_scorers())
def test_a_page_leads_nowhere_that_a_reader_cannot_go(docs, root, name):
    """A class that says more is on the page, or is a link to its page. The card is a link."""
    text = docs.page(name).partition("## Variants")[0]
    assert not re.search(r"See `\w+`( for .*)?\.$", text, re.MULTILINE)
    assert f"[card](../../metrics/{name}/README.md)" in text
    assert (root / "metrics" / name / "README.md").is_file()


def test_a_template_becomes_a_page_whose_links_lead_somewhere(docs, root):
    names = sorted(path.stem for path in docs.TEMPLATES.glob("*.md"))
    assert names == ["cite", "history", "metrics", "versions"]
    for name in names:
        page = docs.of_template(name)
        assert "\n| --- |" in page
        assert "<!--" not in page
        links = re.findall(r"(?<=\]\()(?!\w+:|#)[^)#]+", page)
        made = {f"{other}.md" for other in names}  # a page beside this one
        assert [link for link in links if link not in made and not (root / "docs" / link).exists()] == []


def test_a_page_says_what_its_class_leaves_to_another(docs):
    assert "`perplexity` is b^H" in docs.page("perplexity")
    assert "See [`f1`](f1.md)." in docs.page("recall")


def test_a_block_is_there_once(docs):
    start, end = "<!-- x: generated -->\n", "<!-- end -->\n"
    assert docs.filled(f"a\n{start}old\n{end}b", "x", "new\n") == f"a\n{start}new\n{end}b"
    for text in ("", (start + end) * 2):
        with pytest.raises(ValueError, match="there must be one"):
            docs.filled(text, "x", "new")


def test_the_pictures_of_alignments_are_what_the_traces_say(docs, request):
    provide(request, get_scorer("meteor").variants()["meteor-1.5"].needs)
    for name, alignment_of in docs.alignments.DRAWN.items():
        drawn = (docs.alignments.FOLDER / f"{name}.svg").read_text("utf-8")
        assert drawn == docs.alignments.svg(alignment_of()), f"docs/{name}.svg is out of date; run `make docs`"
