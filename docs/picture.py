"""Draws docs/numbers.svg: a disagreement that a document publishes, with its causes, as it is computed when this runs.

``python -m docs.picture`` writes the file.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path
from textwrap import wrap

from metrologue.comparison.documents import load_cases
from metrologue.comparison.documents.disagreements import Disagreement, disagreements

FILE = Path(__file__).parent / "numbers.svg"
SHOWN = "bleu-ru"

# In pixels: a bar of 100 points, where bars begin, the height of a row, and the margin.
FULL, LEFT, ROW, MARGIN = 240, 316, 24, 24
WIDTH = LEFT + FULL + 76
LETTERS = 78  # on a line of text
STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.card { fill: #ffffff; stroke: #d1d9e0 }
.name { font-weight: 600 }
.quiet { fill: #59636e }
.track { fill: #eff2f5 }
.bar { fill: #0f6cbd }
.mark { fill: #a84a24; font-weight: 600 }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .card { fill: #0d1117; stroke: #3d444d }
  .quiet { fill: #9198a1 }
  .track { fill: #212830 }
  .bar { fill: #4b9fea }
  .mark { fill: #e79b73 }
}
"""


@cache
def shown() -> Disagreement:
    """The disagreement that is drawn."""
    [found] = disagreements(load_cases(), SHOWN)
    return found


def description() -> str:
    """The picture in words."""
    panel = shown().panels[0]
    numbers = ", ".join(f"{value.label} {value.points:.2f}" for value in panel.values)
    steps = "; ".join(f"{step.first} to {step.second}: {step.told}" for step in panel.steps)
    return f"One sentence, four libraries: BLEU {numbers}. {steps}"


def _line(y: int, text: str, kind: str = "", x: int = MARGIN, end: bool = False) -> str:
    anchor = "end" if end else "start"
    shown = escape(text, quote=False)
    return f'<text class="{kind or "plain"}" x="{x}" y="{y}" text-anchor="{anchor}">{shown}</text>'


def picture() -> str:
    """The SVG."""
    found, panel = shown(), shown().panels[0]
    y = 32
    parts = [_line(y, "BLEU of one sentence, by four libraries", "name")]
    for line in wrap(panel.texts[0][0], LETTERS):
        y += 20
        pieces = "".join(
            f'<tspan class="mark">{escape(piece, quote=False)}</tspan>' if mark else escape(piece, quote=False)
            for piece, mark in found.pieces(line)
        )
        parts.append(f'<text x="{MARGIN}" y="{y}">{pieces}</text>')
    y += 12
    for value in panel.values:
        y += ROW
        parts += [
            _line(y, value.label),
            _line(y, value.printed, "quiet", LEFT - 12, end=True),
            f'<rect class="track" x="{LEFT}" y="{y - 13}" width="{FULL}" height="16" rx="2"/>',
            f'<rect class="bar" x="{LEFT}" y="{y - 13}" width="{FULL * value.points / 100:.0f}" height="16" rx="2"/>',
            _line(y, f"{value.points:.2f}", "", WIDTH - MARGIN, end=True),
        ]
    y += 12
    for step in panel.steps:
        y += 20
        parts += [
            _line(y, step.shown, "name", MARGIN + 52, end=True),
            _line(y, f"{step.first} to {step.second}: {step.told}", "quiet", MARGIN + 64),
        ]
    y += 20
    head = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {y}" width="{WIDTH}" height="{y}" role="img">
<title>{escape(description())}</title>
<style>{STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{y - 1}" rx="8"/>
"""
    return head + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    FILE.write_text(picture(), "utf-8")
