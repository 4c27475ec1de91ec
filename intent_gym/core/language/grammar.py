"""The grammar of questions, as data: what makes a sentence ask, confirm, give examples, leave out or report.

General English only; words of a host are on its slots. Each phrase is compared after folding (`tokens.fold`).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from intent_gym.core.language.tokens import NUMBER, fold, words

__all__ = [
    "AFTER_AMOUNT",
    "ALL_OR_NONE",
    "ALTERNATIVE",
    "ARTICLES",
    "AUX",
    "CONFIRM",
    "CONTRASTS",
    "COPULAS",
    "CUES",
    "DEGREES",
    "DETERMINERS",
    "DOUBT",
    "EXAMPLE",
    "EXCEPT",
    "EXCLUDE",
    "FILLER",
    "FORWARD",
    "KNOWN",
    "LEAD",
    "LIMIT_BEFORE",
    "LINKS",
    "LIST_LINKS",
    "LOOSE",
    "LOWER",
    "MONEY",
    "NOT",
    "NOT_ALL",
    "NOT_AUX",
    "NOT_BE",
    "NOUN_STARTS",
    "NO_DOUBT",
    "NUMBER_WORDS",
    "OFFER",
    "OFFERS",
    "OPEN",
    "OPINION",
    "OR_LIMIT",
    "OUT_VERBS",
    "PARTICULAR",
    "PERHAPS",
    "PERSONS",
    "POINTERS",
    "PREPOSITIONS",
    "PRONOUNS",
    "REAL_WORDS",
    "REJECT",
    "REJECTED",
    "REPORT",
    "REQUEST",
    "SHORT_SIZES",
    "STATEMENT_SUBJECTS",
    "STOP",
    "SUBJECTS",
    "SUBORDINATE",
    "TAILS",
    "TELL",
    "TRAILING",
    "UPPER",
    "VERBS",
    "WEAK_CONFIRM",
    "WH",
    "WISHES",
    "find_cue",
    "is_safe",
]

REQUEST, CONFIRM, EXAMPLE, OPEN, EXCLUDE, KNOWN, REPORT, STOP, OFFER = range(9)
"""Kinds of cues."""

_CUE_TEXT: Mapping[int, str] = {
    REQUEST: """
        take your, may i take, can i take, can i have your, may i have your, could i have your, could i get your, can
        i get your, doesnt say, does not say, doesnt mention, does not mention, doesnt specify, does not specify,
        didnt specify, did not specify, no mention of, not specified, unspecified, not mentioned, not say, left open,
        from you, should know, must know, have to know, one thing, two thing, three thing, four thing, more thing, few
        thing, couple of thing, thing left, still open, left to decide, didnt catch, did not catch, didnt hear, did
        not hear, didnt get, did not get, didnt quite, only thing, last thing, remain to be, ill need, i will need,
        well need, we need, wed need, is needed, need from you, need a few, need some, im after, forgot to say, forgot
        to tell, forgot to ask, havent decided, leave out, left out, tell me, let me know, let me ask, let me hear,
        inform me, remind me, give me, send me, to know, to hear, to learn, to ask, to be told, ask you, ask about,
        ask for, ask what, ask which, wonder, wondering, curious, unsure, not sure, no idea, not clear, unclear,
        unknown, dont know, do not know, cant tell, dont have, do not have, havent told, have not told, didnt say, did
        not say, didnt mention, didnt tell, havent mentioned, havent said, havent got, missing, still need, need your,
        id need, i need a, i need the, please specify, please name, please state, please share, specify, clarify,
        elaborate, describe, please choose, please pick, please select, please provide, please indicate, please give,
        please list, could use, waiting for, depends on, until i know, without knowing, interested in your, comment
        on, say something about, talk about, help to know, find out, question about, question is, question concerns,
        next question, asking about, information on, information about, details on, details about, details of, mind
        telling, mind saying, mind sharing, mind naming, want to understand, like to understand, fill me in, tell us,
        let us know, enlighten me, your thoughts on, thoughts on, ideas about, say about, i am asking, im asking,
        decide on, to determine, to establish, to settle
    """,
    CONFIRM: """
        let me summarize, to summarize, is there a mistake, is there any mistake, any mistake, anything wrong with
        that, did i get anything wrong, have i got anything wrong, is any of that wrong, is any of this wrong, is that
        everything right, is that all right, everything right, everything correct, did i hear, did i understand, did i
        note, did i catch, did i write, have i understood, have i noted, have i heard, have i written, correctly,
        repeat your, repeat the, repeat what, let me repeat, to repeat, please confirm, lets confirm, let me confirm,
        can i confirm, may i confirm, all right with you, is everything right, is everything correct, so far i have,
        what i have so far, what i have is, i have so far, what ive got, here is what i, go over, going over, run
        through, to be clear, let me be clear, is it correct that, is it right that, is it true that, your order is,
        your request is, so your, so a, so an, so one, so the, thats, just to confirm, to confirm, confirm,
        confirming, double check, double checking, to check, just checking, is that right, is this right, is that
        correct, is this correct, that right, that correct, did i get, do i have, have i got, got that right, get that
        right, got it right, get it right, got this right, am i right, am i correct, if im right, if i understand, if
        i understood, i understand, as i understand, understand correctly, understood correctly, understand you
        correctly, so you want, so you need, so you would like, so youd like, so youre looking for, so you are looking
        for, so you prefer, so its, so it is, so it should be, so thats, so that is, you want, you said, recap, to
        summarize, in summary, to sum up, to be sure, make sure, making sure, verify, isnt it, isnt that, arent you,
        dont you, wasnt it, doesnt it, is it not, is that so, right, correct, true, yes, agreed, is that what you, is
        this what you, does that match, sound right, sounds right, look right, all correct, that it, repeat that back,
        read that back, read back, say that back, as you said, you mean, i take it, i assume, i gather, im assuming, i
        am assuming, i believe you want, i think you want, then you want, in other words, i have noted, ive noted, i
        noted, i wrote down, ive written down, i have you down, my notes say, ok, okay
    """,
    EXAMPLE: """
        that sort of thing, that kind of thing, thing like that, and so on, and so forth, etc, or similar, and the
        like, to name a few, among others, for example, for instance, eg, such as, say, maybe, perhaps, possibly, ie,
        including, like for example, examples, options are, options include, choices are, choose between, choose from,
        pick from, pick between, think of, along the lines of, something like, available are
    """,
    OPEN: """
        will that be all, that be all, thatll be all, would that be all, be everything, is there anything, are there
        thing, anything that matter, anything left, is there more, is there something, are there any other, any last,
        any final, anything at all, what other thing, other point, any other point, further point, other criteria,
        other criterion, other condition, further condition, other detail, other thing, other aspect, any other
        aspect, anything beyond that, anything else, something else, what else, anything more, anything further, any
        other requirement, any other preference, any other wish, any other detail, any other need, any other request,
        any other thing, other thing, any other constraint, any other condition, any other criterion, any other
        criteria, any other information, any other specific, any other, any more requirement, any more detail, any
        further, more detail, further detail, further requirement, further wish, additional requirement, additional
        detail, additional preference, additional wish, additional information, anything additional, more information,
        tell me more, say more, more about what you want, more about it, anything i should know, anything you want to
        add, anything to add, something to add, like to add, want to add, wish to add, care to add, is that all, is
        that everything, that all, that everything, was that all, was that everything, anything i missed, anything i
        have missed, anything i overlooked, anything missing, something missing, did i miss, have i missed, have i
        forgotten, did i forget, what more, any requirement, any preference, any wish, any special wish, any special
        request, any special requirement, any specific requirement, any particular requirement, any particular wish,
        any constraint, your requirement, your preference, your wish, what requirement, which requirement, what other
        requirement, other requirement, other wish, other preference, other detail, anything important, anything in
        particular, what matters to you, what is important to you, whats important to you, what do you care about,
        anything you would like, anything youd like, anything i ought to know, anything special, requirement do you
        have, preference do you have
    """,
    EXCLUDE: """
        apart from, aside from, besides, other than, except, except for, excepting, in addition to, beyond, not
        counting, never mind, leaving aside, regardless of, instead of, forget, forget about, setting aside, ignoring,
        on top of, not about, rather than, without asking about, independent of, independently of, irrespective of,
        not asking about, not the
    """,
    KNOWN: """
        i know, i already, already, we already, you told, you mentioned, you have told, youve told, youve mentioned,
        you gave, youve given, you have given, thanks for, thank you for, got it, noted, is fine, are fine, is
        settled, are settled, is clear, are clear, is sorted, is decided, is taken care of, is no problem, i have the,
        i have your, we have your, weve got, ive got your, ive got the, understood, is understood
    """,
    REPORT: """
        i found, ive found, i have found, i see, i can see, i searched, ive searched, i have searched, i looked, ive
        looked, i have looked, i checked, ive checked, i have checked, i will, ill, i am going to, im going to, im
        searching, i am searching, im looking, i am looking, im checking, i am checking, im browsing, im comparing, i
        am comparing, let me search, let me look, let me check, let me see, let me browse, let me find, let me try,
        let me compare, let me go, let me put, let me add, here is, here are, there are, there is, this one, searching
        for, the search, the result, the first result, search result, it cost, comes in, available in, in stock, out
        of stock, i bought, i added, ive added, i selected, ive selected, i chose, ive chosen, i picked, ive picked, i
        clicked, i ordered, ive ordered, i have ordered, i placed, ive placed, i can offer, i have added, i have
        selected, one moment, just a moment, hold on, i got, we have, we offer, we sell, we stock, i recommend, i
        suggest, id recommend, id suggest
    """,
    STOP: """
        is there anything wrong, is anything wrong, anything i can do, anything i can help, something wrong, fit your,
        fit in with, fit into, in total, fit the, fit my, fit you, fit all, to your taste, matter of taste, no matter,
        a number of, in order to, in order, in any order, in that order, place the order, place an order, place your
        order, pay attention, in good shape, at any price, at all cost, kind of you, free of charge, in style, out of
        style, how much do you care, how much do you mind, how much does, how much longer, how much time, price match,
        how many option, how many choice, in form, form of payment, size up, fitting for, cut it, short cut, cut down,
        put together, piece of mind, taste in, in print, fine print, to the point, cost of shipping, shipping cost,
        delivery cost, made up, make up, look and feel of
    """,
    OFFER: """
        how about, what about, why not, what do you say to, what would you say to, what do you think of, what do you
        think about, what would you think of, how do you feel about, how would you feel about, how do you like, how
        would you like, why dont we, why dont i, why dont you take, why dont you try, why dont you go, how does, how
        would, how is
    """,
}
CUES: dict[str, int] = {}
for _kind, _text in _CUE_TEXT.items():
    for _phrase in _text.split(","):
        CUES.setdefault(" ".join(words(_phrase.replace("\n", " "))), _kind)


def _set(text: str) -> frozenset[str]:
    return frozenset(fold(t) for t in text.split())


WH = _set("what which how whats where whichever whatever wich wat whose who why when hows")
AUX = _set(
    "do does did is are was were would could can will shall should may might must have has had any d'you isn't aren't "
    "don't doesn't won't wouldn't couldn't shouldn't can't"
)
SUBJECTS = _set("you i we it they there the this that these those your my its any he she u ya anything something color")
LEAD = _set(
    "so and ok okay well now then please hi hello hey thanks thank great good alright also just sorry first firstly "
    "next second secondly third finally lastly but or oh um right sure yes no perfect quick question excuse me all as "
    "for with regarding roughly about in of at to from by on approximately exactly ideally basically again still fine "
    "cool lovely wonderful one more thing last and then q agent assistant clerk before"
)
SUBORDINATE = _set(
    "since because given although though while if whereas considering after once unless when until before"
)
PREPOSITIONS = _set("for with in of to about regarding concerning on at by from within")
FILLER = _set(
    "and or the your a an please preference preferences preferred desired favorite favourite for of any exact "
    "specific particular , : - ( ) / thanks number kind type sort choice & your's my & also plus as well too then , "
    "what's both"
)
ALTERNATIVE = _set("or versus vs either")
LINKS = _set(
    "is be of to the a an : , = at most under up in - was should must about limit that than more no below number"
)
LIST_LINKS = _set(", or and / a an the size in & versus vs either maybe")
ARTICLES = _set("a an the i")
OR_LIMIT = _set("less under below more fewer lower cheaper so")
DOUBT = _set("right correct wrong mistaken misunderstood misunderstand mistake error confused")
TELL = _set("tell say give add specify clarify confirm repeat provide share name state mention supply fill answer help")
AFTER_AMOUNT = _set("for in or right is and the on with then as correct so at max maximum tops total altogether")
STATEMENT_SUBJECTS = _set("i we there it this they he she")
WEAK_CONFIRM = _set("right correct true yes ok okay agreed you sound all look that do have")
PARTICULAR = _set(
    "same mind particular specific certain something special preference prefer preferred favorite you've got"
)
PRONOUNS = _set("it that this one those they them which")
TAILS = _set("right correct true yes ok okay agreed")
NOUN_STARTS = _set("the these those my our user customer")
VERBS = _set("is are was were has have had seem come go will can")
TRAILING = _set("that thing and etc or to among")
POINTERS = _set("this that these those each another every")
DETERMINERS = _set("what which your the a an my any specific special particular preferred how")
MONEY = _set("dollar dollars usd buck bucks quid euro euros")
LIMIT_BEFORE = _set(
    "under below max maximum within budget around than most exceed exceeding over beyond to about limit"
)

NUMBER_WORDS: Mapping[str, int] = {
    **{w: i for i, w in enumerate("zero one two three four five six seven eight nine ten eleven twelve".split())},
    **{"fifteen": 15, "twenty": 20, "thirty": 30, "forty": 40, "fifty": 50, "sixty": 60, "seventy": 70},
    **{"eighty": 80, "ninety": 90, "hundred": 100},
}
"""Amounts that are often written out, before a currency's name."""

_SIZES = {
    "x small": ("xs", "xsmall", "extra small"),
    "small": ("s",),
    "medium": ("m", "med"),
    "large": ("l",),
    "x large": ("xl", "xlarge", "extra large", "1xl"),
    "xx large": ("xxl", "2xl", "2x large", "2x", "extra extra large"),
    "3x large": ("3xl", "xxxl", "xxx large", "3x"),
    "4x large": ("4xl", "xxxxl", "4x"),
    "5x large": ("5xl", "5x"),
}
SHORT_SIZES: Mapping[str, tuple[str, ...]] = {
    form: tuple(other for other in (full, *shorts) if other != form)
    for full, shorts in _SIZES.items()
    for form in (full, *shorts)
}
"""Sizes written short and long: a domain that has one form is understood in the other."""

REAL_WORDS = _set(
    "site side sire prize pride prime share shame cast coast colon point paint court county scene sent small spell "
    "shell pick peck park pace send speed monkey mild mile mill drank drunk cheat chap from foam fort ford farm firm "
    "for lose with clot stale stole still mind make most more size post past part shop show sort cent seem smile "
    "state stage stay pain pair page place pane line long tell term test text total cover cute cups mile budge"
)
"""Words one slip away from a common type word that are no slip."""

NOT_BE = _set("isn't aren't wasn't weren't")
NOT_AUX = NOT_BE | _set(
    "don't doesn't didn't won't wouldn't can't cannot couldn't shouldn't mustn't needn't haven't hasn't hadn't mightn't"
)
NOT = _set("not no non never neither nor nothing none nobody nowhere hardly")
REJECT = _set(
    "avoid avoiding avoids without exclude excluding excludes skip skipping omit omitting dislike dislikes hate hates "
    "detest refuse reject rejecting against allergic mind object minus sans drop dropping lacking lacks ban banning "
    "veto eliminate remove removing"
)
"""Words that take a value away by themselves."""
REJECTED = _set(
    "excluded avoided unwanted unacceptable undesirable undesired forbidden banned skipped omitted rejected unsuitable "
    "unnecessary dropped wrong out off impossible unneeded bad terrible awful dealbreaker"
)
"""The same, behind the value."""
LOOSE = _set("out off wrong")
OUT_VERBS = _set("rule ruled ruling leave leaving left cross crossed")
ALL_OR_NONE = _set("nothing anything everything none all any no anyone everyone")
NO_DOUBT = _set(
    "sure certain clear mistaken wrong know doubt problem worry rush hurry question mistake idea catch hear understand "
    "remember forget wait offense rude offence issue trouble"
)
"""After a negation: words about what is known, not about what is wanted."""
PERSONS = _set("you i we it they he she u ya")
CONTRASTS = _set("but rather instead so then because since though although yet only just while")
COPULAS = _set(
    "is are was were be been being to would will should must can could do does did ought a really definitely simply "
    "totally completely absolutely then now still also actually one you we i not"
)
"""What may stand between a value and the word that takes it away."""
DEGREES = _set("quite entirely completely totally fully really absolutely so at very too actually even")
WISHES = _set("want like need prefer care fancy wish")
NOT_ALL = _set("only just merely solely")
PERHAPS = _set("maybe perhaps possibly")
FORWARD = _set("no non nor neither nothing none nobody")
EXCEPT = _set("except excepting besides than from")
UPPER = _set("more over above exceed exceeding exceeds beyond greater higher past upward pricier costlier")
LOWER = _set("less fewer lower")
OFFERS = _set("recommend recommending suggest suggesting propose proposing advise")
OPINION = _set("think sound say feel agree suit work fine good ok okay alright interested happy")

_EVERYDAY = _set(
    "a an the and or of in on at to for by with from as is are be been it its this that these those i you he she we "
    "they me my your our their us them what which who how when where why do does did done have has had can could will "
    "would shall should may might must not no yes ok okay right correct sure please any some all none one two both "
    "each other another else more most less least only just very too also so then than if but up down out off over "
    "under about like want need get got go make take see look find set new old good better best nice great fine free "
    "kind type sort thing something anything nothing everything favorite way part pack piece item other option choice "
    "choose select standard normal regular default custom special particular specific certain sold stock front back "
    "left side top first last next now here there still yet again always never think know say tell ask let show give "
    "help use work fit main basic true false real full single double each per way off same different similar men man "
    "woman women kid as shown original unique wonderful perfect stylish modern fresh extra plain clear natural open "
    "close start stop search buy order pay price cost budget rest exact even matter mean mind case time day today "
    "home house people person user agent customer question answer problem reason idea example instance list range "
    "name number color size style gift love hello thanks thank welcome check confirm happy sorry"
)
_TRUSTED = _set("modern plain clear natural regular standard original stylish double single")

_CUE_LENGTHS: dict[str, tuple[int, ...]] = {}
for _phrase in CUES:
    _first, _size = _phrase.split(" ")[0], _phrase.count(" ") + 1
    _CUE_LENGTHS[_first] = tuple(sorted({*_CUE_LENGTHS.get(_first, ()), _size}, reverse=True))


def find_cue(tokens: Sequence[str], at: int) -> tuple[int, int] | None:
    """Return the end and kind of the longest cue that starts at a token."""
    for length in _CUE_LENGTHS.get(tokens[at], ()):
        if at + length <= len(tokens):
            kind = CUES.get(" ".join(tokens[at : at + length]))
            if kind is not None:
                return at + length, kind
    return None


def is_safe(phrase: str) -> bool:
    """Return whether a value's folded form can be taken for that value wherever it stands.

    >>> is_safe("navy blue"), is_safe("a"), is_safe("8"), is_safe("10 wide")
    (True, False, False, True)
    """
    if " " in phrase:
        return any(t not in _EVERYDAY and (len(t) > 1 or t.isdigit()) for t in phrase.split(" "))
    if len(phrase) < 2 or NUMBER.fullmatch(phrase):
        return False
    return phrase in _TRUSTED or phrase not in _EVERYDAY
