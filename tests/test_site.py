"""The site that `make docs` builds: every public name has its place, every link leads somewhere, nothing is fetched."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from html.parser import HTMLParser
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import metrologue
from metrologue.cli import main
from metrologue.scorers import list_scorers

pytestmark = pytest.mark.slow

if not (find_spec("material") and find_spec("mkdocstrings")):
    pytest.skip(
        "mkdocs-material and mkdocstrings are not installed: pip install 'metrologue[docs]'", allow_module_level=True
    )


class Page(HTMLParser):
    """The anchors of a page, its links, and what a browser loads for it."""

    def __init__(self, path: Path) -> None:
        super().__init__()
        self.anchors: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.classes: set[str] = set()
        self.feed(path.read_text("utf-8"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        self.anchors |= {values[name] for name in ("id", "name") if name in values}
        self.classes |= {*values.get("class", "").split()}
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag == "link" and values.get("rel") != "canonical":
            self.loaded.append(values["href"])
        if "src" in values:
            self.loaded.append(values["src"])


@pytest.fixture(scope="module")
def site(root: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of the site."""
    folder = tmp_path_factory.mktemp("site")
    command = [sys.executable, "-m", "mkdocs", "build", "--strict", "--site-dir", str(folder)]
    done = subprocess.run(command, cwd=root, env=os.environ | {"PYTHONPATH": str(root)}, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return folder


@pytest.fixture(scope="module")
def pages(site: Path) -> dict[Path, Page]:
    return {path: Page(path) for path in site.rglob("*.html")}


@pytest.mark.parametrize(
    "module",
    [
        "metrologue",
        *(f"metrologue.{each}" for each in ("scorers", "segments", "tokenizers", "inference", "language_models")),
    ],
)
def test_every_public_name_has_its_place(site: Path, pages: dict[Path, Page], module: str) -> None:
    from mkdocstrings import Inventory

    with (site / "objects.inv").open("rb") as file:
        inventory = Inventory.parse_sphinx(file)
    names = [f"{module}.{name}" for name in import_module(module).__all__]
    assert len(names) > 1
    assert [name for name in names if name not in inventory] == []
    for name in names:
        page, _, anchor = inventory[name].uri.replace("$", name).partition("#")
        assert anchor in pages[site / page].anchors


def test_every_metric_and_command_has_its_place(site: Path, pages: dict[Path, Page]) -> None:
    for name in list_scorers():
        assert {"variants", "fields", "signature"} <= pages[site / "docs" / "metrics" / f"{name}.html"].anchors
    menu = [*map(str, pages[site / "docs" / "metrics" / "bleu.html"].links)]
    others = *metrologue.list_comparisons(), *metrologue.list_statistics()
    for name in others:
        assert f"../../metrics/{name}/index.html" in menu
    for name in (*metrologue.list_metrics(), *others):
        assert "limitations-and-bias" in pages[site / "metrics" / name / "index.html"].anchors
    assert {f"metrologue-{name}" for name in main.commands} <= pages[site / "api" / "command-line.html"].anchors


def test_links_lead_somewhere(site: Path, pages: dict[Path, Page]) -> None:
    checked, broken = 0, []
    for path, page in pages.items():
        if path.name == "404.html":  # its links begin at the root of a server
            continue
        for link in page.links:
            parts = urlsplit(link)
            if parts.scheme:
                continue
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            there = target.is_file() if not parts.fragment else unquote(parts.fragment) in pages[target].anchors
            checked += 1
            if not there:
                broken.append((str(path.relative_to(site)), link))
    assert checked > 1000
    assert broken == []


def test_a_browser_loads_nothing_from_elsewhere(site: Path, pages: dict[Path, Page]) -> None:
    loaded = {address for page in pages.values() for address in page.loaded}
    assert len(loaded) > 3
    assert [address for address in loaded if urlsplit(address).scheme not in {"", "data"} or address[:2] == "//"] == []
    sheets = "".join(path.read_text("utf-8") for path in site.rglob("*.css"))
    assert re.findall(r"url\(['\"]?(?:https?:|//)[^)]*|@import[^;]*", sheets) == []
    # The script would fetch a library for a chart of this class.
    assert not any("mermaid" in page.classes for page in pages.values())
    assert "flow" in pages[site / "docs" / "architecture.html"].classes


def test_the_value_of_a_field_is_shown_and_not_its_declaration(site: Path) -> None:
    text = re.sub(r"<[^>]*>|\s+", "", (site / "api" / "bleu.html").read_text("utf-8"))
    assert "max_order:int=4," in text
    assert "option(" not in text


def test_search_works_without_a_server(site: Path, tmp_path: Path) -> None:
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no browser: apt install chromium")
    options = ["--headless", "--no-sandbox", "--disable-gpu", f"--user-data-dir={tmp_path}"]
    page = (site / "index.html").as_uri() + "?q=brevity"
    command = [browser, *options, "--virtual-time-budget=20000", "--dump-dom", page]
    shown = subprocess.run(command, capture_output=True, text=True, timeout=120).stdout
    assert re.search(r"\d+ matching documents", shown)
    assert f'href="{(site / "docs" / "metrics" / "bleu.html").as_uri()}?h=brevity' in shown
