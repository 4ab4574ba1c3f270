"""What is told about texts is the same in Python, on the command line and by a module, for every metric."""

from __future__ import annotations

import re
import warnings
from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import click
import pytest
from layouts import columns_of

import metrologue
from metrologue.cli import main
from metrologue.errors import InputError

pytestmark = [pytest.mark.bridge, pytest.mark.contract]

# Which of them a metric has something to say of is its own affair.
TEXTS = {
    "tokenized": (["the cat sat on the mat ."] * 100, ["the cat sat on a mat."] * 100),
    "short": (["a"], ["b"]),
    "another script": (["кот сидит тут", "日本語 ?"], ["кот сидит", "日本 !"]),
    "no words": (["", "."], ["a", "."]),
}


def told(score: Callable[[], object]) -> tuple[str, list[str] | None]:
    """Whether a number comes, and what is said of the texts, in any order."""
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            score()
        except (InputError, click.ClickException):
            return "refused", None
    return "scored", sorted(re.sub(r"^predictions: ", "", str(warning.message)) for warning in caught)


@pytest.mark.parametrize("texts", TEXTS.values(), ids=TEXTS.keys())
def test_hints_are_the_same_through_every_door(
    texts: tuple[list[str], list[str]], metric: str, module: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    columns = columns_of(metric, *texts)
    for name, lines in columns.items():
        Path(name).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    command = ["score", metric, "--variant", module.config_name, *chain(*((f"--{name}", name) for name in columns))]
    in_python = told(lambda: metrologue.score(f"{metric}:{module.config_name}", **columns))
    assert in_python == told(lambda: module.compute(**columns))
    assert in_python == told(lambda: main(command, standalone_mode=False))


def test_a_module_tells_the_line_of_its_caller() -> None:
    module = metrologue.load("bleu")
    with pytest.warns(UserWarning, match="look tokenized") as caught:
        module.compute(**dict(zip(("predictions", "references"), TEXTS["tokenized"], strict=True)))
    assert {warning.filename for warning in caught} == {__file__}
