from __future__ import annotations

from functools import partial

import pytest

from intent_gym.construct.release import FRAME_SLOT, Names, Release, plain, rename_graph, rename_sample
from intent_gym.core.intent import Value


def numbered(release: Release, tree: str) -> Names:
    slots = sorted({c.slot for n in release.trees[tree].graph.nodes for c in n.conditions})
    return Names(
        slot={FRAME_SLOT: "request", **{s: f"slot_{i}" for i, s in enumerate(slots)}}.__getitem__,
        value=lambda slot, value: plain(value),
        frame=lambda frame: frame.upper(),
    )


def test_every_sample_in_other_names(release: Release) -> None:
    for tree in release.trees.values():
        names = numbered(release, tree.id)
        graph = rename_graph(tree.graph, names)
        assert [(e.source, e.target, e.relation) for e in graph.edges] == [
            (e.source, e.target, e.relation) for e in tree.graph.edges
        ]
        assert {s for e in graph.edges for s in e.entered} <= {"request", *(s for n in graph.nodes for s in n.by_slot)}
        for sample in release.samples.values():
            if sample.tree_id == tree.id:
                made = rename_sample(sample.sample, names, graph)
                assert made.graph is graph
                assert made.request.hidden == tuple(sorted(names.slot(s) for s in sample.hidden))
                assert made.request.literal.by_slot.keys() == {
                    names.slot(s) for s in sample.sample.request.literal.by_slot
                }


def test_values_of_edits_are_renamed_too(release: Release) -> None:
    sample = release.sample("0213288d7b8709be__factual_error")
    names = numbered(release, sample.tree_id)
    made = rename_sample(sample.sample, names, rename_graph(sample.sample.graph, names))
    assert [e.value for e in made.request.edits] == ["7082455371"]


def test_names_that_fall_together_are_refused(release: Release) -> None:
    graph = release.trees["6accb9b537da61e7"].graph
    same = Names(lambda slot: "slot", lambda slot, value: value, lambda frame: frame)
    with pytest.raises(ValueError, match="two slots would become one"):
        rename_graph(graph, same)
    graph = release.trees["e9e72e3bb8bf1b5b"].graph
    with pytest.raises(ValueError, match="two nodes would become one"):
        rename_graph(graph, Names(lambda slot: slot, lambda slot, value: "x", lambda frame: frame))


def _renamed(own: dict[str, str], slot: str) -> str:
    return own.get(slot, slot)


def test_names_may_differ_from_node_to_node(release: Release) -> None:
    graph = release.trees["e9e72e3bb8bf1b5b"].graph
    slots = [{FRAME_SLOT: "product", "option:0": "flavor" if i < 6 else "size"} for i in range(len(graph.nodes))]
    names = [Names(partial(_renamed, own), lambda slot, value: value, lambda f: f) for own in slots]
    made = rename_graph(graph, names)
    edge = next(e for e in made.edges if (e.source, e.target) == (0, 6))
    assert (edge.relation, edge.entered, edge.left) == ("substitute", ("size",), ("flavor",))
    pivot = next(e for e in made.edges if (e.source, e.target) == (0, 1))
    assert pivot.entered[0] == "product" and "flavor" in pivot.entered
    same = Names(lambda slot: "slot" if slot != FRAME_SLOT else slot, lambda slot, value: value, lambda f: f)
    with pytest.raises(ValueError, match="two slots would become one"):
        rename_graph(graph, [same] * len(graph.nodes))


@pytest.mark.parametrize(
    ("value", "text"),
    [
        ('[{"dob":"1990-04-05","first_name":"Mia","last_name":"Li"}]', "Mia Li 1990-04-05"),
        ("[]", "none"),
        (20, "20"),
        ("citrus", "citrus"),
    ],
)
def test_plain(value: Value, text: str) -> None:
    assert plain(value) == text
