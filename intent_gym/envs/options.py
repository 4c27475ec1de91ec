"""Options of `gym.make`: plain data, checked in one place. An unknown one names the valid ones."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from typing import Any, Literal, TypeAlias, get_args

from intent_gym.construct.samples import parse_faults
from intent_gym.core.config import Channel, DriftConfig, ProtocolConfig
from intent_gym.core.edits import BUDGETS
from intent_gym.core.intent import RELATIONS
from intent_gym.core.personas import PERSONAS
from intent_gym.core.signals import GRIP
from intent_gym.errors import OptionError, suggest

__all__ = [
    "CONDITIONS",
    "INTERFACES",
    "PROTOCOLS",
    "Condition",
    "EnvOptions",
    "Interface",
    "Protocol",
    "drift_config",
    "parse",
]

Protocol: TypeAlias = Literal["silent", "evolving"]
Interface: TypeAlias = Literal["dialogue", "text", "slots"]
Condition: TypeAlias = Literal["drift", "clean", "control", "oracle"]
PROTOCOLS: tuple[str, ...] = get_args(Protocol)
INTERFACES: tuple[str, ...] = get_args(Interface)
CONDITIONS: tuple[str, ...] = get_args(Condition)
_CHOICES: Mapping[str, tuple[object, ...]] = {
    "split": ("train", "test", "all"),
    "protocol": PROTOCOLS,
    "condition": CONDITIONS,
    "persona": (*PERSONAS, "mixed"),
    "interface": INTERFACES,
    "user": ("template",),
    "privileged": (False, True),
    "signals": ("end", "step"),
    "budget": tuple(BUDGETS),
    "restate": (False, True),
}
_OF_PROTOCOL: Mapping[str, tuple[str, ...]] = {
    "silent": ("faults", "persona", "drift", "config"),
    "evolving": ("budget", "restate"),
}
"""Options that one protocol has and the other has not (PROTOCOL 7)."""


@dataclass(frozen=True)
class EnvOptions:
    """What an environment is made with, as given."""

    source: str = "embedded"
    """"embedded", or a folder with the host's original files."""
    split: Literal["train", "test", "all"] = "train"
    """Which tasks; disjoint by construction."""
    protocol: Protocol = "silent"
    """How the dialogue goes; the default is the environment's own."""
    condition: Condition = "drift"
    """How the case is told (PROTOCOL 8)."""
    faults: int | tuple[str, ...] = 1
    """Number of faults in a request (0, 1, 2 or 4), or their names."""
    persona: str = "rational"
    """A decision style, or "mixed"."""
    drift: bool | Mapping[str, Any] = True
    """Whether the intent drifts, or fields of `DriftConfig`."""
    interface: Interface = "dialogue"
    """Form of observations and actions."""
    reward: str | Mapping[str, float] = "success"
    """"success", "score", "shaped", or a mapping from signal name to weight; paid at the end."""
    budget: Literal["easy", "medium", "hard"] = "hard"
    """Evolving protocol: variants per goal and decoys, at most 1, 3 or 5."""
    restate: bool = False
    """Evolving protocol: whether the request for the answer sums up what holds (for diagnosis)."""
    user: Literal["template"] = "template"
    """Who puts the user's decisions into words."""
    privileged: bool = False
    """Whether `oracle()` may be called."""
    signals: Literal["end", "step"] = "end"
    """Whether the running signals are in `info` at every step, for rewards and training; `evaluate` keeps them from
    agents, whom they would tell what is hidden."""
    config: Mapping[str, Any] = field(default_factory=dict)
    """Fields of `ProtocolConfig` to change (costs, limits)."""
    host: Mapping[str, Any] = field(default_factory=dict)
    """The host's own options, as the environment class declares them."""

    @property
    def protocol_config(self) -> ProtocolConfig:
        """The protocol's numbers with this environment's changes."""
        still = self.protocol == "evolving" or self.condition in ("clean", "control")
        drift = None if still else drift_config(self.drift)
        names = {f.name for f in fields(ProtocolConfig)}
        own = {k: v for k, v in self.host.items() if k in names and v is not None}
        return replace(ProtocolConfig(), **{**self.config, **own}, drift=drift)

    def to_json(self) -> dict[str, Any]:
        """Return plain data that differs from the defaults or not, one flat mapping as `gym.make` takes it."""
        left_out = {"host", *(n for p, names in _OF_PROTOCOL.items() if p != self.protocol for n in names)}
        data = {f.name: _plain(getattr(self, f.name)) for f in fields(self) if f.name not in left_out}
        return {**data, **self.host}


def parse(
    given: Mapping[str, Any], host_defaults: Mapping[str, Any], env_name: str, protocol: Protocol = "silent"
) -> EnvOptions:
    """Check options and fill in the defaults.

    Args:
        given: Options as typed.
        host_defaults: The host's own options with their defaults.
        env_name: For messages.
        protocol: The environment's own, where none is given.

    Raises:
        OptionError: An unknown option, or a value it cannot have; the message names the valid ones.
    """
    own = [f.name for f in fields(EnvOptions) if f.name != "host"]
    for name in given:
        if name not in own and name not in host_defaults:
            valid = [*own, *host_defaults]
            raise OptionError(
                f"{env_name} has no option {name!r}{suggest(name, valid)}; valid options: {', '.join(sorted(valid))}"
            )
    options = {"protocol": protocol, **{k: v for k, v in given.items() if k in own}}
    for name, choices in _CHOICES.items():
        if name in options:
            _one_of(name, options[name], choices)
    _check_protocol(options, env_name)
    if "source" in options and not isinstance(options["source"], str):
        raise OptionError(f"source: expected 'embedded' or the path of a folder as text, got {options['source']!r}")
    if "faults" in options:
        options["faults"] = parse_faults(options["faults"])
    if "reward" in options:
        options["reward"] = _reward(options["reward"])
    drift_config(options.get("drift", True))
    _config(options.get("config", {}))
    host = {k: given.get(k, v) for k, v in host_defaults.items()}
    for name in {f.name for f in fields(ProtocolConfig)}.intersection(host):
        if host[name] is not None:
            _protocol_number(name, name, host[name])
    for name in ("drift", "config"):
        if name in options:
            options[name] = _plain(options[name])  # a copy: the caller may go on to change it
    return EnvOptions(**options, host=host)


def _check_protocol(options: Mapping[str, Any], env_name: str) -> None:
    """Refuse options that the protocol does not have."""
    protocol = options["protocol"]
    for other, names in _OF_PROTOCOL.items():
        for name in names:
            if other != protocol and name in options:
                raise OptionError(
                    f"{name}: an option of the {other} protocol, and {env_name} was made with the {protocol} one; "
                    f"leave it out, or pass protocol={other!r}"
                )
    if protocol == "evolving" and options.get("reward") == "shaped":
        raise OptionError(
            "reward: 'shaped' follows what was elicited, which only the silent protocol has; expected 'success', "
            "'score' or a mapping"
        )


def _plain(value: Any) -> Any:  # noqa: ANN401 - any option
    """Return a copy of a value as JSON would hold it."""
    if isinstance(value, Mapping):
        return {k: _plain(v) for k, v in value.items()}
    return [_plain(v) for v in value] if isinstance(value, list | tuple) else value


def drift_config(drift: bool | Mapping[str, Any]) -> DriftConfig | None:
    """Return the drift configuration that an option value stands for; None: no drift."""
    if isinstance(drift, bool):
        return DriftConfig() if drift else None
    if not isinstance(drift, Mapping):
        raise OptionError(f"drift: expected True, False or a mapping of DriftConfig fields, got {drift!r}")
    values = dict(drift)
    for name in values:
        _field("drift", name, DriftConfig)
    for name, choices in (("channels", get_args(Channel)), ("outcomes", ("accepted", "rejected"))):
        if name in values:
            values[name] = _list(f"drift {name}", values[name])
            for value in values[name]:
                _one_of(f"drift {name}", value, choices)
    if "announce" in values:
        _one_of("drift announce", values["announce"], (False, True))
    if "fire_probability" in values:
        _number("drift fire_probability", values["fire_probability"], most=1.0)
    if "weights" in values:
        if not isinstance(values["weights"], Mapping):
            raise OptionError(f"drift weights: expected a mapping from relation to number, got {values['weights']!r}")
        for relation, weight in values["weights"].items():
            _one_of("drift weights", relation, RELATIONS)
            _number(f"drift weights {relation}", weight)
        values["weights"] = dict(values["weights"])
    if "turns" in values:
        values["turns"] = _list("drift turns", values["turns"])
        for turn in values["turns"]:
            _number("drift turns", turn, whole=True)
    if "max_outcome" in values:
        _number("drift max_outcome", values["max_outcome"], whole=True)
    return DriftConfig(**values)


def _reward(value: object) -> str | Mapping[str, float]:
    if isinstance(value, Mapping):
        if not value:
            raise OptionError("reward: expected a weight for one signal or more, got an empty mapping")
        for name, weight in value.items():
            _one_of("reward", name, (*GRIP, "full_credit"))
            if not isinstance(weight, int | float) or isinstance(weight, bool) or not math.isfinite(weight):
                raise OptionError(f"reward: expected a finite number as the weight of {name!r}, got {weight!r}")
        return {str(k): float(v) for k, v in value.items()}
    _one_of("reward", value, ("success", "score", "shaped"))
    return str(value)


def _config(value: object) -> None:
    if not isinstance(value, Mapping):
        raise OptionError(f"config: expected a mapping of ProtocolConfig fields, got {value!r}")
    for name, number in value.items():
        _field("config", name, ProtocolConfig, but=("drift",))
        _protocol_number(f"config {name}", name, number)


def _protocol_number(label: str, name: str, number: object) -> None:
    """Check a field of `ProtocolConfig`: whole where its default is; a patience of nothing would divide by zero."""
    _number(
        label,
        number,
        least=1e-6 if name == "patience" else 0.0,
        most=1.0 if name == "max_guess" else math.inf,
        whole=isinstance(getattr(ProtocolConfig(), name), int),
    )


def _number(label: str, value: object, *, least: float = 0.0, most: float = math.inf, whole: bool = False) -> None:
    kinds = int if whole else (int, float)
    if isinstance(value, kinds) and not isinstance(value, bool) and least <= value <= most and value < math.inf:
        return
    kind = "a whole number" if whole else "a number"
    bounds = f"in [{least:g}, {most:g}]" if most < math.inf else ("> 0" if least else ">= 0")
    raise OptionError(f"{label}: expected {kind} {bounds}, got {value!r}")


def _list(label: str, value: object) -> tuple[Any, ...]:
    if not isinstance(value, list | tuple):
        raise OptionError(f"{label}: expected a list, got {value!r}")
    return tuple(value)


def _field(option: str, name: object, cls: type, but: tuple[str, ...] = ()) -> None:
    valid = [f.name for f in fields(cls) if f.name not in but]
    if name not in valid:
        raise OptionError(f"{option} has no field {name!r}{suggest(name, valid)}; valid fields: {', '.join(valid)}")


def _one_of(name: str, value: object, choices: tuple[object, ...]) -> None:
    if not any(value == c and type(value) is type(c) for c in choices):
        valid = ", ".join(repr(c) for c in choices)
        raise OptionError(f"{name}: expected one of {valid}, got {value!r}{suggest(value, choices)}")
