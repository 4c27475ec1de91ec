"""Invented people for the embedded data of the service desks: names, addresses, draws, and the split by user.

The words come from ``data/people.json``. Every town and street is invented; states and the beginnings of zip codes
belong together. Mail addresses are of the reserved domain example.com.

Randomness is raw 64-bit words of PCG64, as in `intent_gym.envs.webshop.generator`, never a method of
`numpy.random.Generator`, whose results may change between releases of numpy. Each user has a stream of draws of their
own, so the data of few users is the beginning of the data of many with the same seed.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Final, Literal, TypeVar

import numpy as np

from intent_gym.core.rng import key_of
from intent_gym.errors import OptionError

__all__ = [
    "MAX_USERS",
    "MIN_USERS",
    "TEST_SHARE",
    "Draws",
    "Names",
    "People",
    "Serials",
    "check_size",
    "credit_card",
    "load_names",
    "split_of",
]

MIN_USERS, MAX_USERS = 50, 20_000
TEST_SHARE: Final = 0.3
"""The share of users whose requests belong to the test split."""

_T = TypeVar("_T")
_CHUNK = 128  # words drawn at once
_UNIT = 2.0**-53


def split_of(user_id: str) -> Literal["train", "test"]:
    """Return the split that a user belongs to, in every domain, size and seed: a hash of the id alone.

    >>> split_of("ada_marlowe_1843"), split_of("ada_marlowe_1845")
    ('test', 'train')
    """
    return "test" if key_of("split by user", user_id) < TEST_SHARE * 2.0**64 else "train"


def check_size(users: int, seed: int) -> None:
    """Refuse arguments of a generator that are out of range.

    Raises:
        OptionError: An argument is no integer or out of range.
    """
    if not isinstance(users, int) or isinstance(users, bool) or not MIN_USERS <= users <= MAX_USERS:
        raise OptionError(
            f"users: expected a number of people from {MIN_USERS} to {MAX_USERS:,}, got {users!r}; the default is 500"
        )
    if not isinstance(seed, int) or isinstance(seed, bool) or seed < 0:
        raise OptionError(f"seed: expected an integer >= 0, got {seed!r}")


class Draws:
    """An endless stream of random choices, a function of its seed numbers alone.

    Args:
        seed: Integers >= 0; other numbers give an unrelated stream.

    >>> draws, again = Draws(0, 7), Draws(0, 7)
    >>> [draws.between(1, 6) for _ in range(5)] == [again.between(1, 6) for _ in range(5)]
    True
    """

    __slots__ = ("_bits", "_left")

    def __init__(self, *seed: int) -> None:
        self._bits = np.random.PCG64(key_of(*seed))
        self._left: list[float] = []

    def uniform(self) -> float:
        """Return a number in [0, 1)."""
        if not self._left:
            words = self._bits.random_raw(_CHUNK)
            self._left = ((words >> np.uint64(11)).astype(np.float64) * _UNIT).tolist()
        return self._left.pop()

    def chance(self, p: float) -> bool:
        """Return True with probability `p`."""
        return self.uniform() < p

    def between(self, low: int, high: int) -> int:
        """Return an integer from `low` to `high`, both included."""
        return low + int(self.uniform() * (high - low + 1))

    def pick(self, values: Sequence[_T]) -> _T:
        """Return one element."""
        return values[int(self.uniform() * len(values))]

    def weighted(self, weights: Sequence[float]) -> int:
        """Return an index, with a probability in proportion to its weight."""
        left = self.uniform() * sum(weights)
        for index, weight in enumerate(weights):
            left -= weight
            if left < 0.0:
                return index
        return len(weights) - 1

    def sample(self, values: Sequence[_T], k: int) -> list[_T]:
        """Return `k` different elements in random order."""
        pool = list(values)
        return [pool.pop(int(self.uniform() * len(pool))) for _ in range(k)]


class Serials:
    """Hands out numbers that look random and never come twice."""

    __slots__ = ("_taken",)

    def __init__(self) -> None:
        self._taken: set[int] = set()

    def digits(self, n: int, draws: Draws) -> str:
        """Return a number of `n` digits, the first not 0, that was not handed out before."""
        low = 10 ** (n - 1)
        while (number := draws.between(low, 10 * low - 1)) in self._taken:
            pass
        self._taken.add(number)
        return str(number)


@dataclass(frozen=True, slots=True)
class Names:
    """The words of ``data/people.json``."""

    first_names: tuple[str, ...]
    last_names: tuple[str, ...]
    streets: tuple[str, ...]
    units: tuple[str, ...]
    """Kinds of a second line of an address, such as ``"Suite"``."""
    towns: tuple[tuple[str, str, str], ...]
    """Triples (town, state, first three digits of its zip code)."""


@cache
def load_names() -> Names:
    """Return the words that people are made of.

    >>> load_names().towns[0]
    ('Alder Falls', 'OR', '973')
    """
    text = (resources.files("intent_gym.envs") / "data" / "people.json").read_text(encoding="utf-8")
    data = json.loads(text)
    words = {key: tuple(data[key]) for key in ("first_names", "last_names", "streets", "units")}
    return Names(**words, towns=tuple((town, state, code) for town, state, code in data["towns"]))


class People:
    """The users of one data set: no two share first and last name.

    Args:
        seed: The seed of the data set.
        stream: A number of the data set's kind, so that two kinds of one seed hold other people.
    """

    def __init__(self, seed: int, stream: int) -> None:
        self.names = names = load_names()
        pairs = len(names.first_names) * len(names.last_names)
        words = np.random.PCG64(key_of(seed, stream)).random_raw(pairs)
        self._order: list[int] = np.argsort(words, kind="stable").tolist()

    def profile(self, number: int, draws: Draws) -> dict[str, Any]:
        """Return id, name, address and mail address of user `number`, as in the original's rows."""
        first, last = divmod(self._order[number], len(self.names.last_names))
        first_name, last_name = self.names.first_names[first], self.names.last_names[last]
        return {
            "user_id": f"{first_name}_{last_name}_{draws.between(1000, 9999)}".lower(),
            "name": {"first_name": first_name, "last_name": last_name},
            "address": self.address(draws),
            "email": f"{first_name}.{last_name}{draws.between(1000, 9999)}@example.com".lower(),
        }

    def address(self, draws: Draws) -> dict[str, str]:
        """Return an address, as in the original's rows."""
        town, state, code = draws.pick(self.names.towns)
        return {
            "address1": f"{draws.between(11, 989)} {draws.pick(self.names.streets)}",
            "address2": f"{draws.pick(self.names.units)} {draws.between(2, 48)}",
            "city": town,
            "country": "USA",
            "state": state,
            "zip": f"{code}{draws.between(1, 99):02}",
        }

    def traveller(self, draws: Draws) -> dict[str, str]:
        """Return the name and date of birth of somebody who need not be a user."""
        return {
            "first_name": draws.pick(self.names.first_names),
            "last_name": draws.pick(self.names.last_names),
            "dob": self.birthday(draws),
        }

    def birthday(self, draws: Draws) -> str:
        """Return a date of birth of an adult."""
        return f"{draws.between(1946, 2004)}-{draws.between(1, 12):02}-{draws.between(1, 28):02}"


def credit_card(number: str, draws: Draws) -> dict[str, Any]:
    """Return a payment method, as in the original's rows."""
    return {
        "source": "credit_card",
        "id": f"credit_card_{number}",
        "brand": draws.pick(("visa", "mastercard")),
        "last_four": f"{draws.between(0, 9999):04}",
    }
