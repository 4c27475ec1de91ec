"""The functions of the generated toolboxes, and the requests that are answered with one or two calls of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

__all__ = ["TEST", "TOOLBOXES", "Function", "Pair", "Toolbox"]


@dataclass(frozen=True)
class Function:
    """One function, and the request that one call of it answers.

    Attributes:
        name: With its toolbox's before it.
        request: What a person says that they need.
        does: Its description.
        slots: What sets the required parameters.
        optional: What sets the optional ones.
        names: Names of parameters that are not called like their slot.
    """

    name: str
    request: str
    does: str
    slots: tuple[str, ...]
    optional: tuple[str, ...]
    names: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Pair:
    """A request that two calls answer.

    Attributes:
        request: What a person says that they need.
        first, second: Names of the functions.
        instead: In the second call, the slot that sets a parameter in place of its own.
    """

    request: str
    first: str
    second: str
    instead: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Toolbox:
    """Functions of one domain."""

    name: str
    functions: tuple[Function, ...]
    pairs: tuple[Pair, ...]
    items: tuple[str, ...] = ()


TOOLBOXES: tuple[Toolbox, ...] = (
    Toolbox(
        "dining",
        (
            Function(
                *("book_table", "table booking", "Book a table in a restaurant."),
                ("city", "day", "party"),
                ("reminder", "language"),
            ),
            Function(
                *("order_catering", "catering order", "Have food brought to a gathering."),
                ("city", "day", "item"),
                ("priority", "payment"),
                {"item": "dish"},
            ),
            Function(
                *("invite_guest", "dinner invitation", "Send somebody an invitation to dinner."),
                ("city", "day", "contact"),
                ("reminder", "language"),
                {"contact": "guest"},
            ),
        ),
        (
            Pair("table booking together with an invitation", "book_table", "invite_guest"),
            Pair("catering order together with a table", "order_catering", "book_table"),
        ),
        ("curry", "dumplings", "goulash", "lasagna", "paella", "ratatouille", "tacos"),
    ),
    Toolbox(
        "transit",
        (
            Function(
                *("find_train", "train search", "Find trains between two cities."),
                ("city", "destination", "day", "time"),
                ("reminder", "language"),
                {"city": "origin"},
            ),
            Function(
                *("book_bus", "bus booking", "Book seats on a bus between two cities."),
                ("city", "destination", "day", "party"),
                ("payment", "reminder"),
                {"city": "origin", "party": "seats"},
            ),
            Function(
                *("rent_bike", "bike rental", "Rent a bike in a city."),
                ("city", "day", "item", "duration"),
                ("payment", "language"),
                {"item": "model"},
            ),
        ),
        (
            Pair("train search in either direction", "find_train", "find_train", {"city": "destination"}),
            Pair("bus booking there and back", "book_bus", "book_bus", {"city": "destination"}),
        ),
        ("cargo bike", "folding bike", "gravel bike", "mountain bike", "racing bike", "tandem", "tricycle"),
    ),
    Toolbox(
        "home",
        (
            Function(
                *("heat_room", "heating program", "Heat a room for some minutes."),
                ("time", "room", "duration"),
                ("priority", "reminder"),
                {"duration": "minutes"},
            ),
            Function(
                *("play_audio", "audio session", "Play spoken programs about a topic in a room."),
                ("topic", "room", "duration"),
                ("priority", "language"),
                {"duration": "minutes"},
            ),
            Function(
                *("start_device", "device start", "Start a household device in a room."),
                ("item", "room", "duration"),
                ("priority", "reminder"),
                {"item": "device", "duration": "minutes"},
            ),
        ),
        (
            Pair("heating program together with a device start", "heat_room", "start_device"),
            Pair("device start together with an audio session", "start_device", "play_audio"),
        ),
        ("dehumidifier", "fan", "floor lamp", "kettle", "mop robot", "projector", "radiator"),
    ),
    Toolbox(
        "office",
        (
            Function(
                *("schedule_meeting", "meeting", "Put a meeting into the calendar."),
                ("day", "contact", "duration"),
                ("reminder", "language"),
                {"contact": "attendee", "duration": "minutes"},
            ),
            Function(
                *("order_supplies", "supply order", "Order supplies for a colleague."),
                ("day", "contact", "item"),
                ("priority", "payment"),
                {"contact": "colleague"},
            ),
            Function(
                *("send_memo", "memo", "Send a colleague a memo about a topic."),
                ("day", "topic", "contact"),
                ("priority", "language"),
                {"contact": "recipient"},
            ),
        ),
        (
            Pair("meeting together with a memo", "schedule_meeting", "send_memo"),
            Pair("memo together with a supply order", "send_memo", "order_supplies"),
        ),
        ("binders", "chairs", "headsets", "markers", "notebooks", "paper", "toner"),
    ),
    Toolbox(
        "study",
        (
            Function(
                *("find_course", "course search", "Find courses about a topic in a city."),
                ("city", "day", "topic"),
                ("language", "payment"),
            ),
            Function(
                *("book_tutor", "tutoring session", "Book a tutor for a lesson about a topic."),
                ("day", "topic", "contact"),
                ("payment", "reminder"),
                {"contact": "tutor"},
            ),
            Function(
                *("reserve_desk", "desk reservation", "Reserve a desk in a reading room."),
                ("city", "day", "time"),
                ("reminder", "priority"),
            ),
        ),
        (
            Pair("course search together with a desk", "find_course", "reserve_desk"),
            Pair("course search together with a lesson", "find_course", "book_tutor"),
        ),
    ),
    Toolbox(
        "bank",
        (
            Function(
                *("send_money", "money transfer", "Send an amount in dollars to somebody."),
                ("day", "contact", "amount"),
                ("priority", "reminder"),
                {"contact": "recipient"},
            ),
            Function(
                *("plan_saving", "savings plan", "Save an amount in dollars every week for something."),
                ("day", "amount", "item"),
                ("reminder", "language"),
                {"item": "goal"},
            ),
            Function(
                *("insure_item", "insurance policy", "Insure something up to an amount in dollars."),
                ("city", "amount", "item"),
                ("payment", "language"),
                {"amount": "cover"},
            ),
        ),
        (
            Pair("money transfer together with a savings plan", "send_money", "plan_saving"),
            Pair("savings plan together with an insurance policy", "plan_saving", "insure_item"),
        ),
        ("camera", "canoe", "cello", "laptop", "scooter", "sofa", "telescope"),
    ),
    Toolbox(
        "sport",
        (
            Function(
                *("book_court", "court booking", "Book a place to play in a city."),
                ("city", "day", "item"),
                ("payment", "reminder"),
                {"item": "game"},
            ),
            Function(
                *("hire_coach", "coaching session", "Hire a coach for a session."),
                ("day", "contact", "item"),
                ("payment", "language"),
                {"contact": "coach", "item": "game"},
            ),
            Function(
                *("enter_team", "team entry", "Enter a team for a tournament."),
                ("city", "party", "item"),
                ("language", "priority"),
                {"party": "players", "item": "game"},
            ),
        ),
        (
            Pair("court booking together with a coach", "book_court", "hire_coach"),
            Pair("team entry together with a court", "enter_team", "book_court"),
        ),
        ("badminton", "basketball", "curling", "handball", "hockey", "squash", "volleyball"),
    ),
    Toolbox(
        "events",
        (
            Function(
                *("buy_tickets", "ticket purchase", "Buy tickets for a show about a topic."),
                ("city", "day", "topic"),
                ("payment", "language"),
                {"topic": "subject"},
            ),
            Function(
                *("reserve_hall", "hall reservation", "Reserve a hall for some minutes."),
                ("city", "day", "duration"),
                ("priority", "payment"),
                {"duration": "minutes"},
            ),
            Function(
                *("announce_talk", "talk announcement", "Announce a talk by somebody about a topic."),
                ("day", "topic", "contact"),
                ("language", "priority"),
                {"contact": "speaker"},
            ),
        ),
        (
            Pair("hall reservation together with a ticket", "reserve_hall", "buy_tickets"),
            Pair("ticket purchase together with an announcement", "buy_tickets", "announce_talk"),
        ),
    ),
    Toolbox(
        "feeds",
        (
            Function(
                *("weather_report", "weather report", "Report the weather of a city."),
                ("city", "day", "time"),
                ("language", "reminder"),
                {"city": "place"},
            ),
            Function(
                *("news_digest", "news digest", "Sum up the news about a topic from a city."),
                ("city", "day", "topic"),
                ("language", "priority"),
                {"city": "place"},
            ),
            Function(
                *("watch_price", "price watch", "Watch the price of something until it falls under an amount."),
                ("city", "amount", "item"),
                ("reminder", "language"),
                {"amount": "limit"},
            ),
        ),
        (
            Pair("weather report for two places", "weather_report", "weather_report", {"city": "destination"}),
            Pair("weather report together with a news digest", "weather_report", "news_digest"),
        ),
        ("blender", "drill", "espresso maker", "freezer", "guitar", "lawnmower", "tent"),
    ),
    Toolbox(
        "parcels",
        (
            Function(
                *("send_parcel", "parcel dispatch", "Send something to somebody."),
                ("day", "contact", "item"),
                ("payment", "priority"),
                {"contact": "recipient", "item": "content"},
            ),
            Function(
                *("store_parcel", "parcel storage", "Store something in a room of the depot."),
                ("day", "item", "room"),
                ("reminder", "payment"),
                {"item": "content"},
            ),
            Function(
                *("call_pickup", "pickup call", "Have somebody called at home and a parcel picked up."),
                ("day", "time", "contact"),
                ("reminder", "language"),
                {"contact": "sender"},
            ),
        ),
        (
            Pair("parcel dispatch together with storage", "send_parcel", "store_parcel"),
            Pair("parcel dispatch together with a pickup", "send_parcel", "call_pickup"),
        ),
        ("bicycle helmet", "clock", "crockery", "easel", "jigsaw", "mirror", "violin"),
    ),
)
"""All toolboxes."""
TEST = ("bank", "events", "sport")
"""Names of those whose requests are for testing."""
