"""Tokens to spans: the type words, values, amounts and cues of a text, longest first, without overlap."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from intent_gym.core.intent import Value
from intent_gym.core.language import grammar
from intent_gym.core.language.lexicon import Lexicon, Meaning
from intent_gym.core.language.tokens import ENDS, NUMBER, SEPARATORS

__all__ = ["CUTS", "Span", "scan"]

CUTS = ENDS | SEPARATORS
"""Tokens that end a clause or a sentence."""


@dataclass(slots=True)
class Span:
    """A phrase of the lexicon in the text, tokens [start, end)."""

    start: int
    end: int
    topic: str | None  # its type word's topic; exclusive with `values`
    values: tuple[tuple[str, Value | None], ...]
    safe: bool = True
    head: str | None = None  # topic of the type word that ends a tag ("slim fit")


def scan(text: str, raw: Sequence[str], tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[Span], dict[int, int]]:
    """Return the spans in order, without overlap, and the kind of cue by the position where it starts."""
    cues: dict[int, int] = {}
    stopped: set[int] = set()
    at, size = 0, len(tokens)
    while at < size:
        cue = grammar.find_cue(tokens, at)
        if cue is None:
            at += 1
            continue
        end, kind = cue
        cues[at] = kind
        if kind == grammar.STOP:
            stopped.update(range(at, end))
            at = end
        else:
            at += 1
    spans: list[Span] = []
    at = 0
    while at < size:
        if at in stopped:
            at += 1
            continue
        amount = _amount(tokens, at, lexicon)
        hit = lexicon.find(tokens, at)
        if amount is not None and (hit is None or hit[0] <= amount.end):
            spans.append(amount)
        elif hit is not None:
            spans.append(_span(at, *hit, raw, tokens, text))
        else:
            at += 1
            continue
        at = spans[-1].end
    return _accept(spans, tokens, lexicon), cues


def _span(at: int, end: int, meaning: Meaning, raw: Sequence[str], tokens: Sequence[str], text: str) -> Span:
    if meaning.topic is not None:
        return Span(at, end, meaning.topic, ())
    values = tuple((topic, _written(options, text)) for topic, options in meaning.values)
    safe = meaning.safe
    if not safe and end == at + 1 and len(tokens[at]) == 1 and raw[at].isupper() and raw[at] not in "AI":
        safe = tokens[at] in grammar.SHORT_SIZES
    return Span(at, end, None, values, safe, meaning.head)


def _written(options: tuple[Value, ...], text: str) -> Value | None:
    """Return the one of several values of the same form that stands in the lower-cased text letter by letter."""
    if len(options) < 2:
        return options[0] if options else None
    return next((v for v in options if str(v).lower() in text), options[0])


def _amount(tokens: Sequence[str], at: int, lexicon: Lexicon) -> Span | None:
    """Return a mention of money, or of a number beside the type word of a number slot, if one starts here."""
    token = tokens[at]
    if not (token[0].isdigit() or token[0] in "$€£" or token in grammar.NUMBER_WORDS) or not lexicon.numbers:
        return None
    number = _number(token)
    if number is None:
        return None
    after = tokens[at + 1] if at + 1 < len(tokens) else "."
    end, topic = at + 1, lexicon.money
    if topic is not None and after in grammar.MONEY:
        end = at + 2
    elif topic is None or token[0] not in "$€£":
        limited = at > 0 and tokens[at - 1] in grammar.LIMIT_BEFORE and (after in CUTS or after in grammar.AFTER_AMOUNT)
        beside = _number_topic(tokens, at, lexicon) if token[0].isdigit() else None
        topic = beside or (topic if limited and token[0].isdigit() else None)
    return None if topic is None else Span(at, end, None, ((topic, lexicon.number(topic, number)),))


def _number_topic(tokens: Sequence[str], at: int, lexicon: Lexicon) -> str | None:
    """Return the topic of the number slot whose type word stands just before or after ("limit is 30", "2 bags")."""
    hit = lexicon.find(tokens, at + 1) if at + 1 < len(tokens) else None
    if hit is not None and hit[1].topic in lexicon.numbers and hit[1].topic != lexicon.money:
        return hit[1].topic
    for back in range(at - 1, max(-1, at - 5), -1):
        meaning = lexicon.entries.get(tokens[back])
        if meaning is not None and meaning.topic is not None:
            return meaning.topic if meaning.topic in lexicon.numbers else None
        if tokens[back] not in grammar.LINKS:
            return None
    return None


def _number(token: str) -> float | None:
    if token in grammar.NUMBER_WORDS:
        return float(grammar.NUMBER_WORDS[token])
    if not NUMBER.fullmatch(token):
        return None
    digits = token.lstrip("$€£")
    whole, dot, cents = digits.rpartition(".")
    plain = (whole.replace(",", "").replace(".", "") + dot + cents) if dot else digits.replace(",", "")
    try:
        return float(plain.replace(",", ""))
    except ValueError:
        return None


def _accept(spans: list[Span], tokens: Sequence[str], lexicon: Lexicon) -> list[Span]:
    """Settle unsafe values: keep those beside their type word, in a list of their like, or alone in their clause."""
    if all(s.safe for s in spans):
        return spans
    joined = [False] * len(spans)  # span i is linked to span i - 1 by nothing but a comma, "or", "and"
    for i in range(1, len(spans)):
        gap = tokens[spans[i - 1].end : spans[i].start]
        joined[i] = len(gap) <= 3 and all(t in grammar.LIST_LINKS for t in gap)
    for order in (range(len(spans)), range(len(spans) - 1, -1, -1)):
        for i in order:
            span = spans[i]
            if span.safe or not span.values:
                continue
            topics = {t for t, _ in span.values}
            if tokens[span.start] in grammar.ARTICLES:
                after = tokens[span.end] if span.end < len(tokens) else "."
                span.safe = i > 0 and spans[i - 1].end == span.start and spans[i - 1].topic in topics and after in CUTS
                continue
            for j, near in ((i - 1, i), (i + 1, i + 1)):
                if not 0 <= j < len(spans) or not (0 < near < len(spans)):
                    continue
                other = spans[j]
                gap = tokens[other.end : span.start] if j < i else tokens[span.end : other.start]
                if other.topic in topics and len(gap) <= (3 if j < i else 0) and all(t in grammar.LINKS for t in gap):
                    span.safe = True
                elif joined[near] and other.values and _codes(span, other, tokens) & topics:
                    span.safe = True
    values = any(s.safe and s.values for s in spans)
    for span in spans:
        if not span.safe and span.values:
            before = tokens[span.start - 1] if span.start else "."
            after = tokens[span.end] if span.end < len(tokens) else "."
            code = len(tokens[span.start]) == 1 or tokens[span.start][0].isdigit()
            span.safe = before in CUTS and after in CUTS and (span.end > span.start + 1 or (values and code))
    return [s for s in spans if s.safe]


def _codes(span: Span, other: Span, tokens: Sequence[str]) -> set[str]:
    """Return the topics that two linked values share, if the unsafe one does not read as an ordinary word."""
    shared = {t for t, _ in span.values} & {t for t, _ in other.values}
    token = tokens[span.start]
    if other.safe or (token not in ("a", "i") and (len(token) == 1 or token[0].isdigit())):
        return shared
    return set()
