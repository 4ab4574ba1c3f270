"""What the tab key offers, in a shell and in Python."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from dataclasses import fields
from pathlib import Path

import pytest
from click.shell_completion import ShellComplete

import metrologue
from metrologue.cli import main
from metrologue.pages.spaces import list_spaces
from metrologue.scorers import Bleu, get_scorer, list_scorers
from metrologue.scorers.core.options import options_of
from metrologue.text.tokenizers import list_tokenizers


def offered(*words: str) -> list[str]:
    """What is offered for the last of these words."""
    *before, incomplete = words
    found = ShellComplete(main, {}, "metrologue", "_METROLOGUE_COMPLETE").get_completions(before, incomplete)
    return [item.value for item in found]


@pytest.mark.parametrize("command", ["score", "explain", "trace", "list", "warmup"])
def test_metrics(command: str) -> None:
    assert offered(command, "") == list_scorers()
    assert offered(command, "mete") == ["meteor"]


def test_options_of_compare() -> None:
    assert offered("compare", "--metric", "mete") == ["meteor"]
    assert offered("compare", "--metric", "ter", "--variant", "") == [*get_scorer("ter").variants()]
    assert offered("compare", "--metric", "ter", "--metric", "ribes", "--variant", "ri") == ["ribes-1.03"]


def test_every_metric_of_several() -> None:
    assert offered("score", "bleu", "chr") == ["chrf"]


def test_variants() -> None:
    every = [f"bleu:{name}" for name in Bleu.variants()]
    assert offered("score", "bleu:") == every
    assert offered("score", "chrf", "bleu:pyco") == ["bleu:pycocoevalcap"]
    assert offered("score", "no-metric:") == []
    # As bash splits the line: before and after a colon.
    assert offered("score", "bleu", ":") == [*Bleu.variants()]
    assert offered("score", "bleu", ":", "pyco") == ["pycocoevalcap"]
    assert offered("explain", "meteor", "meteor-") == [
        "meteor-1.5",
        "meteor-1.5-norm",
        "meteor-1.5-lower",
        "meteor-1.0",
    ]
    assert offered("explain", "bleu", "nltk", "b") == ["bleuscore"]
    assert offered("trace", "ter", "--variant", "") == [*get_scorer("ter").variants()]
    assert set(offered("score", "--variant", "")) == {
        name for each in list_scorers() for name in get_scorer(each).variants()
    }


def test_fields_and_their_values() -> None:
    assert offered("score", "bleu", "--set", "") == [f"{name}=" for name in options_of(Bleu)]
    assert offered("score", "bleu:nltk", "--set", "max") == ["max_order="]
    assert offered("score", "bleu", "--set", "lowercase=") == ["lowercase=true", "lowercase=false"]
    assert offered("score", "bleu", "--set", "smoothing=a") == ["smoothing=add-k"]
    assert offered("score", "bleu", "--set", "max_order=") == []
    assert offered("score", "bleu", "--set", "types=") == []
    assert "types=" in offered("score", "bleu", "rouge", "--set", "")
    assert offered("score", "bleu", "--set", "tokenizer=zh") == offered_tokenizers("tokenizer=", "zh")


def offered_tokenizers(prefix: str, beginning: str) -> list[str]:
    return [f"{prefix}{name}" for name in list_tokenizers() if name.startswith(beginning)]


def test_tokenizers_and_spaces() -> None:
    assert offered("score", "bleu", "-tok", "1") == offered_tokenizers("", "1")
    assert offered("publish", "") == list_spaces()


def test_bash(root: Path, tmp_path: Path) -> None:
    """The line that docs/command-line.md gives, and what bash then offers for a word."""
    bash = shutil.which("bash")
    if not bash or os.name == "nt":
        pytest.skip("no bash")
    program = tmp_path / "metrologue"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m metrologue "$@"\n')
    program.chmod(0o755)
    say = '_metrologue_completion "$1"; echo "${COMPREPLY[@]}"'
    lines = (
        'eval "$(_METROLOGUE_COMPLETE=bash_source metrologue)"',
        f'offer() {{ COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); COMPREPLY=(); {say}; }}',
        "offer metrologue score mete",
        "offer metrologue score bleu : pyco",
    )
    assert f"`{lines[0]}`" in (root / "docs" / "command-line.md").read_text("utf-8")
    path = f"{tmp_path}{os.pathsep}{os.environ['PATH']}"
    done = subprocess.run(
        [bash, "--norc", "-c", "\n".join(lines)], env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    assert done.stdout.splitlines() == ["meteor", "pycocoevalcap"], done.stderr


def test_a_scorer_shows_what_a_user_calls() -> None:
    bleu = Bleu()
    shown = {name for name in dir(bleu) if not name.startswith("_")}
    assert shown >= {each.name for each in fields(bleu)}
    assert shown >= {"accumulate", "corpus", "from_signature", "segment_scores", "segments", "signature", "variant"}
    assert all(hasattr(bleu, name) for name in shown)


def test_python_offers_it() -> None:
    completer = pytest.importorskip("IPython.core.completer")
    shell = pytest.importorskip("IPython.core.interactiveshell").InteractiveShell.instance()
    shell.user_ns |= {"bleu": Bleu(), "metrologue": metrologue}

    def offered_for(text: str) -> set[str]:
        with completer.provisionalcompleter():
            return {found.text.removeprefix(".") for found in shell.Completer.completions(text, len(text))}

    for jedi in (True, False):
        shell.Completer.use_jedi = jedi
        assert offered_for("bleu.tok") == {"tokenizer"}
        assert offered_for("bleu.") == {name for name in dir(Bleu()) if not name.startswith("_")}
        assert offered_for("metrologue.") == {name for name in metrologue.__all__ if not name.startswith("_")}
        assert offered_for("metrologue.Bleu(lower") == {"lowercase="}


def test_the_top_level_shows_nothing_else() -> None:
    assert dir(metrologue) == sorted(metrologue.__all__)
