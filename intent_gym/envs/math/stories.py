"""The kinds of stories that word problems are generated over, each with its questions and the formulas behind them."""

from __future__ import annotations

from fractions import Fraction

from intent_gym.envs.math.kinds import Kind, Question, Scale

__all__ = ["KINDS"]

_Q = Fraction(1, 4)
_QUANTITY = (18, 24, 27, 32, 36, 42, 48)
_DURATION = (3, 4, 6, 7, 8, 9)
_PRICE = ("discount", "fee")
_PLAIN = ("rounding", "unit")

_OUTING = Kind(
    "outing",
    (
        "the class trip of Mara's school",
        "the summer outing of the Linden choir",
        "the excursion of Tariq's chess club",
        "the staff outing of the Ostrava mill",
        "the reunion tour of the Bellamy family",
    ),
    "{X} is being planned: the quantity is the number of people, the duration the number of days.",
    {
        "quantity": _QUANTITY,
        "duration": _DURATION,
        "budget": (900, 960, 1040, 1130, 1250, 1380),
        "destination": ("aquarium", "castle", "glacier", "planetarium", "salt mine", "zoo"),
        "transport": ("coach", "ferry", "minibus", "taxi", "train", "tram"),
    },
    (
        Scale("destination", "", "Tickets cost, per person:", "$", Fraction(19, 4), Fraction(3, 4)),
        Scale("transport", "", "Transport costs, for the whole group and day:", "$", Fraction(85, 4), Fraction(21, 4)),
    ),
    (
        Question(
            "the total cost of {x}",
            "a ticket for everybody once, and the transport on every day",
            ("quantity", "duration", "destination", "transport"),
            _PRICE,
            lambda x: x("quantity") * x("destination") + x("duration") * x("transport"),
        ),
        Question(
            "the money left after {x}",
            "the budget less a ticket for everybody once and one day of transport",
            ("quantity", "budget", "destination", "transport"),
            ("discount", "unit"),
            lambda x: x("quantity") * x("destination") + x("transport"),
            lambda x: x("budget"),
        ),
        Question(
            "the ticket bill of {x}",
            "a ticket for everybody on every day",
            ("quantity", "duration", "destination"),
            ("discount", "rounding"),
            lambda x: x("quantity") * x("duration") * x("destination"),
        ),
    ),
)

_ORDER = Kind(
    "order",
    (
        "the standing order at Hanna's bakery",
        "the poster order at the Quill print shop",
        "the tableware order at Ngozi's pottery",
        "the bouquet order at the Marigold flower stall",
        "the candle order at Pavel's workshop",
    ),
    "{X} comes in every week: the quantity is the number of pieces a week, the duration the number of weeks.",
    {
        "quantity": _QUANTITY,
        "duration": _DURATION,
        "product": ("basic set", "festive set", "garden set", "luxury set", "mini set", "winter set"),
        "transport": ("cargo bike", "courier", "mail", "moped", "pickup truck", "van"),
    },
    (
        Scale("product", "", "A piece is sold for:", "$", Fraction(29, 4), Fraction(3, 4)),
        Scale("product", "/cost", "To make a piece costs:", "$", Fraction(5, 4), _Q),
        Scale("product", "/work", "To make a piece takes, in hours:", "", _Q, _Q),
        Scale("transport", "", "Transport costs, a week:", "$", Fraction(27, 4), Fraction(9, 4)),
    ),
    (
        Question(
            "the invoice for {x}",
            "all pieces of all weeks, and the transport every week",
            ("quantity", "duration", "product", "transport"),
            _PRICE,
            lambda x: x("duration") * (x("quantity") * x("product") + x("transport")),
        ),
        Question(
            "the profit on {x}",
            "what all pieces of all weeks are sold for less what they cost to make",
            ("quantity", "duration", "product"),
            _PLAIN,
            lambda x: x("quantity") * x("duration") * (x("product") - x("product/cost")),
        ),
        Question(
            "the working time for {x}",
            "the time that all pieces of all weeks take to make",
            ("quantity", "duration", "product"),
            _PLAIN,
            lambda x: x("quantity") * x("duration") * x("product/work"),
            measure="time",
        ),
    ),
)

_BUILDING = Kind(
    "building",
    (
        "the fence round Ingrid's garden",
        "the wall round the Calloway orchard",
        "the railing round Bruno's terrace",
        "the hedge round the village green",
        "the kerb round Samira's pond",
    ),
    "{X} runs along all four sides of a rectangle: length and width are those of the rectangle, in meters.",
    {
        "length": (23, 26, 28, 31, 34, 37),
        "width": (11, 12, 13, 14, 17, 18),
        "pace": (2, 4, 5, 8, 16, 40),
        "material": ("bamboo", "brick", "granite", "larch", "steel", "willow"),
        "transport": ("barge", "crane", "donkey cart", "forklift", "tractor", "wagon"),
    },
    (
        Scale("material", "", "A meter costs:", "$", Fraction(35, 4), Fraction(5, 4)),
        Scale("material", "/area", "To pave a square meter with the same costs:", "$", Fraction(13, 4), Fraction(3, 4)),
        Scale("transport", "", "Transport costs, once:", "$", Fraction(75, 4), Fraction(27, 4)),
    ),
    (
        Question(
            "the price of {x}",
            "every meter of the four sides, and the transport",
            ("length", "width", "material", "transport"),
            _PRICE,
            lambda x: 2 * (x("length") + x("width")) * x("material") + x("transport"),
        ),
        Question(
            "the building time of {x}",
            "the four sides at the pace given, in meters an hour",
            ("length", "width", "pace"),
            _PLAIN,
            lambda x: 2 * (x("length") + x("width")) / x("pace"),
            measure="time",
        ),
        Question(
            "the price of paving the ground inside {x}",
            "every square meter of the rectangle",
            ("length", "width", "material"),
            ("discount", "rounding"),
            lambda x: x("length") * x("width") * x("material/area"),
        ),
    ),
)

_WATER = Kind(
    "water",
    (
        "the cistern of the Ashgrove farm",
        "the rain tank of Yusuf's nursery",
        "the pond of the Copper Hill allotments",
        "the reservoir of Teresa's estate",
        "the water tower of the Fenwick gardens",
    ),
    "{X} is filled by a pump and waters a number of beds, the quantity; the duration is the number of hours or days.",
    {
        "quantity": _QUANTITY,
        "duration": _DURATION,
        "pace": (640, 680, 730, 770, 820, 860),
        "product": ("beans", "leeks", "melons", "peppers", "squash", "tomatoes"),
    },
    (
        Scale("product", "/use", "A bed needs, in liters a day:", "", Fraction(25, 4), Fraction(3, 2)),
        Scale("product", "", "A bed yields, a day, goods worth:", "$", Fraction(11, 4), _Q),
    ),
    (
        Question(
            "the water left in {x}",
            "what the pump brings, at the pace given in liters an hour, less what all beds need on one day",
            ("quantity", "duration", "pace", "product"),
            _PLAIN,
            lambda x: x("quantity") * x("product/use"),
            lambda x: x("pace") * x("duration"),
            measure="water",
        ),
        Question(
            "the water taken from {x}",
            "what all beds need on all days",
            ("quantity", "duration", "product"),
            _PLAIN,
            lambda x: x("quantity") * x("duration") * x("product/use"),
            measure="water",
        ),
        Question(
            "the price of the harvest from the beds at {x}",
            "what all beds yield on all days",
            ("quantity", "duration", "product"),
            _PRICE,
            lambda x: x("quantity") * x("duration") * x("product"),
        ),
    ),
)

_SAVINGS = Kind(
    "savings",
    (
        "Leila's instrument fund",
        "the equipment fund of the Harbor rowing club",
        "Matteo's workshop fund",
        "the stage fund of the Juniper theater",
        "Priya's camping fund",
    ),
    "{X} starts with the budget and grows every week by the pace, in dollars; the duration is the number of weeks.",
    {
        "quantity": (11, 12, 13, 14, 16, 17),
        "duration": (18, 21, 24, 27, 32, 36),
        "budget": (1340, 1420, 1560, 1680, 1790, 1830),
        "pace": (43, 47, 52, 58, 64, 71),
        "product": ("accordion", "banjo", "canoe", "drum kit", "projector", "telescope"),
    },
    (Scale("product", "", "Prices:", "$", Fraction(163, 4), Fraction(11, 4)),),
    (
        Question(
            "the balance of {x}",
            "the fund at the end less the price of the product, bought once",
            ("duration", "budget", "pace", "product"),
            ("discount", "unit"),
            lambda x: x("product"),
            lambda x: x("budget") + x("pace") * x("duration"),
        ),
        Question(
            "the growth of {x}",
            "the budget and what all weeks bring",
            ("duration", "budget", "pace"),
            _PLAIN,
            lambda x: x("budget") + x("pace") * x("duration"),
        ),
        Question(
            "the purchase from {x}",
            "the price of the product, as often as the quantity says",
            ("quantity", "product"),
            _PRICE,
            lambda x: x("quantity") * x("product"),
        ),
    ),
)

_LABOR = Kind(
    "labor",
    (
        "the catalogue job at Noor's agency",
        "the parish archive job in Wexley",
        "the letter job at Gustav's office",
        "the recipe job at the Saffron press",
        "the map job at the Tideway museum",
    ),
    "{X} is paid by the hour: the quantity is the number of sheets, the pace the sheets done in an hour.",
    {
        "quantity": (420, 460, 520, 540, 580, 620, 680),
        "duration": _DURATION,
        "pace": (16, 20, 32, 40, 64, 80),
        "product": ("braille", "calligraphy", "hand copies", "scans", "shorthand", "typescript"),
        "budget": (1350, 1470, 1530, 1690, 1740, 1860),
    },
    (
        Scale("product", "", "An hour costs:", "$", Fraction(51, 4), Fraction(7, 4)),
        Scale("product", "/sheet", "Paper costs, a sheet:", "$", _Q, _Q),
    ),
    (
        Question(
            "the pay for {x}",
            "all hours that the sheets take",
            ("quantity", "pace", "product"),
            _PRICE,
            lambda x: x("quantity") / x("pace") * x("product"),
        ),
        Question(
            "the time spent on {x}",
            "the time that the sheets take, done anew as often as the duration says",
            ("quantity", "duration", "pace"),
            _PLAIN,
            lambda x: x("quantity") * x("duration") / x("pace"),
            measure="time",
        ),
        Question(
            "the money left after {x}",
            "the budget less the paper for all sheets",
            ("quantity", "budget", "product"),
            ("discount", "unit"),
            lambda x: x("quantity") * x("product/sheet"),
            lambda x: x("budget"),
        ),
    ),
)

_STAND = Kind(
    "stand",
    (
        "Odile's stand at the harvest fair",
        "the booth of the Pinewood scouts",
        "Rafael's stall at the night market",
        "the kiosk of the Meadow Lane school",
        "Zofia's table at the winter bazaar",
    ),
    "{X} sells one kind of thing: the quantity is the number sold a day, the duration the number of days.",
    {
        "quantity": _QUANTITY,
        "duration": _DURATION,
        "product": ("apple cider", "honey", "knitwear", "lanterns", "marmalade", "waffles"),
        "transport": ("cargo bike", "handcart", "moped", "pickup truck", "trailer", "van"),
    },
    (
        Scale("product", "", "One is sold for:", "$", Fraction(17, 4), Fraction(3, 4)),
        Scale("transport", "", "Transport costs, a day:", "$", Fraction(19, 4), Fraction(9, 4)),
    ),
    (
        Question(
            "the takings of {x}",
            "all that is sold on all days",
            ("quantity", "duration", "product"),
            ("discount", "rounding"),
            lambda x: x("quantity") * x("duration") * x("product"),
        ),
        Question(
            "the surplus of {x}",
            "all that is sold on all days less the transport on every day",
            ("quantity", "duration", "product", "transport"),
            _PLAIN,
            lambda x: x("duration") * (x("quantity") * x("product") - x("transport")),
        ),
        Question(
            "the cost of carting to {x}",
            "the transport on every day, and a quarter of a dollar for each piece that is carted",
            ("quantity", "duration", "transport"),
            _PRICE,
            lambda x: x("duration") * (x("quantity") / 4 + x("transport")),
        ),
    ),
)

_ROUTE = Kind(
    "route",
    (
        "the lake tour of Ewan's company",
        "the milk round of the Birch dairy",
        "the library round in Stonebridge",
        "the castle tour of Amina's agency",
        "the mountain line of the Falcon cooperative",
    ),
    "{X} is a round: the length is in kilometers a day, the duration the number of days, the quantity the passengers.",
    {
        "quantity": _QUANTITY,
        "duration": _DURATION,
        "length": (96, 104, 112, 128, 144, 168),
        "pace": (16, 20, 32, 40, 64, 80),
        "destination": ("dam", "gorge", "harbor", "lighthouse", "monastery", "waterfall"),
        "transport": ("bus", "jeep", "limousine", "motorboat", "sleigh", "tuk-tuk"),
    },
    (
        Scale("destination", "", "The fare is, a passenger:", "$", Fraction(123, 4), Fraction(7, 4)),
        Scale("transport", "", "Fuel costs, a kilometer:", "$", _Q, _Q),
    ),
    (
        Question(
            "the fuel bill of {x}",
            "the fuel for all kilometers of all days",
            ("duration", "length", "transport"),
            _PRICE,
            lambda x: x("length") * x("duration") * x("transport"),
        ),
        Question(
            "the driving time of {x}",
            "all kilometers of all days at the pace given, in kilometers an hour",
            ("duration", "length", "pace"),
            _PLAIN,
            lambda x: x("length") * x("duration") / x("pace"),
            measure="time",
        ),
        Question(
            "the earnings of {x}",
            "the fares of all passengers less the fuel of one day",
            ("quantity", "length", "destination", "transport"),
            ("discount", "unit"),
            lambda x: x("length") * x("transport"),
            lambda x: x("quantity") * x("destination"),
        ),
    ),
)

KINDS: tuple[Kind, ...] = (_OUTING, _ORDER, _BUILDING, _WATER, _SAVINGS, _LABOR, _STAND, _ROUTE)
"""All kinds."""
