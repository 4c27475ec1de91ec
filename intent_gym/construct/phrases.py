"""The wordings that the template writer draws from. No form is tied to a value; most are shared by all faults.

Placeholders: {np} the thing wanted with its article, {cl} clauses that follow a noun, {word} a slot's type word,
{x} a clause, {companion} another thing with its article.
"""

from __future__ import annotations

__all__ = [
    "AMBIGUOUS",
    "ASK",
    "ASK_MORE",
    "CLOSINGS",
    "DEICTIC",
    "GREETINGS",
    "INSIST",
    "INSIST_TOLD",
    "NOISE",
    "PRESUPPOSE",
    "PRESUPPOSE_DROP",
    "TELL",
    "TELL_CLOSINGS",
    "TELL_MORE",
    "VAGUE",
]

GREETINGS = ("", "", "", "Hi.", "Hello.", "Hello there.", "Good morning.", "Good evening.")

ASK = (
    "I'm looking for {np}{cl}.",
    "I am after {np}{cl}.",
    "I need {np}{cl}.",
    "I'd like {np}{cl}, please.",
    "Could you find me {np}{cl}?",
    "Can you get me {np}{cl}?",
    "Please find me {np}{cl}.",
    "What I want is {np}{cl}.",
    "I want {np}{cl}.",
    "Would you please look for {np}{cl}?",
)
ASK_MORE = (
    "It should be one{cl}.",
    "Please make it one{cl}.",
    "I want one{cl}.",
    "It ought to be one{cl}, please.",
)
CLOSINGS = (
    "",
    "",
    "",
    "Thanks.",
    "Thank you.",
    "Thanks for your help.",
    "Take your time.",
    "I've got {companion} already.",
)

TELL = (
    "Everyone here has been talking about {np}{cl}.",
    "The one thing missing from our list is {np}{cl}.",
    "It has been weeks now without {np}{cl}.",
    "My sister swears by {np}{cl}.",
    "Ours gave up last week; it was {np}{cl}.",
    "The plan for Saturday has {np}{cl} in it.",
    "What we ran out of is {np}{cl}.",
    "Visitors are coming, and they expect {np}{cl}.",
)
TELL_MORE = (
    "The one in question is one{cl}.",
    "It has always been one{cl}.",
    "We are talking about one{cl}.",
    "The story is about one{cl}.",
)
TELL_CLOSINGS = ("", "", "", "That is how things stand.", "So much for that.", "I've got {companion} already.")

DEICTIC = (
    "with the usual {word}",
    "with the same {word} as last time",
    "with that {word} from before",
    "with the {word} we talked about",
    "with the {word} that I always get",
)
VAGUE = ("with a nice {word}", "with a decent {word}", "with a {word} that feels right")
AMBIGUOUS = ("of the {x} kind", "of the {x} sort", "on the {x} side", "that people call {x}")

PRESUPPOSE = (
    "I take it the {word} that I had in mind is not to be had, so one {x} will do.",
    "Since there is no getting the {word} that I had in mind, one {x} is fine.",
    "The {word} that I first thought of is surely not available, so I'll settle for one {x}.",
    "You won't have my kind of {word} anyway, so one {x} will have to do.",
)
PRESUPPOSE_DROP = (
    "I take it the {word} that I had in mind is not to be had, so any {word} will do.",
    "Since there is no getting the {word} that I had in mind, the {word} can be anything.",
    "The {word} that I first thought of is surely not available, so never mind the {word}.",
    "You won't have my kind of {word} anyway, so whatever {word} there is will have to do.",
)
INSIST = (
    "It has to be one {x}, no other {word} will do.",
    "I insist on one {x}.",
    "Only one {x} will do, nothing else.",
    "It must be one {x}, and there is no talking me out of that {word}.",
)
INSIST_TOLD = (
    "Only one {x} counts, no other {word} will do.",
    "Nothing but one {x} is acceptable around here.",
    "Only one {x} will do, nothing else.",
    "It is always one {x}, and there is no talking us out of that {word}.",
)

NOISE = (
    "My neighbour has taken up the trombone.",
    "The bus was late again this morning.",
    "It has been raining since Tuesday.",
    "Our choir sang in the town hall last night.",
    "My brother passed his driving test at last.",
    "The crossword was impossible today.",
    "There was a fox on the lawn at dawn.",
    "I still haven't finished that novel about the lighthouse.",
    "The lift in our building is out of order.",
    "My team lost by a point on Sunday.",
    "The children have learnt to whistle.",
    "I spent the weekend clearing out the attic.",
    "Our train stood still for an hour outside the station.",
    "The new mayor waved at us yesterday.",
)
