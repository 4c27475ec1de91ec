from __future__ import annotations

import pytest

from intent_gym.evaluation.progress import progress_bar


def test_a_bar_is_shown_on_standard_error_where_it_is_asked_for(capsys: pytest.CaptureFixture[str]) -> None:
    for show in (False, None, True):
        with progress_bar(show, "agent on Env")(2, 1) as advance:
            advance()
        captured = capsys.readouterr()
        assert captured.out == ""
        assert bool(captured.err) == bool(show), "None: on a terminal alone"
