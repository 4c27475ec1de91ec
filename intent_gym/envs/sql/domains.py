"""The subjects of the generated databases: what is recorded, and the words that occur.

Every database has a table of things and a table of places. No value of one slot is part of another of the same
question, and no word stands for two slots.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

__all__ = ["DOMAINS", "TEST", "Domain"]


@dataclass(frozen=True)
class Domain:
    """One subject.

    Attributes:
        name: Of the database.
        thing: Table of things, in the singular; `things`, in the plural, is what questions are about.
        things: See `thing`.
        place: Table of places.
        town: Column of that table which a place is named by.
        places: Six of them.
        kind: Column of the category.
        kinds: Six categories.
        statuses: Three of them.
        texts: Three further text columns with six values each.
        measures: Six number columns with the least value and the step between values. Thresholds are of the first,
            whose values are whole; results are ordered by the first three; the next two can be shown.
    """

    name: str
    thing: str
    things: str
    place: str
    town: str
    places: tuple[str, ...]
    kind: str
    kinds: tuple[str, ...]
    statuses: tuple[str, ...]
    texts: Mapping[str, tuple[str, ...]]
    measures: Mapping[str, tuple[float, float]]


def _words(text: str) -> tuple[str, ...]:
    return tuple(sorted(text.split()))


def _domain(name: str, tables: str, places: str, kinds: str, statuses: str, texts: str, measures: str) -> Domain:
    thing, things, kind, place, town = tables.split()
    return Domain(
        *(name, thing, things, place, town, _words(places), kind, _words(kinds), _words(statuses)),
        {column: _words(rest) for column, rest in (line.split(":") for line in texts.split(";"))},
        {c: (float(a), float(b)) for c, a, b in (line.split() for line in measures.split(";"))},
    )


DOMAINS = (
    _domain(
        *("bikes", "bike bikes build station town"),
        "Arden Bexhill Corfe Dunmore Elstow Fenwick",
        "cargo folding gravel racing touring tandem",
        "rented repaired parked",
        "maker:Bruun Castell Dorado Ekman Falke Gitane;color:amber black crimson green ivory teal;"
        "brake:cantilever coaster disc drum hydraulic rim",
        "price 210 3;weight 7.5 0.05;mileage 40 17;gear_ratio 1.2 0.01;wheel_size 310 1;rating 20 0.2",
    ),
    _domain(
        *("library", "book books genre branch district"),
        "Ashgrove Brookside Castlegate Dockland Eastfield Foxhill",
        "biography cookery crime poetry romance travel",
        "lent reserved shelved",
        "language:Basque Danish Finnish Greek Polish Welsh;binding:canvas cloth hardback leather paperback spiral;"
        "publisher:Aldine Birchwood Calder Dovetail Everley Folio",
        "pages 64 2;cost 4.5 0.15;loans 12 3;shelf_height 130 0.4;print_year 1580 1;fine_total 0.25 0.05",
    ),
    _domain(
        *("harbor", "boat boats hull port bay"),
        "Anvik Brevik Cadaques Dalvik Eidfjord Fowey",
        "barge catamaran ferry ketch trawler yacht",
        "docked sailing moored",
        "flag:Belize Cyprus Estonia Iceland Malta Norway;paint:azure grey navy orange scarlet white;"
        "engine:diesel electric hybrid oar sail steam",
        "tonnage 3 2;length 6.5 0.1;crew_cost 110 7;draught 0.8 0.02;berth_fee 45 1.5;launch_year 1520 1",
    ),
    _domain(
        *("clinic", "device devices purpose ward wing"),
        "Acacia Birch Cedar Dogwood Elder Fir",
        "dialysis imaging infusion monitoring surgery ventilation",
        "cleaned faulty working",
        "vendor:Arztner Biomek Corvita Dynamed Elexa Fortis;battery:alkaline lead lithium nickel silver zinc;"
        "alarm:beep buzz chime flash melody siren",
        "hours 30 11;purchase_price 900 45;power_draw 15 0.5;mass 1.1 0.1;repair_cost 20 4;noise_level 22 0.1",
    ),
    _domain(
        *("orchard", "tree trees fruit plot slope"),
        "Adlerhang Bergseite Cairnfoot Dellside Eastbank Farmbank",
        "apple cherry pear plum quince walnut",
        "grafted pruned watered",
        "rootstock:Antonov Bittenfeld Colt Dwarfing Emla Franc;soil:chalk clay loam peat sand silt;"
        "stake:bamboo chestnut iron larch oak steel",
        "yield_kg 8 1;height 150 2;planting_year 1500 1;trunk_width 4 0.1;water_need 21 0.7;frost_days 10 0.25",
    ),
    _domain(
        *("studio", "lens lenses mount cabinet floor"),
        "attic basement cellar gallery lobby mezzanine",
        "bayonet breech flange lever screw swivel",
        "boxed loaned tested",
        "brand:Angen Biotar Cosina Domiron Elmar Flektogon;coating:blue clear gold purple red violet;"
        "barrel:alloy brass bronze carbon plastic titanium",
        "focal_length 11 1;insured_value 80 6;weight_g 95 3;aperture 0.9 0.02;shots 130 19;build_year 1490 1",
    ),
    _domain(
        *("archive", "film films style vault hall"),
        "Apollo Boreas Castor Daphne Eos Flora",
        "comedy documentary drama horror musical western",
        "digitized restored stored",
        "country:Austria Brazil Chile Denmark Egypt France;gauge:broad eighth narrow sixteenth standard wide;"
        "audio:atmos dubbed mono quadro silent stereo",
        "minutes 41 1;budget 20 1.5;viewers 300 23;reel_mass 0.9 0.05;release_year 1505 1;score 11 0.1",
    ),
    _domain(
        *("instruments", "instrument instruments family room corridor"),
        "amber birch coral dusk ebony frost",
        "brass drum keyboard pipe string whistle",
        "borrowed tuned unplayable",
        "origin:Armenia Bolivia Cuba Dahomey Ecuador Ghana;casing:cork felt fiber hemp nylon velvet;"
        "finish:gilded glossy lacquered matte raw waxed",
        "value 60 5;age 3 0.5;loan_fee 2.5 0.1;mass 0.4 0.02;range_notes 8 0.2;concerts 5 1",
    ),
    _domain(
        *("greenhouse", "plant plants habit bench aisle"),
        "Agate Beryl Coral Diamond Emerald Flint",
        "bushy climbing creeping erect trailing weeping",
        "budding dormant flowering",
        "origin:Andes Borneo Crete Dolomites Ethiopia Formosa;pot:clay copper fiberglass glass stone wood;"
        "light:bright diffuse dim direct filtered shaded",
        "height_cm 9 1;price 1.5 0.05;leaf_count 6 3;humidity 12 0.2;root_depth 2.5 0.1;age_weeks 4 2",
    ),
    _domain(
        *("gallery", "painting paintings subject exhibit hall"),
        "Alder Beech Chestnut Elm Hazel Linden",
        "animals battles flowers landscapes portraits ships",
        "exhibited insured stored",
        "medium:acrylic chalk gouache oil pastel tempera;frame:aluminum bamboo gilt mahogany pine rosewood;"
        "century:eighteenth fifteenth fourteenth nineteenth seventeenth sixteenth",
        "estimate 120 13;width 18 0.4;height 15 0.6;visitors 90 8;restoration_cost 10 2.5;humidity 12 0.2",
    ),
    _domain(
        *("bakery", "batch batches product shop quarter"),
        "Altstadt Bruehl Casino Domplatz Eichhof Festung",
        "bagels baguettes croissants muffins pretzels scones",
        "baked delivered paid",
        "courier:Amara Bastian Celeste Dmitri Esme Fabio;flour:barley buckwheat corn rye spelt wheat;"
        "packing:basket box carton crate paper tin",
        "amount 14 1;pieces 12 1;distance 0.6 0.05;oven_minutes 10 0.1;discount 0.2 0.02;sugar_grams 5 3",
    ),
    _domain(
        *("observatory", "object objects nature dome ridge"),
        "Andromeda Cygnus Draco Hydra Lyra Orion",
        "asteroid comet galaxy nebula pulsar quasar",
        "catalogued observed suspected",
        "observer:Aiko Benoit Chiara Dinesh Eero Fatima;filter:blue clear green infrared red ultraviolet;"
        "detector:camera diode plate prism spectrograph tube",
        "distance 12 7;magnitude 2.5 0.02;exposure 30 5;size 0.4 0.1;redshift 0.01 0.002;discovery_year 1500 1",
    ),
)
TEST = ("gallery", "observatory", "clinic")
"""Databases whose questions are for testing."""
