from __future__ import annotations

import pytest

from intent_gym.envs.summary.bullets import f1, read_bullets


@pytest.mark.parametrize(
    ("line", "cited"),
    [
        ("- x [3]", [(3, 3)]),
        ("- x [3][3] [5,3]", [(3, 3), (5, 5)]),
        ("* x [ 3 , 9 ]", [(3, 3), (9, 9)]),
        ("1. x [3; 9 and 11]", [(3, 3), (9, 9), (11, 11)]),
        ("2) x [3-5]", [(3, 5)]),
        ("x [11\N{EN DASH}13] [12-20]", [(11, 20)]),
        ("x [5-3]", [(3, 5)]),
        ("x [Doc 3][doc. 4][Document 5, Document 6][#7]", [(3, 3), (4, 4), (5, 5), (6, 6), (7, 7)]),
        ("x [1-1000000000]", [(1, 1000000000)]),
        ("x (3) {4} [sic] [] [3 of 5] [a, 3]", []),
    ],
)
def test_citations(line: str, cited: list[tuple[int, int]]) -> None:
    (bullet,) = read_bullets(line)
    assert list(bullet.cited) == cited


def test_headings_and_blank_lines_are_no_bullets() -> None:
    text = "# A\n\n**B**\n__C__\nD:\n**E:**\n- F:\n  \n- **G** h [1]\r\n• i\n\ufeffplain"
    assert [bullet.text for bullet in read_bullets(text)] == ["G h", "i", "\ufeffplain"]


def test_a_bullet_reads_on_where_a_citation_stood() -> None:
    (bullet,) = read_bullets("- **14** [3] months, *not* `12` [sic] [4].")
    assert bullet.text == "14 months, not 12 [sic]."


@pytest.mark.parametrize(
    ("cited", "relevant", "value"),
    [
        ([(1, 2)], [1, 2], 1.0),
        ([(1, 1)], [1, 2, 3], 0.5),
        ([(1, 4)], [1, 2, 3], 6 / 7),
        ([(5, 5)], [1], 0.0),
        ([], [1], 0.0),
        ([(1, 10**9)], [1, 2], 4 / (10**9 + 2)),
    ],
)
def test_f1(cited: list[tuple[int, int]], relevant: list[int], value: float) -> None:
    assert f1(cited, relevant) == pytest.approx(value)
