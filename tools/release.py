"""The release: what must hold before it is built, and what is said of it when it lies in a folder.

``python tools/release.py ready`` ends with the status 1 if the version of ``src/metrologue/version.py`` cannot be
released from this checkout: files are not committed, CHANGELOG.md has no section of the version, or
the section has no date.

``python tools/release.py rebuild dist`` builds the wheel of this machine from the sources in a folder, away from this
checkout, and compares it with the one there.

``python tools/release.py finish dist`` looks into the wheels and the sources in a folder, writes their release notes
beside them, prints how large they are, and prints the commands that would publish them. It publishes nothing.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tarfile
import tempfile
import zipfile
from collections import Counter
from collections.abc import Iterator
from email.message import Message
from email.parser import Parser
from pathlib import Path

from build_backend import for_an_index

ROOT = Path(__file__).parents[1]
NOTES = "release-notes.md"
MEGA = 1e6
# The largest that an index takes of a file without being asked, and what a package without data should stay below.
MOST_MEGABYTES = 10
LARGEST_SHOWN = 6


class NotReady(Exception):
    """Why there is no release."""


def version(root: Path = ROOT) -> str:
    """The version, from the one file that has it."""
    text = (root / "src" / "metrologue" / "version.py").read_text("utf-8")
    return re.findall(r'^__version__ = "(.+)"$', text, re.MULTILINE)[0]


def section(changelog: str, of: str) -> tuple[str, str]:
    """What follows a version in its heading, and its section of the change log.

    Raises
    ------
    NotReady
        If there is no such section.

    Examples
    --------
    >>> section("# Changelog\\n\\n## [1.1] - 2026-01-02\\n\\n- b\\n\\n## [1.0] - 2025-01-02\\n\\n- a\\n", "1.1")
    ('2026-01-02', '- b')
    """
    found = re.search(rf"^## \[{re.escape(of)}\] - ([^\n]*)\n(.*?)(?=^## |\Z)", changelog, re.MULTILINE | re.DOTALL)
    if found is None:
        raise NotReady(f"CHANGELOG.md has no section `## [{of}] - DATE`.")
    return found[1], found[2].strip()


def notes(changelog: str, of: str) -> str:
    """The release notes of a version: a heading, and its section as it reads on a page of its own.

    Such pages show a line break of the text as one, so the lines of a paragraph are joined.

    Raises
    ------
    NotReady
        If the change log has no such section, or no date for it.

    Examples
    --------
    >>> print(notes("## [1.1] - 2026-01-02\\n\\n### Fixed\\n\\n- one\\n  two\\n- three\\n", "1.1"))
    # metrologue 1.1, 2026-01-02
    <BLANKLINE>
    ### Fixed
    <BLANKLINE>
    - one two
    - three
    <BLANKLINE>
    """
    date, text = section(changelog, of)
    if not re.fullmatch(r"\d{4}-\d\d-\d\d", date):
        raise NotReady(f"CHANGELOG.md dates {of} {date!r}; a date such as 2026-01-31 is expected.")
    if not text:
        raise NotReady(f"CHANGELOG.md says nothing about {of}.")
    return f"# metrologue {of}, {date}\n\n{for_an_index(unwrapped(text), 'metrologue')}\n"


def unwrapped(text: str) -> str:
    """Markdown with each paragraph and each item of a list on one line; code and tables stay."""
    parts = re.split(r"(^ *```.*?^ *```$)", text, flags=re.MULTILINE | re.DOTALL)
    return "".join(
        part if at % 2 else re.sub(r"(?<=\S)\n *(?![-*|#>\n]|\d+\. )(?=\S)", " ", part) for at, part in enumerate(parts)
    )


def ready(root: Path = ROOT) -> str:
    """The version that can be released from a checkout.

    Raises
    ------
    NotReady
        If it cannot.
    """
    changed = subprocess.run(
        ["git", "status", "--porcelain"], cwd=root, capture_output=True, text=True, check=True
    ).stdout.splitlines()
    if changed:
        raise NotReady("Files are not committed:\n" + "\n".join(changed[:20]))
    own = version(root)
    notes((root / "CHANGELOG.md").read_text("utf-8"), own)
    if f"\nversion: {own}\n" not in (root / "CITATION.cff").read_text("utf-8"):
        raise NotReady(f"CITATION.cff does not have the version {own}; `make docs` writes it.")
    return own


def members(path: Path) -> dict[str, int]:
    """The files of a wheel or of an sdist, and their sizes as they are packed; of an sdist, as they are unpacked."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            return {each.filename: each.compress_size for each in archive.infolist()}
    with tarfile.open(path) as archive:
        return {each.name.partition("/")[2]: each.size for each in archive if each.isfile()}


def metadata(path: Path) -> Message:
    """The metadata of a wheel or of an sdist."""
    if path.suffix == ".whl":
        with zipfile.ZipFile(path) as archive:
            [name] = [name for name in archive.namelist() if name.endswith(".dist-info/METADATA")]
            return Parser().parsestr(archive.read(name).decode())
    with tarfile.open(path) as archive:
        file = archive.extractfile(f"{path.name.removesuffix('.tar.gz')}/PKG-INFO")
        assert file
        return Parser().parsestr(file.read().decode())


def check(path: Path, own: str) -> None:
    """Look at a file as an index and its page would.

    Raises
    ------
    NotReady
        If it is for another version or too large, lacks a file, or its page would have a link that leads nowhere.
    """
    told, files = metadata(path), members(path)
    if told["Version"] != own:
        raise NotReady(f"{path.name}: its version is {told['Version']}, and {own} is released.")
    if path.stat().st_size > MOST_MEGABYTES * MEGA:
        raise NotReady(f"{path.name}: it has more than {MOST_MEGABYTES} MB.")
    for wanted in ("LICENSE", "metrologue/py.typed", "metrologue/version.py"):
        if not any(name == wanted or name.endswith(f"/{wanted}") for name in files):
            raise NotReady(f"{path.name}: it lacks {wanted}.")
    page = told.get_payload()
    if leads_nowhere := re.findall(r"\]\((?!https://)[^)]*\)", str(page)):
        raise NotReady(f"{path.name}: links of its description lead nowhere: {leads_nowhere}")


def rebuild(folder: Path) -> str:
    """Build the wheel of this machine from the sources alone; what is to be said of it.

    Raises
    ------
    NotReady
        If it cannot be built, or has other files than the wheel in the folder.
    """
    [sources] = folder.glob("*.tar.gz")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    with tempfile.TemporaryDirectory(prefix="metrologue-sources-") as name:
        command = [sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-cache-dir", sources.resolve()]
        done = subprocess.run(command, cwd=name, env=kept, capture_output=True, text=True)
        if done.returncode:
            raise NotReady(f"{sources.name} cannot be built:\n{(done.stdout + done.stderr)[-2000:]}")
        [built] = Path(name).glob("*.whl")
        ours, theirs = contents(built), contents(folder / built.name)
    other = sorted(name for name in {*ours, *theirs} if ours.get(name) != theirs.get(name))
    # A linker may leave its version; `tools/check_wheels.py` looks into the library.
    if differ := [name for name in other if not re.search(r"/metrologue\.kernels\.|\.dist-info/", name)]:
        raise NotReady(f"{built.name}: built from the sources, it differs in {differ[:10]}")
    return f"{sources.name} builds without the checkout: {len(ours)} files, equal but for {other or 'none'}"


def contents(wheel: Path) -> dict[str, bytes]:
    """The files of a wheel."""
    with zipfile.ZipFile(wheel) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def sizes(path: Path) -> Iterator[str]:
    """Lines that say how large a file is, and which folders in it are the largest."""
    files = members(path)
    parts: Counter[str] = Counter()
    for name, size in files.items():
        *folders, _ = name.split("/")
        parts["/".join(folders[:2]) or name] += size
    yield f"{path.name}: {path.stat().st_size / MEGA:.2f} MB, {len(files)} files"
    largest = ", ".join(f"{name} {size / MEGA:.2f}" for name, size in parts.most_common(LARGEST_SHOWN))
    yield f"  {'packed' if path.suffix == '.whl' else 'unpacked'}, MB: {largest}"


def finish(folder: Path, root: Path = ROOT) -> Iterator[str]:
    """Check the files in a folder, and write their notes; what is to be said of them.

    Raises
    ------
    NotReady
        If a file is not as it should be.
    """
    own = version(root)
    text = notes((root / "CHANGELOG.md").read_text("utf-8"), own)
    files = [*sorted(folder.glob("*.tar.gz")), *sorted(folder.glob("*.whl"))]
    if len(files) < 2 or files[0].suffix != ".gz":
        raise NotReady(f"{folder} needs the sources and at least one wheel.")
    for path in files:
        check(path, own)
        yield from sizes(path)
    if not metadata(files[-1]).get_all("Project-URL"):
        yield "pyproject.toml has no [project.urls]: the page of an index will not lead to the sources."
    (folder / NOTES).write_text(text, "utf-8")
    yield f"Notes: {folder / NOTES}, {len(text.splitlines())} lines"
    yield "Nothing was published. These commands would do it:"
    yield f"  git tag --annotate v{own} --message 'metrologue {own}' && git push origin v{own}"
    yield f"  twine upload {' '.join(str(path) for path in files)}"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    steps = parser.add_subparsers(dest="step", required=True)
    steps.add_parser("ready", help="whether this checkout can be released")
    steps.add_parser("rebuild", help="build the sources alone").add_argument("folder", type=Path)
    steps.add_parser("finish", help="check the files, write the notes").add_argument("folder", type=Path)
    given = parser.parse_args()
    try:
        if given.step == "ready":
            print(f"metrologue {ready()} can be built.")
        elif given.step == "rebuild":
            print(rebuild(given.folder))
        else:
            for line in finish(given.folder):
                print(line)
    except NotReady as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
