"""The wordings that the template writer draws from. No form is tied to a value; most are shared by all faults.

Placeholders: {np} the thing wanted, with its article if it takes one, {cl} clauses that follow a noun, {word} a slot's
type word, {x} a clause or a word, {value} a value, {companion} another thing with its article, {who} who speaks.

What is wanted may be one thing, several, or stuff ("a desk", "power banks", "popcorn"), so no form has a verb or a
pronoun that must agree with it. Spelling is American, as in the shops.
"""

from __future__ import annotations

from typing import NamedTuple

__all__ = [
    "AMBIGUOUS",
    "ASK",
    "ASK_MORE",
    "CLOSINGS",
    "DEICTIC",
    "GREETINGS",
    "INSIST",
    "INSIST_TOLD",
    "NAMED",
    "NOISE",
    "PRESUPPOSE",
    "PRESUPPOSE_DROP",
    "PRESUPPOSE_DROP_TOLD",
    "PRESUPPOSE_TOLD",
    "SERVICE",
    "TELL",
    "TELL_CLOSINGS",
    "TELL_LACK",
    "TELL_MORE",
    "TELL_STEADY",
    "THING",
    "VAGUE",
    "WHO",
    "Forms",
]

GREETINGS = (
    *("", "", "", ""),
    *("Hi.", "Hello.", "Hello there.", "Hi there.", "Hey.", "Good morning.", "Good afternoon.", "Good evening."),
    *("Good day.", "Greetings."),
)

ASK = (
    "I'm looking for {np}{cl}.",
    "I am after {np}{cl}.",
    "I need {np}{cl}.",
    "I'd like {np}{cl}, please.",
    "I would like to get {np}{cl}.",
    "Could you find me {np}{cl}?",
    "Can you get me {np}{cl}?",
    "Please find me {np}{cl}.",
    "Please get me {np}{cl}.",
    "What I want is {np}{cl}.",
    "I want {np}{cl}.",
    "Would you please look for {np}{cl}?",
    "Can you help me find {np}{cl}?",
    "Could you look for {np}{cl}?",
)
ASK_MORE = (
    "It should be something{cl}.",
    "It ought to be something{cl}, please.",
    "Please make it something{cl}.",
    "I want something{cl}.",
    "I'd like something{cl}.",
    "I am after something{cl}.",
    "Please look for something{cl}.",
    "I need something{cl}.",
)

TELL_STEADY = (
    "Everyone here has been talking about {np}{cl}.",
    "My sister swears by {np}{cl}.",
    "The plan for Saturday calls for {np}{cl}.",
    "Visitors are coming, and they expect {np}{cl}.",
    "The note on the fridge says {np}{cl}.",
    "All the talk at work is of {np}{cl}.",
    "This household has always had {np}{cl}.",
    "Somebody has promised my niece {np}{cl}.",
    "My uncle keeps praising {np}{cl}.",
)
TELL_LACK = (
    "The one thing missing from our list is {np}{cl}.",
    "It has been weeks now without {np}{cl}.",
)
"""Not beside a sentence that calls something impossible: two such statements in a row are misread."""
TELL = TELL_STEADY + TELL_LACK
TELL_MORE = (
    "It has always been something{cl}.",
    "We are talking about something{cl}.",
    "The story is about something{cl}.",
    "It comes down to something{cl}.",
    "The talk is of something{cl}.",
)

TELL_CLOSINGS = (
    *("", "", "", ""),
    *("Have a nice day.", "Bye for now.", "Take care.", "All the best.", "I've got {companion} already."),
)
"""Closings that ask nothing; the last of them are as frequent in other requests."""
CLOSINGS = (
    *TELL_CLOSINGS,
    *("Thanks.", "Thank you.", "Thanks for your help.", "Thanks in advance.", "Many thanks.", "Take your time."),
    *("No hurry.",),
)

NAMED = ("sold as {value}", "offered as {value}")
"""For values that name their slot, so that none of the slot's own forms suits them: "travel size", "sheet style"."""

DEICTIC = (
    "with the usual {word}",
    "with the same {word} as last time",
    "with that {word} from before",
    "with the {word} we talked about",
    "with the {word} that I always go for",
)
VAGUE = ("with a nice {word}", "with a decent {word}", "with a {word} that feels right")
AMBIGUOUS = (
    'of the "{x}" kind',
    'of the "{x}" sort',
    'known as the "{x}" kind',
    'that "{x}" sums up',
    'best summed up as "{x}"',
)
"""The word stands in quotation marks, for it may be an adjective, a noun or a phrase."""

PRESUPPOSE = (
    "I take it the {word} that I had in mind is not to be had, so something {x} will do.",
    "Since there is no getting the {word} that I had in mind, something {x} is fine.",
    "The {word} that I first thought of is surely not available, so I'll settle for something {x}.",
    "You won't have my kind of {word} anyway, so something {x} will have to do.",
)
PRESUPPOSE_TOLD = (
    "I take it the {word} that I had in mind is not to be had, so something {x} will do.",
    "Since there is no getting the {word} that I had in mind, something {x} is fine.",
    "The {word} that I first thought of is surely not available, so something {x} will do instead.",
    "You won't have my kind of {word} anyway, so something {x} will have to do.",
)
PRESUPPOSE_DROP = (
    "I take it the {word} that I had in mind is not to be had, so any {word} will do.",
    "Since there is no getting the {word} that I had in mind, the {word} can be anything.",
    "The {word} that I first thought of is surely not available, so never mind the {word}.",
    "You won't have my kind of {word} anyway, so whatever {word} there is will have to do.",
)
PRESUPPOSE_DROP_TOLD = (
    "I take it the {word} that I had in mind is not to be had, so any {word} will do.",
    "Since there is no getting the {word} that I had in mind, the {word} can be anything.",
    "The {word} that I first thought of is surely not available, so the {word} can be anything.",
    "You won't have my kind of {word} anyway, so whatever {word} there is will have to do.",
)
INSIST = (
    "It has to be {x}, no other {word} will do.",
    "I insist on having it {x}.",
    "I will only take it {x}, nothing else.",
    "It must be {x}, and there is no talking me out of that {word}.",
)
INSIST_TOLD = (
    "It has to be {x}, no other {word} counts.",
    "It is only acceptable {x} around here.",
    "It only counts {x}, nothing else.",
    "It is always {x}, and there is no talking us out of that {word}.",
)

NOISE = (
    "The man next door has taken up the trombone.",
    "The bus was late again today.",
    "It has been raining since Tuesday.",
    "Our choir sang in the town hall last night.",
    "My brother passed his driving test at last.",
    "The crossword was impossible today.",
    "There was a fox on the lawn at dawn.",
    "I still haven't finished that novel about the lighthouse.",
    "The elevator in our building is out of order.",
    "My team lost by a point on Sunday.",
    "The children have learned to whistle.",
    "I spent the weekend clearing out the attic.",
    "Our train stood still for an hour outside the station.",
    "The mayor waved at us yesterday.",
    "Somebody has parked across our driveway again.",
    "The library closes early this month.",
)

WHO = ("This is {who}.", "I am {who}.", "My name is {who}.", "{who} here.")
"""Where it is told who speaks."""


class Forms(NamedTuple):
    """The forms that depend on what is asked for (`Host.wants`)."""

    ask: tuple[str, ...]
    ask_more: tuple[str, ...]
    tell_steady: tuple[str, ...]
    tell_lack: tuple[str, ...]
    tell_more: tuple[str, ...]
    presuppose: tuple[str, ...]
    presuppose_told: tuple[str, ...]
    presuppose_drop: tuple[str, ...]
    presuppose_drop_told: tuple[str, ...]
    deictic: tuple[str, ...]
    named: tuple[str, ...]


THING = Forms(
    *(ASK, ASK_MORE, TELL_STEADY, TELL_LACK, TELL_MORE),
    *(PRESUPPOSE, PRESUPPOSE_TOLD, PRESUPPOSE_DROP, PRESUPPOSE_DROP_TOLD, DEICTIC, NAMED),
)
"""A thing is to be found."""

_SERVICE_PRESUPPOSE = (
    "I take it the {word} that I had in mind cannot be had, so having it {x} will do.",
    "Since there is no getting the {word} that I had in mind, having it {x} is fine.",
    "The {word} that I first thought of surely can't be had, so having it {x} will do instead.",
    "You can't do the {word} that I had in mind anyway, so having it {x} will have to do.",
)
_SERVICE_DROP = (
    "I take it the {word} that I had in mind cannot be had, so any {word} will do.",
    "Since there is no getting the {word} that I had in mind, the {word} can be anything.",
    "The {word} that I first thought of surely can't be had, so the {word} can be anything.",
    "You can't do the {word} that I had in mind anyway, so whatever {word} you have will have to do.",
)
SERVICE = Forms(
    ask=(
        "I need {np}{cl}.",
        "I'd like {np}{cl}, please.",
        "I want {np}{cl}.",
        "What I need is {np}{cl}.",
        "I would like to request {np}{cl}.",
        "I am in need of {np}{cl}.",
        "Please arrange {np}{cl}.",
        "Please set up {np}{cl}.",
        "Please see to {np}{cl}.",
        "Could you arrange {np}{cl}?",
        "Can you help me with {np}{cl}?",
        "Could you take care of {np}{cl}?",
        "Would you please put through {np}{cl}?",
        "Can you process {np}{cl}?",
    ),
    ask_more=(
        "It should be{cl}.",
        "It ought to be{cl}, please.",
        "Please make sure it is{cl}.",
        "I want it{cl}.",
        "I'd like it{cl}.",
        "Please have it done{cl}.",
        "I need it{cl}.",
        "Please do it{cl}.",
    ),
    tell_steady=(
        "Everyone at home has been talking about {np}{cl}.",
        "My sister keeps bringing up {np}{cl}.",
        "The note on the fridge says {np}{cl}.",
        "My calendar for today says {np}{cl}.",
        "This whole week has been about {np}{cl}.",
        "All the talk over dinner was of {np}{cl}.",
        "The first line on my list today says {np}{cl}.",
        "The whole family keeps asking about {np}{cl}.",
        "My uncle keeps telling us about {np}{cl}.",
    ),
    tell_lack=(
        "The one thing missing from my week is {np}{cl}.",
        "It has been weeks now without {np}{cl}.",
    ),
    tell_more=(
        "It has always been one{cl}.",
        "We are talking about one{cl}.",
        "The story is about one{cl}.",
        "The matter is one{cl}.",
        "The talk is of one{cl}.",
    ),
    presuppose=_SERVICE_PRESUPPOSE,
    presuppose_told=_SERVICE_PRESUPPOSE,
    presuppose_drop=_SERVICE_DROP,
    presuppose_drop_told=_SERVICE_DROP,
    deictic=(
        "with the usual {word}",
        "with the same {word} as last time",
        "with the {word} from before",
        "with the {word} we talked about",
        "with the {word} that I always go for",
    ),
    named=("with the option {value}", "with the choice {value}"),
)
"""Something is to be done; a type word may be a plural ("legs"), so no verb agrees with it."""
