"""The desks of a release: tau2's tools on tau2's data, golden actions as what is accepted.

Writes are staged on a draft, or live: then every write stands at once, nothing can be emptied, and a rejected commit
leaves all as it is. A commit proposes the calls that succeeded, in their order.

Two rules of acceptance.

- "actions", the release's own: every golden call of the node is among the calls; others do not matter, nor does the
  order. Calls are compared as the release compares them: the pairs of an exchange or item change, the items of a
  return, passengers and payments in any order, all else exactly.
- "state": the calls lead to the node's end state, compared in normal form over the rows touched.

Source: Drift-Bench++, its tau2 drivers.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple

from intent_gym.construct.release import Release, ReleaseSample, ReleaseTree
from intent_gym.construct.release.ids import compact
from intent_gym.construct.release.layout import HostName
from intent_gym.construct.release.names import Names, rename_graph
from intent_gym.envs.desk.calls import Call, parse_call, render_call
from intent_gym.envs.desk.tables import Draft, Tables
from intent_gym.envs.desk.tools import BAD_ARGUMENTS, UNKNOWN_TOOL, Toolbox
from intent_gym.envs.host import ActResult, Outcome, article
from intent_gym.envs.release.host import Node, ReleaseHost, asserted_slots, material
from intent_gym.envs.release.words import desk_names, desk_slots
from intent_gym.errors import DataError

__all__ = ["AirlineRelease", "DeskRelease", "DeskSession", "RetailRelease"]

_RESET, _LIST = "reset_draft", "list_tools"
_PAIRED = ("exchange_delivered_order_items", "modify_pending_order_items")
_UNORDERED = ("item_ids", "passengers", "payment_methods")


class DeskSession(NamedTuple):
    """What was written so far; never changed."""

    draft: Draft
    calls: tuple[str, ...] = ()
    """The writes that succeeded, in order, each as JSON ``[tool, arguments]``."""


class DeskRelease(ReleaseHost):
    """A desk that plays a release.

    Args:
        release: The release, loaded.
        tables: The desk's data, shared.
        toolbox: The tools.
        source: The release's folder.
        live: Whether writes stand at once.
        acceptance: "actions" or "state".

    Raises:
        DataError: The release has no sample for this desk, or a golden call fails on the data.
    """

    wants = "service"
    act_help = "a tool call: tool(key=value); list_tools() lists them"
    commit_help = "carry out the change first, with tool calls as acts"

    def __init__(
        self, release: Release, tables: Tables, toolbox: Toolbox, source: str, *, live: bool, acceptance: str
    ) -> None:
        self.tables = tables
        self.toolbox = toolbox
        self.live = live
        self.acceptance = acceptance
        host: HostName = "retail" if self.name == "retail" else "airline"
        found = material(release, host, _names)
        told = {c.slot for t in release.trees.values() if t.host == host for n in t.graph.nodes for c in n.conditions}
        told |= asserted_slots(release.select(host, faults=None))
        super().__init__(found, desk_slots(told), source)
        self._names = {t.id: _names_of(t) for t in release.trees.values() if t.host == host}
        self._golden = {(n.tree, n.number): _keys(_golden_outcome(n)) for n in found.nodes}
        self._ends = lru_cache(1 << 16)(self._end)
        for node in found.nodes:
            if self._ends(_golden_outcome(node)) is None:
                raise DataError(
                    f"the golden calls of node {node.payload.intent_id} of tree {node.tree} fail on the data of "
                    f"host_data: expected tau2's own database of {self.name}"
                )

    # -- what is accepted --------------------------------------------------------------------------------------------
    def _recorded(self, node: Node) -> Sequence[Outcome]:
        return (_golden_outcome(node),)

    def _accepts(self, node: Node, outcome: Outcome) -> bool:
        if self.acceptance == "actions":
            return self._golden[node.tree, node.number] <= _keys(outcome)
        return self._ends(outcome) == self._ends(_golden_outcome(node))

    def _unmet(self, node: Node, outcome: Outcome) -> Iterable[str]:
        """Return the slots of the golden arguments that no call of their tool has."""
        names = self._names[node.tree]
        made = [(name, _normal(name, arguments)) for name, arguments in json.loads(outcome)]
        wrong: set[str] = set()
        for condition in self._material.release.trees[node.tree].graph.nodes[node.number].conditions:
            kind, number, tool, *argument = condition.slot.split(":", 3)
            calls = [arguments for name, arguments in made if name == tool]
            if kind == "also":
                met = any(_key(tool, json.loads(str(condition.value))) == compact([tool, a]) for a in calls)
            else:
                golden = _normal(tool, node.payload.actions[int(number)].arguments)
                field = "pairs" if argument[0] in ("item_ids", "new_item_ids") and "pairs" in golden else argument[0]
                met = any(a.get(field) == golden.get(field) for a in calls)
            if not met:
                wrong.add(names.slot(condition.slot))
        return wrong

    def _end(self, outcome: Outcome) -> str | None:
        """Return the end state of some calls on untouched data, None where one of them fails."""
        draft = Draft(self.tables)
        for name, arguments in json.loads(outcome):
            if not self.toolbox.run(draft, Call(name, arguments)).ok:
                return None
        return json.dumps(draft.normalised(), sort_keys=True)

    # -- the desk ----------------------------------------------------------------------------------------------------
    def open_session(self) -> DeskSession:
        """Return a session without writes."""
        return DeskSession(Draft(self.tables))

    def act(self, session: DeskSession, text: str) -> ActResult:
        """Run one tool call; a write goes on a fork of the draft."""
        call = parse_call(text)
        if isinstance(call, str):
            return ActResult(session, call, True)
        if call.name == _LIST and not call.arguments:
            return ActResult(session, json.dumps(self.tool_schemas(), ensure_ascii=False), False)
        if call.name == _RESET and not call.arguments and not self.live:
            return ActResult(self.open_session(), "The draft is empty.", False)
        call = _tolerant(call)
        draft = session.draft.fork()
        result = self.toolbox.run(draft, call)
        if result.rule in (UNKNOWN_TOOL, BAD_ARGUMENTS):
            return ActResult(session, result.text, True)
        if not result.ok:
            return ActResult(session, result.text, False)
        if not self.toolbox[call.name].writes:
            return ActResult(session, result.text or "Done.", False)
        return ActResult(DeskSession(draft, (*session.calls, _told(call))), result.text or "Done.", False)

    def rejected(self, session: DeskSession) -> tuple[DeskSession, str | None]:
        """Empty the draft after a rejected commit, and say so; live writes stay."""
        if self.live:
            return session, None
        return self.open_session(), "The draft was not accepted and is empty again."

    def proposal(self, session: DeskSession, content: str) -> Outcome:
        """Return the calls made; none is judged too."""
        return f"[{', '.join(session.calls)}]"

    def steps_to(self, outcome: Outcome) -> tuple[str, ...]:
        """Return the calls after which a commit proposes exactly this outcome; of live writes, from a new session."""
        calls = tuple(render_call(name, arguments) for name, arguments in json.loads(outcome))
        return calls if self.live else (f"{_RESET}()", *calls)

    def tool_schemas(self) -> list[dict[str, Any]]:
        """Return the tools as function-calling interfaces take them, those of the desk itself first."""
        own = [(_LIST, "Return this list of tools.")]
        if not self.live:
            own.insert(0, (_RESET, "Empty the draft of changes."))
        extra = [
            {
                "type": "function",
                "function": {
                    "name": name,
                    "description": text,
                    "parameters": {"type": "object", "properties": {}, "required": [], "additionalProperties": False},
                },
            }
            for name, text in own
        ]
        return [*extra, *self.toolbox.schemas()]

    # -- words -------------------------------------------------------------------------------------------------------
    def noun(self, frame: str) -> str:
        """Return a request with its article."""
        return f"{article(frame)} {frame}"

    def gathered(self, text: str) -> str:
        """Return a text that names its request at the end, where its ids and values tell which of the desk's it is.

        People describe these requests ("change item 1 to 2, and ...") and do not name them.
        """
        if any(frame in text for frame in self.frames):
            return text
        met = {frame: self._mentioned(frame, text) for frame in self.frames}
        best = max(met.values())
        found = [frame for frame, n in met.items() if n == best]
        return f"{text} I need {self.noun(found[0])}." if best and len(found) == 1 else text

    def _mentioned(self, frame: str, text: str) -> int:
        """Return how many values of one of a frame's requests a text mentions, at most."""
        return max(sum(str(c.value) in text for c in node.intent.conditions) for node in self._by_frame[frame])

    def companions(self, frame: str) -> tuple[str, ...]:
        """Return what may be asked for beside a request."""
        return self.apart(("a written confirmation", "a copy of the receipt", "a call back"), frame)

    def fingerprint(self) -> str:
        """Return a text that differs where the release, the data or what is accepted differs."""
        rule = f"{self.acceptance}:{'live' if self.live else 'staged'}"
        return f"{super().fingerprint()}:{rule}:{self.tables.fingerprint}"


class RetailRelease(DeskRelease):
    """DriftRetail's host over a release."""

    name: ClassVar[str] = "retail"
    turn_cap = 30


class AirlineRelease(DeskRelease):
    """DriftAirline's host over a release."""

    name: ClassVar[str] = "airline"
    turn_cap = 100


# -- names -----------------------------------------------------------------------------------------------------------
def _names(tree: ReleaseTree, samples: Sequence[ReleaseSample]) -> Sequence[Names]:
    return [_names_of(tree)] * len(tree.graph.nodes)


def _names_of(tree: ReleaseTree) -> Names:
    names = desk_names()
    try:
        rename_graph(tree.graph, names)
    except ValueError:  # two values are said alike
        return desk_names(raw=True)
    return names


# -- calls -----------------------------------------------------------------------------------------------------------
def _golden_outcome(node: Node) -> Outcome:
    return f"[{', '.join(_told(_tolerant(Call(a.name, dict(a.arguments)))) for a in node.payload.actions)}]"


def _told(call: Call) -> str:
    return json.dumps([call.name, call.arguments], sort_keys=True, ensure_ascii=False)


def _tolerant(call: Call) -> Call:
    """Return a call with what the release's drivers put right: "W1" for "#W1", "basic economy", the order of pairs."""
    arguments = dict(call.arguments)
    order, cabin = arguments.get("order_id"), arguments.get("cabin")
    if isinstance(order, str) and order[:1] == "W":
        arguments["order_id"] = f"#{order}"
    if cabin == "basic economy":
        arguments["cabin"] = "basic_economy"
    pairs = _pairs(call.name, arguments)
    if pairs is not None:
        arguments["item_ids"], arguments["new_item_ids"] = ([str(p[i]) for p in pairs] for i in (0, 1))
    return Call(call.name, arguments)


def _pairs(tool: str, arguments: Mapping[str, Any]) -> list[tuple[str, str]] | None:
    """Return the (old, new) items of an exchange or item change, sorted; None where the call has no such pairs."""
    old, new = arguments.get("item_ids"), arguments.get("new_item_ids")
    if tool not in _PAIRED or not isinstance(old, list) or not isinstance(new, list) or len(old) != len(new):
        return None
    if not all(isinstance(i, str) for i in (*old, *new)):
        return None
    return sorted(zip(old, new, strict=True))


def _normal(tool: str, arguments: Mapping[str, Any]) -> dict[str, Any]:
    """Return arguments in the form in which the release compares them."""
    found = dict(arguments)
    pairs = _pairs(tool, found)
    if pairs is not None:
        del found["item_ids"], found["new_item_ids"]
        found["pairs"] = [list(p) for p in pairs]
    for name in _UNORDERED:
        if isinstance(found.get(name), list):
            found[name] = sorted(found[name], key=compact)
    return found


def _key(tool: str, arguments: Mapping[str, Any]) -> str:
    return compact([tool, _normal(tool, arguments)])


@lru_cache(maxsize=1 << 14)
def _keys(outcome: Outcome) -> frozenset[str]:
    return frozenset(_key(name, arguments) for name, arguments in json.loads(outcome))
