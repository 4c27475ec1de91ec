"""ToTTo's tables as a host."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from intent_gym.construct.pool import pool
from intent_gym.core.intent import Condition
from intent_gym.envs.data_to_text.host import DataToTextHost, load
from intent_gym.envs.data_to_text.original import ReferenceFrame, read_original
from intent_gym.envs.spaces import MAX_MESSAGE
from intent_gym.testing.hosts import check_host

NOTHING: frozenset[str] = frozenset()


@pytest.fixture(scope="module")
def folder(shared_data: Path) -> Path:
    return shared_data / "intentflux" / "totto"


@pytest.fixture(scope="module")
def host(folder: Path) -> DataToTextHost:
    return load(str(folder))


def test_conformance(host: DataToTextHost) -> None:
    check_host(host)


def test_all_tables_are_admitted_and_what_is_left_out_is_counted(host: DataToTextHost) -> None:
    print(len(host.goals()), dict(host.rejections))
    assert len(host.goals()) == len(host.frames) == 13
    assert Counter(g.split for g in host.goals()) == {"train": 8, "test": 5}
    assert "task: no part that can be set" not in host.rejections
    assert sum(len(g.intent.conditions) for g in host.goals()) >= 30


def test_gold_re_derives(folder: Path, host: DataToTextHost) -> None:
    from intent_gym.envs.data_to_text.data import load_tables

    tasks = {task.id: task for task in load_tables(folder)}
    for goal in host.goals():
        final = host.closed(goal.intent)
        best = host.best(goal.intent, NOTHING)
        assert best in tasks[goal.id].references
        for reference in tasks[goal.id].references:
            assert host.accepts(final, reference), (goal.id, reference)
        assert host.score(final, "") == 0.0


def test_every_stale_item_changes_the_verdict(host: DataToTextHost) -> None:
    count: Counter[str] = Counter()
    for goal in host.goals():
        final = host.closed(goal.intent)
        for slot, now in final.by_slot.items():
            others = [v for v in host.domain(slot, goal.intent.frame) if v != now.value]
            assert others
            for value in others:
                stale = host.best(final.having(Condition(slot, "=", value)), NOTHING)
                assert stale is not None
                verdict = host.judge(final, stale)
                assert not verdict.accepted, (goal.id, slot, value)
                count["variant" if slot in goal.intent.by_slot else "decoy"] += 1
    print(dict(count))
    assert count["variant"] > 100
    assert count["decoy"] > 20


def test_the_table_is_shown_without_what_can_be_set(host: DataToTextHost) -> None:
    for goal in host.goals():
        brief = host.brief(goal.intent.frame)
        assert len(brief) < MAX_MESSAGE
        for condition in goal.intent.conditions:
            word = host.slot(condition.slot).word
            shown = f"[{word}]" if condition.slot.endswith("title") else f"**[{word}]**"
            assert shown in brief, (goal.id, word)
            assert f"**{condition.value}**" not in brief
            assert f"title: {condition.value}\n" not in brief


def test_requests_can_be_told(host: DataToTextHost) -> None:
    made = pool(host, "all", 1)
    report: Any = made.report
    print(len(made.samples), dict(report.rejected))
    assert len(made.samples) >= 8


def row(
    number: int, cells: list[list[str]], marked: list[list[int]], sentences: list[str], title: str
) -> dict[str, Any]:
    cell = {"is_header": False, "column_span": 1, "row_span": 1}
    blank = {"original_sentence": "", "sentence_after_deletion": "", "sentence_after_ambiguity": ""}
    return {
        "table": [[{"value": v, **cell} for v in line] for line in cells],
        "table_webpage_url": "",
        "table_page_title": title,
        "table_section_title": "Results",
        "table_section_text": "",
        "highlighted_cells": marked,
        "example_id": number,
        "sentence_annotations": [{**blank, "final_sentence": s} for s in sentences],
    }


def frames_of(tmp_path: Path, *rows: dict[str, Any]) -> tuple[tuple[ReferenceFrame, ...], dict[str, int]]:
    (tmp_path / "dev_sample.jsonl").write_text("\n".join(json.dumps(r) for r in rows))
    found = read_original(tmp_path)
    return found.frames, dict(found.rejections)


def test_texts_are_replaced_in_the_form_in_which_they_stand(tmp_path: Path) -> None:
    cells = [
        ["Ann Smith", "Goalkeeper", "Bolton, Ohio", "4"],
        ["Eve Jones", "Defender", "Clinton, Iowa", "9"],
        ["Kim Brown", "Striker", "Salem, Utah", "7"],
    ]
    sentences = ["Smith, a goalkeeper from Bolton, scored 4.", "The goalkeeper scored 4 or 14 in 4.5 games."]
    (frame,), _ = frames_of(tmp_path, row(1, cells, [[0, 0], [0, 1], [0, 2], [0, 3]], sentences, "Cup"))
    assert frame.truth == {"cell_a": "Ann Smith", "cell_b": "Goalkeeper", "cell_c": "Bolton, Ohio", "cell_d": "4"}
    truth = {**frame.truth, **frame.neutral}
    assert frame.references(truth) == tuple(sentences)
    assert frame.references({**truth, "cell_a": "Eve Jones"}) == ("Jones, a goalkeeper from Bolton, scored 4.",)
    assert frame.references({**truth, "cell_b": "Striker", "cell_d": "9"}) == (
        "Smith, a striker from Bolton, scored 9.",
        "The striker scored 9 or 14 in 4.5 games.",
    )
    assert frame.references({**truth, "cell_c": "Salem, Utah"}) == ("Smith, a goalkeeper from Salem, scored 4.",)


def test_an_extra_cell_stands_in_brackets(tmp_path: Path) -> None:
    cells = [["Ann", "1st", "gold"], ["Eve", "2nd", "silver"]]
    (frame,), _ = frames_of(tmp_path, row(1, cells, [[0, 0]], ["Ann came in."], "Cup"))
    assert frame.domains["extra"] == ("1st", "gold", "nothing else")
    assert frame.references({"cell_a": "Eve", "extra": "gold"}) == ("Eve came in (gold).",)


def test_a_table_without_a_part_to_set_is_left_out_and_counted(tmp_path: Path) -> None:
    lone = row(1, [["Ann"]], [[0, 0]], ["Ann won."], "Cup")
    silent = row(2, [["Ann"], ["Eve"]], [[0, 0]], ["Nobody won."], "Cup")
    good = row(3, [["Ann"], ["Eve"]], [[0, 0]], ["Ann won."], "Cup")
    frames, rejections = frames_of(tmp_path, lone, silent, good)
    assert [frame.task for frame in frames] == ["totto-3"]
    assert rejections["task: no part that can be set"] == 2
    assert rejections["part: no other value"] == 1
    assert rejections["part: not in the sentences"] >= 1


def test_numbers_without_others_in_the_column_get_near_ones(tmp_path: Path) -> None:
    (frame,), _ = frames_of(tmp_path, row(1, [["15.3"]], [[0, 0]], ["He scored 15.3 points."], "Cup"))
    assert frame.domains["cell_a"] == ("13.3", "14.3", "15.3", "16.3", "17.3", "18.3")
