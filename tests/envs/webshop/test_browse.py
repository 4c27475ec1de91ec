"""The site: recorded sessions replayed, the decisions that differ, and the way to every product."""

from __future__ import annotations

import gzip
import itertools
import json
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.envs.webshop.browse import (
    START,
    Applied,
    Session,
    apply,
    clickables,
    option_labels,
    render,
    steps_to,
)
from intent_gym.envs.webshop.catalogue import Catalogue, load_catalogue
from intent_gym.envs.webshop.search import SearchIndex
from intent_gym.errors import StateError

# Recorded sessions that differ on purpose (see the module's docstring).
DECIDED = {"backdoor", "url_substring", "after_done"}


def item(asin: str, name: str, **fields: Any) -> dict[str, Any]:
    return {"asin": asin, "name": name, "query": "things", "category": "garden", **fields}


def values(*texts: str) -> list[dict[str, str]]:
    return [{"value": text} for text in texts]


ITEMS = [
    item(
        "B1",
        "Tricky lamp",
        customization_options={
            "Size": values("10", "Small", "Description", "2  wide", "color: 10"),
            "Color": values("10", "Red", "Buy Now", "2 wide"),
        },
        pricing="$5.00$7.50",
        average_rating=4,
        small_description=["Bright", " ", "Cold"],
        full_description="Made of glass.",
    ),
    item("B2", "", small_description="no title"),
    *(item(f"C{number:02}", "plain box") for number in range(60)),
]
CATALOGUE = Catalogue.from_records(ITEMS, attributes={})
INDEX = SearchIndex.in_memory(CATALOGUE)


def after(*actions: str, start: Session = START) -> Session:
    for action in actions:
        done = apply(start, action, CATALOGUE, INDEX)
        assert done.kind == "ok", (action, done.error)
        start = done.session
    return start


def refused(session: Session, action: str) -> Applied:
    done = apply(session, action, CATALOGUE, INDEX)
    assert done.session is session
    assert done.error
    return done


class Recorded:
    """A search index that answers from a recording."""

    def __init__(self, catalogue: Catalogue) -> None:
        self.catalogue = catalogue
        self.answer: list[str] = []

    def search(self, query: str, k: int) -> tuple[int, ...]:
        return tuple(self.catalogue.by_asin[asin] for asin in self.answer)


def test_recorded_sessions(shared_data: Path, capsys: pytest.CaptureFixture[str]) -> None:
    catalogue = load_catalogue(shared_data / "webshop")
    stub = Recorded(catalogue)
    index = cast(SearchIndex, stub)
    sessions = steps = ends = 0
    with gzip.open(shared_data / "webshop" / "golden" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        recorded = [json.loads(line) for line in lines]
    for row in recorded:
        if DECIDED & set(row["tags"]):
            continue
        sessions += 1
        session = START
        for step in row["steps"]:
            if "results" in step and step["page_number"] > max(1, -(-len(step["results"]) // 10)):
                assert "past_last_page" in row["tags"]
                assert apply(session, step["action"], catalogue, index).kind == "invalid"
                break  # the original goes on behind the last page
            if step["action"] is not None:
                stub.answer = step.get("results", [])
                done = apply(session, step["action"], catalogue, index)
                if step["done"]:
                    assert done.kind == "buy"
                    assert session.asin == step["asin"]
                    assert dict(session.options) == step["options"]
                    ends += 1
                    break
                refused_here = step["ignored"]
                assert (done.kind != "ok") == refused_here, (row["session"], step["action"], done.error)
                session = done.session
            check_step(session, step, catalogue)
            steps += 1
    with capsys.disabled():
        print(
            f"\nsite: {sessions} of {len(recorded)} recorded sessions, {steps} steps and {ends} purchases as recorded"
        )
    assert sessions >= 20
    assert ends >= 15


def check_step(session: Session, step: dict[str, Any], catalogue: Catalogue) -> None:
    assert session.page == step["page"]
    assert session.sub_page == step["sub_page"]
    assert session.asin == step["asin"]
    assert dict(session.options) == step["options"]
    assert session.page_no == step["page_number"]
    assert session.keywords == step["keywords"]
    # Labels have plain blanks where a value has others, such as U+00A0.
    expected = [" ".join(label.split()) for label in step["clickables"] if label not in ("search", "buy now")]
    if session.page == "search_results" and (session.page_no or 1) * 10 >= len(session.results):
        expected.remove("next >")
    assert list(clickables(session, catalogue)) == expected
    assert render(session, catalogue)
    assert Session.from_json(json.loads(json.dumps(session.to_json()))) == session


def test_decided_tags_are_recorded_at_all(shared_data: Path) -> None:
    with gzip.open(shared_data / "webshop" / "golden" / "pages.jsonl.gz", "rt", encoding="utf-8") as lines:
        tags = {tag for line in lines for tag in json.loads(line)["tags"]}
    assert tags >= DECIDED


@pytest.mark.parametrize("words", ["<q> things", "<c> garden", "<a> bright", "<r>"])
def test_no_back_doors(words: str) -> None:
    assert after(f"search[{words}]").results == INDEX.search(words)


def test_a_keyword_that_names_a_page_changes_nothing() -> None:
    session = after("search[search_results item_page box]", "click[c00]", "click[description]", "click[< prev]")
    assert (session.page, session.asin) == ("item_page", "C00")


def test_paging_ends_with_the_results() -> None:
    session = after("search[box]")
    assert len(session.results) == 50
    session = after(*["click[next >]"] * 4, start=session)
    assert session.page_no == 5
    assert "next >" not in clickables(session, CATALOGUE)
    assert refused(session, "click[next >]").kind == "invalid"
    assert after("click[< prev]", start=session).page_no == 4
    first = after("search[box]")
    assert "< prev" not in clickables(first, CATALOGUE)
    assert refused(first, "click[< prev]").kind == "invalid"


def test_previous_from_a_product_forgets_options_and_keeps_the_page() -> None:
    session = after("search[box]", "click[next >]", "click[c15]", "click[< prev]")
    assert (session.page, session.page_no, session.asin, session.options) == ("search_results", 2, None, ())
    chosen = after("search[lamp]", "click[B1]", "click[Red]", "click[features]", "click[< prev]")
    assert chosen.options == (("color", "red"),)
    assert after("click[< prev]", "click[b1]", start=chosen).options == ()


def test_search_from_every_page_clears_the_product() -> None:
    for way in ([], ["search[lamp]"], ["search[lamp]", "click[b1]", "click[red]"], ["search[b1]", "click[b1]"]):
        assert after(*way, "search[ Tricky   LAMP ]") == after("search[tricky lamp]")
    assert after("search[lamp]", "click[back to search]") == START


def test_another_value_replaces_the_first() -> None:
    session = after("search[lamp]", "click[b1]", "click[small]", "click[red]", "click[size: 10]")
    assert session.options == (("size", "10"), ("color", "red"))


def test_labels_are_distinct_and_ambiguous_values_name_their_option() -> None:
    labels = dict(option_labels(CATALOGUE.products[0]))
    assert labels == {
        ("size", "10"): "size: 10",
        ("size", "small"): "small",
        ("size", "description"): "size: description",
        ("size", "2  wide"): "2 wide (2)",
        ("size", "color: 10"): "color: 10",
        ("color", "10"): "color: 10 (2)",
        ("color", "red"): "red",
        ("color", "buy now"): "color: buy now",
        ("color", "2 wide"): "2 wide",
    }
    page = after("search[lamp]", "click[b1]")
    error = refused(page, "click[10]").error
    assert error is not None
    assert "click[size: 10] or click[color: 10 (2)]" in error
    assert after("click[description]", start=page).page == "item_sub_page"
    assert after("click[size: description]", start=page).options == (("size", "description"),)
    assert after("click[color: red]", start=page).options == (("color", "red"),)


def test_every_combination_of_the_tricky_product_is_reached() -> None:
    product = CATALOGUE.products[0]
    for count in range(3):
        for keys in itertools.combinations([key for key, _ in product.options], count):
            for chosen in itertools.product(*(product.values(key) for key in keys)):
                wanted = dict(zip(keys, chosen, strict=True))
                session = after(*steps_to(CATALOGUE, INDEX, "b1", wanted), start=after("search[box]", "click[c00]"))
                assert (session.asin, dict(session.options)) == ("B1", wanted)


def test_products_that_their_title_does_not_find() -> None:
    # One has no title; sixty share one, and fifty are found.
    for product in CATALOGUE.products[1:]:
        session = after(*steps_to(CATALOGUE, INDEX, product.asin, {}))
        assert (session.page, session.asin) == ("item_page", product.asin)


@pytest.mark.parametrize(
    ("asin", "options", "message"),
    [
        ("B9", {}, "expected the asin of a product, got 'B9'"),
        ("B1", {"color": "blue"}, "expected options of B1"),
        ("B1", {"weight": "10"}, "expected options of B1"),
    ],
)
def test_steps_to_nothing(asin: str, options: dict[str, str], message: str) -> None:
    with pytest.raises(ValueError, match=message):
        steps_to(CATALOGUE, INDEX, asin, options)


def test_every_sku_of_the_thousand_products_is_reached(shared_data: Path) -> None:
    catalogue = load_catalogue(shared_data / "webshop")
    index = SearchIndex.in_memory(catalogue)
    reached = 0
    for product in catalogue.products:
        keys = [key for key, _ in product.options]
        for chosen in itertools.product(*(values for _, values in product.options)):
            wanted = dict(zip(keys, chosen, strict=True))
            session = START
            for action in steps_to(catalogue, index, product.asin, wanted):
                done = apply(session, action, catalogue, index)
                assert done.kind == "ok", (action, done.error)
                session = done.session
            assert (session.asin, dict(session.options)) == (product.asin, wanted)
            reached += 1
    assert reached == 10_845


@pytest.mark.parametrize(
    ("action", "message"),
    [
        ("", "Expected search[words] or click[label], got ''."),
        ("search", "Expected search[words] or click[label], got 'search'."),
        ("buy[now]", "Expected search[words] or click[label], got 'buy[now]'."),
        ("search[ ]", "Expected text between the brackets, got 'search[ ]'."),
        ("click[]", "Expected text between the brackets, got 'click[]'."),
        ("click[c99]", "Expected the label of something on this page, got 'c99'."),
        ("click[description]", "Expected the label of something on this page, got 'description'."),
    ],
)
def test_invalid_actions_are_explained(action: str, message: str) -> None:
    done = refused(after("search[lamp]"), action)
    assert done.kind == "invalid"
    assert done.error == f"{message} You can click: back to search, b1. search[words] works on every page."


def test_invalid_on_the_other_pages() -> None:
    start = refused(START, "click[back to search]")
    assert start.error is not None
    assert "nothing to click, got 'back to search'" in start.error
    product = refused(after("search[lamp]", "click[b1]"), "click[blue]")
    assert product.error is not None
    assert "size: 10, small," in product.error
    sub = refused(after("search[lamp]", "click[b1]", "click[reviews]"), "click[red]")
    assert sub.error is not None
    assert "You can click: back to search, < prev." in sub.error
    long = refused(START, "x" * 16_384)
    assert long.error is not None
    assert len(long.error) < 300


def test_a_click_does_not_buy() -> None:
    for session in (START, after("search[lamp]"), after("search[lamp]", "click[b1]")):
        done = refused(session, "Click[ Buy Now ]")
        assert done.kind == "buy"
        assert "only a commit" in (done.error or "")
        assert "buy now" not in clickables(session, CATALOGUE)


def test_pages_as_text() -> None:
    assert render(START, CATALOGUE) == "Start page of the shop.\nsearch[words] finds products."
    assert render(after("search[lamp]"), CATALOGUE) == (
        "1 product found for: lamp\nPage 1 of 1\n[b1] Tricky lamp - $5.00 to $7.50\nButtons: [back to search]"
    )
    assert render(after("search[zzz]"), CATALOGUE) == "No product found for: zzz\nButtons: [back to search]"
    assert render(after("search[lamp]", "click[b1]", "click[red]"), CATALOGUE) == (
        "Product b1: Tricky lamp\n"
        "Price: $5.00 to $7.50 (counts as the lower)\n"
        "Rating: 4 of 5 stars\n"
        "Option size (chosen: none): [size: 10] [small] [size: description] [2 wide (2)] [color: 10]\n"
        "Option color (chosen: red): [color: 10 (2)] [red] [color: buy now] [2 wide]\n"
        "Buttons: [back to search] [< prev] [description] [features] [reviews]"
    )
    page = after("search[lamp]", "click[b1]")
    assert "\nDescription: Made of glass.\n" in render(after("click[description]", start=page), CATALOGUE)
    assert "\nFeatures:\n- Bright\n- Cold\n" in render(after("click[features]", start=page), CATALOGUE)
    assert "\nReviews: none given\n" in render(after("click[reviews]", start=page), CATALOGUE)
    bare = after("search[b2]", "click[b2]", "click[description]")
    assert render(bare, CATALOGUE).startswith("Product b2: (no title)\nDescription: none given\n")


def test_every_label_on_a_page_can_be_clicked() -> None:
    seen: set[Session] = set()
    queue = [after("search[lamp]"), after("search[box]"), after("search[zzz]")]
    while queue and len(seen) < 300:
        session = queue.pop()
        if session in seen:
            continue
        seen.add(session)
        text = render(session, CATALOGUE)
        for label in clickables(session, CATALOGUE):
            assert f"[{label}]" in text
            queue.append(after(f"click[{label}]", start=session))
    assert len(seen) == 300


@given(
    st.lists(st.text(max_size=30) | st.sampled_from(["search[box]", "click[next >]", "click[c01]", "click[< prev]"]))
)
def test_any_text_is_answered(actions: list[str]) -> None:
    session = START
    for action in actions:
        done = apply(session, action, CATALOGUE, INDEX)
        assert (done.error is None) == (done.kind == "ok")
        assert done.kind == "ok" or done.session is session
        session = done.session
        assert render(session, CATALOGUE)
        assert Session.from_json(json.loads(json.dumps(session.to_json()))) == session


@pytest.mark.parametrize(
    "data",
    [
        {},
        {**START.to_json(), "page": "done"},
        {**START.to_json(), "results": ["x"]},
        {**START.to_json(), "options": [1]},
    ],
)
def test_saved_state_that_is_no_session(data: dict[str, Any]) -> None:
    with pytest.raises(StateError, match="expected a"):
        Session.from_json(data)


def test_session_of_another_catalogue() -> None:
    with pytest.raises(StateError, match="expected a session of this catalogue"):
        render(Session(page="item_page", asin="Z1"), CATALOGUE)
