"""The command that installs extras, from where the package came."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import Any

import pytest

from metrologue import origin
from metrologue.origin import pip_install

FOLDER = "/home/me/my code/metrologue"


@pytest.mark.parametrize(
    ("direct_url", "expected"),
    [
        ({"url": "file:///home/me/my%20code/metrologue", "dir_info": {}}, f"{FOLDER}[torch]"),
        ({"url": "file:///tmp/m-0.2.whl", "archive_info": {}}, "metrologue[torch] @ file:///tmp/m-0.2.whl"),
        (
            {"url": "https://host/m.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}},
            "metrologue[torch] @ git+https://host/m.git@abc",
        ),
        (
            {"url": "https://host/m.git", "vcs_info": {"vcs": "git", "commit_id": "abc"}, "subdirectory": "lib"},
            "metrologue[torch] @ git+https://host/m.git@abc#subdirectory=lib",
        ),
    ],
)
def test_an_installed_package_names_its_origin(
    direct_url: dict[str, Any], expected: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "site-packages" / "metrologue" / "origin.py"))
    monkeypatch.setattr(origin, "_direct_url", lambda: direct_url)
    assert shlex.split(pip_install("torch")) == ["pip", "install", expected]


def test_a_package_without_an_origin_asks_for_its_wheel(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """As after ``pip install --find-links``, or where the folder was copied: no index has the package."""
    monkeypatch.setattr(origin, "__file__", str(tmp_path / "copy" / "metrologue" / "origin.py"))
    monkeypatch.setattr(origin, "_direct_url", dict)
    command = shlex.split(pip_install("torch"))
    assert command == ["pip", "install", "--find-links", "FOLDER-WITH-ITS-WHEEL", "metrologue[torch]"]


def test_a_module_without_the_package_says_what_to_install(root: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """`evaluate` reads the comments beside imports, and would name an index otherwise, which does not have it."""
    import importlib

    import evaluate

    def missing(name: str, package: str | None = None) -> Any:
        if name.partition(".")[0] == "metrologue":
            raise ImportError(name)
        return real(name, package)

    real = importlib.import_module
    monkeypatch.setattr(importlib, "import_module", missing)
    folders = sorted(path.parent for path in (root / "metrics").glob("*/README.md"))
    assert len(folders) > 70
    for folder in folders:
        told = {(name, path) for _, name, path, _ in evaluate.loading.get_imports(str(folder / f"{folder.name}.py"))}
        assert {path for name, path in told if name == "metrologue"} == {"-e CHECKOUT-OF-METROLOGUE"}, folder
    with pytest.raises(ImportError, match=r"install .*\['metrologue'\] using 'pip install -e CHECKOUT-OF-METROLOGUE'"):
        evaluate.load(str(root / "metrics" / "bleu"))


def test_a_checkout_is_installed_where_it_is(root: Path) -> None:
    assert shlex.split(pip_install("torch", "compare")) == ["pip", "install", "-e", f"{root}[compare,torch]"]


def test_what_pip_wrote_may_be_missing_or_broken(monkeypatch: pytest.MonkeyPatch) -> None:
    class Installed:
        def __init__(self, text: str | None) -> None:
            self.text = text

        def read_text(self, name: str) -> str | None:
            assert name == "direct_url.json"
            return self.text

    for text in (None, "", "[]", "{"):
        monkeypatch.setattr("importlib.metadata.distribution", lambda name, text=text: Installed(text))
        assert origin._direct_url() == {}
