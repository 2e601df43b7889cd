"""How well something can be told from what is behind it."""

from playwright.sync_api import Page

# Colours are painted on a canvas, because a style may name them in any notation. Tinted areas of
# the graph are below its lines.
LEAST = """([selector, property]) => {
    const brush = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
    const read = (colour) => {
        brush.clearRect(0, 0, 1, 1);
        brush.fillStyle = colour;
        brush.fillRect(0, 0, 1, 1);
        return [...brush.getImageData(0, 0, 1, 1).data].map((part) => part / 255);
    };
    const over = (back, [r, g, b, a]) => [r, g, b].map((x, at) => x * a + back[at] * (1 - a));
    const parents = (one) => (one ? [...parents(one.parentElement), one] : []);
    const behind = (element) => parents(element)
        .map((one) => read(getComputedStyle(one).backgroundColor)).reduce(over, [1, 1, 1]);
    const covers = (part, point) => part.localName === "line"
        ? part.isPointInStroke(point) : part.isPointInFill(point);
    const tints = (line) => {
        const areas = [...line.ownerSVGElement.querySelectorAll(".tinted")];
        const [x1, y1, x2, y2] = ["x1", "y1", "x2", "y2"].map((name) => line[name].baseVal.value);
        return [0.35, 0.5, 0.65].map((at) => {
            const point = new DOMPoint(x1 + at * (x2 - x1), y1 + at * (y2 - y1));
            return areas.filter((area) => [...area.children].some((part) => covers(part, point)));
        });
    };
    const tint = (area) => {
        const [r, g, b] = read(getComputedStyle(area.querySelector("circle")).fill);
        return [r, g, b, Number(getComputedStyle(area).opacity)];
    };
    const backs = (element) => element.localName === "line"
        ? tints(element).map((areas) => areas.map(tint).reduce(over, behind(element)))
        : [behind(property === "backgroundColor" ? element.parentElement : element)];
    const light = (colour) => {
        const linear = (x) => (x <= 0.04045 ? x / 12.92 : ((x + 0.055) / 1.055) ** 2.4);
        const [r, g, b] = colour.map(linear);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const ratio = (element, back) => {
        const front = over(back, read(getComputedStyle(element)[property]));
        const [dark, bright] = [front, back].map(light).sort((one, other) => one - other);
        return (bright + 0.05) / (dark + 0.05);
    };
    const seen = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
    return Math.min(...seen.flatMap((one) => backs(one).map((back) => ratio(one, back))));
}"""


def least_contrast(page: Page, selector: str, paint: str = "stroke") -> float:
    """Return the least contrast of the visible elements: the ratio of the WCAG, from 1 to 21.

    ``paint`` is the property that draws them: ``stroke``, ``fill``, ``color``,
    ``borderTopColor`` or ``backgroundColor``.
    """
    contrast = page.evaluate(LEAST, [selector, paint])
    assert contrast is not None, f"{selector} is not visible"  # JSON has no Infinity
    return float(contrast)
