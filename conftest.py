"""Settings of every test run; `pytest .` stays out of the top-level links, whose files are tested under intent_gym."""

import os

from hypothesis import settings

collect_ignore = ["envs", "wrappers", "agents"]

# Small networks and small arrays: more threads than one only wait for each other, by a factor of 30 when both cores
# are busy. Read when numpy and torch load, hence here and not in a fixture.
for variable in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"):
    os.environ.setdefault(variable, "1")

# The same examples in every run, and no deadline: a busy machine is not a failing test.
settings.register_profile("intent_gym", deadline=None, derandomize=True, print_blob=True)
settings.load_profile("intent_gym")
