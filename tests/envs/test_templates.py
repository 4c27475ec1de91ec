from __future__ import annotations

from intent_gym.envs.templates import Part, Template

SIZE = Part(("size",), {(1,): "1", (11,): "11"})
BOTH = Part(("color", "size"), {(c, n): f"{c[0]}*{n}" for c in ("red", "blue") for n in (1, 11)})


def test_a_text_is_read_back() -> None:
    template = Template(("f(", SIZE, ", ", BOTH, ")"))
    for color in ("red", "blue"):
        for size in (1, 11):
            values = {"size": size, "color": color}
            assert template.read(template.render(values)) == values


def test_other_texts_are_not_read() -> None:
    template = Template(("f(", SIZE, ", ", BOTH, ")"))
    for text in ("f(1, r*11)", "f(2, r*2)", "f(1, r*1) ", " f(1, r*1)", "f(1, r*1", "", "f(1, g*1)"):
        assert template.read(text) is None, text


def test_plain_text_is_no_pattern() -> None:
    template = Template(("a.b(", SIZE, ")?"))
    assert template.read("a.b(1)?") == {"size": 1}
    assert template.read("aXb(1)") is None
