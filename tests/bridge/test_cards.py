"""Cards and documentation: whatever is printed there is computed here."""

import doctest
import importlib.metadata
import inspect
import re
import subprocess
import sys
import tomllib
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest
from packaging.requirements import Requirement

from metrologue.scorers import get_scorer

SECTIONS = [
    "Metric Description",
    "How to Use",
    "Inputs",
    "Output Values",
    "Values from Popular Papers",
    "Examples",
    "Limitations and Bias",
    "Citation",
    "Further References",
]


@pytest.fixture
def card(folder: Path) -> str:
    return (folder / "README.md").read_text("utf-8")


def run_examples(text: str, name: str) -> str:
    """Run the examples of a text; what they printed, or an assertion that shows what they should not have."""
    printed: list[str] = []
    test = doctest.DocTestParser().get_doctest(text, {}, name, name, 0)
    result = doctest.DocTestRunner(optionflags=doctest.ELLIPSIS).run(test, out=printed.append)
    assert not result.failed, "".join(printed)
    assert result.attempted > 1
    return "".join(example.want for example in test.examples)


def python_blocks(card: str) -> str:
    return "\n".join(re.findall(r"```python\n(.*?)```", card, re.DOTALL))


def test_sections_are_those_of_the_template(card: str) -> None:
    assert re.findall(r"^#{2,4} (.*)$", card, re.MULTILINE) == SECTIONS


def test_examples_run_and_print_every_fraction(card: str, folder: Path, metric: str) -> None:
    printed = run_examples(python_blocks(card), folder.name)
    made = r"<!-- (?:fields|variants): .*?<!-- end -->"  # what they mean, which no example computes
    prose = re.sub(made + r"|```.*?```|`[^`\n]*`|\]\([^)]*\)", " ", card.split("---\n", 2)[2], flags=re.DOTALL)
    versions = {variant.version for variant in get_scorer(metric).variants().values()}
    for number in re.findall(r"(?<![\w.])\d+(?:[./]\d+)+", prose):
        assert number in versions or number in printed, f"no example of the card computes {number}"


def test_examples_of_the_copied_module_run(module: Any, folder: Path) -> None:
    copied: ModuleType = sys.modules[type(module).__module__]
    assert Path(copied.__file__ or "").parent != folder
    result = doctest.testmod(copied)
    assert not result.failed
    assert result.attempted > 1


def test_every_argument_is_documented(module: Any, card: str) -> None:
    for name in inspect.signature(module._compute).parameters:
        assert re.search(rf"^    {name}(:| \()", module.inputs_description, re.MULTILINE)
        assert f"**{name}**" in card or re.search(rf"^\| (`\w+`, as )?`{name}`(, as `\w+`)? \|", card, re.MULTILINE)


def requirements(folder: Path) -> list[str]:
    lines = (folder / "requirements.txt").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def test_requirements_name_extras_that_exist(folder: Path, root: Path) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text("utf-8"))["project"]
    (requirement,) = map(Requirement, requirements(folder))
    assert requirement.name == project["name"]
    assert {"space"} <= requirement.extras <= set(project["optional-dependencies"])


def test_requirements_are_met_by_an_installed_checkout(root: Path, tmp_path: Path) -> None:
    """pip is asked once, for all modules."""
    if not list(importlib.metadata.distributions(name="metrologue", path=sys.path[1:])):
        pytest.skip("metrologue is not installed in this environment: pip install -e '.[space]'")
    pytest.importorskip("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
    asked = {line for folder in (root / "metrics").glob("[!_]*") for line in requirements(folder)}
    assert asked
    done = subprocess.run(
        [sys.executable, "-m", "pip", "install", "--dry-run", "--no-index", *asked],
        capture_output=True,
        text=True,
        check=False,
        cwd=tmp_path,
    )
    assert done.returncode == 0, done.stderr
    assert "Would install" not in done.stdout
