"""DriftToy-v0: a tea shop with three slots, small enough to check by hand."""

from intent_gym.envs.toy.host import ToyHost, load

__all__ = ["ToyHost", "load"]
