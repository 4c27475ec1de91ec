"""The slots of a shop: what can be wanted of a product, and the words people use for it.

All lists are hand-written for this suite. Type words are those of the option names of real shops; synonyms hold what a
clerk might say, in both spellings; examples are what a shop of any kind may offer. Wordings common to every host are in
`core.language`.
"""

from __future__ import annotations

from collections.abc import Mapping

from intent_gym.core.intent import Slot

__all__ = ["FEATURES", "SLOTS"]

FEATURES = 6
"""Number of feature slots; the most that a task of WebShop has."""

_FEATURE_SYNONYMS = (
    *("features", "feature", "characteristics", "properties", "property", "qualities", "attributes", "functions"),
    *("functionality", "functionalities", "specification", "specifications", "specs", "capabilities", "capability"),
    *("must have", "must haves", "selling points", "trait", "traits", "extras", "able to do", "it must do"),
    *("it has to do", "special about it", "qualities or functions", "feature set", "bells and whistles"),
)
_FEATURE_CLAUSES = (
    "with {value} among the features",
    "tagged {value}",
    "marked {value}",
    'labeled "{value}"',
    "with {value} on the label",
    "listed under {value}",
    "with {value} in the description",
    "with the feature {value}",
)
_FEATURE_VAGUE = (
    "with really practical features",
    "with everything one could hope for",
    "to make life easier",
    "doing what they promise",
)


_EXAMPLES: Mapping[str, tuple[str, ...]] = {
    "color": (
        *("black", "white", "red", "blue", "green", "yellow", "pink", "purple", "orange", "brown", "grey"),
        *("beige", "navy", "silver", "gold", "ivory", "cream", "turquoise", "teal", "maroon", "burgundy"),
        *("khaki", "charcoal", "lilac", "magenta", "violet", "crimson", "tan", "navy blue", "dark blue"),
        *("light blue", "forest green", "olive green", "dark green", "light green", "dark red", "hot pink"),
        *("off white", "rose gold", "multicolor"),
    ),
    "size": (
        *("small", "medium", "large", "x-large", "xx-large", "x-small", "king", "queen", "twin", "petite"),
        *("extra large", "extra small", "plus size", "one size", "full size", "family size", "travel size"),
    ),
    "style": (
        *("modern", "traditional", "rustic", "vintage", "contemporary", "industrial", "farmhouse"),
        *("minimalist", "bohemian", "retro", "scandinavian", "casual", "formal", "elegant", "classic"),
        *("sporty", "antique", "coastal", "mid century", "art deco", "shabby chic"),
    ),
    "flavor": (
        *("vanilla", "chocolate", "strawberry", "lemon", "mint", "caramel", "banana", "peach", "mango"),
        *("raspberry", "blueberry", "cherry", "apple", "grape", "hazelnut", "honey", "salted", "spicy"),
        *("savory", "sour", "peanut butter", "dark chocolate", "milk chocolate", "sea salt"),
    ),
    "scent": (
        *("lavender", "rose", "citrus", "sandalwood", "jasmine", "eucalyptus", "unscented", "musk", "cedar"),
        *("bergamot", "patchouli", "fragrance free", "ocean breeze", "fresh linen"),
    ),
    "fit": (*("slim", "regular", "relaxed", "loose", "tight", "snug", "roomy", "skinny", "oversized", "tailored"),),
    "material": (
        *("cotton", "linen", "wool", "polyester", "oak", "pine", "walnut", "bamboo", "leather", "steel"),
        *("metal", "glass", "wood", "wooden", "plastic", "silk", "nylon", "velvet", "ceramic", "canvas"),
        *("denim", "aluminum", "marble", "rubber", "suede", "fleece", "cashmere", "rattan", "acrylic"),
        *("brass", "copper", "stainless steel", "solid wood", "faux leather"),
    ),
    "pattern": (
        *("striped", "stripes", "floral", "plaid", "solid", "checkered", "checks", "paisley", "camouflage"),
        *("geometric", "gingham", "herringbone", "chevron", "plain", "dotted", "polka dots", "polka dot"),
        *("animal print", "leopard print", "tie dye"),
    ),
    "count": (
        *("single", "pair", "dozen", "pack of two", "pack of three", "pack of four", "pack of six"),
        *("pack of ten", "pack of twelve", "two pack", "four pack", "six pack"),
    ),
    "shape": (
        *("round", "square", "rectangular", "oval", "rectangle", "circular", "triangular", "hexagonal"),
        *("octagonal", "heart", "heart shaped", "star shaped", "l shaped"),
    ),
}


def _choice(
    word: str,
    synonyms: tuple[str, ...],
    clauses: tuple[str, ...],
    vague: tuple[str, ...],
    slot_id: str = "",
) -> Slot:
    slot_id = slot_id or word
    examples = _EXAMPLES[slot_id]
    return Slot(slot_id, word, slot_id, "choice", "=", synonyms, "", clauses, vague, examples)


SLOTS: tuple[Slot, ...] = (
    Slot(
        "product",
        "product",
        "product",
        "frame",
        synonyms=(
            *("products", "item", "items", "article", "articles", "merchandise", "goods", "product type"),
            *("kind of product", "type of product", "sort of product", "kind of item", "type of item", "sort of item"),
            *("kind of thing", "kinds of things", "sort of thing", "sorts of things", "type of thing"),
            *("types of things", "kind of article", "product category", "category", "kind of goods"),
            *("shopping for", "looking for", "searching for", "hoping to find", "hoping to buy", "trying to find"),
            *("want to buy", "like to buy", "wish to buy", "need to buy", "want to purchase", "like to purchase"),
            *("looking to buy", "looking to purchase", "planning to buy", "going to buy", "are you buying"),
            "are you purchasing",
            *("want me to find", "like me to find", "need me to find", "want me to look for", "like me to look for"),
            *("want me to search for", "like me to search for", "want me to buy", "like me to buy", "want me to get"),
            *("like me to get", "like me to order", "want me to order", "order for you", "find for you", "get for you"),
            *(
                "i look for",
                "me to look for",
                "trying to buy",
                "trying to purchase",
                "wanted to buy",
                "wanted me to find",
                "trying to get",
                "help you find",
                "want to order",
                "like to order",
                "shop for",
                "in the market for",
                "shopping list",
            ),
        ),
        vague=("something useful", "a little something"),
    ),
    Slot(
        "price",
        "budget",
        "price",
        "number",
        "<=",
        synonyms=(
            *("budgets", "price", "prices", "pricing", "cost", "costs", "price range", "price limit", "price cap"),
            *("price point", "price ceiling", "price tag", "price bracket", "spend", "spending", "pay", "paying"),
            *("spending limit", "cost limit", "maximum price", "upper limit", "money", "how much", "expensive"),
            *("pricey", "cheap", "afford", "affordable", "dollars", "bucks", "expense", "expenditure", "price wise"),
            *("invest", "financial limit", "set aside", "top price", "ceiling", "the total", "total cost"),
            "stay under",
        ),
        unit="$",
        clauses=(
            *("for at most {value}", "under {value}", "for no more than {value}", "costing {value} at the most"),
            *("priced at no more than {value}", "for {value} at the most", "within a budget of {value}"),
        ),
        vague=("at a reasonable price", "not costing a fortune", "for decent money", "that won't break the bank"),
    ),
    *(
        Slot(
            f"feature_{i}",
            "feature",
            "feature",
            "tag",
            "contains",
            synonyms=_FEATURE_SYNONYMS,
            clauses=_FEATURE_CLAUSES,
            vague=_FEATURE_VAGUE,
        )
        for i in range(1, FEATURES + 1)
    ),
    _choice(
        "color",
        (
            *("colors", "colour", "colours", "coloring", "colouring", "colorway", "colourway", "color scheme"),
            *("shade", "shades", "hue", "hues", "tint", "tints", "color wise", "colored", "coloured", "finish"),
        ),
        (
            "in {value}",
            "in the color {value}",
            "colored {value}",
            "whose color is {value}",
            "with {value} as the color",
        ),
        ("in a nice color", "in a color easy on the eye", "in a color that goes with everything"),
    ),
    _choice(
        "size",
        (
            *("sizes", "sizing", "sized", "dimension", "dimensions", "measurement", "measurements", "how big"),
            *("how large", "how small", "how tall", "how wide", "how long should it be", "how long should they be"),
            *("length", "width", "height", "big", "size wise"),
        ),
        (
            "in size {value}",
            "sized {value}",
            "of size {value}",
            "in the size {value}",
            "with {value} as the size",
        ),
        ("in a sensible size", "not too big", "in a size that works", "of a handy size"),
    ),
    _choice(
        "style",
        ("styles", "styling", "styled", "design", "designs", "look and feel", "style wise", "stylewise", "version"),
        (
            "in the style {value}",
            "whose style is {value}",
            "with {value} for the style",
            "styled as {value}",
        ),
        ("in a good style", "in a style that suits me", "in a style with some charm"),
    ),
    _choice(
        "flavor",
        (
            *("flavors", "flavour", "flavours", "flavored", "flavoured", "flavoring", "flavouring", "taste", "tastes"),
            *("tasting", "flavor wise"),
        ),
        (
            "in the flavor {value}",
            "flavored {value}",
            "with {value} as the flavor",
            "whose flavor is {value}",
        ),
        ("with a good taste", "in a tasty flavor", "in a flavor everyone likes"),
    ),
    _choice(
        "scent",
        (
            *("scents", "scented", "fragrance", "fragrances", "smell", "smells", "aroma", "aromas", "perfume", "odor"),
            *("odour", "scent wise"),
        ),
        (
            "with the scent {value}",
            "scented {value}",
            "with {value} as the scent",
            "whose scent is {value}",
        ),
        ("with a nice smell", "with a pleasant scent", "with a scent that isn't overpowering"),
    ),
    _choice(
        "fit",
        ("fits", "fitting", "fit type", "type of fit", "cut", "cuts", "fit wise", "tight", "loose"),
        ("with the fit {value}", "whose fit is {value}", "with {value} for the fit"),
        ("fitting well", "with a comfortable fit", "sitting nicely"),
    ),
    _choice(
        "material",
        (
            *("materials", "fabric", "fabrics", "textile", "textiles", "cloth", "made of", "made from", "made out of"),
            *("made out from", "kind of wood", "type of wood", "composition", "material wise", "consist of"),
        ),
        (
            "made of {value}",
            "made from {value}",
            "with {value} as the material",
            "with {value} for the material",
            "whose material is {value}",
        ),
        ("made of something decent", "in a good material", "made of something that lasts"),
    ),
    _choice(
        "pattern",
        ("patterns", "patterned", "print", "prints", "printed", "motif", "motifs", "pattern wise", "decoration"),
        (
            "with the pattern {value}",
            "whose pattern is {value}",
            "with {value} as the pattern",
            "in the pattern {value}",
        ),
        ("with a pretty pattern", "with a pattern that isn't too loud", "with some tasteful pattern"),
    ),
    _choice(
        "pack size",
        (
            *(
                "count",
                "counts",
                "pack sizes",
                "package size",
                "quantity",
                "quantities",
                "how many",
                "how many items",
                "more than one",
                "several",
                "one or two",
                "number of items",
            ),
            *(
                "number of pieces",
                "number of units",
                "pieces",
                "pack",
                "packs",
                "multipack",
                "multipacks",
                "pack count",
            ),
            *("piece count", "item count", "how large a pack", "how big a pack", "single one", "set of how many"),
            *("units", "packet size", "number of packs", "how large a package", "quantity wise"),
        ),
        (
            "in a {value}",
            "in a pack of {value}",
            "in the pack size {value}",
            "with {value} as the pack size",
            "sold as a {value}",
        ),
        ("in a sensible pack", "in a pack that lasts a while", "in a handy pack size"),
        "count",
    ),
    _choice(
        "shape",
        ("shapes", "shaped", "form", "silhouette", "outline", "shape wise", "form factor"),
        ("in the shape {value}", "whose shape is {value}", "with {value} as the shape"),
        ("in a pleasing shape", "in a shape that fits in", "with a nice shape"),
    ),
)
"""Product, price, six features, color, size, style, flavor, scent, fit, material, pattern, count, shape."""
