"""The first reader, on rewordings made by hand, on written texts that it was not developed on, and on any text."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from intent_gym.construct.dump import dump
from intent_gym.construct.readers.first import FirstReader
from intent_gym.core.faults import FAULTS, Edit
from intent_gym.core.intent import Condition, Intent
from intent_gym.envs.host import Host
from intent_gym.envs.toy import ToyHost
from intent_gym.envs.webshop.host import load

READER = FirstReader()
TOY = ToyHost()


def wish(host: Host, frame: str, **conditions: Any) -> Intent:
    return Intent(frame, tuple(Condition(s, host.slot(s).op, v) for s, v in conditions.items()))


TEA = wish(TOY, "green tea", cup="paper cup", milk="oat milk", counter="front counter")
CHAI = wish(TOY, "chai latte", cup="ceramic mug", milk="almond milk", counter="table service")
COCOA = wish(TOY, "cocoa", cup="steel flask", milk="soy milk")
LEMON = wish(TOY, "lemonade", milk="coconut milk", counter="locker")
HAND = wish(TOY, "mint tea", cup="tall beaker", counter="table service")

OBLIQUE, NOISE = Edit("oblique"), Edit("noise")

REWORDED: list[tuple[Intent, str, list[Edit]]] = [
    # nothing wrong
    (TEA, "Get me a green tea in a paper cup, oat milk in it, and I'll collect it at the front counter.", []),
    (CHAI, "Hey! Almond milk, ceramic mug, table service: that's the chai latte I want.", []),
    (COCOA, "I was hoping for a cocoa. Soy milk, and it should go into a steel flask.", []),
    (LEMON, "Do you have a lemonade with coconut milk? Leave it in the locker for me, thanks!", []),
    (HAND, "We'd love a mint tea that comes in a tall beaker, brought round by table service.", []),
    (TEA, "One green tea with oat milk in a paper cup, front counter.", []),
    (COCOA, "Is there any chance of a cocoa made with soy milk, poured into a steel flask? A biscuit for the dog I have.", []),
    # indirect_intent
    (TEA, "Yesterday a colleague had a green tea with oat milk in a paper cup from the front counter. It looked good.", [OBLIQUE]),
    (CHAI, "My desk feels empty. There used to be a chai latte on it: ceramic mug, almond milk, table service.", [OBLIQUE, NOISE]),
    (COCOA, "Cold days are for cocoa with soy milk out of a steel flask.", [OBLIQUE]),
    (LEMON, "The doctor speaks highly of lemonade with coconut milk, straight from the locker.", [OBLIQUE]),
    (HAND, "At my aunt's there is always a mint tea in a tall beaker, with table service.", [OBLIQUE]),
    (TEA, "Mornings here are dull when no green tea stands on the front counter in a paper cup, with oat milk.", [OBLIQUE]),
    # contextual_irrelevance
    (TEA, "The cat caught a mouse. Please bring me a green tea with oat milk in a paper cup, front counter.", [NOISE]),
    (CHAI, "Our roof is leaking again. What weather! Could I get a chai latte in a ceramic mug with almond milk, by table service?", [NOISE]),
    (COCOA, "Hi there. My aunt has sold her car at long last. I need a cocoa with soy milk in a steel flask.", [NOISE]),
    (LEMON, "Elections are coming up, they say. I'd like a lemonade, coconut milk, put in the locker.", [NOISE]),
    (HAND, "The museum has reopened. I'm in the mood for mint tea in a tall beaker with table service.", [NOISE]),
    # factual_error
    (TEA, "Get me a green tea in a paper cup with rice milk. I'll pick it up at the front counter.", [Edit("replace", "milk", "rice milk")]),
    (CHAI, "I'd love a chai latte: glass tumbler, almond milk, table service.", [Edit("replace", "cup", "glass tumbler")]),
    (COCOA, "Can I have a cocoa with soy milk in a tall beaker?", [Edit("replace", "cup", "tall beaker")]),
    (LEMON, "Lemonade for me please, whole milk, from the locker.", [Edit("replace", "milk", "whole milk")]),
    (HAND, "We need a mint tea by table service. The cup must be a steel flask.", [Edit("replace", "cup", "steel flask")]),
    # false_presupposition
    (TEA, "A green tea in a paper cup at the front counter, please. I know you can't do the milk I like, so coconut milk it is, that's fine.", [Edit("presuppose", "milk", "coconut milk")]),
    (CHAI, "I'd like a chai latte with almond milk by table service. As the cup I hoped for is surely out of stock, I'll go with an espresso cup instead.", [Edit("presuppose", "cup", "espresso cup")]),
    (COCOA, "Please pour me a cocoa with soy milk. My sort of cup is never available here, so any cup will do.", [Edit("presuppose", "cup", "")]),
    (LEMON, "Find me a lemonade and put it in the locker. The milk I prefer is impossible to get these days; forget about the milk.", [Edit("presuppose", "milk", "")]),
    (HAND, "I want mint tea with table service. Nobody stocks the cup size I have in mind. I could live with a paper cup.", [Edit("presuppose", "cup", "paper cup")]),
    (TEA, "I want a green tea in a paper cup from the front counter, and since oat milk is sold out everywhere, soy milk would do.", [Edit("presuppose", "milk", "soy milk")]),
    # tool_capability_mismatch
    (TEA, "I need a green tea in a paper cup with oat milk. The bicycle courier must bring it, I won't accept anything else.", [Edit("insist", "counter", "bicycle courier")]),
    (CHAI, "Get me a chai latte in a ceramic mug, almond milk. I absolutely demand the bicycle courier.", [Edit("insist", "counter", "bicycle courier")]),
    (CHAI, "Could I have a chai latte with almond milk in a ceramic mug? It goes into the locker or not at all.", [Edit("insist", "counter", "locker")]),
    (HAND, "A mint tea in a tall beaker, please, strictly via the locker.", [Edit("insist", "counter", "locker")]),
    (LEMON, "I'd like lemonade with coconut milk. Under no circumstances send it any other way than by table service.", [Edit("insist", "counter", "table service")]),
    # insufficient_information
    (TEA, "I'm after a green tea with oat milk, front counter.", [Edit("withhold", "cup")]),
    (CHAI, "Could you make me a chai latte in a ceramic mug?", [Edit("withhold", "milk"), Edit("withhold", "counter")]),
    (COCOA, "Cocoa with soy milk, please!", [Edit("withhold", "cup")]),
    (LEMON, "Hello, I'd like you to put a lemonade into the locker. That would be great.", [Edit("withhold", "milk")]),
    (HAND, "A mint tea by table service would be lovely. Have a nice day!", [Edit("withhold", "cup")]),
    (TEA, "I fancy a green tea. It's to be in a paper cup.", [Edit("withhold", "milk"), Edit("withhold", "counter")]),
    # irrelevant_information
    (COCOA, "I want a cocoa with soy milk in a steel flask, handed to me at the front counter.", [Edit("extra", "counter", "front counter")]),
    (LEMON, "Give me a lemonade with coconut milk. Locker, and an espresso cup.", [Edit("extra", "cup", "espresso cup")]),
    (HAND, "Please prepare a mint tea with rice milk in a tall beaker, table service.", [Edit("extra", "milk", "rice milk")]),
    (COCOA, "Could we order cocoa? Soy milk. Steel flask. The bicycle courier can carry it.", [Edit("extra", "counter", "bicycle courier")]),
    # lexical_ambiguity
    (TEA, "I'd like a green tea in a paper cup with something grain, at the front counter.", [Edit("two_senses", "milk", "grain")]),
    (CHAI, "Bring me a nutty chai latte in a ceramic mug by table service.", [Edit("two_senses", "milk", "nutty")]),
    (COCOA, "I'm looking for a cocoa with soy milk, a tall one.", [Edit("two_senses", "cup", "tall")]),
    (LEMON, "I need a lemonade that is nutty and goes in the locker.", [Edit("two_senses", "milk", "nutty")]),
    (HAND, "Can you get me a mint tea in a tall beaker, given to me by hand?", [Edit("two_senses", "counter", "by hand")]),
    (TEA, "Make it a small green tea with oat milk, and I'd collect it from the front counter.", [Edit("two_senses", "cup", "small")]),
    # syntactic_ambiguity
    (TEA, "I'd like a green tea in a paper cup from the front counter and a slice of cake with oat milk.", [Edit("attach", "milk", "with oat milk")]),
    (CHAI, "Get me a chai latte with almond milk, by table service, plus a slice of cake in a ceramic mug.", [Edit("attach", "cup", "in a ceramic mug")]),
    (COCOA, "Could you bring a cocoa with soy milk and a biscuit for the dog packed into a steel flask?", [Edit("attach", "cup", "packed into a steel flask")]),
    (LEMON, "I need a lemonade with coconut milk and a slice of cake from the locker.", [Edit("attach", "counter", "from the locker")]),
    (HAND, "We want mint tea by table service and a biscuit for the dog in a tall beaker, thanks.", [Edit("attach", "cup", "in a tall beaker")]),
    # referential_ambiguity
    (TEA, "I want a green tea in a paper cup at the front counter, with the milk you know I drink.", [Edit("deictic", "milk")]),
    (CHAI, "Please get me a chai latte with almond milk by table service, in my regular cup.", [Edit("deictic", "cup")]),
    (COCOA, "I'd like a cocoa with soy milk. As for the cup, the same one as yesterday.", [Edit("deictic", "cup")]),
    (LEMON, "Lemonade with coconut milk, please, and the usual pick-up.", [Edit("deictic", "counter")]),
    (HAND, "A mint tea by table service, please, in that size we had last week.", [Edit("deictic", "cup")]),
    (COCOA, "Could you do me a cocoa in a steel flask, and put the usual in?", [Edit("deictic", "milk")]),
    (TEA, "I need a green tea with oat milk in a paper cup, delivered as always.", [Edit("deictic", "counter")]),
    # vagueness_subjectivity
    (TEA, "I want a green tea in a paper cup at the front counter with some lovely milk.", [Edit("vague", "milk")]),
    (CHAI, "May I have a chai latte with almond milk by table service? A pretty cup, if you can.", [Edit("vague", "cup")]),
    (COCOA, "I'd like a cocoa with soy milk in something reasonably big.", [Edit("vague", "cup")]),
    (LEMON, "Find me a lemonade with coconut milk, and make the pick-up convenient.", [Edit("vague", "counter")]),
    (HAND, "I'm craving a mint tea by table service in a cup of a comfortable size.", [Edit("vague", "cup")]),
    (COCOA, "Cocoa in a steel flask, please, with a milk that isn't too heavy.", [Edit("vague", "milk")]),
    # several at once
    (TEA, "The trains are on strike. A green tea in a glass tumbler is what we have at home, with oat milk, from the front counter.", [NOISE, OBLIQUE, Edit("replace", "cup", "glass tumbler")]),
    (CHAI, "My shoelace broke. I'd like a chai latte in my usual cup. Almond milk, but I only accept the locker.", [NOISE, Edit("deictic", "cup"), Edit("insist", "counter", "locker")]),
    (TEA, "I'd like a green tea with soy milk in a paper cup.", [Edit("replace", "milk", "soy milk"), Edit("withhold", "counter")]),
    (LEMON, "Could I get a lemonade in a tall beaker with whole milk from the locker?", [Edit("extra", "cup", "tall beaker"), Edit("replace", "milk", "whole milk")]),
]  # fmt: skip


@pytest.mark.parametrize(("intent", "text", "edits"), REWORDED, ids=[text[:60] for _, text, _ in REWORDED])
def test_reads_a_rewording(intent: Intent, text: str, edits: list[Edit]) -> None:
    assert READER.read(TOY, intent, text) == frozenset(edits)


def test_the_rewordings_hold_every_fault() -> None:
    kinds = {e.kind for _, _, edits in REWORDED for e in edits}
    assert kinds == {f.edit for f in FAULTS.values()}
    assert len(REWORDED) >= 60
