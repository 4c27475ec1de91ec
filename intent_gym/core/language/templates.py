"""What a user says, as data: clauses that state facts, and how each decision style wraps them.

Facts and manner are apart. A *clause* states one fact and is the same for every style; it is a whole sentence that
starts in lower case, so that it can follow a colon, "and" or "that". A *style* gives what comes before and after. No
text here holds a number, a colour, a size or another word that a host uses as a value, and no clause says whether a
value is new: "now", "still", "instead" and the like would tell a drift. No line claims that nothing is left to say: it
may not be so. Type words stand where singular and plural read alike ("the {word} should be ...").
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = [
    "CLAUSES",
    "DROPPED",
    "LIMITS",
    "NAMED",
    "NEUTRAL",
    "OPEN",
    "STATEMENT",
    "STYLES",
    "UNSAID",
    "UNWANTED",
    "Style",
]

CLAUSES: Mapping[str, tuple[str, ...]] = {
    "frame": (
        "I'm looking for {value}",
        "I'm after {value}",
        "it's {value} that I'm looking for",
        "I'd like to get {value}",
    ),
    "choice": (
        "the {word} should be {value}",
        "I want {value} for the {word}",
        "my choice for the {word} is {value}",
        "the {word} ought to be {value}",
    ),
    "tag": (
        "it should be listed as {value}",
        "I want to see {value} in its description",
        "a {word} that I need is {value}",
        "{value} has to be among the details",
    ),
    "number": (
        "the {word} should be {value}",
        "I'd say {value} for the {word}",
        "the {word} ought to be {value}",
        "the {word} must be {value}",
    ),
}
"""A wanted value, by kind of slot; for numbers "{value}" holds the words of `LIMITS` too."""

NAMED: tuple[str, ...] = (
    "I want {value}",
    "I'd like {value}",
    "my choice is {value}",
    "I'd go for {value}",
)
"""The same for a choice whose value ends with the type word ("oat milk")."""

LIMITS: Mapping[str, tuple[str, ...]] = {
    "=": ("{value}",),
    "contains": ("{value}",),
    "<=": ("at most {value}", "no more than {value}", "{value} at the most", "{value} or less"),
    ">=": ("at least {value}", "no less than {value}", "{value} at the least", "{value} or more"),
}
"""How an operator is said around a value; the first is the plain form."""

OPEN: Mapping[str, tuple[str, ...]] = {
    "choice": (
        "I have no preference as to the {word}",
        "I don't mind about the {word}",
        "anything goes for the {word}",
        "I leave the {word} open, it does not matter",
    ),
    "tag": (
        "no {word} matters beyond what I've told you",
        "there is no further {word} that I insist on",
        "I need no other {word}, it does not matter",
        "I have no other {word} in mind",
    ),
    "number": (
        "I set no limit on the {word}",
        "I have no preference as to the {word}",
        "I don't mind about the {word}",
        "I leave the {word} open, it does not matter",
    ),
}
"""A slot without a condition."""

UNWANTED: tuple[str, ...] = (
    "{value} is not needed",
    "I can do without {value}",
    "{value} is not something I care about",
    "{value} does not matter",
)
"""A tag that a read-back states and that is not wanted."""

DROPPED: tuple[str, ...] = (
    "I no longer mind about the {word}",
    "the {word} can be anything from here on",
    "you can drop what I said about the {word}",
)
"""A condition that left, in an announced change."""

UNSAID = "I have nothing to add"
"""An announced change that touches nothing the user can say."""

STATEMENT = "Wanted at this moment: {conditions}."
"""The plain statement of the oracle condition; its parts are "word: value"."""

NEUTRAL: tuple[str, ...] = (
    "All right, go on.",
    "Yes, please continue.",
    "Thanks. Nothing to add from my side.",
    "Okay. What I told you stands.",
    "Good, carry on with that.",
    "Fine. My request stays as it is.",
    "Understood, please go ahead.",
    "Sure. You have everything you need from me.",
    "Yes. There is no change on my side.",
    "Okay, I'm here. Please proceed.",
    "That's all as I told you.",
    "Right, go ahead with what you have.",
)
"""Lines of the control condition."""


@dataclass(frozen=True)
class Style:
    """How one decision style speaks. Each field holds alternatives.

    Attributes:
        before: Put before the facts of an answer; ends so that a clause can follow.
        open: The same where nothing is wanted of what was asked; no reason or doubt follows then.
        first: Put before the first of several facts.
        between: Joins two facts; starts with punctuation.
        after: A whole sentence after the facts, or "".
        stop: What ends the facts: "." or "!".
        decline: Does not answer on "{word}" this time.
        confirm: "{words}" were read back rightly.
        more: Put before something volunteered.
        one_thing: Too many topics at once.
        unmatched: The question named nothing.
        nothing_more: Volunteers nothing to an open question.
        refuse: A proposal is not right.
        hint: The same, naming the topic: "the {word}", for which "one of the {word}s" can stand.
        accept: A proposal is right.
        change: Put before the facts of an announced change.
    """

    before: tuple[str, ...]
    open: tuple[str, ...]
    first: str
    between: tuple[str, ...]
    after: tuple[str, ...]
    stop: str
    decline: tuple[str, ...]
    confirm: tuple[str, ...]
    more: tuple[str, ...]
    one_thing: tuple[str, ...]
    unmatched: tuple[str, ...]
    nothing_more: tuple[str, ...]
    refuse: tuple[str, ...]
    hint: tuple[str, ...]
    accept: tuple[str, ...]
    change: tuple[str, ...]


STYLES: Mapping[str, Style] = {
    "rational": Style(
        before=("Stated exactly: ", "To be precise: ", "To give you the facts: ", "Having weighed it up: "),
        open=("Having examined it: ", "Logically speaking: ", "On consideration: "),
        first="first, ",
        between=("; second, ", ", and secondly, "),
        after=(
            "The reason: that is what the purpose calls for.",
            "I have thought this through.",
            "That follows from what I intend to do with it.",
            "I compared the alternatives before deciding that.",
        ),
        stop=".",
        decline=(
            "I have not finished weighing up the {word}, so I won't commit to it yet.",
            "I lack the grounds to decide on the {word} at this point.",
            "Logically, the {word} should be decided later; I'll withhold that.",
        ),
        confirm=(
            "I checked, and you have the {words} right.",
            "Correct as regards the {words}.",
            "Verified: you recorded the {words} accurately.",
        ),
        more=("For completeness: ", "A further requirement, stated precisely: ", "One more criterion: "),
        one_thing=(
            "One thing at a time, please: let us proceed in order.",
            "That is too many points together. One thing at a time, systematically.",
            "One thing at a time, so that each answer is exact.",
        ),
        unmatched=(
            "I cannot tell which requirement you mean. Please ask precisely.",
            "That is not specific enough to be answered. What exactly do you need to know?",
            "Which criterion does that refer to? Please be exact.",
        ),
        nothing_more=(
            "I won't list points unasked. Please ask about a definite criterion.",
            "I answer precise questions: name the criterion that you mean.",
            "Let us proceed point by point: which criterion is in question?",
        ),
        refuse=(
            "No. It does not meet all my criteria.",
            "I checked it against my requirements; it fails.",
            "That is not correct, judged by what I need.",
        ),
        hint=(
            "No. I checked it, and the {word} does not meet my criteria.",
            "It fails my requirements; the reason lies in the {word}.",
            "That is not correct: examine the {word}.",
        ),
        accept=(
            "Yes. It meets every criterion.",
            "I checked all points, and it is correct.",
            "That satisfies my requirements. Agreed.",
        ),
        change=("After reassessing, I have revised this: ", "My analysis has changed. To be precise: "),
    ),
    "intuitive": Style(
        before=(
            "My gut feeling says: ",
            "It just feels right this way: ",
            "I sense that ",
            "Somehow I feel that ",
        ),
        open=("My gut stays calm about it: ", "I feel no pull either way: ", "My instinct shrugs: "),
        first="",
        between=(", and my instinct adds that ", ", and it also feels right that "),
        after=(
            "I can't explain it, it's a feeling.",
            "That's what my instinct tells me.",
            "It simply feels good to me.",
            "",
        ),
        stop=".",
        decline=(
            "I don't have a feeling for the {word} yet, let me sense it first.",
            "My instinct is silent on the {word} at the moment.",
            "It doesn't feel like the moment to settle the {word}.",
        ),
        confirm=(
            "Yes, you have the {words} right, that feels good.",
            "My instinct nods at the {words}: that's right.",
            "That rings true as to the {words}.",
        ),
        more=("I also have a feeling that ", "And my instinct adds: ", "Something tells me too that "),
        one_thing=(
            "So much at once, I can't feel my way. One thing at a time?",
            "One thing at a time, please, I need to sense each.",
            "That overwhelms my instinct. One thing at a time.",
        ),
        unmatched=(
            "I don't quite feel what you mean.",
            "Hmm, that doesn't speak to me. What are you sensing for?",
            "I have no feeling for what you're asking.",
        ),
        nothing_more=(
            "No feeling comes up by itself just now. Ask me about something definite.",
            "Ask me something definite, and my instinct will answer.",
            "Hmm, nothing stirs in me unasked, I'd need something to feel about.",
        ),
        refuse=(
            "No, that doesn't feel right.",
            "My gut says no to that.",
            "Hmm, my instinct tells me it isn't the one.",
        ),
        hint=(
            "No, that doesn't feel right. Something about the {word} bothers me.",
            "My gut says no; I sense it's the {word}.",
            "My instinct tells me the {word} isn't what I hoped for.",
        ),
        accept=(
            "Yes, that feels right!",
            "My gut says yes to it.",
            "My instinct tells me that's the one.",
        ),
        change=("My feeling has shifted: ", "Something in me wants it differently: "),
    ),
    "dependent": Style(
        before=(
            "I'm not an expert, but I think ",
            "If you think that's sensible: ",
            "I asked around, and I'd say: ",
            "I hope this is all right: ",
        ),
        open=(
            "I'd be glad to rely on you there: ",
            "Please advise me as you see fit, ",
            "I hope that's no trouble to you: ",
        ),
        first="",
        between=(", and, if you agree, ", ", and, if that sounds sensible, "),
        after=(
            "Do you think that's a good choice?",
            "What would you advise?",
            "Please tell me if that sounds wrong.",
            "I'd be glad of your opinion.",
        ),
        stop=".",
        decline=(
            "I'd have to ask somebody about the {word} first. What would you advise?",
            "I can't decide on the {word} alone, could you reassure me first?",
            "I'd rather hear your opinion on the {word} before I say.",
        ),
        confirm=(
            "Yes, you have the {words} right, thank you for checking with me.",
            "I'm relieved: you have the {words} right.",
            "You're right about the {words}, I trust you on that.",
        ),
        more=(
            "Perhaps I should also mention, if that helps you: ",
            "A friend reminded me of one more thing: ",
            "If it helps you to know this as well: ",
        ),
        one_thing=(
            "Could you help me take one thing at a time, please?",
            "I'm a little lost, please guide me through one thing at a time.",
            "One thing at a time, please, I need your help with each.",
        ),
        unmatched=(
            "I'm sorry, could you help me understand what you'd like to know?",
            "I'm not sure what you mean, could you guide me?",
            "Sorry, I need some help: what should I tell you about?",
        ),
        nothing_more=(
            "I can't think of anything by myself, could you ask me about something?",
            "Please help me along: what should I think about?",
            "I'd need your guidance on what to consider, I'm sorry.",
        ),
        refuse=(
            "I'm sorry, I don't think that's it. Could you help me find the proper one?",
            "I'm afraid that isn't it, sorry. What do you suggest?",
            "Sorry, I was advised against that. Could you help me further?",
        ),
        hint=(
            "I'm sorry, I don't think the {word} is what I need. Could you help me with that?",
            "I'm afraid it's the {word} that isn't quite it. What do you suggest?",
            "Sorry, I was advised to be careful about the {word}. Could you look at that again?",
        ),
        accept=(
            "Yes, thank you so much for helping me!",
            "That's it, I couldn't have done it without your advice.",
            "Yes, I trust your suggestion. Thank you.",
        ),
        change=(
            "I was advised to change something, I hope that's no trouble: ",
            "I asked a friend, and so, if you agree: ",
        ),
    ),
    "avoidant": Style(
        before=("Well, if I must: ", "Hm. Fine: ", "Oh, all right then: ", "If it can't wait: "),
        open=("Hm. I don't care to think about it: ", "Oh, must I? Well, ", "Spare me that today: "),
        first="",
        between=(", and, since you insist, ", ", oh, and "),
        after=("The rest can wait.", "Let's leave it at that for today.", "", "Can we do the rest later?"),
        stop=".",
        decline=(
            "Can we do the {word} later?",
            "Not today. Let me put off the {word}.",
            "The {word} can wait.",
        ),
        confirm=(
            "Hm, yes, the {words}. Enough for today.",
            "Fine, you have the {words} right. Can we leave it there?",
            "The {words}, yes. Next time, maybe, the rest.",
        ),
        more=("Oh, and before I put it off again: ", "And, well, since it can't wait: "),
        one_thing=(
            "Too much. One thing at a time, the rest later.",
            "One thing at a time. No rush.",
            "Slow down. One thing at a time, please.",
        ),
        unmatched=(
            "Hm. Can that wait?",
            "I don't know what you mean. Maybe later.",
            "Do I have to answer that today?",
        ),
        nothing_more=(
            "Hm. Maybe later.",
            "Not that I want to think about today.",
            "Let's leave that for later.",
        ),
        refuse=("Hm. No.", "No. Not that.", "I'd rather put that off. No."),
        hint=(
            "Hm. No. It's the {word}, I suppose.",
            "No. I'd leave it, because of the {word}.",
            "I'd rather not. It's the {word}.",
        ),
        accept=("Hm, yes. That'll do.", "Fine. Done, then.", "Yes. At last I can stop thinking about it."),
        change=("I put off telling you: ", "Hm, I should have said sooner: "),
    ),
    "spontaneous": Style(
        before=("Oh! Quick answer: ", "Easy: ", "Wow, okay, let's go: ", "Ha, just like that: "),
        open=("Ha, who cares! Hey, ", "Ooh, easy one: ", "Wow, quick one: "),
        first="",
        between=("! And, on a whim, ", ", and hey, "),
        after=("Let's go!", "Quick, quick!", "Decided on the spot!", ""),
        stop="!",
        decline=(
            "Ooh, the {word}? No idea, next question!",
            "Let's skip the {word}, quick, on to something else!",
            "Hey, surprise me with other questions, not the {word}!",
        ),
        confirm=(
            "Yes! You've got the {words} right, go!",
            "Yep, the {words}, spot on!",
            "Bang on with the {words}! Quick, onwards!",
        ),
        more=("Oh, and just popped into my head: ", "And hey, while we're at it: ", "Ooh, wait: "),
        one_thing=(
            "Whoa! One thing at a time!",
            "Hey, hey! Quick ones only: one thing at a time!",
            "Wow, slow down! One thing at a time!",
        ),
        unmatched=(
            "Huh? What?!",
            "Whoa, what do you mean?!",
            "Ha, no clue what you're asking!",
        ),
        nothing_more=(
            "Nothing off the top of my head! Ask away!",
            "Nah, ask me something definite, quick!",
            "Ha, blank! Go, go, ask me something!",
        ),
        refuse=("Nope!", "No way, next!", "Ugh, no! Quick, another one!"),
        hint=(
            "Nope! Something's off with the {word}!",
            "No way, check the {word}!",
            "Ugh, no, the {word} is off! Quick, another one!",
        ),
        accept=("Yes! Take it!", "Wow, yes! Go for it!", "Yes, yes, grab it!"),
        change=("Ooh, I just changed my mind: ", "Wow, plot twist: "),
    ),
}
