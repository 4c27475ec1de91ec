"""The cues of the second reader: patterns over a sentence in which every tag is one token (see `second_tags`).

Tags are a letter and a number: f the frame, v a value, s an ambiguous word, g a subjective phrase, c a companion, t a
type word, w a weak type word. The cues are those of everyday English, not of any one writer.
"""

from __future__ import annotations

import re

__all__ = [
    "AFTER",
    "ATTACHED",
    "BARE",
    "CLAUSE",
    "DEICTIC",
    "DENIED",
    "FINITE",
    "IMPOSSIBLE",
    "INSIST",
    "LINKED",
    "NICE",
    "OWNED",
    "POLITE",
    "PREAMBLE",
    "SETTLE",
    "SO_SETTLE",
    "USUAL",
    "VAGUE",
    "WISH",
]


def _any(*lines: str) -> str:
    """Return a pattern for any of the words, which stand in lines with a slash between them."""
    return "(?:" + "|".join(word for line in lines for word in line.split("/")) + ")"


_W = r"(?![vfcs]\d)[\w']+"
"""A word that is no tag, or a type word's."""
_G = rf"(?!and\b){_W}"
"""The same inside one phrase."""
_T = r"(?P<t>[tw]\d+)"
_ADVERBS = (
    r"(?: (?:really|just|only|do|also|simply|still|very|much|truly|badly|now|currently|actually|so|kindly|quite))*"
)
_I_AM = r"\b(?:i'm|i am|i was|we're|we are|we were|i've been|i have been|we've been)" + _ADVERBS
_I_WOULD = r"\b(?:i'd|we'd|i would|we would)" + _ADVERBS
_PEOPLE = r"(?:i|we|you|he|she|i've|we've|you've|i'd|we'd|you'd)"
_END = r"(?= [,;:]| and\b| but\b| f\d|$)"

# -- wishing and asking ------------------------------------------------------------------------------------------------
_VERBS = _any(
    "find/get/bring/order/show/give/fetch/make/buy/look/search/send/pick/choose/track/help/hand/put/grab/recommend",
    "suggest/pour/prepare/fix/serve/arrange/locate/source/let me/let us/reserve/add/hunt/deliver/sort",
    "have (?:a|an|the)",
)
_WANT = _any("want/need/require/wish/desire/crave/fancy/seek/request/order")
_LIKE = _any("like/love/prefer/appreciate/welcome/be/enjoy/go/take/have/fancy/want/need/choose/rather/order/kill")
_KEEN = _any(
    "hoping/looking/searching/hunting/shopping/wondering/trying to/after/keen/wanting/seeking/interested/on the",
    "dying/craving/longing/itching/thirsty/desperate/eager",
    "ordering/in need/in search/in want/in the market/here for/asking/requesting",
)
WISH = re.compile(
    "|".join(
        (
            r"\b(?:please|kindly|help me|any chance|how about|grateful|if you (?:could|would|can)|will you)\b",
            rf"\b(?:i|we){_ADVERBS} {_WANT}\b(?! to (?:tell|say|mention|admit|confess|add))",
            r"\b(?:i|we) (?:wanted|hoped|came) (?:to|for)\b",
            rf"\b(?:i|we) could{_ADVERBS} (?:use|do with)\b",
            rf"{_I_WOULD} {_LIKE}\b",
            rf"\b(?:i|we|i'm|we're)\b.* (?:and|but) (?:want|need|would{_ADVERBS} (?:like|love|prefer|appreciate))\b",
            rf"{_I_AM} {_KEEN}\b",
            r"^(?:can|could|would|will|may) (?!you (?:believe|imagine|guess))",
            r"^(?:looking|searching|hunting|shopping|seeking|wanted|needed|in (?:need|search)) ",
            r"\bdo (?:me|us) (?:a|the) favou?r\b",
            r"\b(?:can|could|would|will|may|might|mind) (?:you|i|we|someone|somebody)\b(?! (?:believe|imagine|guess))",
            r"\b(?:do|have|are) you (?:have|sell|stock|carry|do|got|offer|any|able)\b",
            r"\bis there (?:any|a)\b|^got any\b",
            r"\b(?:i'll|i will|we'll|we will|let me|let us) (?:have|take|try|get|order)\b",
            r"\bwould be (?:appreciated|great|possible to)\b|\bmake (?:it|that|mine)\b",
            r"\b(?:my|our|the) (?:order|request|wish)(?: today| for \w+)? (?:is|would be|:)",
            r"^(?:(?:so|then|ok|okay|well|now|and|just|do|hi|hello|hey|there|good \w+|,) )*"
            rf"{_VERBS}\b(?! (?:was|is|has)\b)",
        )
    )
)
"""The writer wishes or asks, in the first person or of the reader; what a sister wants is a situation."""
BARE = re.compile(r"^(?:(?:just|only|one|two|a|an|the|some|my) )*f\d+\b")
"""The name of the thing opens the sentence, as on a list of orders."""
FINITE = re.compile(
    r"(?<!that )(?<!which )\b"
    + _any(
        "is/was/are/were/has/have/had/does/did/got/comes/came/would/makes/goes/went/remains/seems/gave/broke/arrived",
        "will/can/could/tends/stands/keeps/kept",
    )
    + r"\b"
)
PREAMBLE = re.compile(r"\b(?:request|question|favou?r|errand|task for you|something to ask|job for you)\b")
LINKED = re.compile(r"^(?:it|they|that|this|those|these)(?:'s| was| were| is| are| had been)(?: [\w']+){0,2}? f\d")
"""A sentence that points back at the one before it, and names the thing."""
OWNED = re.compile(r"\b(?:i|we)(?:'ve| have)(?: \w+)? .*\balready\b|\balready (?:have|got|own)\b")
POLITE = frozenset(
    "hi hello hey there good morning evening afternoon day greetings dear all everyone thanks thank you so much"
    " for your help take time cheers please many in advance a lot kindly regards best no hurry rush sir madam team and"
    " to folks hiya howdy again very bye welcome excuse me pardon sorry bother hope well are is how i we doing"
    " this finds it with that patience kind of have nice lovely great , : - hola friend friends ok okay today".split()
)

# -- impossible, settling, insisting -----------------------------------------------------------------------------------
CLAUSE = re.compile(r" (?:[,;:]|so|but|and|though|although|because|since|as) | - ")
_HAD = _any(
    "to be had/available/in stock/obtainable/possible/made/sold/for sale/on offer/stocked/found/had/have/sell",
    "something you (?:have|stock|sell|carry)/on the menu/within reach/easy to (?:find|get)",
)
_GET = _any(
    "have/get/stock/sell/find/carry/offer/make/come/exist/supply/manage/happen/had/found/met/done/available/got"
)
IMPOSSIBLE = re.compile(
    "|".join(
        (
            rf"\b(?:not|isn't|aren't|never|hardly|wasn't)(?: (?:be|ever|really|actually|even))? {_HAD}\b",
            r"\b(?:unavailable|unobtainable|sold out|out of stock|impossible|discontinued|hopeless)\b",
            r"\b(?:out of the question|i doubt|wishful|thing of the past)\b",
            r"\bno (?:getting|finding|chance|hope|longer|such|use|point|luck)\b",
            r"\bthere(?: is|'s) no (?!talking|arguing|other)",
            rf"\b(?:won't|don't|do not|will not|can't|cannot|couldn't|wouldn't)(?: [\w']+){{0,2}} {_GET}\b",
            r"\b(?:run out|ran out|(?:is|are|be|all) gone|hard to come by|a lost cause|too much to (?:ask|hope))\b",
            r"\b(?:nobody|no one|no shop|you never|given up on|giv(?:e|ing) up on|nothing in|(?:does|do)n't exist)\b",
            r"\b(?:off the menu|you lack|asking too much|beyond reach|a pipe dream)\b",
        )
    )
)
SETTLE = re.compile(
    r"\b(?:(?:will|would|have to|must|can|'ll|could) (?:do|serve|suffice|work)"
    r"|(?:is|are|be|'s|it's) (?:fine|ok|okay|alright|enough|acceptable|good enough)"
    r"|settle|settling|make do|never mind|anything|any|whatever|whichever|doesn't matter|don't (?:care|mind)|fall back"
    r"|instead|i'll|i will|go with|accept|put up with|content|happy|skip|forget|drop|give me|live with|without"
    r"|compromise|get by|then|suits me|no matter|leave|let's say)\b"
)
SO_SETTLE = re.compile(r"\b[tw]\d+\b(?:(?! [vf]\d).)*? (?:so|then|hence|therefore) (?P<rest>.*)")
"""A type word without a value, and a conclusion from it."""
INSIST = re.compile(
    r"\b(?:no other|nothing else|nothing but|nothing other|no talking|insist\w*|must|has to|have to|needs to|only|shall"
    r"|or nothing|negotiable|no circumstances|no substitutes?|at all costs|without exception|no exceptions?|no arguing"
    r"|no matter what|refuse|adamant|(?:dead )?set on|mandatory|whatever it takes|strictly|exclusively"
    r"|won't (?:accept|take|have)|not (?:accept|take)|absolutely|definitely|whatever happens"
    r"|come what may|under no|no alternatives?|not move|not budge|won't (?:move|budge)|no discussion|that is final"
    r"|full stop|period)\b"
)
DENIED = re.compile(
    r"\b(?:not|instead of|rather than|other than|anything but|except|except for|without)"
    r"(?: (?:in|with|by|a|an|the|one))* v(\d+)\b"
)

# -- pointing and praising ---------------------------------------------------------------------------------------------
USUAL = _any("usual/same/regular/customary/habitual/accustomed/previous/aforementioned/favou?rite/normal/old/known")
_PAST = _any(
    "last time/before/yesterday/the other day/last week/last month/earlier/always/usual/ever/previously/agreed",
    "discussed/i always do/the last order/my last order/my last visit/the previous time/last year",
)
DEICTIC = tuple(
    re.compile(p)
    for p in (
        rf"\b(?:the|my|our|that|this|your|its)(?: very)? {USUAL}(?: (?:kind|sort|type|choice) of)? {_T}\b(?! v\d)",
        rf"\b(?:usual|same|customary|aforementioned) {_T}\b(?! v\d)",
        rf"\b(?:that|those|this)(?: one| very)? {_T} (?:from|of last|as {_PAST}|{_PEOPLE}|again|like|which|that)\b",
        rf"\b(?:the|that|this|those|my|our|same)(?: {_W})? {_T}(?: which| that)? (?:{_PEOPLE}|my|our)\b"
        rf"(?!(?: (?!and\b|whose\b){_W}){{0,5}} (?:is|be|was|:|of) v\d)",
        rf"{_T}(?: {_G}){{0,4}}? (?:as|like|from|of) {_PAST}\b",
        rf"{_T}(?: ,| :| -)?(?: {_G}){{0,3}}? (?:the usual|the same|that one|(?:the one|what) (?:from|we|i|that))\b",
        rf"\b(?:that|those) {_T} , you know\b",
        rf"\b(?:the usual|the same(?: as {_PAST})?|as {_PAST}|like {_PAST}|that one)(?: {_W}){{0,4}}? {_T}\b(?! v\d)",
    )
)
"""Wordings that point at one thing known to both, near a type word."""
NICE = _any(
    "nice/good/decent/sensible/reasonable/convenient/handy/lovely/pleasant/pretty/great/suitable/proper/comfortable",
    "fair/attractive/elegant/tasty/delicious/fancy/cheerful/beautiful/quality/modest/appropriate/best/better/appealing/neat",
    "tasteful/stylish/ordinary/practical/fine/well/nicely/tastefully/easy/special/interesting/agreeable/silly/charming",
    "wonderful/friendly/smart/classy/fun/cute/cosy/cozy/gentle/attractively/pleasing/likeable/sound/respectable/right",
    "excellent/perfect/affordable/cheap/inexpensive/adequate/useful/top/superb/yummy/subtle/tolerable/acceptable",
    "presentable/dignified/flattering/smooth/clever/fabulous/gorgeous/splendid",
)
_TOO = r"(?: (?:too|so|very|overly|that|all that))?"
VAGUE = tuple(
    re.compile(p)
    for p in (
        rf"\b{NICE}(?: (?:kind|sort|type|bit|choice) of| {_W}(?: {_W}){{0,2}}?)? {_T}\b(?! (?:(?:of|is|in) )?v\d)",
        rf"\b(?:a|an|some)(?: {_W}){{1,3}}? {_T}\b(?! (?:of (?:a |an |the )?f\d|(?:{_W} ){{0,2}}v\d))",
        rf"\b(?:a|an|some)(?: {_W}){{0,2}}? {_T} (?:of|one|that|which|to|for)(?: {_W}){{1,8}}?{_END}",
        rf"{_T} (?:that|which|to)(?: {_W}){{1,8}}?{_END}",
        rf"{_T} (?:should|ought to|has to|may|might) be(?: {_W}){{1,8}}?{_END}",
        rf"{_T}(?: {_G}){{0,3}}? {NICE}\b",
        rf"\b(?:not|isn't|aren't|never|nothing){_TOO} {_T}\b(?! v\d)",
        rf"\b(?:doesn't|won't|don't|not|shouldn't) {_T}(?: {_W}){{0,2}} (?:fortune|earth|much|leg|world|lot|bomb)\b",
        rf"\b(?:something|anything)(?: (?:fairly|quite|rather|really|nice and))? {_T}\b{_END}",
    )
)
"""Wordings that praise or qualify a type word without a value beside it."""

# -- modifiers ---------------------------------------------------------------------------------------------------------
ATTACHED = re.compile(r"\bc(\d+)(?: ,)?((?: (?![vcf]\d|and\b|both\b|each\b|all\b)[\w'$]+){0,6}) v(\d+)\b")
"""A companion with a value in the modifier that stands right behind it."""
AFTER = re.compile(
    r" (?:at (?:the |a )?(?:most|maximum)|or (?:less|under|below)|(?:max|tops|maximum)\b"
    r"|(?:(?:as|for|among|in|of) (?:the |its |their |a )?)?[tw]\d+)"
)
"""What still belongs to a modifier behind its value."""
