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
from collections.abc import Sequence

from intent_gym.construct.readers import first_cues as cues
from intent_gym.construct.readers.first_page import FRAME, Mention, Page, group_of, plain, vocabulary_of
from intent_gym.core.faults import Edit, EditKind
from intent_gym.core.intent import Intent, Slot, Value
from intent_gym.envs.host import Host

__all__ = ["FirstReader"]


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
        if any(c.slot not in host.slot_table.by_id for c in intent.conditions):
            return None
        page = Page(vocabulary_of(host, intent.frame), intent, " ".join(host.gathered(text).split()))
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

    def __init__(self, host: Host, page: Page) -> None:
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

    def _others(self, slot: Slot, start: int = 0, end: int | None = None) -> list[Mention]:
        """Return unused values of the slot's topic that the intent does not have."""
        stop = len(self.page.low) if end is None else end
        true = self.page.true.get(group_of(slot), ())
        return [
            m for m in self.page.inside(start, stop) if m.group == group_of(slot) and not m.used and m.value not in true
        ]

    def _true(self, slot: Slot) -> list[Mention]:
        value = self.wanted(slot)
        return [m for m in self.page.mentions if m.group == group_of(slot) and m.value == value and not m.used]

    def _frame(self) -> None:
        found = [m.value for m in self.page.mentions if m.group == FRAME]
        frame = self.page.intent.frame
        if frame not in found and plain(frame) not in self.page.low:
            slot = self.host.frame_slot.id
            self.edits.add(Edit("replace", slot, found[0]) if found else Edit("withhold", slot))

    def _insisted(self) -> None:
        for slot in [s for s in self.open if s.kind == "instrument" and not self._true(s)]:
            for start, end in self.page.sentences:
                wrong = self._others(slot, start, end)
                if wrong and cues.INSIST.search(self.page.masked, start, self.page.with_echo(end)):
                    self._close(slot, Edit("insist", slot.id, wrong[0].value))
                    wrong[0].used = True
                    break

    # -- a requirement given up -----------------------------------------------------------------------------------
    def _presupposed(self) -> None:
        page = self.page
        for i, (start, end) in enumerate(page.sentences):
            cue = cues.IMPOSSIBLE.search(page.masked, start, end)
            if cue is None:
                continue
            if not cues.SETTLE.search(page.masked, start, end):
                following = page.sentences[i + 1 : i + 2]
                if not following or not cues.SETTLE.search(page.masked, *following[0]):
                    continue
                end = following[0][1]
            self._give_up(start, end, self._chunk(cue.start(), start, end))

    def _chunk(self, place: int, start: int, end: int) -> tuple[int, int]:
        """Return the part of a sentence, between commas and conjunctions, that a place lies in."""
        edges = [start, *(b.start() for b in cues.BREAK.finditer(self.page.masked, start, end)), end]
        return max(e for e in edges if e <= place), min(e for e in edges if e > place)

    def _give_up(self, start: int, end: int, denied: tuple[int, int]) -> None:
        """Find the slot that a sentence of impossibility is about, and what it settles for."""
        best: tuple[int, Slot, list[Mention]] | None = None
        whole = any(m.group == FRAME for m in self.page.inside(*denied))
        for slot in self.open:
            if slot.kind == "number":
                continue
            # where the thing itself has run out, its requirements have not been given up
            here = [m for m in self._true(slot) if denied[0] <= m.start < denied[1] and not whole]
            if any(m not in here for m in self._true(slot)):
                continue  # asserted elsewhere
            names = [s for s, _, t in self.page.names if t == group_of(slot) and start <= s < end]
            if whole:
                names = [s for s in names if not denied[0] <= s < denied[1]]
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
            stated = [m for m in self._true(slot) if not cues.REJECTED.search(self.page.low[: m.start])]
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

    def _attached(self, slot: Slot, mention: Mention) -> Edit | None:
        """Return the edit if the value trails behind another thing that is asked for."""
        page = self.page
        for place, begin in page.companions:
            if begin > mention.start:
                continue
            between, before = page.masked[begin : mention.start], page.masked[:place].rstrip()
            if not re.fullmatch(r" (?:[a-z']+ ){0,6}", between) or not re.search(
                r"(?:\band|\bplus|\bwith|\bas well as|\bbesides|&|,)$", before
            ):
                continue
            end = mention.end
            tails = [
                t
                for h, t in page.vocabulary.clauses[group_of(slot)]
                if t and page.low.startswith(t, end) and cues.ARTICLE.sub("", page.low[: mention.start]).endswith(h)
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
            slot_of = next((s for s in self.open if group_of(s) == group and s.kind != "tag"), None)
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
        if cues.POINTING.search(before) or (cues.DEFINITE.search(before) and cues.ANAPHOR.search(after)):
            return "deictic"
        if cues.INDEFINITE.search(before) or cues.SUBJECTIVE.search(before[-24:]) or cues.SUBJECTIVE.search(after[:36]):
            return "vague"
        return None

    def _unnamed(self, loose: Sequence[Slot]) -> None:
        """Give one expression that points or praises without a slot's name to the slot it fits best."""
        page = self.page
        for start, end in page.sentences:
            pointing = cues.UNNAMED.search(page.masked, start, end)
            cue = pointing or cues.PRAISE.search(page.masked, start, end)
            if cue is None or cues.COURTESY.search(page.masked, cue.start(), end):
                continue
            around = set(re.findall(r"[a-z]{4,}", page.masked[max(start, cue.start() - 30) : min(end, cue.end() + 30)]))
            slot = max(loose, key=lambda s: len(around & page.vocabulary.hints[group_of(s)]))
            self._close(slot, Edit("deictic" if pointing else "vague", slot.id))
            return

    # -- values that nobody asked for -----------------------------------------------------------------------------
    def _extras(self) -> None:
        taken = set(self.page.intent.by_slot)
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
