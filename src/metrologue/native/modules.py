"""Where kernels are: in the modules of the room ``kernels``, and in ``kernels.py`` of each metric's home."""

from __future__ import annotations

import os
from functools import cache

_ROOT = os.path.dirname(os.path.dirname(__file__))


@cache
def modules() -> dict[str, str]:
    """The modules of kernels, by the first part of their kernels' names: the module's name, or that of the home."""
    room = sorted(name[:-3] for name in os.listdir(os.path.join(_ROOT, "kernels")) if name.endswith(".py"))
    homes = os.path.join(_ROOT, "scorers")
    owners = sorted(home for home in os.listdir(homes) if os.path.exists(os.path.join(homes, home, "kernels.py")))
    ours = {name: f"metrologue.kernels.{name}" for name in room if name not in ("__init__", "build")}
    return ours | {home: f"metrologue.scorers.{home}.kernels" for home in owners}


def path_of(module: str) -> str:
    """The file of one of these modules."""
    return f"{os.path.join(_ROOT, *module.split('.')[1:])}.py"
