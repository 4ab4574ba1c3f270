"""Publishing: a Space's folder stands alone, and is pushed once; one of them is installed, started and looked at."""

from __future__ import annotations

import functools
import hashlib
import http.server
import os
import re
import shutil
import socket
import subprocess
import sys
import threading
import urllib.request
import venv
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from click.testing import CliRunner
from packaging.requirements import Requirement
from waiting import until

import metrologue
from metrologue.cli import main
from metrologue.pages import spaces

huggingface_hub = pytest.importorskip("huggingface_hub")

ENDPOINT = "https://hub.example"
WHEEL = b"a wheel"


class Hub:
    """What stands in for ``HfApi``: it keeps what it is given."""

    endpoint = ENDPOINT
    created: list[dict[str, Any]]
    uploaded: list[dict[str, Any]]

    def __init__(self) -> None:
        self.created, self.uploaded = [], []

    def create_repo(self, repo_id: str, **options: Any) -> str:
        self.created.append({"repo_id": repo_id, **options})
        return f"{ENDPOINT}/spaces/{repo_id}"

    def upload_folder(self, *, folder_path: str, **options: Any) -> None:
        files = {path.name: path.read_bytes() for path in Path(folder_path).iterdir()}
        self.uploaded.append({"files": files, **options})


@pytest.fixture
def wheel(monkeypatch: pytest.MonkeyPatch) -> str:
    """A wheel that takes no time to build; its name."""
    name = "metrologue-0-py3-none-any.whl"

    def pack(folder: Path) -> Path:
        (folder / name).write_bytes(WHEEL)
        return folder / name

    monkeypatch.setattr(spaces, "pack_wheel", pack)
    return name


@pytest.fixture
def hub(monkeypatch: pytest.MonkeyPatch) -> Hub:
    stand_in = Hub()
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: stand_in)
    return stand_in


def run(*arguments: str, status: int = 0) -> str:
    result = CliRunner().invoke(main, ["publish", *arguments])
    assert result.exit_code == status, result.output
    return result.output


@pytest.mark.parametrize("name", spaces.list_spaces())
def test_the_folder_stands_alone(name: str, wheel: str, tmp_path: Path, root: Path) -> None:
    spaces.write_space(name, "me/My-Space", tmp_path, ENDPOINT)
    files = {"README.md": "README.md", "app.py": "app.py"}
    source = root / "comparison" / "space"
    if name != spaces.ALL_METRICS:
        files["My-Space.py"] = f"{name}.py"
        source = root / "metrics" / name
    if (source / "packages.txt").exists():
        files["packages.txt"] = "packages.txt"
    assert {path.name for path in tmp_path.iterdir()} == {*files, "requirements.txt", wheel}
    for copied, file in files.items():
        assert (tmp_path / copied).read_bytes() == (source / file).read_bytes()
    [line] = (tmp_path / "requirements.txt").read_text("utf-8").splitlines()
    requirement, before = (
        Requirement(line),
        Requirement((source / "requirements.txt").read_text("utf-8").split("\n")[1]),
    )
    assert (requirement.name, requirement.extras) == (before.name, before.extras)
    assert requirement.url == (
        f"{ENDPOINT}/spaces/me/My-Space/resolve/main/{wheel}#sha256={hashlib.sha256(WHEEL).hexdigest()}"
    )


def test_it_is_made_and_pushed_once(hub: Hub, wheel: str) -> None:
    assert run("bleu", "--to", "me/bleu") == f"{ENDPOINT}/spaces/me/bleu\n"
    assert hub.created == [{"repo_id": "me/bleu", "repo_type": "space", "space_sdk": "gradio", "exist_ok": True}]
    [pushed] = hub.uploaded
    assert (pushed["repo_id"], pushed["repo_type"], pushed["delete_patterns"]) == ("me/bleu", "space", "*.whl")
    assert {"README.md", "app.py", "requirements.txt", "bleu.py", wheel} == set(pushed["files"])


def test_the_calls_are_those_that_the_library_takes(hub: Hub, wheel: str) -> None:
    from inspect import signature

    from huggingface_hub.hf_api import HfApi

    spaces.publish("bleu", "me/bleu", hub)  # type: ignore[arg-type]  # a stand-in
    signature(HfApi.create_repo).bind(None, **hub.created[0])
    options = {key: value for key, value in hub.uploaded[0].items() if key != "files"}
    signature(HfApi.upload_folder).bind(None, folder_path="", **options)


def test_a_dry_run_says_what_would_be_pushed(hub: Hub, wheel: str) -> None:
    printed = run("chrf", "--to", "me/chrf", "--dry-run")
    assert (hub.created, hub.uploaded) == ([], [])
    assert printed.startswith(f"{ENDPOINT}/spaces/me/chrf would get\n")
    assert f"         7  {wheel}\n" in printed
    assert f"metrologue[space] @ {ENDPOINT}/spaces/me/chrf/resolve/main/{wheel}#sha256=" in printed


@pytest.mark.parametrize("space", ["bleu", "me/", "/bleu", "me/bleu/x", "me/a b", ""])
def test_names_that_no_space_has(space: str, hub: Hub, wheel: str) -> None:
    assert run("bleu", "--to", space, status=2).endswith("USER/SPACE is expected, as the Hub takes names.\n")
    assert (hub.created, hub.uploaded) == ([], [])


def test_a_name_that_no_metric_has(hub: Hub, wheel: str) -> None:
    assert "'bleu'" in run("blue", "--to", "me/bleu", status=2)


def test_a_folder_is_written_without_network(
    wheel: str, tmp_path: Path, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(socket, "socket", None)
    folder = tmp_path / "new" / "mine"
    printed = run("bleu", "--folder", str(folder))
    assert {path.name for path in folder.iterdir()} == {"README.md", "app.py", "mine.py", "requirements.txt", wheel}
    assert all(str(path) in printed for path in folder.iterdir())
    assert (folder / "requirements.txt").read_text("utf-8") == f"./{wheel}[space]\n"
    assert (folder / "mine.py").read_bytes() == (root / "metrics" / "bleu" / "bleu.py").read_bytes()
    (folder / "metrologue-0-old.whl").touch()
    (folder / "notes.txt").touch()
    run("bleu", "--folder", str(folder))  # again: old wheels go, what is not ours stays
    assert not (folder / "metrologue-0-old.whl").exists()
    assert (folder / "notes.txt").exists()


def test_a_folder_of_something_else_is_left_alone(wheel: str, tmp_path: Path) -> None:
    (tmp_path / "README.md").write_text("mine", "utf-8")
    assert "is not empty, and holds no page of metrologue" in run("bleu", "--folder", str(tmp_path), status=2)
    assert (tmp_path / "README.md").read_text("utf-8") == "mine"
    assert [path.name for path in tmp_path.iterdir()] == ["README.md"]


@pytest.mark.parametrize("given", [[], ["--to", "me/bleu", "--folder", "x"], ["--folder", "x", "--dry-run"]])
def test_one_place_is_given(given: list[str], wheel: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    run("bleu", *given, status=2)
    assert not [*tmp_path.iterdir()]


def test_an_answer_of_the_hub_is_told_in_one_line(hub: Hub, wheel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    from huggingface_hub.errors import LocalTokenNotFoundError

    def refuse(*_: Any, **__: Any) -> str:
        raise LocalTokenNotFoundError("Token is required.")

    monkeypatch.setattr(hub, "create_repo", refuse)
    assert run("bleu", "--to", "me/bleu", status=1) == "Error: Token is required.\n"


def test_a_hub_that_is_not_reached_is_told_in_one_line(wheel: str, monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        endpoint = f"http://127.0.0.1:{free.getsockname()[1]}"
    api = huggingface_hub.HfApi(endpoint=endpoint, token="hf_x")
    monkeypatch.setattr(huggingface_hub, "HfApi", lambda: api)
    monkeypatch.setattr("huggingface_hub.constants.HF_HUB_OFFLINE", False)
    printed = run("bleu", "--to", "me/bleu", status=1)
    assert printed.startswith(f"Error: {endpoint}: ")
    assert printed.endswith("is the network there, and `hf auth login` done?\n")
    assert printed.count("\n") == 1


def test_the_wheel_that_is_packed_installs_and_scores(tmp_path: Path) -> None:
    wheel = spaces.pack_wheel(tmp_path)
    install = [sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-index", "--target"]
    subprocess.run([*install, str(tmp_path / "there"), str(wheel)], check=True)
    code = "import metrologue; print(metrologue.__file__, metrologue.score('bleu', ['a b c d'], ['a b c d']).value)"
    paths = {"PYTHONPATH": str(tmp_path / "there")}
    done = subprocess.run([sys.executable, "-c", code], env={**os.environ, **paths}, capture_output=True, text=True)
    file, value = done.stdout.split()
    assert Path(file).parts[: len(tmp_path.parts)] == tmp_path.parts
    assert float(value) == pytest.approx(100, abs=1e-9)


def test_what_is_not_installed_or_not_built_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    folder = tmp_path / "space"
    with monkeypatch.context() as patched:
        patched.setattr(spaces, "distributions", lambda **_: ())
        assert "metrologue is not installed; `pip install .`" in run("bleu", "--folder", str(folder), status=2)
    monkeypatch.setattr(spaces, "path_of_library", lambda: str(tmp_path / "none"))
    assert "`python -m metrologue.kernels.build` builds them" in run("bleu", "--folder", str(folder), status=2)
    assert not folder.exists()


@pytest.fixture
def served(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """A folder, and the address at which its files are to be had."""
    folder = tmp_path / "hub"
    folder.mkdir()
    handler = functools.partial(http.server.SimpleHTTPRequestHandler, directory=str(folder))
    with http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield folder, f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.slow
@pytest.mark.network
def test_a_space_installs_starts_and_shows_its_page(served: tuple[Path, str], tmp_path: Path) -> None:
    """As the Hub does it: the requirements first and alone, the gradio of the card, then ``app.py``."""
    browser = shutil.which("chromium") or shutil.which("google-chrome")
    if not browser:
        pytest.skip("no browser: apt install chromium")
    hub, endpoint = served
    space = hub / "spaces" / "me" / "bleu" / "resolve" / "main"
    space.mkdir(parents=True)
    spaces.write_space("bleu", "me/bleu", space, endpoint)
    card = yaml.safe_load((space / "README.md").read_text("utf-8").split("---\n")[1])
    alone = shutil.copyfile(space / "requirements.txt", tmp_path / "requirements.txt")
    venv.create(tmp_path / "venv", with_pip=True)
    python = str(tmp_path / "venv" / "bin" / "python")
    install = [python, "-m", "pip", "install", "--quiet", "-r", str(alone), f"gradio=={card['sdk_version']}"]
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "METROLOGUE"))}
    subprocess.run(install, check=True, env=clean, cwd=tmp_path)

    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    own = {"HOME": str(tmp_path), "GRADIO_SERVER_PORT": str(port), "METROLOGUE_CACHE": str(tmp_path / "cache")}
    app = subprocess.Popen([python, "app.py"], cwd=space, env=clean | own)
    try:
        page = f"http://127.0.0.1:{port}"
        wait_for(page, app)
        value = metrologue.score("bleu", *_opening(), variant="evaluate").value
        shown = text_shown(browser, page, until="never match", profile=tmp_path / "browser")
    finally:
        app.terminate()
        app.wait()
    assert f"{100 * value:.2f}" in shown  # its bar
    assert re.search(r"nltk reads\s+one token", shown)
    assert f"{value:.6g}" in shown  # the formula


def text_shown(browser: str, page: str, until: str, profile: Path) -> str:
    """The text of a page in a browser, as soon as it has something in it, or after some tries."""
    options = [
        "--headless",
        "--no-sandbox",
        "--disable-gpu",
        f"--user-data-dir={profile}",
        "--virtual-time-budget=20000",
    ]
    shown = ""
    for _ in range(10):  # the browser's time may run ahead of the page's requests
        done = subprocess.run([browser, *options, "--dump-dom", page], capture_output=True, text=True, timeout=300)
        body = re.sub(r"<(script|style)\b.*?</\1>", "", done.stdout, flags=re.DOTALL)
        shown = re.sub(r"<[^>]*>", " ", body)
        if until in shown:
            break
    return shown


def wait_for(page: str, app: subprocess.Popen[bytes]) -> None:
    """Return as soon as the page answers."""

    def answers() -> bool:
        try:
            urllib.request.urlopen(page, timeout=5).close()
        except OSError:
            return False
        return True

    until(answers, app)
    assert app.poll() is None, "the page did not start"


def _opening() -> tuple[list[str], list[list[str]]]:
    """The texts with which the page opens."""
    from metrologue.pages.examples import opening

    prediction, references = opening("bleu")
    return [prediction], [references.split("\n")]
