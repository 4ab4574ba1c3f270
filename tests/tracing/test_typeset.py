"""Formulas as MathML: well formed, with everything that the formula has, and nothing shown that was not understood."""

from __future__ import annotations

import xml.etree.ElementTree as ElementTree

import pytest

from metrologue.pages.formulas import definition_html, definition_of, list_definitions
from metrologue.scorers import list_scorers
from metrologue.tracing.typeset import from_arithmetic, from_latex


def plain(mathml: str) -> str:
    """A formula on one line, with brackets around what a fraction or a script holds."""
    return _plain(ElementTree.fromstring(mathml)).replace("\u2061", "").replace("\u00a0", " ")


def _plain(element: ElementTree.Element) -> str:
    kind = element.tag.rpartition("}")[2]
    if kind == "mspace":
        return " "
    if not len(element):
        return element.text or ""
    parts = [_plain(each) for each in element]
    joined = {"mfrac": "({})/({})", "msub": "{}_({})", "msup": "{}^({})", "msubsup": "{}_({})^({})"}
    joined |= {"munder": "{}_({})", "mover": "{}^({})", "munderover": "{}_({})^({})", "mroot": "root({},{})"}
    return joined[kind].format(*parts) if kind in joined else "".join(parts)


@pytest.mark.parametrize(
    ("latex", "expected"),
    [
        (r"F_\beta = \frac{(1+\beta^2) P R}{\beta^2 P + R}", "F_(β)=((1+β^(2))PR)/(β^(2)P+R)"),
        (r"\sum_{n=1}^{N} w_n \log p_n", "∑_(n=1)^(N)w_(n)logp_(n)"),
        (r"\max_k r'_{g,k}", "max_(k)r_(g,k)^(′)"),
        (r"\sqrt[N]{x} - \sqrt{2.5}", "root(x,N)\u22122.5"),
        (r"\left\lVert \mathbf{v} \right\rVert", "‖𝐯‖"),
        (r"\begin{cases} 1 & \text{if } c \ge r \\ 0 & \text{otherwise} \end{cases}", "{1if c≥r0otherwise"),
        (r"\text{a b} < c", "a b<c"),
    ],
)
def test_latex(latex: str, expected: str) -> None:
    assert plain(from_latex(latex)) == expected


@pytest.mark.parametrize("latex", [r"\frac", "{a", "a}", "a_b_c", r"\left( a", r"\unheard{a}", r"\mathbf"])
def test_latex_that_is_not_understood(latex: str) -> None:
    with pytest.raises(ValueError, match="is no LaTeX that is understood here"):
        from_latex(latex)


def test_limits_and_functions() -> None:
    """Limits stand below and above, functions apart from their argument, and the cells of cases begin at the left."""
    assert from_latex(r"\sum_{i} \max_k x").count("<munder>") == 2
    assert 'rspace="0.167em" movablelimits="false">log</mo>' in from_latex(r"\log p")
    assert 'rspace="0" movablelimits="false">log</mo>' in from_latex(r"\log\left(p\right)")
    assert 'style="text-align: left"' in from_latex(r"\begin{cases} 1 & a \\ 0 & b \end{cases}")


@pytest.mark.parametrize(
    ("formula", "expected"),
    [
        ("wip = (5/6)·(5/7) = 0.5952380952380952", "wip=(5)/(6)·(5)/(7)≈0.595238"),
        ("chrF = 100·5·P/(4·P + R) = 62.5", "chrF=(100·5·P)/(4·P+R)=62.5"),
        ("x = 1/2/3 - -4*a", "x=((1)/(2))/(3)\u2212\u22124·a"),
        ("RIBES = 1.000 · 0.7143^0.25", "RIBES=1.000·0.7143^(0.25)"),
        ("TESLA-M = mean(1, exp(2))", "TESLA-M=mean(1,exp(2))"),
        ("p = 2.2e-308", "p=2.2·10^(\u2212308)"),
        ("d = inf", "d=inf"),
        ("cross_entropy = 6 bits / 3 tokens = 2.0", "cross_entropy=(6 bits)/(3 tokens)=2"),
        ("S = 2·P·R/(P + R), P 0.75, R 0.6", "S=(2·P·R)/(P+R),P 0.75,R 0.6"),
        ("l = mean of 2 values of -ln p", "l=mean of 2 values of\u2212ln p"),
    ],
)
def test_arithmetic(formula: str, expected: str) -> None:
    typeset = from_arithmetic(formula)
    assert plain(f"<p>{typeset}</p>") == expected


def test_a_long_formula_goes_on_in_the_next_line() -> None:
    terms = " + ".join(f"0.25·ln({n}/{n + 1})" for n in range(4))
    typeset = from_arithmetic(f"BLEU = 100 · 1.000 · exp({terms}) = 12.5")
    pieces = ElementTree.fromstring(f"<p>{typeset}</p>")
    assert [_plain(piece)[:7].replace("\u2061", "") for piece in pieces] == [
        "BLEU", "=100·1.", "+0.25·l", "+0.25·l", "+0.25·l", "=12.5",
    ]  # fmt: skip


@pytest.mark.parametrize("formula", ["no names", "x = (1", "x = 1 2", "x = ", "x = 1 +", "x = what is it; why"])
def test_a_sentence_is_no_arithmetic(formula: str) -> None:
    with pytest.raises(ValueError, match=r"expected|closed|equality"):
        from_arithmetic(formula)


def test_every_metric_has_a_definition_that_is_typeset() -> None:
    assert {*list_definitions()} == {*list_scorers()}
    for metric in list_definitions():
        shown = ElementTree.fromstring(definition_html(metric))
        formulas = shown.findall(".//{http://www.w3.org/1998/Math/MathML}math")
        lines, quantities = definition_of(metric)
        assert [each.get("alttext") for each in formulas] == [*lines, *quantities]
