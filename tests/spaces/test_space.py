"""Spaces: the page shows what the scorer says, and a folder's module does not hide the library of its name."""

import importlib.util
import os
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from unittest.mock import MagicMock

import pytest
from needs import data_of, provide

pytest.importorskip("evaluate", reason="`evaluate` is not installed: pip install 'metrologue[space]'")

import metrologue
from metrologue import InputError, gradio_page, trace
from metrologue.scorers import get_scorer, list_scorers

METRICS = Path(__file__).parents[2] / "metrics"
APPS = sorted(path for path in METRICS.glob("[!_]*/app.py"))

PREDICTIONS = "a b c d e\nf g h i j\n"
REFERENCES = "a b c d f\r\na b\n\nf g h i j\n"


@pytest.fixture(params=APPS, ids=lambda app: app.parent.name)
def app(request: pytest.FixtureRequest) -> Path:
    """Each ``app.py``."""
    path: Path = request.param
    if path.parent.name in list_scorers():
        provide(request, data_of(path.parent.name))
    return path


@pytest.fixture
def stub(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> MagicMock:
    """A gradio that shows nothing, and a path that can be changed."""
    monkeypatch.setattr(sys, "path", [*sys.path])
    monkeypatch.setenv("HF_HOME", str(tmp_path))
    stub = MagicMock()
    monkeypatch.setitem(sys.modules, "gradio", stub)
    return stub


def test_app_builds_a_page_and_launches_it_as_a_script_only(app: Path, stub: MagicMock) -> None:
    demo = runpy.run_path(str(app))["demo"]
    assert demo is stub.Blocks.return_value.__enter__.return_value
    demo.launch.assert_not_called()
    runpy.run_path(str(app), run_name="__main__")
    demo.launch.assert_called_once_with()


def test_score_text_is_what_the_scorer_says() -> None:
    predictions, references = ["a b c d e", "f g h i j"], [["a b c d f", "a b"], ["f g h i j"]]
    for name in get_scorer("bleu").variants():
        scorer = get_scorer("bleu").variant(name)
        result = scorer.corpus(predictions, references)
        shown = gradio_page.score_text("bleu", name, PREDICTIONS, REFERENCES, 1)
        assert shown == (
            result.value,
            result.scores,
            result.signature,
            trace(scorer, "f g h i j", ["f g h i j"]).html(),
        )


@pytest.fixture
def handlers(app: Path, monkeypatch: pytest.MonkeyPatch) -> dict[str, Callable[..., Any]]:
    """The functions of the page, by name."""
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    monkeypatch.setattr(sys, "path", [*sys.path])
    demo = runpy.run_path(str(app))["demo"]
    return {function.fn.__name__: function.fn for function in demo.fns.values()}


def test_page_shows_what_score_text_gives(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    gradio = pytest.importorskip("gradio")
    assert handlers.keys() == {"show", "open_page"}
    show = handlers["show"]
    metric = metrologue.load(app.parent.name).metric
    for name in get_scorer(metric).variants():
        value, scores, signature, html = gradio_page.score_text(metric, name, PREDICTIONS, REFERENCES)
        assert show(name, PREDICTIONS, REFERENCES, 0.0) == (str(value), signature, html, scores)
        if not get_scorer(metric).needs_references:
            continue
        with pytest.raises(gradio.Error, match="2 groups of lines for 1 predictions"):
            show(name, "a b c", REFERENCES, 0)


def test_page_opens_with_the_modules_own_variant(app: Path, handlers: dict[str, Callable[..., Any]]) -> None:
    own = metrologue.load(app.parent.name).config_name
    opened = handlers["open_page"](PREDICTIONS, REFERENCES, 1)
    assert opened == (own, *handlers["show"](own, PREDICTIONS, REFERENCES, 1))


def test_page_opens_with_a_variant_whose_data_are_there(
    app: Path, handlers: dict[str, Callable[..., Any]], monkeypatch: pytest.MonkeyPatch
) -> None:
    module = metrologue.load(app.parent.name)
    variants = [module.config_name, *get_scorer(module.metric).variants()]
    scoring, lacking = gradio_page.score_text, {module.config_name}

    def scored(metric: str, variant: str, *texts: Any) -> Any:
        if variant in lacking:
            raise InputError(f"{variant} needs <data>; get them")
        return scoring(metric, variant, *texts)

    monkeypatch.setattr(gradio_page, "score_text", scored)
    for another in [name for name in variants if name not in lacking][:1]:  # a metric may have one variant only
        opened = handlers["open_page"](PREDICTIONS, REFERENCES, 0)
        assert opened == (another, *handlers["show"](another, PREDICTIONS, REFERENCES, 0))
    lacking.update(variants)
    hint = f"<p>{module.config_name} needs &lt;data&gt;; get them</p>"
    assert handlers["open_page"](PREDICTIONS, REFERENCES, 0) == (module.config_name, "", "", hint, {})


STUB = """
import importlib.util, os
from unittest.mock import MagicMock

def launch():
    print(importlib.util.find_spec(os.path.basename(os.getcwd())))

Blocks = MagicMock()
Blocks.return_value.__enter__.return_value.launch = launch
Accordion = Radio = Textbox = Number = JSON = HTML = Markdown = Row = Button = MagicMock()
"""


def test_module_does_not_hide_the_library_of_its_name(app: Path, tmp_path: Path) -> None:
    (tmp_path / "gradio.py").write_text(STUB, "utf-8")
    (tmp_path / "transformers.py").write_text("raise ImportError", "utf-8")  # or `evaluate` takes seconds to import it
    done = subprocess.run(
        [sys.executable, "app.py"],
        capture_output=True,
        text=True,
        check=False,
        cwd=app.parent,
        env={
            **os.environ,
            "PYTHONPATH": f"{tmp_path}{os.pathsep}{METRICS.parent}",
            "HF_HOME": str(tmp_path),
        },
        timeout=300,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.strip()
    assert str(app.parent) not in done.stdout
    if importlib.util.find_spec(app.parent.name):
        assert "site-packages" in done.stdout


@pytest.mark.parametrize(
    ("text", "count", "groups"),
    [
        ("a\nb\nc", 1, [["a", "b", "c"]]),
        ("a\nb\nc\n", 3, [["a"], ["b"], ["c"]]),
        ("a\nb\n\n\n  \nc\n\n", 2, [["a", "b"], ["c"]]),
        ("a", 1, [["a"]]),
    ],
)
def test_references_of_each_prediction(text: str, count: int, groups: list[list[str]]) -> None:
    assert gradio_page.split_references(text, count) == groups


@pytest.mark.parametrize(("text", "count"), [("", 1), ("a\nb\nc", 2), ("a\n\nb", 1), ("a\n\nb", 3)])
def test_other_numbers_of_references_are_refused(text: str, count: int) -> None:
    with pytest.raises(InputError, match=f"for {count} predictions"):
        gradio_page.split_references(text, count)


@pytest.mark.parametrize("segment", [-1, 2])
def test_no_such_segment(segment: int) -> None:
    with pytest.raises(InputError, match="the last of 2 is 1"):
        gradio_page.score_text("bleu", "nltk", PREDICTIONS, REFERENCES, segment)
