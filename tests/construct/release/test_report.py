from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from intent_gym.construct.release import Release, describe

if TYPE_CHECKING:
    from tests.construct.release.conftest import Folder

TABLE = """
part                           found     of  loaded  no tree  elsewhere  rejected
webshop                            4  1,780       4
retail                             4    555       4
airline                            8    208       8
webshop composite k=2              1    515       1
webshop composite k=4              1    501                1
airline composite k=2              1    200                1                    1
airline composite k=4              0      ?
retail composite k=2               0      ?
retail composite k=4               0    201
retail packaged                    2    734       1                   1
webshop trees                      3    257       3
retail trees                       1     98       1
airline trees (selected)           2     40       2
airline trees (composites)         0     24
telecom packaged (not loaded)      0    857

ids and hashes verified: 169
This is a part of the release: do not report benchmark numbers from it.
"""


def test_the_table_of_the_fixtures(release: Release) -> None:
    told = str(release.report())
    assert TABLE in told
    assert "its tree cabc70b6fa81a377 is not in the folder" in told
    assert "1  rejected: admission:reading_not_executable:ValueError" in told


def test_describe_tells_transitions_and_faults(release: Release) -> None:
    told = describe(release)
    assert told.startswith(str(release.report()))
    assert "webshop      3     27      30     30          18     90  168     166       0" in told
    assert "airline      2     18      17     17           8      0   42      38      64" in told
    assert "false_presupposition                    1" in told


def test_owners_that_were_guessed_are_told(folder: Folder) -> None:
    folder.shop_sample(folder.shop_tree())
    release = folder.load()
    assert release.owners == "none" and "was guessed" not in str(release.report())
    guessed = replace(release.report(), owners="identifiers")
    assert "whose a reservation is was guessed from ids used together" in str(guessed)


def test_many_reasons_are_summed_up(folder: Folder) -> None:
    tree = folder.retail_tree()
    rows = [{"tree": "x", "strategy": "a", "status": "rejected", "verdict": str(n)} for n in range(20)]
    folder.write("benchmarks/tau2/artifacts/retail_composite_k2.json", {"results": [*rows, folder.row(tree)]})
    told = str(folder.load().report())
    assert "rejected: 20" in told and "8  others" in told
