"""The first reader: weighs, slot by slot, what a text says against the true intent (PROTOCOL 2, step 1).

Source: Drift-Bench++, "three-step verification" (the first of the two judges). It knows the host's public slots, their
words and domains, and general cues of English; it knows nothing of how texts are written.

Decisions.

- Evidence per slot, strongest first: an instrument insisted on; a requirement given up; the true value; another value;
  a word of two senses; a name of the slot that is pointed at, or that comes with a subjective word; nothing at all.
- The longest value that stands in the text is what is said ("light oak" is not "oak"); which slot a value belongs to is
  decided by the words around it, before what the intent asks for.
- Numbers and very short values count only beside words of their slot.
- Tags share a topic: what is asserted of the topic is compared as a set, and an asserted tag that the intent does not
  have stands in the place of one that is missing, if one is missing.
"""

from __future__ import annotations

import re
from bisect import insort
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from intent_gym.core.faults import Edit, EditKind
from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.envs.host import Host

__all__ = ["FirstReader"]


def _words(*groups: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(w for g in groups for w in g.split("|")) + r")(?![a-z0-9])")


# -- cues of English, over lower-case text without hyphens -------------------------------------------------------------
_ADVERBS = r"(?:(?:really|just|still|also|only|badly|currently|actually|now|very|much|rather|definitely|simply) )*"
_ASK = re.compile(
    rf"\bplease\b|\b(?:i|we)(?:'d| would| should) {_ADVERBS}(?:like|love|prefer|appreciate|need|want|be)\b"
    rf"|\b(?:i|we)(?: do| have|'ve| will|'ll| must)? {_ADVERBS}(?:want|need|wish|require|seek|desire|fancy|hope|crave)\b"
    rf"|\b(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were) {_ADVERBS}(?:after|looking|searching|hoping|seeking"
    r"|shopping|hunting|trying|keen|in search|in need|in the market|in the mood|longing|dying|asking|wondering|craving)\b"
    rf"|\b(?:i|we)(?:'ll| will| could| might) {_ADVERBS}(?:have|take|do with|go for|use|try)\b"
    r"|\b(?:can|could|would|will|may|might|shall) (?:you|i|we|somebody|someone|anybody|anyone)\b"
    r"|\b(?:do you (?:have|sell|stock|know where)|have you got|is there|are there|any chance|possible to|how about"
    r"|what about|would it be|is it possible|do me a favou?r|my order is|give me|get me|find me|bring me|help me|show me"
    r"|fetch me|make me|send me|let me have|point me)\b"
    r"|\b(?:wanted|needed|requested|required|wish list|my (?:wish|order|request)|i request|i ask)\b"
    r"|\bwould (?:\w+ )?(?:be (?:\w+ )?(?:great|nice|lovely|perfect|good|welcome|ideal|appreciated|wonderful|fine)|suit"
    r"|make (?:me|my day)|do nicely|hit the spot)\b"
)
_COMMAND = re.compile(
    r"(?:^|[,;:] ?|\b(?:so|then|now|kindly|just|and|thanks and|hi|hello|hey) )(?:find|get|look|search|show|order|buy"
    r"|bring|make|give|help|send|pick|fetch|recommend|suggest|purchase|grab|select|choose|locate|pour|serve|prepare|hunt"
    r"|track down|let us|let me|put|add|see if|fix|sort|hand me|arrange|source|hook)\b"
)
_IMPOSSIBLE = re.compile(
    r"\b(?:(?:won't|don't|doesn't|do not|does not|will not|didn't|never|can't|cannot|can not|couldn't|could not|isn't"
    r"|aren't|is not|are not|not|no longer|hardly|nobody|no one|no shop|nowhere|wouldn't|haven't|hasn't)(?: \w+){0,3}?"
    r" (?:have|has|exist|exists|stock|stocks|carry|sell|sells|sold|come|comes|get|got|find|found|be|available|possible"
    r"|offer|offered|had|made|make|makes|do|does|supply|keep|work|obtain|done|met|manage|provide|served|hold|produced)"
    r"|unavailable|impossible|out of stock|sold out|no getting|no (?:such thing|chance|hope|way|point|finding|having)"
    r"|discontinued|out of the question|ruled out|hopeless|unobtainable|unfeasible|not an option|isn't an option"
    r"|none left|never to be had|gone for good|given up on|run out of|ran out of|been withdrawn|off the menu|all out of"
    r"|too much to hope|a lost cause|beyond you|are out of|must be out of|be out of)(?![a-z])"
)
_SETTLE = _words(
    r"settle|settling|will do|would do|(?:is|be|are|that's|it's) (?:\w+ )?fine|fine with me|fine by me|it is then|never mind|have to do|has to do|instead|make do|fall back",
    r"falling back|live with|leave out|leave it out|drop|forget|skip|can be anything|could be anything|whatever|any",
    r"anything|does not matter|doesn't matter|no matter|don't care|do not care|put up with|be content|second best",
    r"next best|second choice|go with|go for|take|accept|acceptable|is ok|be ok|is okay|be okay|alright|all right",
    r"good enough|do without|resign|resigned|compromise|substitute|alternative|give up|giving up|open to|plan b|up to you",
    r"without it|without one|let it go|it's fine|i'd better|might as well|then let it be|suffice|suffices|serve as well",
)
_INSIST = _words(
    r"insist|insists|insisting|insisted|will do|nothing else|nothing but|nothing other|no other|none other|must|has to be",
    r"have to be|no talking|nonnegotiable|non negotiable|not negotiable|refuse|won't accept|absolutely|at all costs",
    r"no matter what|demand|exclusively|strictly|that is final|that's final|settle for nothing|never anything|not budge",
    r"without exception|won't hear of|under no circumstances|it is .* or nothing|or nothing|or not at all|no alternative",
    r"no substitute|nothing will change|no ifs|set on|dead set|swear|only|solely|no exceptions|no one else|nobody else|no argument|won't budge",
    r"nowhere else|no way but|on no account|only acceptable|not any other|period|don't even try|won't have it any other",
)
_ANAPHOR = _words(
    r"before|last|always|usual|usually|again|earlier|previous|previously|mentioned|talked|spoke|discussed|told|know",
    r"remember|said|other day|first|had in mind|used to|ever|get|have|take|had|recently|back then|agreed|showed|chose",
    r"picked|ordered|bought|saw|liked|described|keep|once|yesterday|way back|from our|tend to|go for|prefer",
)
_POINTING = re.compile(
    r"\b(?:that|this|those|these|the same|same|usual|regular|customary|habitual|favou?rite|aforementioned|said)"
    r"(?: (?!is\b|was\b|are\b|of\b|in\b|with\b|comes\b|has\b|will\b)\w+){0,2} ?(?:of )?$"
)
_DEFINITE = re.compile(r"\b(?:the|my|our|your|its|their)(?: \w+){0,2} ?$")
_UNNAMED = re.compile(
    r"\b(?:the|my|our) (?:usual|regular)\b|\bthat (?:same )?(?:one|thing|kind|sort)\b|\bthe same (?:as|one|thing|way|again)"
    r"|\b(?:as|like) (?:always|usual|ever|before|last time|the last time|we said|i said|the other day)\b|\byou know (?:which"
    r"|what|the one|how)\b|\bthe one (?:from|we|i|you|that)\b|\b(?:we|i) (?:talked|spoke|discussed|mentioned)\b"
    r"|\bfrom (?:before|last time)\b|\bthe (?:other|last) (?:time|day)\b|\b(?:i|we) always\b"
)
_SUBJECTIVE = _words(
    r"nice|nicely|good|decent|decently|pleasant|pleasing|pretty|lovely|sensible|reasonable|reasonably|handy|convenient",
    r"conveniently|proper|suitable|fitting|comfortable|comfy|practical|tasteful|tasty|charming|charm|cute|stylish|elegant",
    r"fancy|smart|cool|beautiful|attractive|appealing|interesting|fun|cosy|cozy|cheerful|modest|generous|ordinary|normal",
    r"appropriate|fair|fairly|great|fine|silly|fortune|bank|well|easy|easily|better|best|respectable|agreeable|enjoyable",
    r"delicious|subtle|simple|quick|fuss|hassle|trouble|not too|isn't too|not overly|gentle|happy|satisfying|classy",
    r"presentable|sort of|kind of nice|right|neat|quality|posh|bearable|manageable|civilised|civilized|yummy|inviting",
    r"affordable|cheap|pricey|cheaply|not bad|half decent|dignified|wonderful|amazing|cracking|pleasantly|lasts|works",
)
_INDEFINITE = re.compile(r"\b(?:a|an|some|something of a|a bit of a)(?: \w+){0,3} ?$")
_REJECTED = re.compile(r"\b(?:instead of|rather than|not|no|in place of|as opposed to) (?:an? |the )?$")
_PRAISE = re.compile(
    r"\b(?:some|something|somehow|somewhere|someone|way|any|anything|an?|of|in|that|with|without|for|not|too|quite|really|very|enough)"
    rf" (?:[a-z']+ ){{0,3}}?{_SUBJECTIVE.pattern}"
)
_COURTESY = re.compile(r"[^.,;]*\b(?:day|morning|evening|weekend|of you|if you|to have you|be great|be nice|be lovely)\b")
_FILLER = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|good (?:morning|evening|afternoon|day)|morning|evening|thanks|thank you|cheers"
    r"|many thanks|take your time|no rush|no hurry|bye|goodbye|have a|see you|i hope you|hope you|how are you|sorry to"
    r"|excuse me|pardon|ok|okay|well|right|nice to|much obliged|best wishes|kind regards|regards|that's all|that is all)\b"
)
_LEAD = _words(
    r"request|question for you|favou?r|shopping|help|here is what|here's what|my order|place an order|tell you"
)
_ENTRY = re.compile(r"(?<![a-z0-9'])[a-z0-9]+(?:\.[0-9]+)?")
_COMMON = frozenset(
    "a an the one two three in on of by to at it i we you me my so no any all and or for with as is be up out do go man "
    "men women s m l xl am are was has had good well fine plain set other others none regular long short big new old kind "
    "side case left right free time can standard basic".split()
)
_END = re.compile(r"[.!?]+[\"')]*\s+(?=[\"'(]*[A-Z0-9])")
_BREAK = re.compile(r"[,;:]|\b(?:so|but|then|and|hence|therefore)\b")
_STOP = re.compile(r"[.,;!?]")
_VERB = re.compile(
    r"\b(?:is|was|are|were|has|had|have|gave|came|went|seems?|would|will|should|can|keeps?|makes?|does)\b"
)
_ARTICLE = re.compile(r"\b(?:an?|the|some) $")


def _covered(phrase: str, low: str) -> Iterator[int]:
    """Yield every place that a phrase covers in a text."""
    start = low.find(phrase)
    while start >= 0:
        yield from range(start, start + len(phrase))
        start = low.find(phrase, start + 1)


def _plain(text: str) -> str:
    """Return lower-case text of the same length, without hyphens and typographic quotes."""
    low = text.lower()
    if len(low) != len(text):  # a letter whose lower case is two characters
        low = "".join(c.lower() if len(c.lower()) == 1 else c for c in text)
    return low.translate(_SIMPLE)


_SIMPLE = str.maketrans({"‘": "'", "’": "'", "-": " ", "–": " ", "—": ","})


# -- what a host's people may say -------------------------------------------------------------------------------------
class _Lexicon:
    """Phrases by their first word, for finding the longest phrase at every place of a text."""

    def __init__(self) -> None:
        self._meanings: dict[str, list[tuple[str, Value]]] = {}
        self._by_word: dict[str, list[tuple[int, str]]] = {}

    def add(self, phrase: str, meaning: tuple[str, Value]) -> None:
        """Add a phrase with one of its meanings."""
        phrase = " ".join(_plain(phrase).split())
        found = self._meanings.get(phrase)
        if found is not None:
            if meaning not in found:
                found.append(meaning)
            return
        entry = _ENTRY.search(phrase)
        if entry is None:
            return
        self._meanings[phrase] = [meaning]
        bucket = self._by_word.setdefault(entry[0], [])
        insort(bucket, (entry.start(), phrase), key=lambda e: -len(e[1]))

    def find(self, low: str) -> Iterator[tuple[int, int, list[tuple[str, Value]]]]:
        """Yield start, end and meanings of the longest phrases, left to right, without overlap."""
        past = 0
        for word in _ENTRY.finditer(low):
            for offset, phrase in self._by_word.get(word[0], ()):
                start = word.start() - offset
                end = start + len(phrase)
                if start >= past and low.startswith(phrase, start) and _whole(low, start, end):
                    end += len(phrase) > 4 and low.startswith("s", end)
                    yield start, end, self._meanings[phrase]
                    past = end
                    break


def _whole(low: str, start: int, end: int) -> bool:
    """Return whether a stretch begins and ends with whole words and numbers."""
    if end - start > 4 and low[end - 1].isalpha() and low.startswith("s", end):
        end += 1  # a plural
    if low[end - 1].isalnum() and end < len(low):
        after = low[end]
        if after.isalnum() or (after in ".," and low[end + 1 : end + 2].isdigit() and low[end - 1].isdigit()):
            return False
    before = low[start - 1] if start else " "
    return not (low[start].isalnum() and (before.isalnum() or (before == "." and low[max(0, start - 2)].isdigit())))


_FRAME = "\0frame"


def _group(slot: Slot) -> str:
    """Return what a value is said of: the slot, or all tags of the topic."""
    return f"\0{slot.topic}" if slot.kind == "tag" else slot.id


class _Vocabulary:
    """All that is sayable about one frame of a host."""

    def __init__(self, host: Host, frame: str) -> None:
        self.values, self.names = _Lexicon(), _Lexicon()
        self.slots = {s.id: s for s in host.slots[1:]}
        self.groups: dict[str, list[Slot]] = {}
        self.numbers = [s for s in host.slots[1:] if s.kind == "number"]
        self.clauses: dict[str, list[tuple[str, str]]] = {}
        self.vague: list[tuple[str, Slot]] = []
        self.hints: dict[str, frozenset[str]] = {}
        for other in host.frames:
            self.values.add(other, (_FRAME, other))
        for slot in host.slots[1:]:
            self._add_slot(host, frame, slot)
        # "that counts as" is a form of one slot, though "counts" names another
        self.alien = [
            head
            for group, pairs in self.clauses.items()
            for head, _ in pairs
            if any(g != group for _, _, meanings in self.names.find(head) for g, _ in meanings)
        ]
        self.senses: dict[str, list[tuple[str, Value]]] = {}
        for sense in host.senses(frame):
            pairs = self.senses.setdefault(sense.word, [])
            pairs += [(c.slot, c.value) for c in sense.conditions]
        self.sense_words = {
            word: re.compile(rf"(?<![a-z0-9']){re.escape(_plain(word))}(?![a-z0-9])") for word in self.senses
        }
        self.companions = [_plain(c) for c in host.companions(frame)]

    def _add_slot(self, host: Host, frame: str, slot: Slot) -> None:
        group = _group(slot)
        first = group not in self.groups
        self.groups.setdefault(group, []).append(slot)
        if not first:  # tags of one topic share words and domain
            return
        for name in (slot.word, *slot.synonyms):
            self.names.add(name, (group, ""))
        pairs = []
        for clause in slot.clauses:
            head, _, tail = _plain(clause).partition("{value}")
            pairs.append((_ARTICLE.sub("", head), tail))
        self.clauses[group] = pairs
        self.vague += [(_plain(v), slot) for v in slot.vague]
        spoken = " ".join((slot.word, *slot.synonyms, *slot.clauses, *slot.vague)).replace("{value}", " ")
        self.hints[group] = frozenset(w for w in re.findall(r"[a-z]{4,}", _plain(spoken)) if w not in _DULL)
        if slot.kind != "number":
            # an instrument insisted on may be one that cannot do the job, so that the frame does not have it
            for value in host.domain(slot.id, None if slot.kind == "instrument" else frame):
                self.values.add(slot.say(value), (group, value))


_DULL = frozenset("with that this from some something nice good decent isn't have over made like".split())


@lru_cache(maxsize=1024)
def _vocabulary(host: Host, frame: str) -> _Vocabulary:
    return _Vocabulary(host, frame)


# -- a text, looked through -------------------------------------------------------------------------------------------
@dataclass
class _Mention:
    """A value that stands in the text."""

    start: int
    end: int
    group: str
    value: Value
    bound: bool
    """The words around it are those of its topic."""
    used: bool = False


@dataclass
class _Page:
    """A text with what was found in it."""

    vocabulary: _Vocabulary
    intent: Intent
    text: str
    low: str = ""
    masked: str = ""
    """`low` with the values blanked."""
    mentions: list[_Mention] = field(default_factory=list)
    names: list[tuple[int, int, str]] = field(default_factory=list)
    """Start, end and topic of words that name a slot."""
    sentences: list[tuple[int, int]] = field(default_factory=list)
    """The sentences that belong to the request."""
    held: set[tuple[int, int, str]] = field(default_factory=set)
    """Names that stand with a value, and so are not names of something left unsaid."""
    companions: list[tuple[int, int]] = field(default_factory=list)
    """Where other things are mentioned that may be asked for beside."""
    noise: bool = False
    true: dict[str, list[Value]] = field(default_factory=dict)
    """Wanted values by topic."""

    def __post_init__(self) -> None:
        """Find values, names and sentences."""
        self.low = _plain(self.text)
        for c in self.intent.conditions:
            self.true.setdefault(_group(self.vocabulary.slots[c.slot]), []).append(c.value)
        spans = [(s, e, list(m)) for s, e, m in self.vocabulary.values.find(self.low)]
        spans += self._numbers(spans)
        chars = list(self.low)
        for start, end, _ in spans:
            chars[start:end] = "\0" * (end - start)
        self.masked = "".join(chars)
        alien = {i for h in self.vocabulary.alien for i in _covered(h, self.low)}
        named = self.vocabulary.names.find(self.masked)
        self.names = [(s, e, g) for s, e, m in named if s not in alien for g, _ in m]
        words = (re.finditer(rf"\b{re.escape(c)}\b", self.low) for c in self.vocabulary.companions)
        self.companions = [found.span() for each in words for found in each]
        spans.sort(key=lambda s: s[0])
        for i, (start, end, meanings) in enumerate(spans):
            left = spans[i - 1][1] if i else 0
            right = spans[i + 1][0] if i + 1 < len(spans) else len(self.low)
            self._resolve(start, end, meanings, left, right)
        self.names = [n for n in self.names if n not in self.held]
        self._divide()

    def _numbers(self, spans: Sequence[tuple[int, int, object]]) -> list[tuple[int, int, list[tuple[str, Value]]]]:
        """Return the numbers that are said with the unit of a slot, or in a form of the slot."""
        taken = {i for s, e, _ in spans for i in range(s, e)}
        found = []
        for number in re.finditer(r"\d+(?:,\d{3})*(?:\.\d+)?", self.low) if self.vocabulary.numbers else ():
            value = float(number[0].replace(",", ""))
            meanings: list[tuple[str, Value]] = []
            start, end = number.span()
            for slot in self.vocabulary.numbers:
                unit = slot.unit.lower()
                head = self.low[:start].rstrip()
                marked = bool(unit) and (head.endswith(unit) or re.match(r" ?(?:dollars|bucks|usd)\b", self.low[end:]))
                if marked and head.endswith(unit):
                    start = len(head) - len(unit)
                if marked or (not unit and self._clause(_group(slot), start, end)):
                    meanings.append((_group(slot), value))
            if meanings and start not in taken:
                found.append((start, end, meanings))
        return found

    def _clause(self, group: str, start: int, end: int) -> int:
        """Return the length of the longest form of a group that a value stands in, 0 if in none."""
        head = _ARTICLE.sub("", self.low[max(0, start - 60) : start])
        best = 0
        for before, after in self.vocabulary.clauses.get(group, ()):
            if len(before) + len(after) > best and head.endswith(before) and self.low.startswith(after, end):
                best = len(before) + len(after)
        return best

    def _resolve(self, start: int, end: int, meanings: Iterable[tuple[str, Value]], left: int, right: int) -> None:
        """Decide which slot a value is said of, and keep it unless it is too slight a thing to be one."""
        best: tuple[int, _Mention] | None = None
        held: list[tuple[int, int, str]] = []
        for group, value in meanings:
            near = [
                (s, e, g)
                for s, e, g in self.names
                if g == group
                and (left <= s < e <= start and start - e < 20 or end <= s < e <= right and s - end < 12)
                and not _STOP.search(self.low, min(e, end), max(s, start))
            ]
            form = self._clause(group, start, end)
            wanted = value in self.true.get(group, ()) if group != _FRAME else value == self.intent.frame
            score = (10 + form if form else 0) + 6 * bool(near) + 4 * wanted + (group in self.true)
            mention = _Mention(start, end, group, value, bool(form or near))
            if best is None or score > best[0]:
                best, held = (score, mention), near
        if best is None:
            return
        said = self.low[start:end]
        slight = said in _COMMON or len(said) < 3 or said.replace(".", "").isdigit()
        beside = any(a <= start and end <= b for a, b in self.companions)
        if best[1].bound or best[1].group == _FRAME or not (slight or beside):
            self.mentions.append(best[1])
            self.held.update(held)

    # -- sentences -----------------------------------------------------------------------------------------------
    def _divide(self) -> None:
        """Split into sentences, and part the request from what comes before it."""
        inside = {i for m in self.mentions for i in range(m.start, m.end)}
        marks = [m for m in _END.finditer(self.text) if m.start() not in inside]
        edges = [0, *(m.end() for m in marks), len(self.text)]
        begun = False
        for start, end in zip(edges, edges[1:], strict=False):
            words = self.low[start:end]
            filler = _FILLER.match(words) is not None and not self._about(start, end)
            if not begun and not filler:
                begun = self._about(start, end) or bool(self.asks(start, end) or _LEAD.search(words))
                self.noise = self.noise or (not begun and len(words.split()) > 2)
            if begun and not filler:
                self.sentences.append((start, end))

    def _about(self, start: int, end: int) -> bool:
        """Return whether a sentence speaks of what is wanted."""
        for m in self.inside(start, end):
            if m.group == _FRAME:
                if m.value == self.intent.frame:
                    return True
            elif m.value in self.true.get(m.group, ()) or (m.bound and m.group in self.true):
                return True
        named = any(start <= s < end and t in self.true for s, _, t in self.names)
        return named and _IMPOSSIBLE.search(self.masked, start, end) is not None

    def inside(self, start: int, end: int) -> list[_Mention]:
        """Return the values that stand in a stretch of the text."""
        return [m for m in self.mentions if start <= m.start < end]

    def with_echo(self, end: int) -> int:
        """Return the end of a sentence, with a few words of emphasis that follow ("No exceptions.")."""
        for s, e in self.sentences:
            if s == end and not self.inside(s, e) and len(self.low[s:e].split()) <= 4:
                return e
        return end

    def asks(self, start: int, end: int) -> bool:
        """Return whether a sentence asks or wishes."""
        words = self.masked[start:end]
        if _ASK.search(words) or _COMMAND.search(words):
            return True
        wanted = any(m.group == _FRAME for m in self.inside(start, end))
        if wanted and (words.rstrip().endswith("?") or not _VERB.search(words)):
            # a question about the thing, or just the thing ("One green tea with oat milk.")
            return (
                words.rstrip().endswith("?") or re.match(r"(?:just |only )?(?:an?|one|some|\0)[ \0]", words) is not None
            )
        return False


# -- the reader -------------------------------------------------------------------------------------------------------
class FirstReader:
    """Reads by evidence per slot; see the module.

    >>> from intent_gym.core.intent import Condition
    >>> from intent_gym.envs.toy import ToyHost
    >>> tea = Intent("green tea", (Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk")))
    >>> sorted(FirstReader().read(ToyHost(), tea, "Could I have a green tea with soy milk, please?"))
    [Edit(kind='replace', slot='milk', value='soy milk'), Edit(kind='withhold', slot='cup', value='')]
    """

    def read(self, host: Host, intent: Intent, text: str) -> frozenset[Edit] | None:
        """Return the edits that lead from the true intent to the text, or None where the text cannot be read."""
        try:
            if any(c.slot not in host.slot_table.by_id for c in intent.conditions):
                return None
            page = _Page(_vocabulary(host, intent.frame), intent, " ".join(text.split()))
        except RecursionError:  # pragma: no cover  # never seen; a reader must not stop a construction
            return None
        if not page.sentences or not page.mentions:
            return None
        page.mentions = [m for m in page.mentions if any(s <= m.start < e for s, e in page.sentences)]
        edits = _Case(host, page).decide()
        if page.noise:
            edits.add(Edit("noise"))
        if not any(page.asks(s, e) for s, e in page.sentences):
            edits.add(Edit("oblique"))
        return frozenset(edits)


class _Case:
    """The decisions about one text."""

    def __init__(self, host: Host, page: _Page) -> None:
        self.host, self.page = host, page
        self.edits: set[Edit] = set()
        self.open = [host.slot(c.slot) for c in page.intent.conditions]

    def decide(self) -> set[Edit]:
        """Return the edits, but for those that concern the text as a whole."""
        self._frame()
        self._insisted()
        self._presupposed()
        self._asserted()
        self._ambiguous_words()
        self._marked()
        for slot in self.open:
            self.edits.add(Edit("withhold", slot.id))
        self._extras()
        return self.edits

    def wanted(self, slot: Slot) -> Value:
        """Return the true value of a slot."""
        return self.page.intent.by_slot[slot.id].value

    def _close(self, slot: Slot, edit: Edit | None = None) -> None:
        self.open.remove(slot)
        if edit is not None:
            self.edits.add(edit)

    def _others(self, slot: Slot, start: int = 0, end: int | None = None) -> list[_Mention]:
        """Return unused values of the slot's topic that the intent does not have."""
        stop = len(self.page.low) if end is None else end
        true = self.page.true.get(_group(slot), ())
        return [
            m for m in self.page.inside(start, stop) if m.group == _group(slot) and not m.used and m.value not in true
        ]

    def _true(self, slot: Slot) -> list[_Mention]:
        value = self.wanted(slot)
        return [m for m in self.page.mentions if m.group == _group(slot) and m.value == value and not m.used]

    def _frame(self) -> None:
        found = [m.value for m in self.page.mentions if m.group == _FRAME]
        frame = self.page.intent.frame
        if frame not in found and _plain(frame) not in self.page.low:
            slot = self.host.frame_slot.id
            self.edits.add(Edit("replace", slot, found[0]) if found else Edit("withhold", slot))

    def _insisted(self) -> None:
        for slot in [s for s in self.open if s.kind == "instrument" and not self._true(s)]:
            for start, end in self.page.sentences:
                wrong = self._others(slot, start, end)
                if wrong and _INSIST.search(self.page.masked, start, self.page.with_echo(end)):
                    self._close(slot, Edit("insist", slot.id, wrong[0].value))
                    wrong[0].used = True
                    break

    # -- a requirement given up -----------------------------------------------------------------------------------
    def _presupposed(self) -> None:
        page = self.page
        for i, (start, end) in enumerate(page.sentences):
            cue = _IMPOSSIBLE.search(page.masked, start, end)
            if cue is None:
                continue
            if not _SETTLE.search(page.masked, start, end):
                following = page.sentences[i + 1 : i + 2]
                if not following or not _SETTLE.search(page.masked, *following[0]):
                    continue
                end = following[0][1]
            self._give_up(start, end, self._chunk(cue.start(), start, end))

    def _chunk(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Return the part of a sentence, between commas and conjunctions, that a place lies in."""
        edges = [start, *(b.start() for b in _BREAK.finditer(self.page.masked, start, end)), end]
        return max(e for e in edges if e <= place), min(e for e in edges if e > place)

    def _give_up(self, start: int, end: int, denied: tuple[int, int]) -> None:
        """Find the slot that a sentence of impossibility is about, and what it settles for."""
        best: tuple[int, Slot, list[_Mention]] | None = None
        for slot in self.open:
            if slot.kind == "number":
                continue
            here = [m for m in self._true(slot) if denied[0] <= m.start < denied[1]]
            if any(m not in here for m in self._true(slot)):
                continue  # asserted elsewhere
            names = [s for s, _, t in self.page.names if t == _group(slot) and start <= s < end]
            fallback = self._others(slot, start, end)
            score = 4 * bool(here) + 3 * any(denied[0] <= s < denied[1] for s in names) + 2 * bool(fallback)
            if (names or here) and (best is None or score > best[0]):
                best = (score, slot, here + fallback)
        if best is not None:
            _, slot, spoken = best
            values = [m.value for m in spoken if m.value != self.wanted(slot)]
            for m in spoken:
                m.used = True
            self._close(slot, Edit("presuppose", slot.id, values[0] if values else ""))

    # -- values ---------------------------------------------------------------------------------------------------
    def _asserted(self) -> None:
        for slot in list(self.open):
            stated = [m for m in self._true(slot) if not _REJECTED.search(self.page.low[: m.start])]
            if stated:
                for m in stated:
                    m.used = True
                self._close(slot, self._attached(slot, stated[0]))
        for slot in list(self.open):
            wrong = self._others(slot)
            senses = [w for w in self.page.vocabulary.senses if any(self.page.low[m.start : m.end] == w for m in wrong)]
            if wrong and not senses:
                wrong[0].used = True
                self._close(slot, Edit("replace", slot.id, wrong[0].value))

    def _attached(self, slot: Slot, mention: _Mention) -> Edit | None:
        """Return the edit if the value trails behind another thing that is asked for."""
        page = self.page
        for place, begin in page.companions:
            if begin > mention.start:
                continue
            between, before = page.masked[begin : mention.start], page.masked[:place].rstrip()
            if not re.fullmatch(r" (?:[a-z']+ ){0,6}", between) or not re.search(
                r"(?:\band|\bplus|\bwith|&|,)$", before
            ):
                continue
            end = mention.end
            tails = [
                t
                for h, t in page.vocabulary.clauses[_group(slot)]
                if t and page.low.startswith(t, end) and _ARTICLE.sub("", page.low[: mention.start]).endswith(h)
            ]
            end += max(map(len, tails), default=0)
            return Edit("attach", slot.id, page.text[begin:end].strip())
        return None

    def _ambiguous_words(self) -> None:
        for word, meanings in self.page.vocabulary.senses.items():
            if not any(
                self.page.vocabulary.sense_words[word].search(self.page.low, s, e) for s, e in self.page.sentences
            ):
                continue
            pattern = self.page.vocabulary.sense_words[word]
            covered = {(m.start, m.end) for m in self.page.mentions if m.used or m.end - m.start > len(word)}
            places = [p.span() for p in pattern.finditer(self.page.low)]
            if all(any(s <= a and b <= e for s, e in covered) for a, b in places):
                continue
            for slot in list(self.open):
                if (slot.id, self.wanted(slot)) in meanings:
                    self._close(slot, Edit("two_senses", slot.id, word))
                    for m in self.page.mentions:
                        m.used = m.used or (m.start, m.end) in places
                    break

    # -- values that are pointed at, or praised -------------------------------------------------------------------
    def _marked(self) -> None:
        page = self.page
        for phrase, slot in page.vocabulary.vague:
            if slot in self.open and any(page.low.find(phrase, s, e) >= 0 for s, e in page.sentences):
                self._close(slot, Edit("vague", slot.id))
        for start, end, group in page.names:
            slot_of = next((s for s in self.open if _group(s) == group and s.kind != "tag"), None)
            if slot_of is None or not any(s <= start < e for s, e in page.sentences):
                continue
            kind = self._manner(start, end)
            if kind is not None:
                self._close(slot_of, Edit(kind, slot_of.id))
        loose = [s for s in self.open if s.kind != "tag"]
        if loose and not any(e.kind in ("vague", "deictic", "two_senses", "attach") for e in self.edits):
            self._unnamed(loose)

    def _manner(self, start: int, end: int) -> EditKind | None:
        """Return how a slot is spoken of that is named without a value, or None where it is only named."""
        page = self.page
        first, last = next((s, e) for s, e in page.sentences if s <= start < e)
        left = max([first, start - 40, *(m.end for m in page.mentions if m.end <= start)])
        right = min([last, end + 48, *(m.start for m in page.mentions if m.start >= end)])
        before, after = page.low[left:start], page.low[end:right]
        if _POINTING.search(before) or (_DEFINITE.search(before) and _ANAPHOR.search(after)):
            return "deictic"
        if _INDEFINITE.search(before) or _SUBJECTIVE.search(before[-24:]) or _SUBJECTIVE.search(after[:36]):
            return "vague"
        return None

    def _unnamed(self, loose: Sequence[Slot]) -> None:
        """Give one expression that points or praises without a slot's name to the slot it fits best."""
        page = self.page
        for start, end in page.sentences:
            pointing = _UNNAMED.search(page.masked, start, end)
            cue = pointing or _PRAISE.search(page.masked, start, end)
            if cue is None or _COURTESY.search(page.masked, cue.start(), end):
                continue
            around = set(re.findall(r"[a-z]{4,}", page.masked[max(start, cue.start() - 30) : min(end, cue.end() + 30)]))
            slot = max(loose, key=lambda s: len(around & page.vocabulary.hints[_group(s)]))
            self._close(slot, Edit("deictic" if pointing else "vague", slot.id))
            return

    # -- values that nobody asked for -----------------------------------------------------------------------------
    def _extras(self) -> None:
        taken = set(self.page.intent.by_slot) | self._meant()
        seen: set[tuple[str, Value]] = set()
        for m in self.page.mentions:
            slots = self.page.vocabulary.groups.get(m.group, ())
            if m.used or not slots or slots[0].kind == "number" or (m.group, m.value) in seen:
                continue
            if m.value in self.page.true.get(m.group, ()):
                continue
            seen.add((m.group, m.value))
            free = next((s for s in slots if s.id not in taken), None)
            if free is not None:
                taken.add(free.id)
                self.edits.add(Edit("extra", free.id, m.value))

    def _meant(self) -> set[str]:
        """Return the positions among tags that the other reading of an ambiguous word would take."""
        words, found = self.page.vocabulary, set[str]()
        for edit in self.edits:
            if edit.kind == "two_senses":
                for slot_id, value in words.senses[str(edit.value)]:
                    slot = words.slots[slot_id]
                    if slot.kind == "tag" and value not in self.page.true.get(_group(slot), ()):
                        free = (s.id for s in words.groups[_group(slot)] if s.id not in self.page.intent.by_slot)
                        found.update(next(((s,) for s in free), ()))
        return found
