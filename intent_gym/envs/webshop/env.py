"""DriftWebShop-v0 as an environment."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.vector import vector_maker

__all__ = ["DriftWebShopEnv", "make_vector"]


class DriftWebShopEnv(DriftEnv):
    """Find and buy the product that a person wants, who does not say everything and may change their mind.

    ## Description

    A shop in the manner of WebShop (Yao et al., 2022): search pages of ten results, item pages with options, sub-pages.
    A person asks for a product; the request carries one or more of eleven communication faults, patience is finite, and
    what they want can change while you talk, without being told (Drift-Bench++). Ask the user, search and click, and
    commit to the open product with the chosen options. A rejected commit costs patience and tells little.

    ## Host and Task Source

    `source="embedded"`: a catalogue generated from a seed by this project (MIT): 65 kinds of product in five
    departments, 2,400 products by default (`size`: 1,000 to 1,200,000), in the original's schema. `source=<folder>`:
    the original files (`items_shuffle*.json`, `items_ins_v2*.json`, `items_human_ins*.json`, plain or gzip; code MIT,
    product texts are scraped and not distributed here). Prices and caps are frozen by a fixed rule; tasks are sampled
    by product. Graphs start from a relaxed node, so that drift can move the answer. `source=<folder of the
    Drift-Bench++ release>` plays its own samples, all of split "test" (see `intent_gym.envs.release`).

    ## Action Space

    | interface | space | meaning |
    |---|---|---|
    | dialogue | `Dict(kind=Discrete(3), content=UnicodeText)` | 0 ask the user, 1 act in the shop, 2 commit |
    | text | `UnicodeText` | `ask[...]`, `act[...]`, `commit[...]` |
    | slots | `Discrete(20)` | ask one of 18 slots, browse, commit |

    Acts: `search[words]`, `click[label]` with the labels the page shows. A commit buys the open product with the chosen
    options; its content is free.

    ## Observation Space

    | interface | space |
    |---|---|
    | dialogue | `Dict(dialogue=Sequence(Dict(role, content)), patience=Box, turn=Box, action_mask=MultiBinary(3))` |
    | text | `UnicodeText`: the transcript |
    | slots | `Dict(observations=Box(188,), action_mask=Box(20,))`, float32 in [0, 1] |

    The slots are product (the kind), price, six features, color, size, style, flavor, scent, fit, material, pattern,
    count and shape; see `intent_gym.envs.interfaces.slots` for the features of the vector.

    ## Simulated User

    A state machine (PROTOCOL 6) in one of five decision styles decides what is granted, declined, volunteered and
    hinted; templates put it into words. The intent drifts silently (PROTOCOL 4).

    ## Rewards

    Paid at the end: 1 for an accepted commit, else 0 (`reward="success"`); `"score"`: the original WebShop reward of
    the last judged commit (1 if accepted); `"shaped"`: success with potential-based shaping; or a mapping from signal
    to weight.

    ## Episode End

    Terminated: a commit is accepted; a final commit is rejected; the last step after patience or turns ran out was no
    judgeable commit. Never truncated by the environment. A question costs 2 of 10 units of patience, a rejected commit
    4, a malformed action 1, an act nothing; the turn cap is 40.

    ## Arguments

    Those of every environment (see `intent_gym.envs.options.EnvOptions`), and:

    | option | default | meaning |
    |---|---|---|
    | accept | "strict" | "strict": every condition exactly; "webshop": price within cap and original reward >= 0.999 |
    | max_guess | 0.5 | tasks that three blind commits solve more often than this are left out |
    | size | 2400 | products of the embedded catalogue |
    | catalogue_seed | 0 | seed of the embedded catalogue |
    | host_data | None | release: folder of WebShop's full product files; None: what the release's answer sets tell |
    | transitions | None | release: "runtime" (default) or "stored": where the intent can drift |
    | acceptance | None | release: "answer_set" (default without host_data) or "reward" (default with it) |

    ```python
    gym.make("DriftWebShop-v0", faults=2, persona="mixed", interface="slots")
    ```

    ## Version History

    * v0: first version.
    """

    host_name = "webshop"
    host_options: ClassVar[Mapping[str, Any]] = {
        "accept": None,
        "max_guess": None,
        "size": None,
        "catalogue_seed": None,
        "host_data": None,
        "transitions": None,
        "acceptance": None,
    }
    loader_options = ("accept", "size", "catalogue_seed", "host_data", "transitions", "acceptance")


make_vector = vector_maker(DriftWebShopEnv)
