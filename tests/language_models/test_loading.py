"""Models that are not here, where no Hub answers: one clear error, soon."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from later import imported_later

from metrologue.errors import InputError
from metrologue.language_models import open_model, pretrained
from metrologue.language_models.pretrained import local_files_only
from metrologue.learned.synthetic import MaskFilling
from metrologue.representations import open_encoder
from metrologue.representations.pairs import CrossEncoder
from metrologue.scorers import Perplexity
from metrologue.scorers.bleurt.training import base_of

imported_later("transformers", reason="transformers is not installed: pip install 'metrologue[transformers]'")

NAME = "nobody/no-such-model"


@pytest.fixture
def silent() -> Iterator[socket.socket]:
    """A server that takes connections and never answers."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen()
        server.setblocking(False)
        yield server


def test_a_silent_hub_is_asked_once_and_not_for_long(silent: socket.socket, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    monkeypatch.setattr("huggingface_hub.constants.ENDPOINT", f"http://127.0.0.1:{silent.getsockname()[1]}")
    monkeypatch.setattr(pretrained, "_PATIENCE", 0.2)
    assert local_files_only(NAME)
    silent.accept()[0].close()
    with pytest.raises(BlockingIOError):
        silent.accept()


def test_what_answers_is_a_hub(monkeypatch: pytest.MonkeyPatch) -> None:
    asked = []

    class Session:
        def head(self, address: str, timeout: float) -> None:
            asked.append(address)

    monkeypatch.setattr("huggingface_hub.get_session", Session)
    assert not local_files_only(NAME)
    assert len(asked) == 1


def test_folders_and_paths_ask_no_hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("huggingface_hub.get_session", lambda: pytest.fail("the Hub is asked"))
    assert local_files_only(tmp_path)
    assert local_files_only(tmp_path / "no" / "folder")


@pytest.mark.parametrize(
    "opened", [open_model, open_encoder, CrossEncoder, MaskFilling, lambda name: base_of(name, 128)]
)
def test_every_model_says_that_no_hub_is_in_reach(opened: object) -> None:
    assert callable(opened)
    with pytest.raises(InputError, match=f"'{NAME}' is no folder, and no model on a Hub in reach: ."):
        opened(NAME)


@pytest.mark.slow
def test_the_command_is_soon_done_without_a_network(tmp_path: Path) -> None:
    """A port that nobody listens on: transformers alone asks for a minute."""
    (tmp_path / "text").write_text("a cat\n")
    env = {**os.environ, "HF_HUB_OFFLINE": "0", "HF_ENDPOINT": "http://127.0.0.1:9", "HF_HOME": str(tmp_path)}
    command = ["score", "bertscore", "--model", "nosuch", "-p", "text", "-r", "text"]
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "metrologue", *command],
        capture_output=True, text=True, cwd=tmp_path, env=env, timeout=300,
    )  # fmt: skip
    assert done.returncode == 2
    [told] = [line for line in done.stderr.splitlines() if line.startswith("Error")]
    assert "'nosuch' is no folder, and no model on a Hub in reach" in told


def test_a_scorer_opens_a_path(tmp_path: Path) -> None:
    path = tmp_path / "small.arpa"
    grams = "-1.0\t<unk>\n-99\t<s>\n-0.5\t</s>\n-0.25\tcat\n"
    path.write_text(f"\\data\\\nngram 1=4\n\n\\1-grams:\n{grams}\n\\end\\\n")
    assert Perplexity(model=str(path)) == Perplexity(model=path) == Perplexity(model=open_model(path))
    with pytest.raises(InputError, match=r"^Perplexity: `model`: open_model: .*none\.arpa"):
        Perplexity(model=str(tmp_path / "none.arpa"))
