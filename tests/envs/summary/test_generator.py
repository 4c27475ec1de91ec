from __future__ import annotations

import math
import os
import re
import subprocess
import sys
from collections import Counter

from intent_gym.envs.spaces import MAX_MESSAGE
from intent_gym.envs.summary.coverage import phrase_coverage
from intent_gym.envs.summary.frames import FULL_LENGTH
from intent_gym.envs.summary.generator import DOCUMENTS, GOALS_PER_TOPIC, SLOTS, StoryFrame, generate, goals_of

HEAD = re.compile(
    r"^\[(\d+)\] (report|interview|letter) on the (.+?); outlet: (.+?); month: (\w+); district: (.+?); by (.+)$"
)


def shown(frame: StoryFrame) -> dict[int, tuple[str, ...]]:
    """Return number, (kind, topic, outlet, month, district, author, text) of all documents, read from the brief."""
    found = {}
    for block in frame.brief.split("\n\n"):
        head, _, text = block.partition("\n")
        if match := HEAD.match(head):
            found[int(match[1])] = (*match.groups()[1:], text)
    return found


def test_shape_of_the_haystacks() -> None:
    frames = generate()
    assert Counter(frame.split for frame in frames) == {"train": 16, "test": 8}
    ids = {slot.id for slot in SLOTS[1:]}
    for frame in frames:
        assert set(frame.domains) == ids
        assert math.prod(len(values) for values in frame.domains.values()) <= 60_000
        assert all(len(frame.domains[s]) == 6 for s in ("aspect", "outlet", "month", "district"))
        assert sum(len(frame.domains[s]) - 1 for s in frame.neutral) >= 5
        assert len(frame.brief) < MAX_MESSAGE // 2
        assert len(frame.held) == DOCUMENTS
        assert sorted(shown(frame)) == list(range(1, 2 * DOCUMENTS + 1))


def test_documents_hold_what_they_are_said_to_hold_and_nothing_else() -> None:
    by_name = {frame.name: frame for frame in generate()}
    for frame in by_name.values():
        texts = shown(frame)
        held = {document.index: document.insights for document in frame.held}
        for number, (_, topic, *_, text) in texts.items():
            assert (frame.name == f"summary on the {topic}") == (number in held)
            for insight, phrases in frame.phrases.items():
                inside = phrase_coverage(text, phrases) == 1
                assert inside == (insight in held.get(number, ())), (number, insight)
                assert any(p in text for p in phrases[:1]) == inside, "a name without its insight"
        for document in frame.held:
            for names in frame.aspects.values():
                assert len(set(names) & set(document.insights)) == 2
            place = [texts[document.index][-1].index(frame.phrases[name][0]) for name in document.insights]
            assert place == sorted(place), "insights come up in this order"


def test_values_select_the_documents_that_the_brief_says() -> None:
    for frame in generate():
        for goal in goals_of(frame)[:12]:
            values = {**frame.neutral, **goal.values}
            expected = set()
            for number, (kind, topic, outlet, month, district, author, _) in shown(frame).items():
                facts = {"outlet": outlet, "month": month, "district": district, "author": author}
                if frame.name == f"summary on the {topic}" and any(values[s] == v for s, v in facts.items()):
                    if values["exclusion"] != f"{kind}s":
                        expected.add(number)
            assert frame.chosen(values) == expected


def test_summaries_have_the_insights_of_the_aspect_with_all_their_documents() -> None:
    frame = generate()[0]
    for goal in goals_of(frame):
        values = {**frame.neutral, **goal.values, "length": FULL_LENGTH}
        asked = frame.asked(values)
        numbers = frame.chosen(values)
        expected = {
            name: tuple(d.index for d in frame.held if d.index in numbers and name in d.insights)
            for name in frame.aspects[str(values["aspect"])]
        }
        assert {name: cited for name, _, cited in asked.bullets} == {n: c for n, c in expected.items() if c}
        assert asked.limit == 3
        one = frame.asked({**values, "length": "one bullet"})
        assert len(one.bullets) == one.limit == 1
        assert len(one.bullets[0][2]) == max(len(cited) for _, _, cited in asked.bullets)


def test_every_set_of_documents_says_something_on_every_aspect() -> None:
    for frame in generate()[::5]:
        for goal in goals_of(frame):
            for aspect in frame.domains["aspect"]:
                for left_out in frame.domains["exclusion"]:
                    values = {**frame.neutral, **goal.values, "aspect": aspect, "exclusion": left_out}
                    assert frame.asked(values).bullets


def test_values_of_a_topic_are_told_apart() -> None:
    for frame in generate():
        seen = [str(v).casefold() for values in frame.domains.values() for v in values]
        assert len(set(seen)) == len(seen)
        assert not [(a, b) for a in seen for b in seen if a != b and f" {a} " in f" {b} "]


def test_topics_of_a_haystack_share_documents_and_split() -> None:
    frames = {frame.name: frame for frame in generate()}
    for frame in frames.values():
        (other,) = frame.related
        assert frames[other].brief == frame.brief
        assert frames[other].split == frame.split
    briefs = {split: {f.brief for f in frames.values() if f.split == split} for split in ("train", "test")}
    assert not briefs["train"] & briefs["test"]
    assert {split: len(found) for split, found in briefs.items()} == {"train": 8, "test": 4}


def test_goals_are_distinct_and_some_ask_for_more() -> None:
    for frame in generate():
        goals = goals_of(frame)
        assert len(goals) == GOALS_PER_TOPIC == len({goal.id for goal in goals})
        assert len({tuple(sorted(goal.values.items())) for goal in goals}) == GOALS_PER_TOPIC
        asked = [goal for goal in goals if set(goal.values) & set(frame.neutral)]
        assert 0 < len(asked) < GOALS_PER_TOPIC


def test_equal_in_every_process() -> None:
    code = (
        "from intent_gym.envs.summary.host import load; host = load(); "
        "print(host.fingerprint(), [g.id for g in host.goals()], [g.intent.to_json() for g in host.goals()][::97], "
        "[host.best(g.intent, frozenset()) for g in host.goals()][::97])"
    )
    told = {
        subprocess.run(
            [sys.executable, "-c", code],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for seed in ("1", "2")
    }
    assert len(told) == 1
