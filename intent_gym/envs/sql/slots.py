"""The slots of the generated questions, and the words that all databases share: aggregates, ordering, extras."""

from __future__ import annotations

from collections.abc import Mapping

from intent_gym.core.intent import Slot

__all__ = ["AGGREGATES", "FIGURE_EXTRAS", "NEUTRAL", "ROW_EXTRAS", "SLOTS"]

SLOTS = (
    Slot(
        *("question", "question", "question", "frame"),
        synonyms=("questions", "query", "queries", "kind of result", "what is asked", "what do you want to know"),
    ),
    Slot(
        *("category", "category", "category", "choice"),
        synonyms=(
            *("categories", "which kind", "which type", "what sort", "what kind of item", "what kind of thing"),
            *("what type of item", "what type of thing"),
        ),
        clauses=("of the category {value}", "with {value} as the category", "in the category {value}"),
        vague=("of a sensible category", "with a nice category", "in some decent category"),
    ),
    Slot(
        *("place", "place", "place", "choice"),
        synonyms=(
            *("places", "location", "locations", "where it is", "whereabouts", "where are they", "where is it"),
            *("where should they be", "where should it be"),
        ),
        clauses=("at the place {value}", "with {value} as the place", "located at {value}"),
        vague=("at a nice place", "with a sensible place", "located somewhere pleasant"),
    ),
    Slot(
        *("column", "column", "column", "choice"),
        synonyms=(
            *("columns", "shown field", "what is shown", "what to show", "field", "fields", "what should i show"),
            *("what should be shown", "what should i list", "what should be listed", "what do you want to see"),
        ),
        clauses=("showing the {value}", "with {value} as the column", "with the {value} in its column"),
        vague=("showing something useful", "with a sensible column", "with something decent in its column"),
    ),
    Slot(
        *("measure", "measure", "measure", "choice"),
        synonyms=(
            *("measures", "measured quantity", "what is measured", "which quantity", "what should be measured"),
            "what should i measure",
        ),
        clauses=("over the {value}", "with {value} as the measure", "measured by {value}"),
        vague=("over something useful", "with a sensible measure", "measured by something decent"),
    ),
    Slot(
        *("aggregate", "aggregate", "aggregate", "choice"),
        synonyms=(
            *("aggregates", "how to combine", "how it is combined", "kind of summary", "aggregated"),
            *("aggregation", "statistic", "statistics", "combine", "combined"),
        ),
        clauses=("as the {value}", "with {value} as the aggregate", "worked out as the {value}"),
        vague=("as something useful", "with a sensible aggregate", "worked out in a decent way"),
    ),
    Slot(
        *("grouping", "grouping", "grouping", "choice"),
        synonyms=(
            *("groupings", "how to group", "what to group by", "groups", "it be grouped", "they be grouped"),
            *("rows be grouped", "them grouped"),
        ),
        clauses=("grouped by the {value}", "with {value} as the grouping", "split by the {value}"),
        vague=("grouped by something useful", "with a sensible grouping", "split in a decent way"),
    ),
    Slot(
        *("ordering", "ordering", "ordering", "choice"),
        synonyms=(
            *("orderings", "sorting", "how to sort", "sort order", "which comes first", "order", "ordered"),
            *("sorted", "should i sort", "sort by", "sort it", "sort them", "sort the", "ascending"),
            "descending",
        ),
        clauses=("with {value} as the ordering", "sorted with the {value}", "arranged with {value}"),
        vague=("with a sensible ordering", "sorted in a useful way", "arranged in a decent way"),
    ),
    Slot(
        *("limit", "row limit", "limit", "number"),
        synonyms=(
            *("row limits", "limit", "how many rows", "number of rows", "how many results", "how many entries"),
            *("how many lines", "how many records", "how many should i", "how many do you want"),
            *("maximum number of rows", "maximum number of results"),
        ),
        clauses=("with a row limit of {value}", "up to a row limit of {value}"),
        vague=("with a sensible row limit", "up to a decent row limit", "with a modest row limit"),
    ),
    Slot(
        *("threshold", "threshold", "threshold", "number"),
        synonyms=(
            *("thresholds", "least value", "lower bound", "what is the least", "cutoff", "cut-off"),
            *("is there a minimum", "is there any minimum", "what is the minimum", "what's the minimum"),
            *("minimum value", "at least how much"),
        ),
        clauses=("with a threshold of {value}", "from a threshold of {value}"),
        vague=("with a sensible threshold", "from a decent threshold", "with a modest threshold"),
    ),
    Slot(
        *("status", "status", "status", "choice"),
        synonyms=("statuses", "state", "which state", "condition"),
        clauses=("with the status {value}", "with {value} as the status", "having the status {value}"),
        vague=("with a sensible status", "with a good status", "having a decent status"),
    ),
    Slot(
        *("extra", "extra", "extra", "choice"),
        synonyms=(
            *("extras", "addition", "additional output", "what else to show", "additional column"),
            *("additional columns", "another column", "further column", "what else should i show"),
            "what else should be shown",
        ),
        clauses=("with {value} as the extra", "with the extra {value}", "including the extra {value}"),
        vague=("with a useful extra", "with a nice extra", "including some decent extra"),
    ),
)

AGGREGATES: Mapping[str, str] = {
    "average": "avg({0})",
    "largest value": "max({0})",
    "midrange": "(max({0}) + min({0})) / 2.0",
    "smallest value": "min({0})",
    "spread": "max({0}) - min({0})",
    "total": "sum({0})",
}
"""What a measure is combined to, as SQL."""
FIGURE_EXTRAS: Mapping[str, str] = {
    "highest id": ", max({0}.id)",
    "lowest id": ", min({0}.id)",
    "no extra": "",
    "row count": ", count(*)",
}
"""Further columns of results that combine rows, as SQL."""
ROW_EXTRAS: Mapping[str, str] = {
    "bare id": ", {0}.id",
    "no extra": "",
    "serial code": ", {0}.serial_code",
    "shelf mark": ", {0}.shelf_mark",
}
"""Further columns of results that list rows, as SQL."""
NEUTRAL: Mapping[str, str] = {"extra": "no extra", "status": "any status"}
"""What leaving out means."""
