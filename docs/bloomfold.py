"""Brings keys into the form that a filter stores, as its description says: format.md, and hashing.md, "Folding case"."""
import os

FOLDED = "folded, Unicode 16.0"


def foldings():
    """The code points that have a folding, and what they become, from case-folding.txt beside this file."""
    table = {}
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "case-folding.txt"), encoding="ascii") as file:
        for word in file.read().split():
            points, folded = word.split(":")
            points, _, step = points.partition("/")
            first, _, last = points.partition("-")
            for point in range(int(first, 16), int(last or first, 16) + 1, int(step or 1)):
                table[point] = point - int(first, 16) + int(folded, 16)
    return table


def form(description):
    """A function from a key's bytes to those that the filter stores."""
    trimmed = description.get("blanks") == "trimmed"
    case = description.get("case")
    if case not in (None, FOLDED):
        raise ValueError('the case of its keys is "%s", which is not known here' % case)
    table = foldings() if case else {}

    def stored(key):
        key = key.strip(b" \t\n\v\f\r") if trimmed else key
        if not case:
            return key
        return key.decode("utf-8", "surrogateescape").translate(table).encode("utf-8", "surrogateescape")

    return stored
