"""How a composite is trained: by default, a ridge regression to ratings."""

from __future__ import annotations

from metrologue.learned.recipes import Recipe
from metrologue.learned.training import Ridge

RECIPE = Recipe("the scores of other metrics, and perhaps vectors", Ridge, encoders=True, scores=True)
