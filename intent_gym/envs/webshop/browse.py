"""The WebShop site as a state machine: what a search or a click does, and what the page says.

The state is a small frozen `Session`; `apply` is a pure function of it, and a page becomes text only when `render` is
called. Actions are the original's, ``search[words]`` and ``click[label]``, in any case of letters.

The pages of the original are kept: start page -> results (ten to a page, fifty at most) -> product -> option values and
the sub-pages description, features, reviews -> ``< prev`` back up; ``back to search`` from everywhere. Its quirks,
each with what is done about it here:

* *Kept*: a search is accepted on every page, and clears product and options; ``< prev`` from a product goes to the page
  of results it was opened from and forgets the chosen options; clicking another value of an option replaces the first;
  the price does not depend on the options; reviews are empty.
* *Fixed*: ``next >`` is offered only while results follow (the original goes on to empty pages for ever); searches that
  start with ``<r>``, ``<c>``, ``<q>`` or ``<a>`` are ordinary searches (the original lists products by hidden fields,
  or crashes); a keyword equal to a page's name does not confuse ``< prev`` (the original looks for it in the address).
* *Fixed*: a value that two options of a product share is clicked as ``click[option: value]``; the plain value is
  refused with the labels to use (the original sets one of them, and the others cannot be reached). The same label is
  needed for a value that reads like a button, where the plain word means the button. That form is accepted for every
  value.
* *Changed*: only a commit buys. ``click[buy now]`` is refused with kind "buy", is not offered, and no page follows a
  purchase.
* *Changed*: an action that cannot be carried out is answered by what was expected, what came and what can be clicked
  (the original says nothing). The search button is not a clickable: searching is spelled ``search[words]``.

Of the recorded sessions these tags differ for these reasons: ``backdoor``, ``url_substring``, ``past_last_page``,
``after_done``, and every last page of results by its missing ``next >``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from intent_gym.envs.webshop.catalogue import Catalogue, Product
from intent_gym.envs.webshop.search import MAX_HITS, SearchIndex
from intent_gym.errors import StateError

__all__ = [
    "PAGE_SIZE",
    "START",
    "Applied",
    "Kind",
    "Page",
    "Session",
    "apply",
    "clickables",
    "option_labels",
    "render",
    "steps_to",
]

PAGE_SIZE = 10  # results
SHOWN_TEXT = 120  # characters of an action or of keywords that a page or message repeats
SHOWN_LABELS = 40  # clickables that an error message lists
BACK_TO_SEARCH, PREVIOUS, NEXT, BUY = "back to search", "< prev", "next >", "buy now"
SUB_PAGES = ("description", "features", "reviews")
_BUTTONS = frozenset((BACK_TO_SEARCH, PREVIOUS, NEXT, BUY, *SUB_PAGES))
_ACTION = re.compile(r"\s*(search|click)\s*\[(.*)\]\s*", re.IGNORECASE | re.DOTALL)

Page: TypeAlias = Literal["index", "search_results", "item_page", "item_sub_page"]
Kind: TypeAlias = Literal["ok", "invalid", "buy"]
"""What an action was: carried out, impossible here, or an attempt to buy by a click. The last two are malformed."""


@dataclass(frozen=True, slots=True)
class Session:
    """Where a visitor of the site is."""

    page: Page = "index"
    keywords: str | None = None
    """The last search, lower case; None on the start page."""
    page_no: int | None = None
    """Page of results, from 1; kept while a product is open, None on the start page."""
    results: tuple[int, ...] = ()
    """Indices of the products found, best first, at most 50."""
    asin: str | None = None
    """The open product, on its page and its sub-pages."""
    options: tuple[tuple[str, str], ...] = ()
    """Chosen (option, value) pairs in the order of first choice."""
    sub_page: str | None = None
    """One of `SUB_PAGES` on such a page."""

    def to_json(self) -> dict[str, Any]:
        """Return the session as plain data."""
        return {
            "page": self.page,
            "keywords": self.keywords,
            "page_no": self.page_no,
            "results": list(self.results),
            "asin": self.asin,
            "options": [list(pair) for pair in self.options],
            "sub_page": self.sub_page,
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Session:
        """Inverse of `to_json`.

        Raises:
            StateError: `data` is not a session.
        """
        try:
            session = cls(
                page=data["page"],
                keywords=data["keywords"],
                page_no=data["page_no"],
                results=tuple(int(position) for position in data["results"]),
                asin=data["asin"],
                options=tuple((str(key), str(value)) for key, value in data["options"]),
                sub_page=data["sub_page"],
            )
        except (KeyError, TypeError, ValueError) as error:
            raise StateError(f"expected a saved WebShop session, found {data!r:.200} ({error!r})") from error
        if session.page not in get_args(Page):
            raise StateError(f"expected a page of {', '.join(get_args(Page))}, found {session.page!r}")
        return session


START = Session()


class Applied(NamedTuple):
    """What an action did."""

    session: Session
    error: str | None
    """What was expected, what came and what can be done instead; None if the action was carried out."""
    kind: Kind


def apply(session: Session, action: str, catalogue: Catalogue, index: SearchIndex) -> Applied:
    """Carry out one action; any text is accepted, and nothing is raised.

    Args:
        session: The state before.
        action: ``search[words]`` or ``click[label]``.
        catalogue: The products.
        index: Their search index.

    Returns:
        The state after, which is `session` itself unless `kind` is "ok".
    """
    match = _ACTION.fullmatch(action)
    if match is None:
        return _invalid(session, catalogue, f"Expected search[words] or click[label], got {_short(action)!r}.")
    argument = " ".join(match[2].split()).lower()
    if not argument:
        return _invalid(session, catalogue, f"Expected text between the brackets, got {_short(action)!r}.")
    if match[1].lower() == "search":
        results = index.search(argument, MAX_HITS)
        return Applied(Session("search_results", argument, 1, results), None, "ok")
    if argument == BUY:
        buy_now = "A click does not buy: only a commit does. Commit when the open product and its options are right."
        return Applied(session, buy_now, "buy")
    after = _clicked(session, argument, catalogue)
    if isinstance(after, str):
        return _invalid(session, catalogue, after)
    return Applied(after, None, "ok")


def clickables(session: Session, catalogue: Catalogue) -> tuple[str, ...]:
    """Return every label that ``click[...]`` accepts here, in the order of the page, lower case."""
    if session.page == "index":
        return ()
    if session.page == "search_results":
        number = session.page_no or 1
        buttons = [BACK_TO_SEARCH]
        if number > 1:
            buttons.append(PREVIOUS)
        if number * PAGE_SIZE < len(session.results):
            buttons.append(NEXT)
        return (*buttons, *(catalogue.products[i].asin.lower() for i in _shown(session)))
    if session.page == "item_page":
        labels = (label for _, label in option_labels(_open_product(session, catalogue)))
        return (BACK_TO_SEARCH, PREVIOUS, *SUB_PAGES, *labels)
    return (BACK_TO_SEARCH, PREVIOUS)


def option_labels(product: Product) -> tuple[tuple[tuple[str, str], str], ...]:
    """Return ((option, value), label to click) for every value of every option, in the order of the page.

    The label is the value, or ``option: value`` where the value alone would be ambiguous. Labels are distinct.
    """
    pairs = [(key, value) for key, values in product.options for value in values]
    plain: dict[str, int] = {}
    for _, value in pairs:
        plain[value] = plain.get(value, 0) + 1
    taken = set(_BUTTONS)
    labels = []
    for key, value in pairs:
        label = " ".join(value.split())
        if plain[value] > 1 or label in taken:
            label = " ".join(f"{key}: {value}".split())
        stem, number = label, 1
        while label in taken or (label != value and label in plain):
            number += 1
            label = f"{stem} ({number})"
        taken.add(label)
        labels.append(((key, value), label))
    return tuple(labels)


def render(session: Session, catalogue: Catalogue) -> str:
    """Return the page as text, never empty."""
    if session.page == "index":
        return "Start page of the shop.\nsearch[words] finds products."
    if session.page == "search_results":
        return _results_text(session, catalogue)
    product = _open_product(session, catalogue)
    if session.page == "item_page":
        return _product_text(session, product)
    return f"{_heading(product)}\n{_sub_page_text(session, product)}\n{_buttons((BACK_TO_SEARCH, PREVIOUS))}"


def steps_to(catalogue: Catalogue, index: SearchIndex, asin: str, options: Mapping[str, str]) -> list[str]:
    """Return the actions that lead from any page to a product, open with exactly these options chosen.

    The product is searched by its title and, where that does not find it, by its asin.

    Args:
        catalogue: The products.
        index: Their search index.
        asin: The product, in any case of letters.
        options: Option name to value; options left out stay unchosen.

    Raises:
        ValueError: There is no such product, option or value.
    """
    product = catalogue.get(asin)
    if product is None:
        raise ValueError(f"expected the asin of a product, got {asin!r}")
    chosen = dict(options)
    labels = [label for (key, value), label in option_labels(product) if chosen.get(key) == value]
    if len(labels) != len(chosen):
        offered = {key: list(values) for key, values in product.options}
        raise ValueError(f"expected options of {product.asin}, which has {offered}, got {chosen}")
    position = catalogue.by_asin[product.asin]
    query = " ".join(product.name.split()).lower()
    results = index.search(query, MAX_HITS) if query else ()
    if position not in results:
        query = product.asin.lower()
        results = index.search(query, MAX_HITS)
    turns = results.index(position) // PAGE_SIZE
    return [
        f"search[{query}]",
        *[f"click[{NEXT}]"] * turns,
        f"click[{product.asin.lower()}]",
        *(f"click[{label}]" for label in labels),
    ]


def _clicked(session: Session, label: str, catalogue: Catalogue) -> Session | str:
    """Return the session after a click, or what is wrong with the click."""
    page = session.page
    if page == "index":
        return f"Expected search[words] on the start page, where there is nothing to click, got {_short(label)!r}."
    if label == BACK_TO_SEARCH:
        return START
    if page == "search_results":
        return _clicked_results(session, label, catalogue)
    if page == "item_page":
        return _clicked_product(session, label, catalogue)
    if label == PREVIOUS:
        return replace(session, page="item_page", sub_page=None)
    return _no_such(label)


def _clicked_results(session: Session, label: str, catalogue: Catalogue) -> Session | str:
    number = session.page_no or 1
    if label == PREVIOUS and number > 1:
        return replace(session, page_no=number - 1)
    if label == NEXT and number * PAGE_SIZE < len(session.results):
        return replace(session, page_no=number + 1)
    position = catalogue.by_asin.get(label.upper())
    if position is not None and position in _shown(session):
        return replace(session, page="item_page", asin=catalogue.products[position].asin)
    return _no_such(label)


def _clicked_product(session: Session, label: str, catalogue: Catalogue) -> Session | str:
    if label == PREVIOUS:
        return replace(session, page="search_results", asin=None, options=())
    if label in SUB_PAGES:
        return replace(session, page="item_sub_page", sub_page=label)
    product = _open_product(session, catalogue)
    candidates: list[tuple[tuple[str, str], str]] = []
    for (key, value), known in option_labels(product):
        if label == known:
            return _chosen(session, key, value)
        if label in (" ".join(value.split()), " ".join(f"{key}: {value}".split())):
            candidates.append(((key, value), known))
    if len(candidates) == 1:
        return _chosen(session, *candidates[0][0])
    if candidates:
        meant = " or ".join(f"click[{known}]" for _, known in candidates)
        return f"Expected to be told which option {_short(label)!r} is a value of: {meant}."
    return _no_such(label)


def _chosen(session: Session, key: str, value: str) -> Session:
    options = dict(session.options)
    options[key] = value
    return replace(session, options=tuple(options.items()))


def _open_product(session: Session, catalogue: Catalogue) -> Product:
    product = None if session.asin is None else catalogue.get(session.asin)
    if product is None:
        raise StateError(
            f"expected a session of this catalogue on the page {session.page!r}, found the product {session.asin!r}; "
            "load the data that the session was saved with"
        )
    return product


def _shown(session: Session) -> tuple[int, ...]:
    first = ((session.page_no or 1) - 1) * PAGE_SIZE
    return session.results[first : first + PAGE_SIZE]


def _no_such(label: str) -> str:
    return f"Expected the label of something on this page, got {_short(label)!r}."


def _invalid(session: Session, catalogue: Catalogue, message: str) -> Applied:
    labels = clickables(session, catalogue)
    listed = ", ".join(labels[:SHOWN_LABELS]) + (", …" if len(labels) > SHOWN_LABELS else "")
    here = f" You can click: {listed}." if labels else ""
    return Applied(session, f"{message}{here} search[words] works on every page.", "invalid")


def _short(text: str) -> str:
    return text if len(text) <= SHOWN_TEXT else f"{text[: SHOWN_TEXT - 1]}…"


def _results_text(session: Session, catalogue: Catalogue) -> str:
    found, number = len(session.results), session.page_no or 1
    keywords = _short(session.keywords or "")
    if not found:
        head = f"No product found for: {keywords}"
    else:
        pages = -(-found // PAGE_SIZE)
        head = f"{found} product{'s' if found > 1 else ''} found for: {keywords}\nPage {number} of {pages}"
    lines = [head]
    for position in _shown(session):
        product = catalogue.products[position]
        lines.append(f"[{product.asin.lower()}] {product.name or '(no title)'} - {product.price_tag}")
    lines.append(_buttons(label for label in clickables(session, catalogue) if label in _BUTTONS))
    return "\n".join(lines)


def _product_text(session: Session, product: Product) -> str:
    chosen = dict(session.options)
    labels = option_labels(product)
    rating = "not rated" if product.rating is None else f"{product.rating:g} of 5 stars"
    price = product.price_tag if product.price == product.price_high else f"{product.price_tag} (counts as the lower)"
    lines = [_heading(product), f"Price: {price}", f"Rating: {rating}"]
    for key, _ in product.options:
        offered = " ".join(f"[{label}]" for (name, _), label in labels if name == key)
        lines.append(f"Option {key} (chosen: {chosen.get(key, 'none')}): {offered}")
    lines.append(_buttons((BACK_TO_SEARCH, PREVIOUS, *SUB_PAGES)))
    return "\n".join(lines)


def _sub_page_text(session: Session, product: Product) -> str:
    if session.sub_page == "description":
        return f"Description: {product.description.strip() or 'none given'}"
    if session.sub_page == "features":
        points = [f"- {point.strip()}" for point in product.bullets if point.strip()]
        return "\n".join(("Features:", *points)) if points else "Features: none given"
    return "Reviews: none given"


def _heading(product: Product) -> str:
    return f"Product {product.asin.lower()}: {product.name or '(no title)'}"


def _buttons(labels: Iterable[str]) -> str:
    return "Buttons: " + " ".join(f"[{label}]" for label in labels)
