"""Questions in words that people use reach the slot that they are about, in every family of answers."""

from __future__ import annotations

import pytest

from intent_gym.core.language.understand import understand
from intent_gym.envs.hosts import lexicon_of, load_host

PLAIN = {
    "humaneval": [
        ("What should it be called?", "name"),
        ("In what order?", "ordering"),
        ("Should I sort the result?", "ordering"),
        ("Which numbers should be kept?", "filter"),
        ("What should be done to each element?", "step"),
        ("How should they be combined?", "aggregate"),
        ("Should I remove duplicates?", "repeats"),
        ("Which delimiter?", "separator"),
        ("What should I return if nothing is left?", "empty"),
        ("What kind of function?", "task"),
    ],
    "math": [
        ("Where are you going?", "destination"),
        ("Where do you want to go?", "destination"),
        ("Should I round the answer?", "rounding"),
        ("Should I round up or down?", "rounding"),
        ("How do you get there?", "transport"),
        ("How are you travelling?", "transport"),
        ("What is it made of?", "material"),
        ("What are you buying?", "product"),
        ("How much do you want to spend?", "budget"),
        ("How long will it take?", "duration"),
        ("Do they get money off?", "discount"),
        ("Are there any extra charges?", "fee"),
        ("What should the answer be measured in?", "unit"),
        ("What should I calculate?", "task"),
    ],
    "sql": [
        ("How should I sort the rows?", "ordering"),
        ("In what order?", "ordering"),
        ("Ascending or descending?", "ordering"),
        ("Which statistic?", "aggregate"),
        ("How should I combine the values?", "aggregate"),
        ("Is there a minimum?", "threshold"),
        ("What's the cutoff?", "threshold"),
        ("Which columns do you want?", "column"),
        ("Which fields should be shown?", "column"),
        ("How many rows?", "limit"),
        ("How many results do you want?", "limit"),
        ("Should I include another column?", "extra"),
        ("What should be measured?", "measure"),
        ("Should they be grouped?", "grouping"),
        ("Where are they?", "place"),
    ],
    "summary": [
        ("Which part of town?", "district"),
        ("Which area?", "district"),
        ("Should I leave anything out?", "exclusion"),
        ("What should I omit?", "exclusion"),
        ("How long should it be?", "length"),
        ("How many bullet points?", "length"),
        ("Which sources?", "outlet"),
        ("Which publication?", "outlet"),
        ("What should it focus on?", "aspect"),
        ("What period?", "month"),
        ("Who else should be included?", "author"),
        ("What should I summarize?", "summary"),
    ],
    "tools": [
        ("Which day?", "day"),
        ("On what date?", "day"),
        ("What time?", "time"),
        ("When should it start?", "time"),
        ("Who is it for?", "contact"),
        ("Who should I call?", "contact"),
        ("How do you want to pay?", "payment"),
        ("How should it be paid?", "payment"),
        ("What's the budget?", "amount"),
        ("Where are you going?", "destination"),
        ("How many guests?", "party"),
        ("What is it about?", "topic"),
        ("Should I remind you?", "reminder"),
        ("Is it urgent?", "priority"),
    ],
    "data_to_text": [
        ("Which rows?", "row"),
        ("Who is it about?", "row"),
        ("What should the sentence be about?", "row"),
        ("Which column should be mentioned?", "detail"),
        ("What goes in the brackets?", "detail"),
        ("Which number should be mentioned?", "figure"),
        ("Which number do you want?", "figure"),
        ("How should the number be written?", "number_form"),
        ("Which number format?", "number_form"),
        ("Should I spell out the number?", "number_form"),
        ("How should the sentence end?", "citation"),
        ("Should I cite the table?", "citation"),
        ("Should I add another cell?", "extra"),
    ],
}
UNCLEAR = {
    "humaneval": ["Where?", "What do you want?"],
    "math": ["How long?", "Is it a round trip?", "When?"],
    "sql": ["Should I take the minimum?", "Minimum or maximum?", "Where?"],
    "summary": ["Which documents?", "What should it be about?", "Which part?"],
    "tools": ["When?", "Where?", "What do you want?"],
    "data_to_text": ["Which column?", "Which cell?", "Which city?"],
}


@pytest.mark.parametrize(("name", "question", "slot"), [(n, q, s) for n, found in PLAIN.items() for q, s in found])
def test_questions_in_plain_words_reach_their_slot(name: str, question: str, slot: str) -> None:
    host = load_host(name)
    assert understand(question, lexicon_of(host)).topics == (host.slot(slot).topic,)


@pytest.mark.parametrize(("name", "question"), [(n, q) for n, found in UNCLEAR.items() for q in found])
def test_questions_that_fit_several_slots_or_none_reach_none(name: str, question: str) -> None:
    assert understand(question, lexicon_of(load_host(name))).topics == ()
