from __future__ import annotations

import numpy as np
import pytest

from intent_gym.construct.graphs import Rejection, build_graph, derive_edges
from intent_gym.construct.samples import build_graphs
from intent_gym.construct.settings import Settings
from intent_gym.core.intent import RELATIONS, Condition, Edge, Intent, IntentGraph, relation
from intent_gym.core.sample import hit_chance
from intent_gym.envs.host import Goal
from intent_gym.envs.toy import ToyHost


@pytest.fixture(scope="module")
def graphs(tea: ToyHost) -> list[IntentGraph]:
    built = build_graphs(tea, Settings()).by_split
    return [*built["train"], *built["test"]]


def test_every_order_has_a_graph(tea: ToyHost, graphs: list[IntentGraph]) -> None:
    assert len(graphs) == len(tea.goals())


def test_a_root_is_a_relaxation_of_its_goal(tea: ToyHost, graphs: list[IntentGraph]) -> None:
    goals = {g.id: g.intent for g in tea.goals()}
    for graph in graphs:
        assert graph.root == goals[graph.id] or relation(goals[graph.id], graph.root) == "relax"
        assert len(graph.root.conditions) >= 2
    assert {len(g.root.conditions) for g in graphs} == {2, 3}


def test_most_roots_have_a_value_that_can_be_hidden(tea: ToyHost, graphs: list[IntentGraph]) -> None:
    """Left out, it leaves too many outcomes to hit the right one by guessing."""
    chances = [
        min(hit_chance(len(tea.answers(root.without(c.slot))), len(tea.answers(root)), 3) for c in root.conditions)
        for root in (g.root for g in graphs)
    ]
    assert sum(chance <= 0.5 for chance in chances) > 0.9 * len(graphs)


def test_refining_a_root_can_lead_to_the_goal(tea: ToyHost, graphs: list[IntentGraph]) -> None:
    goals = {g.id: g.intent for g in tea.goals()}
    wide = [g for g in graphs if len(g.root.conditions) == 2 and len(tea.answers(g.root)) > 1]
    assert len(wide) > 100
    for graph in graphs:
        goal = goals[graph.id]
        if len(tea.answers(graph.root)) > len(tea.answers(goal)):
            refined = {graph.nodes[e.target] for e in graph.edges if e.source == 0 and e.relation == "refine"}
            assert goal in refined


def test_no_two_graphs_start_from_the_same_intent(graphs: list[IntentGraph]) -> None:
    assert len({g.root for g in graphs}) == len(graphs)


def test_every_node_is_executable_and_moves_the_answers(tea: ToyHost, graphs: list[IntentGraph]) -> None:
    for graph in graphs:
        assert len(set(graph.nodes)) == len(graph.nodes)
        for node in graph.nodes:
            assert len(tea.answers(node))
        for node in graph.nodes[1:]:
            assert relation(graph.root, node) is not None
            assert not np.array_equal(tea.answers(node), tea.answers(graph.root))


def test_two_neighbours_by_each_relation_where_they_exist(graphs: list[IntentGraph]) -> None:
    for graph in graphs:
        found = [e.relation for e in graph.edges if e.source == 0]
        assert all(found.count(r) <= 2 for r in RELATIONS)
        assert all(found.count(r) == 2 for r in ("relax", "substitute", "pivot"))


def test_edges_are_those_of_every_related_pair(graphs: list[IntentGraph]) -> None:
    for graph in graphs[:40]:
        pairs = {(e.source, e.target): e.relation for e in graph.edges}
        for s, old in enumerate(graph.nodes):
            for t, new in enumerate(graph.nodes):
                expected = relation(old, new) if s != t else None
                assert pairs.get((s, t)) == expected


def test_edges_of_a_hand_made_graph(tea: ToyHost) -> None:
    cup, milk = Condition("cup", "=", "paper cup"), Condition("milk", "=", "oat milk")
    nodes = (
        Intent("cocoa", (cup, milk)),
        Intent("cocoa", (cup,)),
        Intent("cocoa", (cup, Condition("milk", "=", "soy milk"))),
        Intent("lemonade", (cup, milk)),
    )
    edges = {(e.source, e.target): e for e in derive_edges(tea, nodes)}
    assert edges[0, 1] == Edge(0, 1, "relax", (), ("milk",), True, False)
    assert edges[1, 0] == Edge(1, 0, "refine", ("milk",), (), True, True)
    assert edges[0, 2] == Edge(0, 2, "substitute", ("milk",), (), True, True)
    assert edges[1, 3] == Edge(1, 3, "pivot", ("drink", "cup", "milk"), (), True, True)
    assert edges[3, 1] == Edge(3, 1, "pivot", ("drink", "cup"), ("milk",), True, True)
    assert len(edges) == 12


def test_an_edge_between_intents_of_the_same_answers_moves_nothing(tea: ToyHost) -> None:
    """Some orders say something that follows from the rest."""
    found = 0
    for goal in tea.goals():
        for condition in goal.intent.conditions:
            loose = goal.intent.without(condition.slot)
            same = len(tea.answers(loose)) == len(tea.answers(goal.intent))
            relax, refine = derive_edges(tea, (goal.intent, loose))
            assert (relax.relation, relax.moves, relax.invalidates) == ("relax", not same, False)
            assert (refine.relation, refine.moves, refine.invalidates) == ("refine", not same, not same)
            found += same
    assert found


def test_a_goal_that_cannot_be_met_is_rejected(tea: ToyHost) -> None:
    mug = (Condition("counter", "=", "bicycle courier"), Condition("cup", "=", "ceramic mug"))
    assert build_graph(tea, Goal("x", "train", Intent("cocoa", mug))) == Rejection("x", "goal not executable")
    short = Intent("cocoa", (Condition("cup", "=", "ceramic mug"),))
    assert build_graph(tea, Goal("x", "train", short)) == Rejection("x", "goal has too few conditions")


def test_a_taken_root_is_not_used_again(tea: ToyHost) -> None:
    goal = tea.goals()[0]
    first = build_graph(tea, goal)
    assert isinstance(first, IntentGraph)
    second = build_graph(tea, goal, None, {first.root})
    assert isinstance(second, IntentGraph) and second.root != first.root
