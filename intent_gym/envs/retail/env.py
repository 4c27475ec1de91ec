"""DriftRetail-v0 as an environment."""

from __future__ import annotations

from intent_gym.envs.desk.env import DeskEnv
from intent_gym.envs.vector import vector_maker

__all__ = ["DriftRetailEnv", "make_vector"]


class DriftRetailEnv(DeskEnv):
    """Serve a shop's customer, who does not say everything and may change their mind.

    ## Description

    The service desk of a shop in the manner of tau2-bench Retail: sixteen tools read and change orders, items,
    payments and addresses. A customer, known from the opening, asks for one change or several at once; the request
    carries one or more of eleven communication faults, patience is finite, and what they want can change while you
    talk, without being told. Writes are staged: they run on a draft that you see, and a commit proposes the draft to
    the customer. A rejected commit costs patience and empties the draft.

    ## Host and Task Source

    `source="embedded"`: people, products and orders generated from a seed by this project (MIT), 500 customers by
    default (`users`). `source=<folder>`: tau2's retail files (`db.json`, `tasks.json`, `split_tasks.json`, plain or
    gzip; MIT). Requests are what the source's tasks ask for and, far more, drawn from the database: every change that
    some tool call carries out, and two that go together; customers of the source's test tasks are never in train. The
    tools have the original's names, arguments, checks and effects, with its faults corrected (`tau2_compat=True` keeps
    them).
    `source=<folder of the Drift-Bench++ release>` with `host_data=<tau2's data folder>` plays its own samples (see
    `intent_gym.envs.release`).

    ## Action Space

    | interface | space | meaning |
    |---|---|---|
    | dialogue | `Dict(kind=Discrete(3), content=UnicodeText)` | 0 ask the user, 1 act: one tool call, 2 commit |
    | text | `UnicodeText` | `ask[...]`, `act[...]`, `commit[...]` |
    | slots | `Discrete(134)` | ask one of 132 slots, browse, commit |

    Acts: `tool(key=value)` or `{"name": ..., "arguments": {...}}`; `list_tools()` returns the schemas, which are also
    in `env.unwrapped.tools`; `reset_draft()` empties the draft. A commit proposes the draft; its content is free.

    ## Observation Space

    | interface | space |
    |---|---|
    | dialogue | `Dict(dialogue=Sequence(Dict(role, content)), patience=Box, turn=Box, action_mask=MultiBinary(3))` |
    | text | `UnicodeText`: the transcript |
    | slots | `Dict(observations=Box(1328,), action_mask=Box(134,))`, float32 in [0, 1] |

    The slots are request (its kinds and the customer), order, item, payment, reason, address, one for each product
    option of the data, and those of a second, third and fourth change ("second order"): the numbers are those of the
    embedded source, a folder's products have options of their own.

    ## Simulated User

    A state machine (PROTOCOL 6) in one of five decision styles decides what is granted, declined, volunteered and
    hinted; templates put it into words. The intent drifts silently (PROTOCOL 4).

    ## Rewards

    Paid at the end: 1 for an accepted commit, else 0 (`reward="success"`); `"score"`: the share of conditions that the
    last judged draft meets; `"shaped"`: success with potential-based shaping; or a mapping from signal to weight.

    ## Episode End

    Terminated: a commit is accepted; a final commit is rejected; the last step after patience or turns ran out was no
    judgeable commit. Never truncated by the environment. A question costs 2 of 10 units of patience, a rejected commit
    4, a malformed action 1, a tool call nothing; the turn cap is 30.

    ## Arguments

    Those of every environment (see `intent_gym.envs.options.EnvOptions`), and:

    | option | default | meaning |
    |---|---|---|
    | tau2_compat | False | keep the original tools' faults |
    | max_guess | 0.5 | tasks that three blind commits solve more often than this are left out |
    | users | 500 | customers of the embedded data |
    | data_seed | 0 | seed of the embedded data |
    | writes | "staged" | "staged" on a draft that a commit proposes, or "live": every write stands at once |
    | host_data | None | release: tau2's data folder, which a release needs |
    | transitions | None | release: "runtime" (default) or "stored": where the intent can drift |
    | acceptance | None | release: "state" (default of staged writes) or "actions" (of live ones): the golden calls |

    ```python
    gym.make("DriftRetail-v0", faults=2, persona="mixed")
    ```

    ## Version History

    * v0: first version.
    """

    host_name = "retail"


make_vector = vector_maker(DriftRetailEnv)
