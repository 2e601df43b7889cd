"""What a person does on the page: start a game, and read the board."""

from playwright.sync_api import Locator, Page, Route

BOARDS = {"antichain": {"to": 12}, "chain": {"to": 20}, "juniper": {"to": 20}}
BOARD_FIELDS = {"from", "to", "step", "opening", "number"}


def start_game(page: Page, game: str, opponent: str = "here", **fields: str) -> None:
    """Choose a game and fill in its sheet as a person would, and start the game."""
    page.locator(f"[data-game={game}]").click()
    board = {name: str(number) for name, number in BOARDS.get(game, {}).items()}
    wanted = {**board, **fields}
    if wanted.keys() & BOARD_FIELDS:
        page.locator("[name=size][value=custom]").check()
    page.locator(f"[name=opponent][value={opponent}]").check()
    page.get_by_text("More options").click()
    for name, value in wanted.items():
        fill(page.locator(f"form.setup [name={name}]"), value)
    page.get_by_role("button", name="Play", exact=True).click()
    page.locator(".table").wait_for()
    page.wait_for_function(BOARD_IS_SHOWN)


BOARD_IS_SHOWN = """() => {
    const board = document.querySelector(".board");
    return !board.hidden || !board.querySelector(".tile");
}"""
"""A board is hidden until its tiles have their size; one without tiles stays hidden."""


def fill(field: Locator, value: str) -> None:
    """Set a field of a form, whatever its kind."""
    if field.count() > 1:  # radio buttons
        field.and_(field.page.locator(f"[value='{value}']")).check()
    elif field.evaluate("field => field.type") == "checkbox":
        field.set_checked(value == "yes")
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


def tile(page: Page, number: int) -> Locator:
    """Return the tile of a number."""
    return page.locator(f".tile[aria-label^='{number},']")


def legal(page: Page) -> list[int]:
    """Return the numbers that the page offers."""
    return [int(text) for text in page.locator(".tile.legal .digits").all_inner_texts()]


def turns(page: Page) -> int:
    """Return how many moves the page lists."""
    return page.locator(".moves li button").count()


def take(page: Page, *numbers: int) -> None:
    """Take numbers one after the other, by mouse."""
    for number in numbers:
        tile(page, number).click()
        page.locator(f".tile[aria-label^='{number}, taken']").wait_for()


Rectangle = tuple[int, ...]


def rectangle(page: Page) -> Rectangle:
    """Return where the board is: x, y, width and height."""
    board = page.locator(".board")
    board.wait_for()
    box = board.bounding_box()
    assert box is not None
    return tuple(round(part) for part in (box["x"], box["y"], box["width"], box["height"]))


def in_view(page: Page, selector: str) -> bool:
    """Return whether an element, once it is shown, is inside the window, without scrolling."""
    shown = page.locator(selector).first
    shown.wait_for()
    return bool(
        shown.evaluate(
            """element => {
                const box = element.getBoundingClientRect();
                return box.height > 0 && box.top >= 0 && box.bottom <= innerHeight + 1;
            }"""
        )
    )


def tell_page(page: Page, reach: str, *addresses: str) -> None:
    """Let the server tell a page where it can be reached."""

    def answer(route: Route) -> None:
        route.fulfill(json={"reach": reach, "addresses": addresses})

    page.route("**/api/server", answer)
