"""Records survive JSON, and a file that is not one is refused with what was expected."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.core.record import SCHEMA, EpisodeRecord
from intent_gym.core.user import Understanding
from intent_gym.errors import StateError

if TYPE_CHECKING:
    from tests.core.conftest import World


@pytest.fixture
def record(world: World) -> EpisodeRecord:
    episode = world.episode(fire=1.0)
    episode.ask(Understanding(topics=("color", "fit")), "请问 colour \U0001f3a8?")
    episode.act("look", message="a page", stated=[("size", "small")])
    episode.malformed("?", "what?")
    episode.commit("", "3", "help")
    while episode.end_reason is None:
        episode.commit("", "", "help")
    made = world.record(episode)
    made.dialogue.append({"role": "user", "content": "I want a lamp."})
    made.reward = 0.25
    return made


def test_record_survives_json(record: EpisodeRecord) -> None:
    read = EpisodeRecord.from_json(json.loads(json.dumps(record.to_json())))
    assert read == record
    assert read.to_json() == record.to_json()
    assert (read.end_reason, read.final_node) == (record.end_reason, record.final_node)


def test_end_and_final_node_are_read_from_the_events(world: World) -> None:
    episode = world.episode(fire=1.0, graph=world.graph_of(world.graph.nodes, ((0, 3), (3, 4))))
    assert (world.record(episode).end_reason, world.record(episode).final_node) == (None, 0)
    episode.ask(Understanding(), "hm")
    assert world.record(episode).final_node == 3
    episode.commit("", "3", "help")
    assert world.record(episode).end_reason == "accepted"


@pytest.mark.parametrize("schema", [None, 0, SCHEMA + 1, str(SCHEMA)])
def test_other_schema_is_refused(record: EpisodeRecord, schema: Any) -> None:  # noqa: ANN401
    with pytest.raises(StateError, match=rf"expected an episode record of schema {SCHEMA}, got schema"):
        EpisodeRecord.from_json({**record.to_json(), "schema": schema})


@pytest.mark.parametrize("name", EpisodeRecord.__slots__)
def test_missing_field_is_named(record: EpisodeRecord, name: str) -> None:
    data = {k: v for k, v in record.to_json().items() if k != name}
    with pytest.raises(StateError, match=rf"not a complete episode record.*{name}"):
        EpisodeRecord.from_json(data)


@pytest.mark.parametrize("steps", [3, [{"kind": 0}], ["ask"]], ids=str)
def test_wrong_steps_are_refused(record: EpisodeRecord, steps: Any) -> None:  # noqa: ANN401
    with pytest.raises(StateError, match="not a complete episode record"):
        EpisodeRecord.from_json({**record.to_json(), "steps": steps})
