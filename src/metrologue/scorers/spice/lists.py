"""The classes of attributes that have a score of their own: colors, counts and sizes."""

from __future__ import annotations

__all__ = ["CLASSES", "classes_of"]

_COLORS = "beige black blue brown cream dark gray green grey light maroon orange pink purple red violet white yellow"
_COUNTS = "one two three four five six seven eight nine ten"
_SIZES = """
    baby beefy big bony boundless brawny broad bulky chunky colossal compact corpulent cosmic cubby curvy
    elfin emaciated endless enormous epic expansive extensive fat fleshy full-size gargantuan gaunt giant
    gigantic grand great heavy hefty huge hulking illimitable immeasurable immense infinitesimal lanky large
    lean life-size limitless little mammoth massive meager measly microscopic mini miniature minuscule minute
    narrow obese outsized oversize overweight paltry petite pint-size plump pocket-size portly pudgy puny
    rotund scanty scraggy scrawny short sizable skeletal skimpy skinny slender slim small squat stocky stout
    strapping sturdy tall teensy teeny teeny-tiny teeny-weeny thick thickset thin tiny titanic towering
    trifling trim tubby undersized underweight unlimited vast wee whopping wide
"""

# The words of each class, as SPICE 1.0 has them: in lower case, and without digits.
CLASSES = {name: frozenset(words.split()) for name, words in (("color", _COLORS), ("count", _COUNTS), ("size", _SIZES))}


def classes_of(word: str) -> int:
    """The classes of a word, a bit for each.

    Examples
    --------
    >>> classes_of("red"), classes_of("two"), classes_of("tiny"), classes_of("happy")
    (1, 2, 4, 0)
    """
    return sum(1 << place for place, words in enumerate(CLASSES.values()) if word in words)
