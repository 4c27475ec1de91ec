"""Invented people: the words, the draws, the split by user."""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest

from intent_gym.envs.people import MAX_USERS, Draws, People, Serials, check_size, load_names, split_of
from intent_gym.errors import OptionError


def test_words_are_enough_and_written_once() -> None:
    names = load_names()
    for words in (names.first_names, names.last_names, names.streets, names.units, names.towns):
        assert len(set(words)) == len(words)
    assert len(names.first_names) * len(names.last_names) >= MAX_USERS
    assert all(word.isascii() and word.isalpha() and word.istitle() for word in names.first_names + names.last_names)
    assert all(len(state) == 2 and len(code) == 3 and code.isdigit() for _, state, code in names.towns)


@pytest.mark.parametrize("domain", ["retail", "airline"])
def test_no_word_of_the_original(domain: str, shared_data: Path) -> None:
    with gzip.open(shared_data / "tau2" / domain / "db.json.gz", "rt", encoding="utf-8") as file:
        users = json.load(file)["users"].values()
    names = load_names()
    assert not set(names.first_names) & {user["name"]["first_name"] for user in users}
    assert not set(names.last_names) & {user["name"]["last_name"] for user in users}
    assert not set(names.streets) & {user["address"]["address1"].split(" ", 1)[1] for user in users}
    assert not {town for town, _, _ in names.towns} & {user["address"]["city"] for user in users}


def test_a_person_depends_on_seed_kind_and_number() -> None:
    profile = People(0, 1).profile(7, Draws(0, 7))
    assert People(0, 1).profile(7, Draws(0, 7)) == profile
    others = [People(1, 1).profile(7, Draws(0, 7)), People(0, 2).profile(7, Draws(0, 7))]
    assert all(other["name"] != profile["name"] for other in others)
    first, last = profile["name"].values()
    assert profile["user_id"].startswith(f"{first}_{last}_".lower())
    assert profile["email"].endswith("@example.com")


def test_no_two_people_of_a_data_set_share_a_name() -> None:
    people = People(3, 1)
    names = {tuple(people.profile(number, Draws(0, number))["name"].values()) for number in range(3000)}
    assert len(names) == 3000


def test_draws_are_even_and_within_bounds() -> None:
    draws = Draws(5)
    rolls = [draws.between(1, 6) for _ in range(6000)]
    assert all(abs(rolls.count(face) - 1000) < 120 for face in range(1, 7))
    assert sum(draws.chance(0.2) for _ in range(5000)) == pytest.approx(1000, abs=120)
    counts = [draws.weighted((1, 0, 3)) for _ in range(4000)]
    assert counts.count(1) == 0
    assert counts.count(2) == pytest.approx(3000, abs=120)
    assert sorted(draws.sample("abc", 3)) == ["a", "b", "c"]
    assert len({Draws(0, 1).uniform(), Draws(1, 0).uniform(), Draws(1).uniform(), Draws(0, 2).uniform()}) == 4


def test_serials_never_repeat() -> None:
    serials, draws = Serials(), Draws(0)
    assert sorted(serials.digits(2, draws) for _ in range(90)) == [str(n) for n in range(10, 100)]


def test_the_split_is_a_hash_of_the_id_alone() -> None:
    known = {"ada_marlowe_1843": "test", "ada_marlowe_1845": "train", "otto_vance_2210": "test"}
    assert {user: split_of(user) for user in known} == known  # never change: data sets are built on it
    share = sum(split_of(f"user_{n}") == "test" for n in range(10_000)) / 10_000
    assert share == pytest.approx(0.3, abs=0.015)


@pytest.mark.parametrize("users", [49, 20_001, True, 500.0, "500", None])
def test_a_number_of_users_that_cannot_be(users: object) -> None:
    with pytest.raises(OptionError, match=r"users: expected a number of people from 50 to 20,000, got .*is 500"):
        check_size(users, 0)  # type: ignore[arg-type]  # what a caller without types may pass


@pytest.mark.parametrize("seed", [-1, True, 0.5, None])
def test_a_seed_that_cannot_be(seed: object) -> None:
    with pytest.raises(OptionError, match="seed: expected an integer >= 0, got"):
        check_size(500, seed)  # type: ignore[arg-type]  # what a caller without types may pass
