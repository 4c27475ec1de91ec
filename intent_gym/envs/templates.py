"""Texts with parts that depend on values: rendered from an assignment, and read back into one.

What an answer host renders is trusted: it is known what it comes to without running it in a process of its own. So a
host must tell its own texts from others, also where they come from another process: a text is one's own if it can be
read back and renders to the same bytes.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

from intent_gym.core.intent import Value

__all__ = ["Part", "Template"]


@dataclass(frozen=True)
class Part:
    """A piece of text that depends on the values of one slot, or of several together.

    Attributes:
        slots: The slots.
        texts: The piece by their values, in the order of `slots`.
    """

    slots: tuple[str, ...]
    texts: Mapping[tuple[Value, ...], str]


@dataclass(frozen=True)
class Template:
    """A text with parts.

    Attributes:
        pieces: Plain texts and parts, in order.

    >>> color = Part(("color",), {("red",): "r", ("blue",): "b"})
    >>> template = Template(("(", color, "|", color, ")"))
    >>> template.render({"color": "red"}), template.read("(b|b)"), template.read("(b|r)")
    ('(r|r)', {'color': 'blue'}, None)
    """

    pieces: Sequence[str | Part]

    def render(self, values: Mapping[str, Value]) -> str:
        """Return the text under a complete assignment."""
        return "".join(p if isinstance(p, str) else p.texts[tuple(values[s] for s in p.slots)] for p in self.pieces)

    @cached_property
    def _parts(self) -> tuple[tuple[Part, Mapping[str, tuple[Value, ...]]], ...]:
        parts = (p for p in self.pieces if isinstance(p, Part))
        return tuple((p, {text: values for values, text in p.texts.items()}) for p in parts)

    @cached_property
    def _pattern(self) -> re.Pattern[str]:
        return re.compile("".join(self._patterns()))

    def _patterns(self) -> Iterator[str]:
        for piece in self.pieces:
            if isinstance(piece, str):
                yield re.escape(piece)
            else:
                texts = sorted(set(piece.texts.values()), key=lambda t: (-len(t), t))
                yield f"({'|'.join(map(re.escape, texts))})"

    def read(self, text: str) -> dict[str, Value] | None:
        """Return the assignment that renders to a text, None where there is none.

        The texts of one part must differ, else the last of equal ones is read.
        """
        found = self._pattern.fullmatch(text)
        if found is None:
            return None
        values: dict[str, Value] = {}
        for (part, by_text), piece in zip(self._parts, found.groups(), strict=True):
            for slot, value in zip(part.slots, by_text[piece], strict=True):
                if values.setdefault(slot, value) != value:
                    return None
        return values
