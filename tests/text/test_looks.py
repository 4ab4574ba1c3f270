"""Characters that look like others: found in texts of one side, never in a script where they are the spelling."""

from __future__ import annotations

import pytest

from metrologue.text.glance import may_deceive
from metrologue.text.looks import LOOKS, differing, shares

# What is right as it is: twelve scripts with their joiners and marks, formulas, code, emoji, numbers.
RIGHT = [
    "The naïve café's “fiancée” paid £3.50 – really?",
    "Привет, мир! COVID-19 и 3D, iPhone-ом, Wi-Fi.",
    "Ο Γιώργος διαβάζει 2 βιβλία.",
    "ذهب الولد إلى المدرسة، وكتب رسالة؟",
    "می‌خواهم به خانه بروم؛ کتاب‌ها",
    "שָׁלוֹם עולם, מה שלומך?",
    "राम घर गया। क्‍ष क्‌ष",
    "선생님은 매일 책을 읽습니다.",
    "他说：“你好！”（２０个）",
    "先生は、本を読みます。ﾃﾚﾋﾞ",
    "ครูอ่านหนังสือทุกวัน",
    "គ្រូ\u200bអាន\u200bសៀវភៅ",
    "ဆရာ စာဖတ်သည်",
    "E = mc², Δx ≥ ħ/2, αx + βy = Ωm, 5 μm, x₁ ∈ ℝ",
    "if (a[0] < b && c > d) { x = y ## z; } @@ -1,2 +3,4 @@",
    "👨‍👩‍👧 ❤️ 🏳️‍🌈 👍🏽",
    "1,234.5 − 6 × 10⁻³ = 50 %",
    "<b>bold</b> [1] #tag @name",
]  # fmt: skip


@pytest.mark.parametrize("text", RIGHT)
def test_no_repair_changes_what_is_right(text: str) -> None:
    own = [look for look in LOOKS if look.has(text) and look.plain(text) != text]
    # Full-width digits, half-width kana and the letters of Arabic are told only where the other side has none.
    assert all("full-width" in look.name or "Arabic" in look.name or "zero-width" in look.name for look in own)
    assert differing(shares([text]), shares([text])) == []


@pytest.mark.parametrize("look", LOOKS)
def test_a_quick_look_misses_nothing(look: object) -> None:
    samples = [
        "lo@@ wer", "low ##er", "▁He llo", "he llo Ġwor ld Ġall", "<s> a", "a <|im_end|>", "[CLS] a", "[/INST] a",
        "\u202aa",
        "a\u00a0b", "a\u2009b", "a\u3000b", "e\u00adr", "\ufeffa", "a\u200cb", "a\u2060",
        "a\u2010b", "Ａ", "ﾃ", "ﬁ", "ﷲ", "ﻻ",
        "𝐚", "hаbe", "Аbend", "gοod", "мiсто и сад", "Mαρία και", "کتاب ي", "ی ك"]  # fmt: skip
    held = [text for text in samples if look.has(text)]  # type: ignore[attr-defined]
    assert held
    assert all(may_deceive(text.encode()) for text in held)
