"""Metrics of papers that are of no use until somebody trains them: a distribution of its own in the checkout.

They come through the door of other packages, the entry points in ``research/pyproject.toml``. In a checkout nobody has
to install them: they are found beside the sources of this package, or where it was installed from.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from functools import cache
from os.path import dirname, isfile, join
from typing import Any

_PACKAGE = dirname(dirname(dirname(__file__)))
# What the module of such a metric says of itself.
_SAID = re.compile(
    r"Research:\s+made\s+anew\s+from\s+a\s+paper;\s+no\s+released\s+model\s+is\s+read\.(.*?)\n\n", re.DOTALL
)


@cache
def project() -> dict[str, Any]:
    """What the distribution of this checkout says of itself, after its sources can be imported; {} without one."""
    for root in _checkouts():
        if isfile(join(root, "research", "pyproject.toml")):
            import tomllib  # slow to import

            with open(join(root, "research", "pyproject.toml"), "rb") as file:
                found: dict[str, Any] = tomllib.load(file)["project"]
            if (sources := join(root, "research", "src")) not in sys.path:
                sys.path.append(sources)
            return found
    return {}


def _checkouts() -> Iterator[str]:
    """The folder that the sources of this package lie in, then the one that it was installed from."""
    if isfile(join(root := dirname(dirname(_PACKAGE)), "pyproject.toml")):
        yield root
        return
    from importlib.metadata import PackageNotFoundError, distribution  # slow to import

    try:
        origin = distribution("metrologue").read_text("direct_url.json")
    except PackageNotFoundError:
        return
    if origin is not None:
        import json
        from urllib.parse import urlsplit
        from urllib.request import url2pathname

        place = urlsplit(str(json.loads(origin).get("url")))
        if place.scheme == "file":
            yield url2pathname(place.path)


def reached_of(name: str) -> str:
    """What the module of a metric of research says that it reached, beside its rival; "" for all others.

    Examples
    --------
    >>> reached_of("bleu")
    ''
    """
    file = join(_PACKAGE, "metrics", name, f"{name}.py")
    if not name.isidentifier() or not isfile(file):
        return ""
    with open(file, encoding="utf-8") as opened:
        said = _SAID.search(opened.read())
    return " ".join(said[1].split()) if said else ""


def how_to_install(name: str) -> str:
    """How to get a metric of research that is not here; "" for all others."""
    return "it is research, which no index has; in a clone, `pip install ./research`." if reached_of(name) else ""
