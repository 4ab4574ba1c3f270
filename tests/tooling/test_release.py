"""The release tool: what it refuses, the notes it writes, and the README as an index shows it."""

from __future__ import annotations

import importlib
import io
import re
import subprocess
import tarfile
import zipfile
from pathlib import Path
from types import ModuleType

import pytest

from metrologue.version import __version__

CHANGELOG = """\
# Changelog

## [1.1.0] - Unreleased

- Not yet.

## [1.0.0] - 2026-01-31

### Added

- A line that goes on
  here, with [a page](docs/page.md).
  - An item below it.
- `code`:

  ```sh
  one
  two
  ```

## [0.9.0] - 2025-01-31
"""


@pytest.fixture(scope="module")
def release(root: Path) -> ModuleType:
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(root / "tools")
        return importlib.import_module("release")


def test_notes_are_the_section_of_the_version(release: ModuleType) -> None:
    assert release.notes(CHANGELOG, "1.0.0") == (
        "# metrologue 1.0.0, 2026-01-31\n\n### Added\n\n- A line that goes on here, with a page (`docs/page.md`).\n"
        "  - An item below it.\n- `code`:\n\n  ```sh\n  one\n  two\n  ```\n"
    )


@pytest.mark.parametrize(
    ("version", "said"),
    [
        ("1.1.0", "dates 1.1.0 'Unreleased'"),
        ("1.2.0", r"no section `## \[1.2.0\] - DATE`"),
        ("1.0", r"no section `## \[1.0\]"),
        ("0.9.0", "says nothing about 0.9.0"),
    ],
)
def test_a_version_without_a_dated_section_is_refused(release: ModuleType, version: str, said: str) -> None:
    with pytest.raises(release.NotReady, match=said):
        release.notes(CHANGELOG, version)


@pytest.fixture
def checkout(tmp_path: Path) -> Path:
    """A repository whose version 1.0.0 can be released."""
    files = {
        "src/metrologue/version.py": '__version__ = "1.0.0"\n',
        "CHANGELOG.md": CHANGELOG,
        "CITATION.cff": "title: a\nversion: 1.0.0\n",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    author = ("-c", "user.name=a", "-c", "user.email=a@example.org")
    for command in (("init", "--quiet"), ("add", "."), (*author, "commit", "--quiet", "--message", "a")):
        subprocess.run(["git", *command], cwd=tmp_path, check=True)
    return tmp_path


def test_a_checkout_is_ready_or_says_why_not(release: ModuleType, checkout: Path) -> None:
    assert release.ready(checkout) == "1.0.0"
    (checkout / "new").touch()
    with pytest.raises(release.NotReady, match=r"not committed:\n\?\? new$"):
        release.ready(checkout)
    (checkout / "new").unlink()
    (checkout / "CITATION.cff").write_text("title: a\nversion: 0.9.0\n", "utf-8")
    subprocess.run(["git", "update-index", "--assume-unchanged", "CITATION.cff"], cwd=checkout, check=True)
    with pytest.raises(release.NotReady, match=r"CITATION\.cff does not have the version 1\.0\.0"):
        release.ready(checkout)


METADATA = "Metadata-Version: 2.4\nName: metrologue\nVersion: {}\n\n{}\n"


def wheel(folder: Path, version: str = "1.0.0", page: str = "See `docs/a.md`.", lacking: str = "") -> Path:
    names = ("metrologue/version.py", "metrologue/py.typed", "metrologue-1.dist-info/licenses/LICENSE")
    path = folder / "metrologue-1-py3-none-any.whl"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("metrologue-1.dist-info/METADATA", METADATA.format(version, page))
        for name in names:
            if name != lacking:
                archive.writestr(name, "")
    return path


def test_files_are_looked_into(release: ModuleType, tmp_path: Path) -> None:
    release.check(wheel(tmp_path), "1.0.0")
    for faults, said in (
        ({"version": "0.9.0"}, "its version is 0.9.0"),
        ({"lacking": "metrologue/py.typed"}, "lacks metrologue/py.typed"),
        ({"page": "[a](docs/a.md), [b](https://example.org)"}, r"lead nowhere: \['\]\(docs/a.md\)'\]"),
    ):
        with pytest.raises(release.NotReady, match=said):
            release.check(wheel(tmp_path, **faults), "1.0.0")


def test_the_end_prints_what_would_publish_and_keeps_the_notes_out_of_it(
    release: ModuleType, tmp_path: Path, checkout: Path
) -> None:
    dist = tmp_path / "dist"
    dist.mkdir()
    wheel(dist)
    with pytest.raises(release.NotReady, match="needs the sources"):
        list(release.finish(dist, checkout))
    with tarfile.open(dist / "metrologue-1.0.0.tar.gz", "w:gz") as archive:
        for name in ("PKG-INFO", "LICENSE", "metrologue/py.typed", "metrologue/version.py"):
            content = METADATA.format("1.0.0", "").encode()
            member = tarfile.TarInfo(f"metrologue-1.0.0/{name}")
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    said = list(release.finish(dist, checkout))
    assert (dist / "release-notes.md").read_text("utf-8").startswith("# metrologue 1.0.0, 2026-01-31\n")
    assert said[-1] == f"  twine upload {dist / 'metrologue-1.0.0.tar.gz'} {dist / 'metrologue-1-py3-none-any.whl'}"
    assert "git tag --annotate v1.0.0 " in said[-2]
    assert any("[project.urls]" in line for line in said)


def test_the_readme_of_an_index_has_no_link_that_leads_nowhere(root: Path, release: ModuleType) -> None:
    readme = (root / "README.md").read_text("utf-8")
    page = release.for_an_index(readme, "metrologue")
    assert re.findall(r"\]\((?!https://)", readme)
    assert not re.findall(r"\]\((?!https://)|<!--", page)
    assert "pip install metrologue\n" in page
    assert "`CHANGELOG.md` says what changed" in page
    [picture] = re.findall(r"^\*(One sentence, four libraries.*)\*$", page, re.MULTILINE)
    assert f"![{picture}](docs/numbers.svg)" in readme


def test_only_one_file_of_code_has_the_version(root: Path) -> None:
    """Change ``src/metrologue/version.py`` and run ``make docs``: nothing else must be edited but CHANGELOG.md."""
    own = re.compile(rf'metrologue[-=\[" ]*{re.escape(__version__)}|^__version__ = "{re.escape(__version__)}"', re.M)
    folders = ("src", "docs", "studies", "tools", "tests", "benchmarks", "examples", "metrics", "comparison")
    found = {
        path.relative_to(root)
        for folder in folders
        for path in (root / folder).rglob("*")
        if path.suffix in (".py", ".md", ".toml")
        if own.search(path.read_text("utf-8"))
    }
    assert found == {Path("src", "metrologue", "version.py")}


def test_the_sources_alone_must_give_the_same_wheel(
    release: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The build itself is `make release`'s; here a wheel is put where pip would put it."""
    (tmp_path / "metrologue-1.tar.gz").touch()
    wheel(tmp_path)

    def building(status: int, **faults: str) -> None:
        def run(command: list[object], cwd: str, **_: object) -> subprocess.CompletedProcess[str]:
            assert command[-1] == tmp_path / "metrologue-1.tar.gz"
            assert not Path(cwd).is_relative_to(tmp_path)
            wheel(Path(cwd), **faults)
            return subprocess.CompletedProcess(command, status, "", "no compiler")

        monkeypatch.setattr(release.subprocess, "run", run)

    building(0)
    assert release.rebuild(tmp_path).endswith("4 files, equal but for none")
    building(0, lacking="metrologue/py.typed")
    with pytest.raises(release.NotReady, match=r"it differs in \['metrologue/py.typed'\]"):
        release.rebuild(tmp_path)
    building(1)
    with pytest.raises(release.NotReady, match=r"cannot be built:\nno compiler"):
        release.rebuild(tmp_path)
