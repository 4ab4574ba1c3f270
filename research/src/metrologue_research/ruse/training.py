"""How RUSE is trained: by default, a ridge regression to ratings."""

from __future__ import annotations

from metrologue.learned.recipes import Recipe
from metrologue.learned.training import Ridge

RECIPE = Recipe("sentence vectors of one encoder or several", Ridge, encoders=True, labels=False)
