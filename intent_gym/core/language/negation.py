"""Which values of a sentence are negated: named as not wanted, so not read back ("you don't want black, right?").

A negation holds from its word on, over a list, up to a contrast ("not black but navy"), a comma that carries no list
on, or the next clause; "black is not what you want" holds backwards. Words that reject by themselves ("avoid black",
"anything but black") undo a negation and are undone by it ("nothing but black", "you don't mind black"). No negation:
tags ("isn't it?", "or not?", "no?"), questions that expect a yes ("isn't it black?", "why not black?"), doubts ("if I'm
not mistaken"), limits ("no more than $30") and words inside a value ("non slip", "no milk").
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Collection, Mapping, Sequence

from intent_gym.core.language import grammar
from intent_gym.core.language.clauses import Clause, Sentence
from intent_gym.core.language.scan import CUTS, Span

__all__ = ["excepts", "goes_on", "negated"]

REACH = 60  # tokens and values: how far a word or a list is followed


def negated(sentence: Sentence, tokens: Sequence[str], numbers: Collection[str]) -> set[int]:
    """Return where the negated values start; `numbers` are the topics of number slots.

    A value is negated if a negation or an odd number of rejecting words reaches it, not both.
    """
    if not any(s.values for s in sentence.spans):
        return set()
    text = _Text(sentence, tokens)
    nots: set[int] = set()
    odd: set[int] = set()  # taken away by an odd number of words
    for at in range(sentence.start, sentence.end):
        if at in text.inside:
            continue
        if text.is_not(at):
            reached = text.ahead(at)
            nots |= {s.start for s in reached if not _is_limit(s, at, tokens, numbers)}
            if not reached and tokens[at] not in grammar.FORWARD:
                nots |= text.behind(at)
        elif text.rejects(at):
            odd ^= {s.start for s in text.ahead(at)} or (text.behind(at) if tokens[at] == "out" else set())
        elif text.rejects_before(at):
            odd ^= text.behind(at)
    return nots ^ odd


def excepts(at: int, sentence: Sentence, tokens: Sequence[str]) -> bool:
    """Return whether an "except" or the like belongs to "nothing", "anything": then it is about what is wanted."""
    return not grammar.ALL_OR_NONE.isdisjoint(tokens[max(sentence.start, at - 4) : at])


def goes_on(
    at: int, last: Span, sentence: Sentence, tokens: Sequence[str], starts: Mapping[int, Span], wide: bool
) -> bool:
    """Return whether a list goes on at a comma or an "and": "not black, white or red", but "not black, navy".

    With "and" it goes on over values of one topic; if `wide`, behind a verb ("you don't want"), over any.
    """
    topics = {t for t, _ in last.values}
    joined = False
    for _ in range(REACH):
        span, token = starts.get(at), tokens[at] if at < sentence.end else "."
        if token in ("or", "nor"):
            return True
        if span is not None:
            if joined:
                return wide or not topics.isdisjoint(t for t, _ in span.values)
            at = span.end
            continue
        joined |= token == "and"
        if token not in (",", "and") and token not in grammar.ARTICLES:
            return False
        at += 1
    return False


def _is_limit(span: Span, at: int, tokens: Sequence[str], numbers: Collection[str]) -> bool:
    """Return whether a negation only turns a comparison round: "no more than $30", "don't go over $30"."""
    between = tokens[at + 1 : span.start]
    return any(t in numbers for t, _ in span.values) and (
        not grammar.UPPER.isdisjoint(between) or not grammar.LOWER.isdisjoint(between[:1])
    )


class _Text:
    """A sentence, with what is looked up in it often."""

    def __init__(self, sentence: Sentence, tokens: Sequence[str]) -> None:
        self._sentence = sentence
        self._tokens = tokens
        self._spans = sentence.spans
        self._span_starts = [s.start for s in self._spans]
        self._clause_starts = [c.start for c in sentence.clauses]
        self._values = {s.start: s for s in self._spans if s.values}
        self._typed = {i for s in self._spans if s.topic is not None for i in range(s.start, s.end)}
        self.inside = {i for s in self._values.values() for i in range(s.start, s.end)}

    def is_not(self, at: int) -> bool:
        """Return whether a word negates what follows it, or what stands just before it."""
        word = self._tokens[at]
        before, after, third = (self._word(i) for i in (at - 1, at + 1, at + 2))
        if after in grammar.NO_DOUBT or (after in grammar.DEGREES and third in grammar.NO_DOUBT):
            return False
        if word in grammar.NOT_AUX:
            if after in grammar.SUBJECTS:  # "isn't it black?", "..., don't you?"; but "why don't you want black?"
                return before == "why" and after == "you" and third in grammar.WISHES
            lead = self._tokens[self._clause(at).start : at]
            return not (word in grammar.NOT_BE and all(t in grammar.LEAD for t in lead))  # "isn't black the one?"
        if word == "no":  # "no, black?", "black, no?", "black is a no"
            return after not in CUTS and before != "a"
        if word == "not" and after in CUTS:  # "black is not?", but "..., is it not?"
            return before not in CUTS and before not in grammar.PERSONS and before not in ("why", "or")
        return word in grammar.NOT and after not in grammar.NOT_ALL and before not in ("why", "or")

    def rejects(self, at: int) -> bool:
        """Return whether a word takes away what follows it."""
        word, before = self._tokens[at], self._word(at - 1)
        if word == "but":
            return self._is_except(at)
        if word in grammar.EXCEPT:
            whole = word not in ("than", "from") or before in ("other", "else", "apart", "aside")
            return whole and excepts(at, self._sentence, self._tokens)
        if word == "out":
            return before in grammar.OUT_VERBS
        if word == "mind":
            return before not in ("in", "your", "my", "never")
        return word in grammar.REJECT and (word != "object" or self._word(at + 1) == "to")

    def rejects_before(self, at: int) -> bool:
        """Return whether a word takes away what stands before it: "black is out"."""
        word, after = self._tokens[at], self._word(at + 1)
        if word not in grammar.REJECTED:
            return word == "no" and self._word(at - 1) == "a"
        return word not in grammar.LOOSE or after in CUTS or after in ("then", "right", "of", "the", "for")

    def ahead(self, at: int) -> list[Span]:
        """Return the values that a word at a position holds for, going right."""
        before = self._word(at - 1)
        wide = self._tokens[at] not in grammar.NOT or before in grammar.AUX or before in grammar.PERSONS
        reached: list[Span] = []
        end = min(self._sentence.end, at + REACH)
        at += 1
        while at < end:
            span, token = self._values.get(at), self._tokens[at]
            if span is not None:
                reached.append(span)
                at = span.end
                continue
            if token in (",", "and"):
                if not reached or not goes_on(at, reached[-1], self._sentence, self._tokens, self._values, wide):
                    break
            elif token in CUTS or (token in grammar.CONTRASTS and not self._is_except(at)):
                break
            at += 1
        return reached

    def behind(self, at: int) -> set[int]:
        """Return the values that a word at a position holds for, going left: "black is not what you want"."""
        clause, following = self._clause(at), bisect_right(self._span_starts, at)
        if following < len(self._spans) and self._span_starts[following] < clause.end:
            return set()
        verb = self._tokens[at] in grammar.NOT_AUX or self._tokens[clause.start] in grammar.AUX
        found: set[int] = set()
        end, fillers = at, grammar.COPULAS | grammar.OUT_VERBS
        for span in reversed(self._spans[max(0, following - REACH) : following]):
            if span.start < clause.start:
                break
            if not span.values:
                continue
            gap = [self._tokens[i] for i in range(span.end, end) if i not in self._typed]  # "oat milk is not"
            if not all(t in fillers for t in gap):
                break
            verb = verb or any(t in grammar.AUX or t in grammar.COPULAS for t in gap)
            found.add(span.start)
            end, fillers = span.start, grammar.LIST_LINKS
        return found if verb else set()

    def _word(self, at: int) -> str:
        return self._tokens[at] if self._sentence.start <= at < self._sentence.end else "."

    def _clause(self, at: int) -> Clause:
        return self._sentence.clauses[max(0, bisect_right(self._clause_starts, at) - 1)]

    def _is_except(self, at: int) -> bool:
        """Return whether a "but" is an "except": "nothing but black", "any color but black"."""
        if self._tokens[at] != "but":
            return False
        for back in range(at - 1, max(self._sentence.start, at - 3) - 1, -1):
            if back in self.inside or self._tokens[back] in CUTS:
                return False
            if self._tokens[back] in grammar.ALL_OR_NONE and self._tokens[back] != "no":
                return True
        return False
