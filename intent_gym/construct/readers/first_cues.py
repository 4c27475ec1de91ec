"""Cues of English that the first reader looks for, over lower-case text without hyphens.

General words of asking, of impossibility and settling, of insistence, of pointing and of praise: what people say,
whatever they ask for. No host's vocabulary is here.
"""

from __future__ import annotations

import re


def _words(*groups: str) -> re.Pattern[str]:
    return re.compile(r"\b(?:" + "|".join(w for g in groups for w in g.split("|")) + r")(?![a-z0-9])")


ADVERBS = r"(?:(?:really|just|still|also|only|badly|currently|actually|now|very|much|rather|definitely|simply) )*"
ASK = re.compile(
    r"\b(?:please|pls|plz)\b"
    rf"|\b(?:i|we)(?:'d| would| should) {ADVERBS}(?:like|love|prefer|appreciate|need|want|be)\b"
    rf"|\b(?:i|we)(?: do| have|'ve| will|'ll| must)? {ADVERBS}(?:want|need|wish|require|seek|desire|fancy|hope|crave)\b"
    rf"|\b(?:i|we)(?:'m| am|'re| are|'ve been| have been| was| were) {ADVERBS}"
    r"(?:after|looking|searching|hoping|seeking|shopping|hunting|trying|keen|in search|in need|in the market"
    r"|in the mood|longing|dying|asking|wondering|craving)\b"
    rf"|\b(?:i|we)(?:'ll| will| could| might) {ADVERBS}(?:have|take|do with|go for|use|try|grab|collect|order|buy)\b"
    r"|\b(?:can|could|would|will|may|might|shall) (?:you|i|we|somebody|someone|anybody|anyone)\b"
    r"|\b(?:do you (?:have|sell|stock|know where)|have you got|is there|are there|any chance|possible to|how about"
    r"|what about|would it be|is it possible|do me a favou?r|my order is|let me have|point me"
    r"|(?:give|get|find|bring|help|show|fetch|make|send) me)\b"
    r"|\b(?:wanted|needed|requested|required|wish list|my (?:wish|order|request)|i request|i ask)\b"
    r"|\bwould (?:\w+ )?(?:be (?:\w+ )?(?:great|nice|lovely|perfect|good|welcome|ideal|appreciated|wonderful|fine)"
    r"|suit|make (?:me|my day)|do nicely|hit the spot)\b"
)
COMMAND = re.compile(
    r"(?:^|[,;:] ?|\b(?:so|then|now|kindly|just|and|thanks and|hi|hello|hey) )(?:find|get|look|search|show"
    r"|order|buy|bring|make|give|help|send|pick|fetch|recommend|suggest|purchase|grab|select|choose|locate|pour"
    r"|serve|prepare|hunt|track down|let us|let me|put|add|see if|fix|sort|hand me|arrange|source|hook)\b"
)
IMPOSSIBLE = re.compile(
    r"\b(?:(?:won't|don't|doesn't|do not|does not|will not|didn't|never|can't|cannot|can not|couldn't|could not"
    r"|isn't|aren't|is not|are not|not|no longer|hardly|nobody|no one|no shop|nowhere|wouldn't|haven't"
    r"|hasn't)(?: \w+){0,3}? (?:have|has|exist|exists|stock|stocks|carry|sell|sells|sold|come|comes|get|got"
    r"|find|found|be|available|possible|offer|offered|had|made|make|makes|do|does|supply|keep|work|obtain|done"
    r"|met|manage|provide|served|hold|produced)|unavailable|impossible|out of stock|sold out|no getting"
    r"|no (?:such thing|chance|hope|way|point|finding|having)|discontinued|out of the question|ruled out"
    r"|hopeless|unobtainable|unfeasible|not an option|isn't an option|none left|never to be had|gone for good"
    r"|(?:all|long) gone|gone by now"
    r"|given up on|run out of|ran out of|been withdrawn|off the menu|all out of|too much to hope|a lost cause"
    r"|beyond you|are out of|must be out of|be out of)(?![a-z])"
)
SETTLE = _words(
    r"settle|settling|will do|would do|(?:is|be|are|that's|it's) (?:\w+ )?fine|fine with me|fine by me|it is then",
    r"never mind|have to do|has to do|instead|make do|fall back|falling back|live with|leave out|leave it out",
    r"drop|forget|skip|can be anything|could be anything|whatever|any|anything|does not matter|doesn't matter",
    r"no matter|don't care|do not care|put up with|be content|second best|next best|second choice|go with|go for",
    r"take|accept|acceptable|is ok|be ok|is okay|be okay|alright|all right|good enough|(?:do|go) without|resign",
    r"resigned|compromise|substitute|alternative|give up|giving up|open to|plan b|up to you|without it",
    r"without one|let it go|it's fine|i'd better|might as well|then let it be|suffice|suffices|serve as well|use",
    r"choose|swap|switch|opt for|stick with",
)
INSIST = _words(
    r"insist|insists|insisting|insisted|will do|nothing else|nothing but|nothing other|no other|none other|must",
    r"has to be|have to be|no talking|nonnegotiable|non negotiable|not negotiable|refuse|won't accept|absolutely",
    r"at all costs|no matter what|demand|exclusively|strictly|that is final|that's final|settle for nothing",
    r"never anything|not budge|without exception|won't hear of|under no circumstances|it is .* or nothing",
    r"or nothing|or not at all|no alternative|no substitute|has to|have to|needs to|got to be|end of story",
    r"end of discussion|only option|up for discussion|nothing will change|no ifs|set on|dead set|swear|only",
    r"solely|no exceptions|no one else|nobody else|no argument|won't budge|nowhere else|no way but|on no account",
    r"only acceptable|not any other|period|don't even try|won't have it any other",
)
ANAPHOR = _words(
    r"before|last|always|usual|usually|again|earlier|previous|previously|mentioned|talked|spoke|discussed|told",
    r"know|remember|said|other day|first|had in mind|used to|ever|get|have|take|had|recently|back then|agreed",
    r"showed|chose|picked|ordered|bought|saw|liked|described|keep|once|yesterday|way back|from|sent|picture|photo",
    r"tend to|go for|prefer",
)
POINTING = re.compile(
    r"\b(?:that|this|those|these|the same|same|usual|regular|customary|habitual|favou?rite|aforementioned"
    r"|said)(?: (?!is\b|was\b|are\b|of\b|in\b|with\b|comes\b|has\b|will\b)\w+){0,2} ?(?:of )?$"
)
DEFINITE = re.compile(r"\b(?:the|my|our|your|its|their)(?: \w+){0,2} ?$")
UNNAMED = re.compile(
    r"\b(?:the|my|our) (?:usual|regular)\b|\bthat (?:same )?(?:one|thing|kind|sort)\b|\bthe same (?:as|one"
    r"|thing|way|again)|\b(?:as|like) (?:always|usual|ever|before|last time|the last time|we said|i said"
    r"|the other day)\b|\byou know (?:which|what|the one|how)\b|\bthe one (?:from|we|i|you|that)\b|\b(?:we"
    r"|i) (?:talked|spoke|discussed|mentioned)\b|\bfrom (?:before|last time)\b|\bthe (?:other|last) (?:time"
    r"|day)\b|\b(?:i|we) always\b"
)
SUBJECTIVE = _words(
    r"nice|nicely|good|decent|decently|pleasant|pleasing|pretty|lovely|sensible|reasonable|reasonably|handy",
    r"convenient|conveniently|proper|suitable|fitting|comfortable|comfy|practical|tasteful|tasty|charming|charm",
    r"cute|stylish|elegant|fancy|smart|cool|beautiful|attractive|appealing|interesting|fun|cosy|cozy|cheerful",
    r"modest|generous|ordinary|normal|appropriate|fair|fairly|great|fine|silly|fortune|bank|well|easy|easily",
    r"better|best|respectable|agreeable|enjoyable|delicious|subtle|simple|quick|fuss|hassle|trouble|not too",
    r"isn't too|not overly|gentle|happy|satisfying|classy|presentable|sort of|kind of nice|right|neat|quality",
    r"posh|bearable|manageable|civilised|civilized|yummy|inviting|affordable|cheap|pricey|cheaply|not bad",
    r"half decent|dignified|wonderful|amazing|cracking|pleasantly|lasts|works|smooth|smoothly|special|superb",
    r"excellent|perfect|premium|unusual|remarkable|delightful|splendid|gorgeous|terrific|fabulous|top notch",
    r"first rate|swift|swiftly|relaxed|discreet|fashionable|trendy|worthy",
)
INDEFINITE = re.compile(r"\b(?:a|an|some|something of a|a bit of a)(?: \w+){0,3} ?$")
REJECTED = re.compile(r"\b(?:instead of|rather than|not|no|in place of|as opposed to) (?:an? |the )?$")
PRAISE = re.compile(
    r"\b(?:some|something|somehow|somewhere|someone|way|any|anything|an?|of|in|that|with|without|for|not|too"
    r"|quite|really|very|enough)"
    rf" (?:[a-z']+ ){{0,3}}?{SUBJECTIVE.pattern}"
)
COURTESY = re.compile(
    r"[^.,;]*\b(?:day|morning|evening|weekend|of you|if you|to have you|be great|be nice|be lovely)\b"
)
FILLER = re.compile(
    r"^(?:hi|hello|hey|dear|greetings|good (?:morning|evening|afternoon|day)|morning|evening|thanks|thank you"
    r"|cheers|many thanks|take your time|no rush|no hurry|bye|goodbye|have a|see you|i hope you|hope you"
    r"|how are you|sorry to|excuse me|pardon|ok|okay|well|right|nice to|much obliged|best wishes|kind regards"
    r"|regards|that's all|that is all)\b"
)
LEAD = _words(
    r"request|question for you|favou?r|shopping|help|here is what|here's what|my order|place an order|tell you",
)
ENTRY = re.compile(r"(?<![a-z0-9'])[a-z0-9]+(?:\.[0-9]+)?")
COMMON = frozenset(
    "a an the one two three in on of by to at it i we you me my so no any all and or for with as is be up out do go "
    "man men women s m l xl am are was has had good well fine plain set other others none regular long short big new "
    "old kind side case left right free time can standard basic down yes".split()
)
DENIAL = frozenset("no yes none any all down".split())
"""Words that are values only in a form of their slot: "no" is a word of other things ("there is no getting")."""
END = re.compile(r"[.!?]+[\"')]*\s+(?=[\"'(]*[A-Z0-9])")
BREAK = re.compile(r"[,;:]|\b(?:so|but|then|and|hence|therefore)\b")
STOP = re.compile(r"[.,;!?]")
VERB = re.compile(
    r"\b(?:is|was|are|were|has|had|have|gave|came|went|seems?|would|will|should|can|keeps?|makes?"
    r"|does|runs?|it|she|he|they)\b"
)
THE = re.compile(r"\b(?:the|my|our|your|that|this|usual|same) $")
ARTICLE = re.compile(r"\b(?:an?|the|some) $")
