"""The plots of the report and of a meta-evaluation: where marks and letters stand."""

from __future__ import annotations

import re
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from metrologue.comparison.showing.plots import Dot, Step, _Axis, cloud, places, spread, standalone, waterfall

NUMBERS = st.floats(-1e6, 1e6).map(lambda value: round(value, 6))
PLOTS = {
    "spread": lambda: spread(
        {
            "a&b": [
                Dot(name="x", library=1.0, variant=1.0, limits=(0.5, 1.5)),
                Dot(name="y", library=None, variant=None),
            ]
        },
        "points",
        "a <plot>",
    ),
    "cloud": lambda: cloud([(0.0, 1.0, 3), (2.0, 5.0, 1)], [(0.0, 1.0), (2.0, 4.0)], "x", "y", "l"),
    "places": lambda: places({"a": (1.0, 2.0), "<b>": (1.0, 2.0)}, "x", "y", "l"),
    "waterfall": lambda: waterfall(("a", 1.0), [Step(label="up", size=2.0)], ("b", 3.0), 2.0, "points", "l"),
}


@pytest.mark.parametrize("name", PLOTS)
def test_a_plot_is_xml_in_the_pages_colours_and_a_file_of_its_own(name: str) -> None:
    svg = PLOTS[name]()
    assert ElementTree.fromstring(standalone(svg)).tag == "{http://www.w3.org/2000/svg}svg"
    assert "#" not in svg
    assert all(float(place) >= 0 for place in re.findall(r'<text x="([^"]+)"', svg))
    assert all(float(place) <= 324 for place in re.findall(r'<text x="([^"]+)"', svg))


@given(st.lists(NUMBERS, max_size=9))
def test_an_axis_has_its_values_between_its_ends_and_a_few_round_ticks(values: list[float]) -> None:
    axis = _Axis.of(values, 10.0, 300.0, 0.04)
    assert all(10 <= axis(value) <= 300 for value in values)
    ticks = axis.ticks()
    assert 1 <= len(ticks) <= 6
    assert all(9.99 <= axis(tick) <= 300.01 for tick in ticks)


def test_intervals_and_marks_stand_at_their_numbers() -> None:
    dots = [Dot(name="x", library=2.0, variant=2.0, limits=(1.0, 3.0)), Dot(name="y", library=None, variant=3.0)]
    svg = spread({"s": dots}, "points", "l")
    [(left, right)] = re.findall(r'd="M([\d.]+) [\d.]+H([\d.]+)" style="fill: none; stroke: var\(--muted\)', svg)
    rings = re.findall(r'<circle cx="([\d.]+)" cy="[\d.]+" r="4.8"', svg)[:2]  # the third is the legend's
    assert float(rings[0]) == pytest.approx((float(left) + float(right)) / 2, abs=0.1)
    assert rings[1] == right
