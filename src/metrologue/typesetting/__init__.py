"""Formulas as MathML, which a browser typesets without a script, a font or a network.

A definition is written in LaTeX (``from_latex``). A trace's formula, which has the numbers of a segment, is plain
arithmetic (``from_arithmetic``). What is not understood is an error, so that no formula is shown wrong.
"""

from metrologue.typesetting.arithmetic import from_arithmetic
from metrologue.typesetting.latex import from_latex

__all__ = ["from_arithmetic", "from_latex"]
