"""Free text to topics: what a question asks about and what it reads back (PROTOCOL 6, step 1).

Purely lexical, deterministic, total and linear in the length of the text; it knows only the public `Lexicon`.

1. Tokens; the longest type words and values are found (`_scan`), then codes and everyday words that are values are
   accepted only beside their type word or in a list of their like.
2. Sentences, and in them clauses. A sentence counts if it asks: it ends with "?", starts like a question, holds a
   request ("I need to know ..."), or confirms ("Just to confirm: ..."). Reports and remarks beside a question are left
   out ("I found some black ones, what size?").
3. In what counts, a type word asks about its topic. A value asks about its topic if it is one of several offered or an
   example, is passed over where it only describes ("what size do you need the black one in?"), and else is read back.

Decisions on ambiguous cases: a value of two topics takes the one that is named in the same sentence, else the one that
another value beside it has, else the first in slot order, tags last. Words for the frame ("product", "item") mostly
just refer to the thing; they ask only after "which", "what kind of" and the like, or where nothing else is asked.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from intent_gym.core.intent import Value
from intent_gym.core.language import grammar
from intent_gym.core.language.lexicon import Lexicon, Meaning
from intent_gym.core.language.tokens import ENDS, NUMBER, SEPARATORS, fold, split
from intent_gym.core.user import Understanding

__all__ = ["understand"]

CUTS = ENDS | SEPARATORS
NEAR = 4  # tokens: an "or" this near a value offers it
MAX_TYPO = 16  # letters


@dataclass(slots=True)
class _Span:
    """A phrase of the lexicon in the text, tokens [start, end)."""

    start: int
    end: int
    topic: str | None  # its type word's topic; exclusive with `values`
    values: tuple[tuple[str, Value | None], ...]
    safe: bool = True
    head: str | None = None  # topic of the type word that ends a tag ("slim fit")


@dataclass(slots=True)
class _Clause:
    start: int
    end: int
    kind: str = "fragment"  # question | request | fragment | remark | report
    wh: bool = False
    spans: list[_Span] = field(default_factory=list)


@dataclass(slots=True)
class _Sentence:
    start: int
    end: int
    question: bool
    clauses: list[_Clause] = field(default_factory=list)
    cues: dict[int, list[int]] = field(default_factory=dict)  # kind -> token positions
    asks: bool = False


@dataclass(slots=True)
class _Found:
    """What was made of the text so far, in the order named."""

    topics: list[str] = field(default_factory=list)
    values: list[tuple[str, Value]] = field(default_factory=list)
    asked: bool = False  # some sentence asks
    open: bool = False

    def ask(self, topic: str) -> None:
        if topic not in self.topics:
            self.topics.append(topic)

    def read_back(self, topic: str, value: Value) -> None:
        self.ask(topic)
        if (topic, value) not in self.values:
            self.values.append((topic, value))


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
    found = _look(_scan(text.lower(), raw, tokens, lexicon), tokens, lexicon)
    if found.asked and not found.topics and not found.open:
        corrected = _correct(tokens, lexicon)
        if corrected is not None:
            found = _look(_scan(text.lower(), raw, corrected, lexicon), corrected, lexicon)
    topics = tuple(found.topics)
    return Understanding(topics, tuple(found.values), found.open and not topics)


def _look(scanned: tuple[list[_Span], dict[int, int]], tokens: Sequence[str], lexicon: Lexicon) -> _Found:
    """Read the sentences in order; a bare question also reads the statements just before it."""
    found = _Found()
    pending: list[_Sentence] = []
    for sentence in _sentences(tokens, *scanned):
        _parse(sentence, tokens)
        if not sentence.asks:
            pending.append(sentence)
            continue
        found.asked = True
        before = len(found.topics)
        bare = not any(c.spans for c in sentence.clauses)
        _read(sentence, tokens, lexicon, found)
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


# -- 1. tokens to spans ----------------------------------------------------------------------------------------------


def _scan(text: str, raw: Sequence[str], tokens: Sequence[str], lexicon: Lexicon) -> tuple[list[_Span], dict[int, int]]:
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
    spans: list[_Span] = []
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


def _span(at: int, end: int, meaning: Meaning, raw: Sequence[str], tokens: Sequence[str], text: str) -> _Span:
    if meaning.topic is not None:
        return _Span(at, end, meaning.topic, ())
    values = tuple((topic, _written(options, text)) for topic, options in meaning.values)
    safe = meaning.safe
    if not safe and end == at + 1 and len(tokens[at]) == 1 and raw[at].isupper() and raw[at] not in "AI":
        safe = tokens[at] in grammar.SHORT_SIZES
    return _Span(at, end, None, values, safe, meaning.head)


def _written(options: tuple[Value, ...], text: str) -> Value | None:
    """Return the one of several values of the same form that stands in the lower-cased text letter by letter."""
    if len(options) < 2:
        return options[0] if options else None
    return next((v for v in options if str(v).lower() in text), options[0])


def _amount(tokens: Sequence[str], at: int, lexicon: Lexicon) -> _Span | None:
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
    return None if topic is None else _Span(at, end, None, ((topic, lexicon.number(topic, number)),))


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


def _accept(spans: list[_Span], tokens: Sequence[str], lexicon: Lexicon) -> list[_Span]:
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
        if not span.safe and span.values and values and span.end == span.start + 1:
            before = tokens[span.start - 1] if span.start else "."
            after = tokens[span.end] if span.end < len(tokens) else "."
            edge = before in CUTS and after in CUTS
            span.safe = edge and (len(tokens[span.start]) == 1 or tokens[span.start][0].isdigit())
    return [s for s in spans if s.safe]


def _codes(span: _Span, other: _Span, tokens: Sequence[str]) -> set[str]:
    """Return the topics that two linked values share, if the unsafe one does not read as an ordinary word."""
    shared = {t for t, _ in span.values} & {t for t, _ in other.values}
    token = tokens[span.start]
    if other.safe or (token not in ("a", "i") and (len(token) == 1 or token[0].isdigit())):
        return shared
    return set()


# -- 2. sentences and clauses ----------------------------------------------------------------------------------------


def _sentences(tokens: Sequence[str], spans: Sequence[_Span], cues: dict[int, int]) -> Iterator[_Sentence]:
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
            sentence = _Sentence(start, end, question)
            for position in range(start, end):
                if position in cues:
                    sentence.cues.setdefault(cues[position], []).append(position)
            next_span = _clauses(sentence, tokens, spans, next_span, inside)
            yield sentence
        start = at


def _clauses(
    sentence: _Sentence, tokens: Sequence[str], spans: Sequence[_Span], next_span: int, inside: set[int]
) -> int:
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
        clause = _Clause(first, end)
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


def _parse(sentence: _Sentence, tokens: Sequence[str]) -> None:
    """Give each clause its kind and decide whether the sentence asks."""
    if grammar.CONFIRM in sentence.cues:
        kept = [p for p in sentence.cues[grammar.CONFIRM] if _stands(p, sentence, tokens)]
        sentence.cues[grammar.CONFIRM] = kept
        if not kept:
            del sentence.cues[grammar.CONFIRM]
    for clause in sentence.clauses:
        _classify(clause, sentence, tokens)
    kinds = {c.kind for c in sentence.clauses}
    confirms = _confirms(sentence, tokens)
    sentence.asks = (
        sentence.question
        or "question" in kinds
        or "request" in kinds
        or (confirms and "report" not in kinds)
        or (
            grammar.KNOWN not in sentence.cues
            and all(
                t in grammar.FILLER or any(s.start <= i < s.end and s.topic for c in sentence.clauses for s in c.spans)
                for i, t in enumerate(tokens[sentence.start : sentence.end], sentence.start)
            )
        )
    )


def _confirms(sentence: _Sentence, tokens: Sequence[str]) -> bool:
    """Return whether a sentence says by itself that it confirms, question mark or not."""
    return any(tokens[p] not in grammar.WEAK_CONFIRM for p in sentence.cues.get(grammar.CONFIRM, ()))


def _stands(position: int, sentence: _Sentence, tokens: Sequence[str]) -> bool:
    """Return whether a word that can confirm does: "..., right?" and "you want black", not "the right size"."""
    word = tokens[position]
    if word in grammar.TAILS:
        after = tokens[position + 1] if position + 1 < sentence.end else "."
        before = tokens[position - 1] if position > sentence.start else "."
        return after in CUTS or before in CUTS
    if word == "you":
        start = next(c.start for c in sentence.clauses if position < c.end)
        return all(t in grammar.LEAD for t in tokens[start:position])
    return True


def _classify(clause: _Clause, sentence: _Sentence, tokens: Sequence[str]) -> None:
    at = clause.start
    while at < clause.end and tokens[at] in grammar.LEAD:
        at += 1
    first = tokens[at] if at < clause.end else ""
    inner = {k for k, positions in sentence.cues.items() for p in positions if clause.start <= p < clause.end}
    if first in grammar.WH or (first in grammar.AUX and at + 1 < clause.end and tokens[at + 1] in grammar.SUBJECTS):
        clause.kind = "question"
        clause.wh = not grammar.WH.isdisjoint(tokens[at : clause.end])
    elif grammar.REQUEST in inner and grammar.KNOWN not in inner:
        clause.kind = "request"
        clause.wh = not grammar.WH.isdisjoint(tokens[at : clause.end])
    elif grammar.CONFIRM in inner and _confirms(sentence, tokens):
        return
    elif grammar.REPORT in inner:
        clause.kind = "report"
    elif grammar.KNOWN in inner or _starts(tokens, clause, grammar.SUBORDINATE):
        clause.kind = "remark"
    elif sentence.question and not grammar.WH.isdisjoint(tokens[at : clause.end]):
        clause.kind = "question"
        clause.wh = True
    elif grammar.CONFIRM not in inner and (
        first in grammar.STATEMENT_SUBJECTS
        or (first in grammar.NOUN_STARTS and not grammar.VERBS.isdisjoint(tokens[at : clause.end]))
    ):
        clause.kind = "remark"


def _starts(tokens: Sequence[str], clause: _Clause, among: frozenset[str]) -> bool:
    at = clause.start
    while at < clause.end - 1 and tokens[at] in ("so", "and", "but", "well", "ok", "okay", "now"):
        at += 1
    return tokens[at] in among


# -- 3. what counts --------------------------------------------------------------------------------------------------


def _read(sentence: _Sentence, tokens: Sequence[str], lexicon: Lexicon, found: _Found) -> None:
    """Add what a sentence that asks is about."""
    out = _excluded(sentence, tokens)
    for clause in sentence.clauses:
        clause.spans = [s for s in clause.spans if s.start not in out]
    chosen = [c for c in sentence.clauses if c.spans and c.kind in ("question", "request", "fragment")]
    if _confirms(sentence, tokens):
        chosen = [c for c in sentence.clauses if c.spans and c.kind != "report"]
    elif not chosen and grammar.OPEN not in sentence.cues:
        chosen = [c for c in sentence.clauses if c.kind == "remark"]
    spans = [s for c in chosen for s in c.spans]
    if not spans:
        return
    typed = {s.topic for s in spans}
    resolved = _resolve(spans, typed, lexicon)
    confirm = grammar.CONFIRM in sentence.cues
    offered = _offered(spans, resolved, tokens, sentence, lexicon)
    if not confirm:
        offered |= {s.topic for c in chosen if c.wh for s in c.spans if s.topic not in (None, lexicon.frame)}
    valued = {t for t, _ in resolved.values()}
    wanders = bool(offered or typed - valued - {None, lexicon.frame}) or any(
        c.wh or c.kind == "request" for c in chosen
    )
    for clause in chosen:
        free = {s.topic for s in clause.spans if s.topic is not None} - valued - {lexicon.frame}
        for span in clause.spans:
            if span.topic is not None:
                if span.topic != lexicon.frame or _frame_asked(span, clause, sentence, tokens, lexicon):
                    found.ask(span.topic)
                continue
            topic, value = resolved[span.start]
            if topic in offered or value is None:
                found.ask(span.head or topic)
            elif clause.wh and not confirm:
                continue
            elif not confirm and (free or wanders) and _describes(span, topic, tokens, lexicon, clause, bool(free)):
                continue
            else:
                found.read_back(topic, value)


def _excluded(sentence: _Sentence, tokens: Sequence[str]) -> set[int]:
    """Return the positions that "apart from" or the like takes out, over a list and up to the next clause."""
    out: set[int] = set()
    starts = {s.start for c in sentence.clauses for s in c.spans}
    for position in sentence.cues.get(grammar.EXCLUDE, ()):
        at = position + 1
        while at < sentence.end and at not in out:
            token = tokens[at]
            listed = token == "," and (at + 1 in starts or (at + 2 in starts and tokens[at + 1] in grammar.ARTICLES))
            if (token in SEPARATORS and not listed) or token in grammar.WH or token in grammar.AUX:
                break
            out.add(at)
            at += 1
    return out


def _resolve(spans: Sequence[_Span], typed: set[str | None], lexicon: Lexicon) -> dict[int, tuple[str, Value | None]]:
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
    spans: Sequence[_Span],
    resolved: dict[int, tuple[str, Value | None]],
    tokens: Sequence[str],
    sentence: _Sentence,
    lexicon: Lexicon,
) -> set[str]:
    """Return the topics whose values are alternatives or examples: asked about, not read back."""
    offered: set[str] = set()
    values: dict[str, set[Value | None]] = {}
    examples = [
        p for p in sentence.cues.get(grammar.EXAMPLE, ()) if tokens[p] != "say" or p == 0 or tokens[p - 1] in SEPARATORS
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


def _describes(span: _Span, topic: str, tokens: Sequence[str], lexicon: Lexicon, clause: _Clause, free: bool) -> bool:
    """Return whether a value beside a question only describes the thing ("for the black one, what size?")."""
    at = span.start - 1
    while at >= clause.start and tokens[at] in ("the", "a", "an", "your", "these", "this", "some", "those"):
        at -= 1
    prepositional = at >= clause.start and tokens[at] in grammar.PREPOSITIONS
    return topic == lexicon.frame or free or (prepositional and at == clause.start)


def _frame_asked(span: _Span, clause: _Clause, sentence: _Sentence, tokens: Sequence[str], lexicon: Lexicon) -> bool:
    """Return whether a type word of the frame asks for it, rather than refers to the thing."""
    at = span.start - 1
    before = tokens[at] if at >= clause.start else ""
    if before in ("this", "that", "these", "those", "each", "another", "every"):
        return False
    beside = (s for s in clause.spans if s.topic not in (None, lexicon.frame))
    if any(s.start == span.end or s.end == span.start for s in beside):  # "product features", "what size item"
        return False
    earlier = tokens[at - 1] if at > clause.start else ""
    if before in grammar.WH or (earlier in grammar.WH and before not in grammar.AUX and before not in ("to", "is")):
        return True
    for other in (s for c in sentence.clauses for s in c.spans if s.topic not in (None, lexicon.frame)):
        gap = tokens[other.end : span.start] if other.end <= span.start else tokens[span.end : other.start]
        if any(t in ("and", ",") for t in gap) and all(t in grammar.FILLER for t in gap):
            return True
    if any(s.topic not in (None, lexicon.frame) for s in clause.spans):
        return False
    elsewhere = any(s.topic != lexicon.frame for c in sentence.clauses if c is not clause for s in c.spans)
    if clause.wh or clause.kind == "request":
        return not (elsewhere and before in ("the", "your", "my", "an", "a", "any"))
    if elsewhere or grammar.OPEN in sentence.cues:
        return False
    rest = (*tokens[clause.start : span.start], *tokens[span.end : clause.end])
    if clause.kind == "fragment" and all(t in grammar.FILLER or t in grammar.LEAD for t in rest):
        return True
    return any(t in grammar.PARTICULAR for t in tokens[clause.start : clause.end])


def _refer_back(
    pending: Sequence[_Sentence], sentence: _Sentence, tokens: Sequence[str], lexicon: Lexicon, found: _Found
) -> None:
    """Handle a bare question about the statements before it ("Black, size M. Is that right?")."""
    if grammar.CONFIRM in sentence.cues:
        for earlier in pending:
            earlier.cues.setdefault(grammar.CONFIRM, []).append(sentence.start)
            for clause in earlier.clauses:
                clause.kind = "fragment"
            _read(earlier, tokens, lexicon, found)
        return
    last = pending[-1]
    asked = tokens[sentence.start : sentence.end]
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
