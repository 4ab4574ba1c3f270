"""Draws docs/numbers.svg: six numbers for one pair of sentences, as our variants compute them when this runs.

``python -m docs.picture`` writes the file. The variants of METEOR need their tables; a missing one is an error that
says what to install.
"""

from __future__ import annotations

from functools import cache
from html import escape
from pathlib import Path

from metrologue.scorers import get_scorer
from metrologue.scorers.core.asked import perfect_score

FILE = Path(__file__).parent / "numbers.svg"
PREDICTION = "It's a well-known fact, she said."
REFERENCE = "She said it's a well-known fact."
# The metrics with the names that papers give them, and the variants of each.
SHOWN = {
    ("BLEU", "bleu"): ("sacrebleu", "evaluate"),
    ("ROUGE-L", "rouge"): ("rouge_score", "rouge"),
    ("METEOR", "meteor"): ("evaluate", "meteor-1.5"),
}

# In pixels: a bar of 100 points, where bars begin, the height of a row, the space between metrics, the first row.
FULL, LEFT, ROW, GAP, TOP = 360, 220, 24, 12, 92
WIDTH = LEFT + FULL + 76
STYLE = """
text { font: 14px system-ui, -apple-system, "Segoe UI", sans-serif; fill: #1f2328 }
.card { fill: #ffffff; stroke: #d1d9e0 }
.name { font-weight: 600 }
.quiet { fill: #59636e }
.track { fill: #eff2f5 }
.bar { fill: #0f6cbd }
@media (prefers-color-scheme: dark) {
  text { fill: #f0f6fc }
  .card { fill: #0d1117; stroke: #3d444d }
  .quiet { fill: #9198a1 }
  .track { fill: #212830 }
  .bar { fill: #4b9fea }
}
"""


@cache
def points(metric: str, variant: str) -> float:
    """The number of the pair, 100 being a perfect score."""
    scorer = get_scorer(metric).variant(variant)
    return 100 * scorer.corpus([PREDICTION], [REFERENCE]).value / perfect_score(scorer)


def description() -> str:
    """The picture in words."""
    each = [
        f"{label} {points(metric, variant):.1f} ({variant})"
        for (label, metric), variants in SHOWN.items()
        for variant in variants
    ]
    return f"One pair of sentences, six numbers: {', '.join(each)}"


def picture() -> str:
    """The SVG."""
    parts: list[str] = []
    y = TOP
    for (label, metric), variants in SHOWN.items():
        parts.append(f'<text class="name" x="24" y="{y}">{escape(label)}</text>')
        for variant in variants:
            number = points(metric, variant)
            parts += [
                f'<text class="quiet" x="{LEFT - 12}" y="{y}" text-anchor="end">{escape(variant)}</text>',
                f'<rect class="track" x="{LEFT}" y="{y - 13}" width="{FULL}" height="16" rx="2"/>',
                f'<rect class="bar" x="{LEFT}" y="{y - 13}" width="{FULL * number / 100:.0f}" height="16" rx="2"/>',
                f'<text x="{WIDTH - 24}" y="{y}" text-anchor="end">{number:.1f}</text>',
            ]
            y += ROW
        y += GAP
    height = y - ROW + 8
    head = f"""\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" width="{WIDTH}" height="{height}" role="img">
<title>{escape(description())}</title>
<style>{STYLE}</style>
<rect class="card" x="0.5" y="0.5" width="{WIDTH - 1}" height="{height - 1}" rx="8"/>
<text class="quiet" x="24" y="32">prediction</text><text x="110" y="32">{escape(PREDICTION, quote=False)}</text>
<text class="quiet" x="24" y="54">reference</text><text x="110" y="54">{escape(REFERENCE, quote=False)}</text>
"""
    return head + "\n".join(parts) + "\n</svg>\n"


if __name__ == "__main__":
    FILE.write_text(picture(), "utf-8")
