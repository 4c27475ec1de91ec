"""The slots of the generated toolboxes: what people set in a request, and the words they use for it."""

from __future__ import annotations

from collections.abc import Mapping

from intent_gym.core.intent import Slot, Value
from intent_gym.envs.host import article

__all__ = ["NEUTRAL", "OPTIONAL", "POOLS", "SLOTS", "TYPES"]


def _number(slot: str, word: str, synonyms: tuple[str, ...], *heads: str, unit: str = "") -> Slot:
    clauses = tuple(f"{head} {article(word)} {word} of {{value}}" for head in heads)
    vague = (f"{heads[0]} a sensible {word}", f"{heads[-1]} a decent {word}", f"{heads[0]} a modest {word}")
    return Slot(slot, word, slot, "number", synonyms=synonyms, unit=unit, clauses=clauses, vague=vague)


SLOTS = (
    Slot(
        *("request", "request", "request", "frame"),
        synonyms=(
            *("requests", "errand", "errands", "kind of request", "what needs doing", "what should i do"),
            "what do you need done",
        ),
    ),
    Slot(
        *("city", "city", "city", "choice"),
        synonyms=("cities", "town", "towns", "which place", "where from", "from where"),
        clauses=("in {value}", "with {value} as the city", "for the city {value}"),
        vague=("in a nice city", "with a pleasant city", "for a lovely city"),
    ),
    Slot(
        *("destination", "destination", "destination", "choice"),
        synonyms=(
            *("destinations", "where to", "where it goes", "place of arrival", "where are you going"),
            *("where are you headed", "where are you traveling", "where are you travelling"),
            *("where do you want to go", "where does it go", "where should it go", "where is it going"),
            "where should it be sent",
        ),
        clauses=("to {value}", "bound for {value}", "with {value} as the destination"),
        vague=("to a nice destination", "bound for somewhere pleasant", "with a lovely destination"),
    ),
    Slot(
        *("day", "day", "day", "choice"),
        synonyms=(
            *("days", "weekday", "day of the week", "which date", "what date", "the date", "which dates"),
            "what dates",
        ),
        clauses=("on {value}", "with {value} as the day", "for the day {value}"),
        vague=("on a convenient day", "on a day that suits", "with a sensible day"),
    ),
    Slot(
        *("time", "time", "time", "choice"),
        synonyms=(
            *("times", "time of day", "hour", "what hour", "starting time", "start time", "when should it start"),
            *("when does it start", "when it starts"),
        ),
        clauses=("at {value}", "with {value} as the time", "starting at {value}"),
        vague=("at a convenient time", "at a time that suits", "starting at a sensible time"),
    ),
    _number(
        *(
            "party",
            "party size",
            (
                *("party", "how many people", "head count", "number of people", "group size", "how many guests"),
                *("how many seats", "how many persons", "how many of you", "number of guests"),
            ),
        ),
        *("for", "with"),
    ),
    Slot(
        *("topic", "topic", "topic", "choice"),
        synonyms=(
            *("topics", "subject", "subjects", "theme", "what it is about", "is it about", "it be about"),
            "about what",
        ),
        clauses=("about {value}", "on the topic {value}", "with {value} as the topic"),
        vague=("about something interesting", "on a nice topic", "with a decent topic"),
    ),
    Slot(
        *("contact", "contact", "contact", "choice"),
        synonyms=(
            *("contacts", "person", "who it concerns", "whom", "which person", "who is it for"),
            *("who is this for", "who is it with", "who it is for", "who is involved", "who should"),
        ),
        clauses=("with {value} as the contact", "for the contact {value}", "involving {value}"),
        vague=("with a suitable contact", "for a decent contact", "involving somebody nice"),
    ),
    _number(
        "amount",
        "amount",
        ("amounts", "sum", "how much", "how much money", "budget", "price", "spend"),
        "over",
        "with",
        unit="$",
    ),
    Slot(
        *("item", "item", "item", "choice"),
        synonyms=("items", "article", "articles", "which thing", "object", "what thing"),
        clauses=("for the item {value}", "with {value} as the item", "concerning the item {value}"),
        vague=("for a nice item", "with a decent item", "concerning a suitable item"),
    ),
    Slot(
        *("room", "room", "room", "choice"),
        synonyms=("rooms", "which part of the house", "space"),
        clauses=("in the {value}", "for the room {value}", "with the {value} as the room"),
        vague=("in a nice room", "for a suitable room", "with a decent room"),
    ),
    _number(
        *("duration", "duration", ("durations", "how long", "minutes", "number of minutes", "length of time")),
        *("for", "with", "over"),
    ),
    Slot(
        *("priority", "priority", "priority", "choice"),
        synonyms=("priorities", "urgency", "how urgent", "importance", "urgent", "how important"),
        clauses=("with {value}", "at {value}", "given {value}"),
        vague=("with a sensible priority", "at a fair priority", "given a decent priority"),
    ),
    Slot(
        *("reminder", "reminder", "reminder", "choice"),
        synonyms=(
            *("reminders", "notification", "notifications", "alert", "remind you", "be reminded"),
            "want to be reminded",
        ),
        clauses=("with {value}", "including {value}", "set up with {value}"),
        vague=("with a handy reminder", "including a convenient reminder", "set up with a nice reminder"),
    ),
    Slot(
        *("language", "language", "language", "choice"),
        synonyms=("languages", "tongue", "what language"),
        clauses=("worded in {value}", "with {value} as the language", "written in {value}"),
        vague=("worded in a suitable language", "with a decent language", "written in some nice language"),
    ),
    Slot(
        *("payment", "payment", "payment", "choice"),
        synonyms=(
            *("payments", "way of paying", "how to pay", "means of payment", "how do you want to pay"),
            *("how do you pay", "how will you pay", "how would you like to pay", "how are you paying"),
            *("how should i pay", "how should it be paid", "how will it be paid", "how is it paid"),
        ),
        clauses=("by {value}", "with {value}", "settled by {value}"),
        vague=("with a convenient payment", "by some handy payment", "settled by a suitable payment"),
    ),
)

OPTIONAL: Mapping[str, tuple[str, ...]] = {
    "priority": ("high priority", "low priority", "normal priority", "top priority"),
    "reminder": ("email reminder", "no reminder", "phone reminder", "text reminder"),
    "language": ("Dutch", "English", "French", "Spanish"),
    "payment": ("card payment", "cash payment", "deferred payment", "voucher payment"),
}
"""Values of the slots that may be left out."""
NEUTRAL: Mapping[str, str] = {
    "priority": "normal priority",
    "reminder": "no reminder",
    "language": "English",
    "payment": "deferred payment",
}
"""What leaving out means."""
TYPES: Mapping[str, str] = {"party": "integer", "amount": "integer", "duration": "integer"}
"""Schema types of the parameters that are no texts."""

POOLS: Mapping[str, tuple[Value, ...]] = {
    "city": (
        *("Antwerp", "Bergen", "Cordoba", "Dublin", "Geneva", "Kyoto", "Lima", "Nairobi", "Oslo", "Porto", "Tallinn"),
        *("Valletta", "Zagreb"),
    ),
    "destination": (
        *("Accra", "Bologna", "Cusco", "Dresden", "Hobart", "Izmir", "Lyon", "Malmo", "Nagoya", "Quito", "Riga"),
        *("Seville", "Turin"),
    ),
    "day": ("Friday", "Monday", "Saturday", "Sunday", "Thursday", "Tuesday", "Wednesday"),
    "time": ("breakfast", "dawn", "dusk", "lunch", "midnight", "noon", "suppertime"),
    "party": (2, 3, 4, 6, 7, 8, 9),
    "topic": (
        *("astronomy", "beekeeping", "botany", "chess", "geology", "history", "jazz", "origami", "poetry", "robotics"),
        *("sailing", "volcanoes", "weaving"),
    ),
    "contact": (
        *(
            "Adele",
            "Bruno",
            "Carmen",
            "Desmond",
            "Elif",
            "Farid",
            "Greta",
            "Hiro",
            "Imani",
            "Jonas",
            "Keiko",
            "Lorenzo",
        ),
        *("Mireille", "Nadia"),
    ),
    "amount": (130, 145, 160, 175, 190, 220, 240),
    "room": ("attic", "basement", "bathroom", "garage", "hallway", "kitchen", "library", "lounge", "nursery", "studio"),
    "duration": (18, 24, 35, 42, 54, 66, 75),
}
"""Values that a toolbox's own are drawn from; its items are told with its functions."""
