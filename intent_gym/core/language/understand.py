"""Free text to topics: what a question asks about and what it reads back (PROTOCOL 6, step 1).

Purely lexical, deterministic, total and linear in the length of the text; it knows only the public `Lexicon`.

1. Tokens; the longest type words and values are found (`scan`), then codes and everyday words that are values are
   accepted only beside their type word or in a list of their like.
2. Sentences, and in them clauses. A sentence counts if it asks: it ends with "?", starts like a question, holds a
   request ("I need to know ..."), or confirms ("Just to confirm: ..."). Reports and remarks beside a question are left
   out ("I found some black ones, what size?").
3. In what counts, a type word asks about its topic. A value asks about its topic if it is one of several offered or an
   example, or negated ("you don't want black, right?", see `negation`); it is passed over where it only describes
   ("what size do you need the black one in?"), and else is read back, also as an offer ("how about black?").

Decisions on ambiguous cases: a value of two topics takes the one that is named in the same sentence, else the one that
another value beside it has, else the first in slot order, tags last. Words for the frame ("product", "item") mostly
just refer to the thing; they ask only after "which", "what kind of" and the like, or where nothing else is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from intent_gym.core.intent import Value
from intent_gym.core.language import grammar
from intent_gym.core.language.clauses import Clause, Sentence, sentences
from intent_gym.core.language.lexicon import Lexicon
from intent_gym.core.language.negation import excepts, goes_on, negated
from intent_gym.core.language.scan import Span, scan
from intent_gym.core.language.tokens import SEPARATORS, fold, split
from intent_gym.core.user import Understanding

__all__ = ["understand"]

NEAR = 4  # tokens: an "or" this near a value offers it
MAX_TYPO = 16  # letters


@dataclass(slots=True)
class _Found:
    """What was made of the text so far, in the order named."""

    topics: dict[str, None] = field(default_factory=dict)
    values: dict[tuple[str, Value], None] = field(default_factory=dict)
    asked: bool = False  # some sentence asks
    open: bool = False

    def ask(self, topic: str) -> None:
        self.topics.setdefault(topic)

    def read_back(self, topic: str, value: Value) -> None:
        self.ask(topic)
        self.values.setdefault((topic, value))

    def read_backs(self, lexicon: Lexicon) -> tuple[tuple[str, Value], ...]:
        """Return the values read back; two of one topic, tags aside, are a choice ("Black? Or white?")."""
        count = Counter(topic for topic, _ in self.values)
        return tuple(v for v in self.values if count[v[0]] == 1 or v[0] in lexicon.tags)


def understand(text: str, lexicon: Lexicon) -> Understanding:
    """Return the topics that a question names, the values it reads back, and whether it is open.

    >>> from intent_gym.core.intent import Slot
    >>> domain = {"color": ("black", "white"), "size": ("large", "medium")}
    >>> lexicon = Lexicon([Slot(s, s, s, "choice") for s in domain], lambda slot: domain[slot])
    >>> understand("Which colour, and what size?", lexicon).topics
    ('color', 'size')
    >>> understand("Black or white?", lexicon)
    Understanding(topics=('color',), values=(), open=False, slots=())
    >>> understand("So black, size M, right?", lexicon).values
    (('color', 'black'), ('size', 'medium'))
    >>> understand("Anything else?", lexicon).open
    True
    >>> understand("I found a black one.", lexicon)
    Understanding(topics=(), values=(), open=False, slots=())
    """
    raw = split(text)
    tokens = [fold(t) for t in raw]
    found = _look(scan(text.lower(), raw, tokens, lexicon), tokens, lexicon)
    if found.asked and not found.topics and not found.open:
        corrected = _correct(tokens, lexicon)
        if corrected is not None:
            found = _look(scan(text.lower(), raw, corrected, lexicon), corrected, lexicon)
    topics = tuple(found.topics)
    return Understanding(topics, found.read_backs(lexicon), found.open and not topics)


def _look(scanned: tuple[list[Span], dict[int, int]], tokens: Sequence[str], lexicon: Lexicon) -> _Found:
    """Read the sentences in order; a bare question also reads the statements just before it."""
    found = _Found()
    pending: list[Sentence] = []
    for sentence in sentences(tokens, *scanned):
        if not sentence.asks:
            pending.append(sentence)
            continue
        found.asked = True
        before = len(found.topics)
        bare = not any(c.spans for c in sentence.clauses)
        _read(sentence, tokens, lexicon, found)
        if tokens[sentence.start] == "or":  # "Black? Or white?"
            offered = {topic for span in sentence.spans for topic, _ in span.values}
            found.values = {v: None for v in found.values if v[0] not in offered}
        if len(found.topics) == before:
            if grammar.OPEN in sentence.cues and not (pending and bare and grammar.CONFIRM in sentence.cues):
                found.open = True
            elif bare and pending:
                _refer_back(pending, sentence, tokens, lexicon, found)
        pending = []
    return found


def _correct(tokens: Sequence[str], lexicon: Lexicon) -> list[str] | None:
    """Return the tokens with words that are one slip away from a type word replaced, where a noun is asked for."""
    fixed = list(tokens)
    for at, token in enumerate(tokens):
        if 4 <= len(token) <= MAX_TYPO and any(t in grammar.DETERMINERS for t in tokens[max(0, at - 2) : at]):
            fixed[at] = lexicon.near(token) or token
    return fixed if fixed != list(tokens) else None


def _read(sentence: Sentence, tokens: Sequence[str], lexicon: Lexicon, found: _Found) -> None:
    """Add what a sentence that asks is about."""
    everything = sentence.spans
    against = negated(sentence, tokens, lexicon.numbers)
    out = _excluded(sentence, tokens)
    for clause in sentence.clauses:
        clause.spans = [s for s in clause.spans if s.start not in out]
    chosen = [c for c in sentence.clauses if c.spans and c.kind in ("question", "request", "fragment")]
    if sentence.confirms or (not chosen and grammar.CONFIRM in sentence.cues):
        chosen = [c for c in sentence.clauses if c.spans and (c.kind != "report" or not chosen)]
    elif not chosen and grammar.OPEN not in sentence.cues:
        chosen = [c for c in sentence.clauses if c.kind in ("remark", "offer")]
    spans = [s for c in chosen for s in c.spans]
    if not spans:
        if grammar.OPEN not in sentence.cues:  # "Not the black one?"
            for span in everything:
                if span.start in out and span.values:
                    found.ask(span.values[0][0])
        return
    typed = {s.topic for s in spans}
    resolved = _resolve(spans, typed, lexicon)
    confirm = grammar.CONFIRM in sentence.cues
    plain = all(c.kind == "fragment" for c in sentence.clauses) and typed <= {None, *(t for t, _ in resolved.values())}
    offered = _offered([s for s in spans if s.start not in against], resolved, tokens, sentence, plain, lexicon)
    if not confirm:
        offered |= {s.topic for c in chosen if c.wh for s in c.spans if s.topic not in (None, lexicon.frame)}
    valued = {t for t, _ in resolved.values()}
    wanders = bool(offered or typed - valued - {None, lexicon.frame}) or any(
        c.wh or c.kind == "request" for c in chosen
    )
    frames = _frames_asked(sentence, tokens, lexicon)
    for clause in chosen:
        free = {s.topic for s in clause.spans if s.topic is not None} - valued - {lexicon.frame}
        for span in clause.spans:
            if span.topic is not None:
                if span.topic != lexicon.frame or span.start in frames:
                    found.ask(span.topic)
                continue
            topic, value = resolved[span.start]
            if topic in offered:
                found.ask(span.head or topic)
            elif clause.wh and not confirm:
                if not typed - {None, lexicon.frame} and _pointed_at(span, clause, tokens, against):
                    found.ask(topic)
            elif not confirm and (free or wanders) and _describes(span, topic, tokens, lexicon, clause, bool(free)):
                continue
            elif value is None or span.start in against:
                found.ask(topic)
            else:
                found.read_back(topic, value)


def _pointed_at(span: Span, clause: Clause, tokens: Sequence[str], against: set[int]) -> bool:
    """Return whether a question word asks about a value itself: "which oat milk?", "why don't you want oat milk?"."""
    return tokens[span.start - 1] in ("which", "what") or (
        span.start in against and "why" in tokens[clause.start : span.start]
    )


def _excluded(sentence: Sentence, tokens: Sequence[str]) -> set[int]:
    """Return the positions that "apart from" or the like takes out, over a list and up to the next clause."""
    out: set[int] = set()
    starts = {s.start for c in sentence.clauses for s in c.spans}
    values = {s.start: s for s in sentence.spans if s.values}
    valued = {i for s in values.values() for i in range(s.start, s.end)}
    for position in sentence.cues.get(grammar.EXCLUDE, ()):
        at, last = position + 1, None
        kept = grammar.OPEN not in sentence.cues and excepts(position, sentence, tokens)  # "nothing except black"
        while at < sentence.end and at not in out:
            token = tokens[at]
            listed = token == "," and (at + 1 in starts or (at + 2 in starts and tokens[at + 1] in grammar.ARTICLES))
            last = values.get(at, last)
            if token == "," and last is not None and at + 1 in values:  # "instead of black, navy?"
                listed = goes_on(at, last, sentence, tokens, values, wide=True)
            if (token in SEPARATORS and not listed) or token in grammar.WH or token in grammar.AUX or token == "but":
                break
            if not (kept and at in valued):
                out.add(at)
            at += 1
    return out


def _resolve(spans: Sequence[Span], typed: set[str | None], lexicon: Lexicon) -> dict[int, tuple[str, Value | None]]:
    """Give each value span one topic (see the module's decisions)."""
    sure = {s.values[0][0] for s in spans if len(s.values) == 1}
    resolved: dict[int, tuple[str, Value | None]] = {}
    for span in spans:
        if span.values:
            options = (
                [v for v in span.values if v[0] in typed]
                or [v for v in span.values if v[0] in sure and v[0] not in lexicon.tags]
                or span.values
            )
            resolved[span.start] = options[0]
    return resolved


def _offered(
    spans: Sequence[Span],
    resolved: dict[int, tuple[str, Value | None]],
    tokens: Sequence[str],
    sentence: Sentence,
    plain: bool,
    lexicon: Lexicon,
) -> set[str]:
    """Return the topics whose values are alternatives or examples: asked about, not read back.

    In a sentence that is plainly of values, a "perhaps" makes an offer, not an example.
    """
    offered: set[str] = set()
    values: dict[str, set[Value | None]] = {}
    examples = [
        p
        for p in sentence.cues.get(grammar.EXAMPLE, ())
        if (tokens[p] != "say" or p == 0 or tokens[p - 1] in SEPARATORS)
        and not (plain and tokens[p] in grammar.PERHAPS)
    ]
    ors = {
        i
        for i in range(sentence.start, sentence.end)
        if (tokens[i] in grammar.ALTERNATIVE or tokens[i] == "/")
        and not (i + 1 < sentence.end and _no_choice(tokens, i + 1))
    }
    trailing = any(tokens[p] in grammar.TRAILING for p in examples)
    for span in spans:
        if not span.values:
            continue
        topic, value = resolved[span.start]
        values.setdefault(topic, set()).add(value)
        if examples and (examples[0] < span.start or trailing):
            offered.add(topic)
        if not ors.isdisjoint((*range(span.start - NEAR, span.start), *range(span.end, span.end + NEAR + 1))):
            offered.add(topic)
    for topic, seen in values.items():
        if len(seen) > 1 and topic not in lexicon.tags:
            offered.add(topic)
    return offered


def _no_choice(tokens: Sequence[str], at: int) -> bool:
    """Return whether what follows an "or" offers nothing: "or less", "or am I wrong?"."""
    return tokens[at] in grammar.OR_LIMIT or (
        tokens[at] in grammar.AUX and not grammar.DOUBT.isdisjoint(tokens[at + 1 : at + 6])
    )


def _describes(span: Span, topic: str, tokens: Sequence[str], lexicon: Lexicon, clause: Clause, free: bool) -> bool:
    """Return whether a value beside a question only describes the thing ("for the black one, what size?")."""
    at = span.start - 1
    while at >= clause.start and tokens[at] in ("the", "a", "an", "your", "these", "this", "some", "those"):
        at -= 1
    prepositional = at >= clause.start and tokens[at] in grammar.PREPOSITIONS
    return topic == lexicon.frame or free or (prepositional and at == clause.start)


def _frames_asked(sentence: Sentence, tokens: Sequence[str], lexicon: Lexicon) -> set[int]:
    """Return where type words of the frame start that ask for it, rather than refer to the thing."""
    asked: set[int] = set()
    spans = sentence.spans
    others = sum(s.topic != lexicon.frame for s in spans)
    at = 0
    for clause in sentence.clauses:
        inside = sum(s.topic not in (None, lexicon.frame) for s in clause.spans)
        elsewhere = others > sum(s.topic != lexicon.frame for s in clause.spans)
        for span in clause.spans:
            near = [s for s in (*spans[max(0, at - 1) : at], *spans[at + 1 : at + 2]) if s.topic != lexicon.frame]
            at += 1
            if span.topic == lexicon.frame and _frame_asked(
                span, clause, sentence, tokens, [s for s in near if s.topic is not None], bool(inside), elsewhere
            ):
                asked.add(span.start)
    return asked


def _frame_asked(
    span: Span,
    clause: Clause,
    sentence: Sentence,
    tokens: Sequence[str],
    near: Sequence[Span],
    inside: bool,
    elsewhere: bool,
) -> bool:
    """Decide on one type word of the frame; `near` are the type words beside it, the flags tell of other topics."""
    before = tokens[span.start - 1] if span.start > clause.start else ""
    earlier = tokens[span.start - 2] if span.start > clause.start + 1 else ""
    if before in grammar.POINTERS or any(s.start == span.end or s.end == span.start for s in near):
        return False  # "this item", "product features", "what size item"
    if before in grammar.WH or (earlier in grammar.WH and before not in grammar.AUX and before != "to"):
        return True
    for other in near:
        gap = tokens[other.end : span.start] if other.end <= span.start else tokens[span.end : other.start]
        if ("and" in gap or "," in gap) and all(t in grammar.FILLER for t in gap):
            return True
    if inside:
        return False
    if clause.wh or clause.kind == "request" or grammar.REQUEST in clause.cues:
        return not (elsewhere and before in grammar.DETERMINERS)
    if elsewhere or grammar.OPEN in sentence.cues:
        return False
    rest = (*tokens[clause.start : span.start], *tokens[span.end : clause.end])
    if clause.kind == "fragment" and all(t in grammar.FILLER or t in grammar.LEAD for t in rest):
        return True
    return not grammar.PARTICULAR.isdisjoint(rest)


def _refer_back(
    pending: Sequence[Sentence], sentence: Sentence, tokens: Sequence[str], lexicon: Lexicon, found: _Found
) -> None:
    """Handle a bare question about the statements before it ("Black, size M. Is that right?")."""
    asked = tokens[sentence.start : sentence.end]
    offer = any(c.kind == "offer" for c in pending[-1].clauses) and not grammar.OPINION.isdisjoint(asked)
    if offer or grammar.CONFIRM in sentence.cues:
        for earlier in pending:
            earlier.cues.setdefault(grammar.CONFIRM, []).append(sentence.start)
            for clause in earlier.clauses:
                clause.kind = "fragment"
            _read(earlier, tokens, lexicon, found)
        return
    last = pending[-1]
    tells = any(c.wh for c in sentence.clauses) or not grammar.TELL.isdisjoint(asked)
    if not tells or grammar.PRONOUNS.isdisjoint(asked):
        return
    out = _excluded(last, tokens)
    spans = [s for c in last.clauses for s in c.spans if s.start not in out]
    if grammar.KNOWN in last.cues or any(
        c.kind == "report" for c in last.clauses
    ):  # only a list of options can be asked about: "Which is yours?"
        resolved = _resolve(spans, {s.topic for s in spans}, lexicon)
        listed = [t for t, _ in resolved.values()]
        spans = [s for s in spans if s.values and listed.count(resolved[s.start][0]) > 1]
        for span in spans:
            found.ask(resolved[span.start][0])
        return
    for span in spans:
        if span.topic is not None:
            found.ask(span.topic)
