"""axe-core looks at pages: what keeps people with other senses or hands from using them.

axe-core is not part of the project. ``npm install axe-core`` in some folder, and name its file:
``METROLOGUE_AXE=.../node_modules/axe-core/axe.min.js``.
"""

from __future__ import annotations

import json
import os
from pathlib import Path

import pytest
from browser import Browser

__all__ = ["axe_source", "serious"]

_RUN = """axe.run(document, {resultTypes: ["violations"]}).then(found => JSON.stringify(found.violations
    .filter(each => ["serious", "critical"].includes(each.impact))
    .map(each => `${each.id}: ${each.nodes.map(node => node.target.join(" ")).slice(0, 3).join("; ")}`)))"""


def axe_source() -> str:
    """The script. Without it the test is skipped."""
    path = Path(os.environ.get("METROLOGUE_AXE", ""))
    if not path.is_file():
        pytest.skip("axe-core is not here: npm install axe-core, METROLOGUE_AXE=.../node_modules/axe-core/axe.min.js")
    return path.read_text("utf-8")


def serious(browser: Browser, axe: str) -> list[str]:
    """What axe-core finds on the page that is open, if it is serious or critical: the rule, and some elements."""
    browser.run(f"{axe};0")
    found: list[str] = json.loads(browser.run(_RUN))
    return found
