"""DriftBFCL-v0 as an environment."""

from __future__ import annotations

from intent_gym.envs.base import DriftEnv
from intent_gym.envs.vector import vector_maker

__all__ = ["DriftBFCLEnv", "make_vector"]


class DriftBFCLEnv(DriftEnv):
    """Write the function calls that a person needs, who sets, changes and takes back their arguments.

    ## Description

    A toolbox is a list of functions with JSON schemas; a person needs one call, or several in parallel: a table
    booking, a train search in either direction. The arguments are told in the dialogue. The schemas are shown first.
    Ask the user, and commit the calls as text; nothing is executed. The grader compares calls in any order, with
    corrected rules of the Berkeley Function Calling Leaderboard: no invented argument, no expression, types by schema.

    ## Host and Task Source

    `source="embedded"`: 50 requests over ten toolboxes of three functions each, written by this project (MIT); seven
    toolboxes are for training, three for testing. `source=<folder>`: BFCL version 4 (Apache-2.0), its files
    `BFCL_v4_<category>.json` and `possible_answer_BFCL_v4_<category>.json`, plain or gzip: arguments become letters
    in the text of the request, and the person tells what they are.

    ## Action Space

    | interface | space | meaning |
    |---|---|---|
    | dialogue | `Dict(kind=Discrete(3), content=UnicodeText)` | 0 ask the user, 1 nothing here, 2 commit the answer |
    | text | `UnicodeText` | `ask[...]`, `commit[...]` |
    | slots | `Discrete(32)` | set or drop one of 15 slots as the user has just said, ignore it, commit |

    A commit's content is the answer, `[f(a=1, b="x")]`; there is nothing to act on.

    With `protocol="silent"` the slots actions are `Discrete(18)`: ask one of 16 slots, browse (nothing here), commit.

    ## Observation Space

    | interface | space |
    |---|---|
    | dialogue | `Dict(dialogue=Sequence(Dict(role, content)), patience=Box, turn=Box, action_mask=MultiBinary(3))` |
    | text | `UnicodeText`: the transcript |
    | slots | `Dict(observations=Box(112,), action_mask=Box(32,))`, float32 in [0, 1] |

    With `protocol="silent"`: `observations=Box(168,)`, `action_mask=Box(18,)`.

    The slots are request (the kind), city, destination, day, time, party size, topic, contact, amount, item, room,
    duration, priority, reminder, language and payment; of the original data, the letters of the arguments, two optional
    parameters and a call more.

    ## Simulated User

    The user says what is needed, then sets, changes and takes back goals one at a time, and asks for the answer at last
    (PROTOCOL 7); templates put the edits into words. With `protocol="silent"`: a state machine in one of five decision
    styles (PROTOCOL 6), whose request may be faulty and whose intent drifts unsaid.

    ## Rewards

    Paid at the end: 1 for an accepted answer, else 0 (`reward="success"`); `"score"` is the grader's score, here the
    same; or a mapping from signal to weight; with `protocol="silent"` also `"shaped"`: success with potential-based
    shaping.

    ## Episode End

    Terminated by the first commit after the user has asked for the answer; an earlier one is a draft. At the latest ten
    steps beyond the user's turns one more step follows, which must be a commit. Never truncated by the environment.

    With `protocol="silent"`: a commit is accepted; a final commit is rejected; the last step after patience or turns
    ran out was no judgeable commit. A question costs 2 of 10 units of patience, a rejected commit 4, a malformed action
    1; the turn cap is 30.

    ## Arguments

    Those of every environment (see `intent_gym.envs.options.EnvOptions`); the host has no own options.

    ```python
    gym.make("DriftBFCL-v0", budget="medium", interface="slots")
    ```

    ## Version History

    * v0: first version.
    """

    host_name = "tools"
    protocol = "evolving"


make_vector = vector_maker(DriftBFCLEnv)
