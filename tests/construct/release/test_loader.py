from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from intent_gym.construct.release import Release, ReleaseWarning, load_release
from intent_gym.core.intent import IntentGraph
from intent_gym.core.sample import Sample
from intent_gym.errors import DataError, OptionError, TaskError

if TYPE_CHECKING:
    from tests.construct.release.conftest import Folder

SHOP = "benchmarks/webshop/artifacts"
TAU2 = "benchmarks/tau2/artifacts"


# -- the fixtures ------------------------------------------------------------------------------------------------------
def test_the_fixtures_load(release: Release) -> None:
    assert len(release.trees) == 6 and len(release.samples) == 18
    assert len(release.select("webshop")) == 4
    assert len(release.select("webshop", faults=2)) == 1
    assert len(release.select("airline", split="test")) == 4
    assert len(release.select("airline", split="train")) == 4
    assert len(release.select("retail", faults=None)) == 5
    assert release.verified == 169
    assert sum(p.state is not None for p in release.payload.values()) == 23
    assert len(release.payload) == sum(len(t.graph.nodes) for t in release.trees.values())


def test_a_subset_warns(shared_data: Path) -> None:
    with pytest.warns(ReleaseWarning, match="4 of 1780 webshop, 4 of 555 retail, 8 of 208 airline"):
        load_release(shared_data / "driftbench")


def test_samples_of_a_tree_share_its_graph_and_say_what_the_files_say(release: Release, shared_data: Path) -> None:
    for path in (shared_data / "driftbench" / SHOP / "samples_v2/samples/webshop").glob("*.json"):
        data = json.loads(path.read_text(encoding="utf-8"))
        found = release.sample(path.stem)
        assert found.sample.request.text == data["query"]
        assert found.source_text == data["source_instruction"]
        assert found.strategies == tuple(data["strategy_ids"])
        assert [c.to_json() for c in found.sample.conditions] == data["hidden_intent"]["conditions"]
        assert found.sample.graph is release.trees[data["tree_id"]].graph
        index = {p.intent_id: n for (t, n), p in release.payload.items() if t == found.tree_id}
        from_root = {(e.target, e.moves) for e in found.sample.graph.edges if e.source == 0}
        assert from_root == {(index[o["to_intent"]], o["gt_moved"]) for o in data["shift_options"]}


def test_retail_rows_find_their_tree_by_the_remap(release: Release) -> None:
    found = release.sample("0213288d7b8709be__indirect_intent")
    assert (found.named_tree, found.tree_id) == ("0213288d7b8709be", "6accb9b537da61e7")
    assert found.part == "retail"  # the packaged file of the same sample repeats it
    assert release.sample("0213288d7b8709be__syntactic_ambiguity").part == "retail packaged"


def test_a_missing_tree_and_a_rejected_row_are_named(release: Release) -> None:
    with pytest.raises(DataError, match="131a9c1eea4cdcb8: its tree cabc70b6fa81a377 is not in the folder"):
        release.sample("131a9c1eea4cdcb8")
    with pytest.raises(DataError, match="rejected: admission:reading_not_executable:ValueError"):
        release.sample("0d70bcd82c965c0c__indirect_intent+factual_error__0")
    with pytest.raises(TaskError, match="did you mean '27926cf72e256f5c'"):
        release.sample("27926cf72e256f5")
    kinds = [p.kind for p in release.problems]
    assert sorted(kinds) == ["missing tree", "missing tree", "rejected"]


def test_manifests_tell_persona_and_seed(release: Release) -> None:
    (run,) = release.sample("27d2cdc9987cd141").runs
    assert (run.persona, run.episode_seed) == ("rational", 888891594)
    assert release.sample("27926cf72e256f5c").runs == ()
    assert list(release.manifests) == ["p500_rational"]


def test_what_agents_may_see_holds_nothing_of_the_payload(release: Release) -> None:
    for sample in release.samples.values():
        told = json.dumps(sample.sample.to_json(), ensure_ascii=False)
        for (tree, _), payload in release.payload.items():
            if tree == sample.tree_id:
                hidden = (payload.asin, payload.base.get("name"), payload.state)
                assert not [h for h in hidden if h is not None and h in told]
    payload = next(p for p in release.payload.values() if p.asin)
    assert str(payload.asin) not in repr(payload)


def test_samples_and_graphs_go_through_json(release: Release) -> None:
    for sample in release.samples.values():
        again = Sample.from_json(json.loads(json.dumps(sample.sample.to_json())))
        assert again == sample.sample
        assert IntentGraph.from_json(sample.sample.graph.to_json()) == sample.sample.graph


# -- small folders -----------------------------------------------------------------------------------------------------
@pytest.mark.parametrize("key", ["tree_id", "graph_id"])
def test_both_spellings_of_an_id(key: str, folder: Folder) -> None:
    folder.id_key = key
    tree = folder.shop_tree()
    made = folder.shop_sample(tree)
    path = "benchmarks/webshop/experiments/persona2/views/p500_avoidant.json"
    row = {"sample_id": made["sample_id"], key: tree["tree_id"], "strategy_id": "x", "persona": "avoidant"}
    folder.write(path, {"persona": "avoidant", "seed": 1, "rows": [{**row, "episode_seed": 5}]})
    found = folder.load().sample(made["sample_id"])
    assert found.tree_id == tree["tree_id"]
    assert found.sample.blind == ((8, 2),) and found.guessable
    assert [r.episode_seed for r in found.runs] == [5]
    graph = found.sample.graph
    assert [n.frame for n in graph.nodes] == ["tea", "tea", "tea (2)"]
    assert {(e.source, e.target): e.relation for e in graph.edges} == {
        (0, 1): "refine",
        (1, 0): "relax",
        **{pair: "pivot" for pair in ((0, 2), (2, 0), (1, 2), (2, 1))},
    }
    by_pair = {(e.source, e.target): e for e in graph.edges}
    assert by_pair[0, 1].invalidates and not by_pair[1, 0].invalidates


def test_an_unknown_mark_label_is_kept(folder: Folder) -> None:
    tree = folder.shop_tree()
    made = folder.shop_sample(tree, marked=[["option:0", "shrugged at"]], hidden_slots=["option:0"])
    found = folder.load().sample(made["sample_id"])
    assert found.mask.marked == (("option:0", "shrugged at"),)
    assert found.hidden == ("option:0",)


def test_a_missing_tree_is_a_row_of_the_report(folder: Folder) -> None:
    tree = folder.shop_tree()
    made = folder.shop_sample(tree)
    (folder.root / SHOP / "trees/webshop" / tree["env_id"] / f"{tree['tree_id']}.json").unlink()
    release = folder.load()
    assert release.samples == {}
    (problem,) = release.problems
    assert problem.kind == "missing tree" and problem.item == made["sample_id"]
    assert f"its tree {tree['tree_id']} is not in the folder" in str(release.report())


def _changed(folder: Folder, path: str, old: str, new: str) -> None:
    file = next(folder.root.glob(path))
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new, 1), encoding="utf-8")


TREE, SAMPLE = f"{SHOP}/trees/webshop/*/*.json", f"{SHOP}/samples_v2/samples/webshop/*.json"


@pytest.mark.parametrize(
    ("path", "old", "new", "what"),
    [
        (TREE, '"asin": "B3"', '"asin": "B4"', "intent_id"),
        (TREE, "dark green", "dark grey", "ground_truth.hash"),
        (TREE, '"seed": 7', '"seed": 8', "tree_id"),
        (SAMPLE, '"withheld": ["option:0"]', '"withheld": []', "mask.spec_id"),
        (SAMPLE, "dark green", "dark grey", "ground_truth.hash"),
        (SAMPLE, "green tea, please", "any tea, please", "source_record"),
    ],
)
def test_a_wrong_hash_raises_or_warns(path: str, old: str, new: str, what: str, folder: Folder) -> None:
    made = folder.shop_sample(folder.shop_tree())
    _changed(folder, path, old, new)
    with pytest.raises(
        DataError, match=rf"(?s)\.json: .*{what}.*: expected '\w+' from the content, found '\w+'.*strict=False"
    ):
        folder.load()
    with pytest.warns(ReleaseWarning, match=rf"{what}.*: expected"):
        release = folder.load(strict=False)
    assert made["sample_id"] in release.samples  # what can be read is loaded
    assert {p.kind for p in release.problems} == {"hash"}
    assert "hash: " in str(release.report())


@pytest.mark.parametrize(
    ("path", "text", "reason"),
    [
        (TREE, '{"tree_id": ', "expected JSON, but it cannot be read"),
        (TREE, "[]", "expected a JSON object, found a list"),
        (TREE, "{}", "Field required"),
        (SAMPLE, "\x00", "expected JSON"),
        (SAMPLE, '{"sample_id": 3}', "sample_id: Input should be a valid string"),
    ],
)
def test_a_corrupt_file_raises_or_is_a_row_of_the_report(path: str, text: str, reason: str, folder: Folder) -> None:
    made = folder.shop_sample(folder.shop_tree())
    file = next(folder.root.glob(path))
    file.write_text(text, encoding="utf-8")
    with pytest.raises(DataError) as error:
        folder.load()
    assert reason in str(error.value) and str(file) in str(error.value)
    with pytest.warns(ReleaseWarning, match=reason):
        release = folder.load(strict=False)
    assert release.problems[0].kind == "corrupt"
    assert reason in str(release.report())
    if path == TREE:
        with pytest.raises(DataError, match="could not be read"):
            release.sample(made["sample_id"])


def test_bytes_that_are_no_text(folder: Folder) -> None:
    folder.shop_tree()
    next(folder.root.glob(TREE)).write_bytes(b"\xff\xfe{}")
    with pytest.raises(DataError, match="cannot be read"):
        folder.load()


def test_nodes_that_are_not_those_of_their_host(folder: Folder) -> None:
    env = "tau2_retail_shop"
    node = folder.node("tau2_retail", env, [], base={"writes": []}, truth="no json", recipe={"actions": []})
    folder.tree(f"{TAU2}/trees/tau2_retail", "tau2_retail", {"domain": "retail", "env_id": env}, [node])
    with pytest.raises(DataError, match="expected the tree of a retail request"):
        folder.load()


def test_an_edge_to_nowhere(folder: Folder) -> None:
    tree = folder.shop_tree()
    edge = {"src": tree["root"]["intent_id"], "dst": "0" * 16, "operator": "PIVOT", "gt_moved": True}
    _changed(folder, TREE, '"edges": []', f'"edges": [{json.dumps(edge)}]')
    with pytest.raises(DataError, match="an edge names node 0000"):
        folder.load()


def test_rows_that_were_rejected_or_come_twice(folder: Folder) -> None:
    tree = folder.retail_tree()
    rows: list[dict[str, Any]] = [folder.row(tree), {**folder.row(tree, "factual_error"), "status": "error"}]
    folder.write(f"{TAU2}/retail_samples_release.json", {"results": rows})
    twice = [folder.row(tree, "irrelevant_information+irrelevant_information", k=2, combo_idx=1) for _ in range(2)]
    bad = {"tree": "x", "strategy": "a+b", "combo_idx": 7, "status": "rejected", "verdict": "extractor_disagreement"}
    folder.write(f"{TAU2}/retail_composite_k2.json", {"summary": {}, "results": [*twice, bad]})
    release = folder.load()
    name = f"{tree['tree_id']}__irrelevant_information+irrelevant_information__1"
    assert list(release.samples) == [f"{tree['tree_id']}__indirect_intent", name, f"{name}~2"]
    assert release.samples[name].strategies == ("irrelevant_information", "irrelevant_information")
    assert [p.reason for p in release.report().by_kind("rejected")] == [
        "error: no verdict stored",
        "rejected: extractor_disagreement",
    ]


def test_airline_folders_in_their_order(folder: Folder) -> None:
    env = "tau2_airline_desk"
    node = folder.node(
        "tau2_airline",
        env,
        [["arg:0:cancel_reservation:reservation_id", "=", '"R1"']],
        base={"kind": "airline_request", "reads": [], "writes": ["cancel_reservation"]},
        truth=json.dumps({"db": "1" * 64, "errors": []}),
        recipe={"actions": [{"name": "cancel_reservation", "arguments": {"reservation_id": "R1"}}], "reads": []},
    )
    spec = {"domain": "airline", "env_id": env}
    tree = folder.tree(f"{TAU2}/trees/tau2_airline", "tau2_airline", spec, [node])
    assert folder.load().trees[tree["tree_id"]].part == "airline trees (composites)"
    folder.tree(f"{TAU2}/trees/tau2_airline_sel", "tau2_airline", spec, [node])
    rows = [folder.row(tree)]
    folder.write(f"{TAU2}/airline_samples_full.json", {"results": rows})
    release = folder.load()
    assert release.trees[tree["tree_id"]].part == "airline trees (selected)"
    assert [s.sample.split for s in release.select("airline")] == ["test"]
    folder.write(f"{TAU2}/airline_samples_learn.json", {"results": rows})
    release = folder.load()
    assert [s.sample.split for s in release.select("airline")] == ["train"]
    assert {c.part: c.found for c in release.report().counts}["airline"] == 1


def test_places_that_disagree_warn(folder: Folder) -> None:
    tree = folder.retail_tree()
    folder.write(f"{TAU2}/retail_samples_release.json", {"results": [folder.row(tree, root_conditions=[])]})
    with pytest.warns(ReleaseWarning, match="its conditions are not those of the root"):
        folder.load()
    folder.write(f"{TAU2}/retail_samples_release.json", {"results": [folder.row(tree)]})
    row = folder.row(tree, query="Something else.")
    packaged = {
        **{"sample_id": f"{tree['tree_id']}__indirect_intent", "tree_id": tree["tree_id"]},
        **{k: row[k] for k in ("query", "mask", "signature")},
        "strategy_ids": ["indirect_intent"],
        "hidden_intent": {"conditions": row["root_conditions"], "hidden_slots": []},
    }
    folder.write(f"data/tau2/retail/{packaged['sample_id']}.json", packaged)
    with pytest.warns(ReleaseWarning, match="differs from the sample of this id in benchmarks"):
        release = folder.load()
    assert release.sample(packaged["sample_id"]).sample.request.text == row["query"].replace(
        "Something else.", "About order #W1."
    )


def test_a_folder_without_the_release(tmp_path: Path) -> None:
    with pytest.raises(DataError, match="expected a folder of the Drift-Bench"):
        load_release(tmp_path)
    with pytest.raises(DataError, match="expected a folder of the Drift-Bench"):
        load_release(tmp_path / "nowhere")


def test_an_unknown_kind_of_transitions(tmp_path: Path) -> None:
    with pytest.raises(OptionError, match="expected 'runtime' or 'stored', got 'live'"):
        load_release(tmp_path, transitions="live")  # type: ignore[arg-type]
