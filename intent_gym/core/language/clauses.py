"""Spans to sentences and clauses: which of them ask, confirm, remark or report."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intent_gym.core.language import grammar
from intent_gym.core.language.scan import CUTS, Span
from intent_gym.core.language.tokens import ENDS, SEPARATORS

__all__ = ["Clause", "Sentence", "sentences"]


@dataclass(slots=True)
class Clause:
    """A part of a sentence, tokens [start, end)."""

    start: int
    end: int
    kind: str = "fragment"  # question | request | fragment | remark | report | offer
    wh: bool = False
    spans: list[Span] = field(default_factory=list)
    cues: set[int] = field(default_factory=set)


@dataclass(slots=True)
class Sentence:
    """A sentence, tokens [start, end), with its clauses in order."""

    start: int
    end: int
    question: bool
    clauses: list[Clause] = field(default_factory=list)
    cues: dict[int, list[int]] = field(default_factory=dict)  # kind -> token positions
    confirms: bool = False  # by itself, question mark or not
    asks: bool = False

    @property
    def spans(self) -> list[Span]:
        """All spans in order."""
        return [s for c in self.clauses for s in c.spans]


def sentences(tokens: Sequence[str], spans: Sequence[Span], cues: dict[int, int]) -> Iterator[Sentence]:
    """Yield the sentences with their clauses, spans and cues."""
    inside = {i for s in spans for i in range(s.start, s.end) if tokens[i] in ENDS or tokens[i] in SEPARATORS}
    start, next_span = 0, 0
    size = len(tokens)
    at = 0
    while at < size:
        if tokens[at] not in ENDS or at in inside:
            at += 1
            if at < size:
                continue
        end = at
        question = False
        while at < size and tokens[at] in ENDS:
            question |= tokens[at] == "?"
            at += 1
        if end > start:
            sentence = Sentence(start, end, question)
            for position in range(start, end):
                if position in cues:
                    sentence.cues.setdefault(cues[position], []).append(position)
            next_span = _clauses(sentence, tokens, spans, next_span, inside)
            _parse(sentence, tokens)
            yield sentence
        start = at


def _clauses(sentence: Sentence, tokens: Sequence[str], spans: Sequence[Span], next_span: int, inside: set[int]) -> int:
    """Cut a sentence into clauses; return the index of the first span after it."""
    start = sentence.start
    bounds: list[tuple[int, int]] = []
    for at in range(sentence.start, sentence.end):
        if at in inside:
            continue
        token = tokens[at]
        if token in SEPARATORS:
            bounds.append((start, at))
            start = at + 1
        elif at > start and _opens_clause(tokens, at, sentence.end):
            bounds.append((start, at))
            start = at
    bounds.append((start, sentence.end))
    for first, end in bounds:
        clause = Clause(first, end)
        while next_span < len(spans) and spans[next_span].start < end:
            clause.spans.append(spans[next_span])
            next_span += 1
        if end > first:
            sentence.clauses.append(clause)
    return next_span


def _opens_clause(tokens: Sequence[str], at: int, end: int) -> bool:
    token = tokens[at]
    if token in ("because", "since", "given"):
        return True
    if token in ("and", "but", "so", "or", "then") and at + 1 < end:
        after = tokens[at + 1]
        third = tokens[at + 2] if at + 2 < end else ""
        return after in grammar.WH or (after in grammar.AUX and third in grammar.SUBJECTS) or third in grammar.WH
    return False


def _parse(sentence: Sentence, tokens: Sequence[str]) -> None:
    """Give each clause its kind and decide whether the sentence asks."""
    confirming = [p for p in sentence.cues.pop(grammar.CONFIRM, ()) if _stands(p, sentence, tokens)]
    if confirming:
        sentence.cues[grammar.CONFIRM] = confirming
        sentence.confirms = any(tokens[p] not in grammar.WEAK_CONFIRM for p in confirming)
    at = 0
    for position, kind in sorted((p, k) for k, positions in sentence.cues.items() for p in positions):
        while sentence.clauses[at].end <= position and at < len(sentence.clauses) - 1:
            at += 1
        sentence.clauses[at].cues.add(kind)
    for clause in sentence.clauses:
        _classify(clause, sentence, tokens)
    kinds = {c.kind for c in sentence.clauses}
    sentence.asks = (
        sentence.question
        or not kinds.isdisjoint(("question", "request"))
        or (sentence.confirms and "report" not in kinds)
        or ("offer" in kinds and tokens[sentence.end - 1] in grammar.TAILS)
        or (grammar.KNOWN not in sentence.cues and _is_bare_list(sentence, tokens))
    )


def _is_bare_list(sentence: Sentence, tokens: Sequence[str]) -> bool:
    """Return whether a sentence is type words and nothing else that matters ("Size and colour, please.")."""
    typed = {i for s in sentence.spans if s.topic is not None for i in range(s.start, s.end)}
    return all(i in typed or tokens[i] in grammar.FILLER for i in range(sentence.start, sentence.end))


def _stands(position: int, sentence: Sentence, tokens: Sequence[str]) -> bool:
    """Return whether a word that can confirm does: "..., right?" and "you want black", not "the right size"."""
    word = tokens[position]
    if word in grammar.TAILS:
        after = tokens[position + 1] if position + 1 < sentence.end else "."
        before = tokens[position - 1] if position > sentence.start else "."
        return after in CUTS or before in CUTS
    if word == "you":
        at = position - 1
        while at >= sentence.start and tokens[at] in grammar.LEAD:
            at -= 1
        return at < sentence.start or tokens[at] in CUTS
    return True


def _classify(clause: Clause, sentence: Sentence, tokens: Sequence[str]) -> None:
    at = clause.start
    while at < clause.end and tokens[at] in grammar.LEAD:
        at += 1
    first = tokens[at] if at < clause.end else ""
    inner = clause.cues
    if first in grammar.WH or (first in grammar.AUX and at + 1 < clause.end and tokens[at + 1] in grammar.SUBJECTS):
        clause.kind = "question"
        offers = grammar.OFFER in inner and _is_of_values(clause)  # "how about black?"
        clause.wh = not offers and not grammar.WH.isdisjoint(tokens[at : clause.end])
    elif grammar.REQUEST in inner and grammar.KNOWN not in inner:
        clause.kind = "request"
        clause.wh = not grammar.WH.isdisjoint(tokens[at : clause.end])
    elif grammar.CONFIRM in inner and sentence.confirms:
        return
    elif grammar.REPORT in inner:
        clause.kind = "report" if grammar.OFFERS.isdisjoint(tokens[at : clause.end]) else "offer"
    elif grammar.KNOWN in inner or _starts(tokens, clause, grammar.SUBORDINATE):
        clause.kind = "remark"
    elif sentence.question and not grammar.WH.isdisjoint(tokens[at : _end_of_asking(clause)]):
        clause.kind = "question"
        clause.wh = True
    elif grammar.CONFIRM not in inner and (
        first in grammar.STATEMENT_SUBJECTS
        or (first in grammar.NOUN_STARTS and not grammar.VERBS.isdisjoint(tokens[at : clause.end]))
    ):
        clause.kind = "remark"


def _is_of_values(clause: Clause) -> bool:
    """Return whether a clause has values, and no type word but theirs."""
    valued = {t for s in clause.spans for t, _ in s.values}
    return bool(valued) and all(s.topic is None or s.topic in valued for s in clause.spans)


def _end_of_asking(clause: Clause) -> int:
    """Return up to where a "what" asks: "is black what you want?" asks by its value alone."""
    return min(s.start for s in clause.spans) if _is_of_values(clause) else clause.end


def _starts(tokens: Sequence[str], clause: Clause, among: frozenset[str]) -> bool:
    at = clause.start
    while at < clause.end - 1 and tokens[at] in ("so", "and", "but", "well", "ok", "okay", "now"):
        at += 1
    return tokens[at] in among
