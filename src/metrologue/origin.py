"""Where this package was installed from, and the command that installs more of it from there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path


def checkout() -> Path | None:
    """The checkout that this package runs from, as after an editable install; None if it was installed elsewhere."""
    from pathlib import Path  # slow to import, as `shlex` is

    sources = Path(__file__).resolve().parents[1]
    root = sources.parent
    return root if sources.name == "src" and (root / "pyproject.toml").is_file() else None


def pip_install(*extras: str) -> str:
    """The command that installs these extras, from where the package came: a checkout, a folder or a file.

    No index has the package. If nothing says where it came from, as after ``pip install --find-links``, the command
    asks for the folder that has its wheel.

    Examples
    --------
    >>> pip_install("compare").startswith("pip install ")
    True
    """
    from shlex import quote

    wanted = f"[{','.join(sorted(extras))}]" if extras else ""
    if root := checkout():
        return f"pip install -e {quote(f'{root}{wanted}')}"
    origin = _direct_url()
    where = "" if origin else "--find-links FOLDER-WITH-ITS-WHEEL "
    return f"pip install {where}{quote(_requirement(wanted, origin))}"


def _requirement(wanted: str, origin: dict[str, Any]) -> str:
    """What pip takes, for the contents of ``direct_url.json``; they are empty if the package came from an index.

    Examples
    --------
    >>> _requirement("[torch]", {}), _requirement("[torch]", {"url": "file:///home/me/metrologue", "dir_info": {}})
    ('metrologue[torch]', '/home/me/metrologue[torch]')
    >>> _requirement("[torch]", {"url": "file:///tmp/metrologue-1.0-py3-none-any.whl", "archive_info": {}})
    'metrologue[torch] @ file:///tmp/metrologue-1.0-py3-none-any.whl'
    """
    from urllib.parse import unquote, urlsplit  # only messages need it

    url = str(origin.get("url", ""))
    if not url:
        return f"metrologue{wanted}"
    if "dir_info" in origin:
        return f"{unquote(urlsplit(url).path)}{wanted}"
    if version := origin.get("vcs_info"):
        url = f"{version['vcs']}+{url}@{version['commit_id']}"
    if folder := origin.get("subdirectory"):
        url += f"#subdirectory={folder}"
    return f"metrologue{wanted} @ {url}"


def _direct_url() -> dict[str, Any]:
    """What pip has written about the origin (PEP 610); empty for an index, or if it cannot be read."""
    import json
    from importlib import metadata

    try:
        origin = json.loads(metadata.distribution("metrologue").read_text("direct_url.json") or "{}")
    except (metadata.PackageNotFoundError, ValueError):
        return {}
    return origin if isinstance(origin, dict) else {}
