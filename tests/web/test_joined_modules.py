"""Modules are joined into scripts that do the same, and what cannot be joined is refused."""

import json
import re

import pytest

from divisorduel.web.joined_modules import CannotJoinError, Script, in_order, parse, scripts
from divisorduel.web.page_files import FIRST_VIEW, FOLDER, SCRIPT

MODULES = {
    "main.js": """\
// The page.

import { add } from "./model/add.js";

/** @type {any} */
const all = { first: () => import("./views/first.js"), a: () => import("./views/a.js") };
add(all, new URL("icon.svg", import.meta.url));
""",
    "model/add.js": """\
/**
 * Add something.
 */
export function add(...all) {
  return all; // as they are
}
export const none = /** @type {any} */ (null);
""",
    "model/two.js": "export class Two {}\nexport async function two() {}\n",
    "views/first.js": """\
import * as adding from "../model/add.js";
export const view = () => adding.add();
""",
    "views/a.js": """\
import {
  add as sum,
  none,
} from "../model/add.js";
import { Two, two } from "../model/two.js";
export const view = () => sum(none, Two, two);
""",
    "views/b.js": 'import { two } from "../model/two.js";\nexport const view = two;\n',
}
"""Modules of a small page."""


def joined(**more: str) -> dict[str, Script]:
    """Join the small page and some modules."""
    return scripts({**MODULES, **more}, "main.js", "views/first.js", "joined/")


def test_modules_become_functions_in_the_order_in_which_they_need_each_other() -> None:
    assert (
        joined()["first.js"].text
        == """\
// model/add.js
const model$add = (() => {
function add(...all) {
  return all; // as they are
}
const none = (null);
return { add, none };
})();
// views/first.js
const views$first = (() => {
const adding = model$add;
const view = () => adding.add();
return { view };
})();
export { model$add, views$first };
//# sourceMappingURL=first.js.map
"""
    )


def test_a_script_imports_what_it_needs_and_loads_other_scripts_at_once() -> None:
    main = joined()["main.js"].text
    assert main.splitlines()[0] == 'import { model$add } from "./first.js";'
    assert 'a: () => Promise.all([import("./a.js")]).then(([one]) => one.views$a)' in main
    assert 'import("./first.js")]).then(([one]) => one.views$first)' in main
    assert 'new URL("icon.svg", new URL("../main.js", import.meta.url).href)' in main
    own = joined()["a.js"].text
    assert "const { add: sum, none, } = model$add;" in own
    assert "const model$two" in own


def test_what_several_views_need_is_in_a_script_of_its_own_that_is_loaded_with_them() -> None:
    more = MODULES["main.js"] + 'export const b = () => import("./views/b.js");\n'
    found = joined(**{"main.js": more})
    assert {*found} == {"main.js", "first.js", "a.js", "b.js", "shared.js"}
    assert "const model$two" in found["shared.js"].text
    assert 'import { model$two } from "./shared.js";' in found["b.js"].text
    assert 'Promise.all([import("./b.js"), import("./shared.js")])' in found["main.js"].text


def decode(mappings: str) -> list[tuple[int, int] | None]:
    """Return the source and the line of each line of a script, as a source map has them."""
    digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"
    at = [0, 0, 0, 0]
    places: list[tuple[int, int] | None] = []
    for line in mappings.split(";"):
        numbers, number, shift = [], 0, 0
        for digit in line:
            value = digits.index(digit)
            number, shift = number | (value & 31) << shift, shift + 5
            if value < 32:
                numbers.append(-(number >> 1) if number & 1 else number >> 1)
                number, shift = 0, 0
        at = [one + more for one, more in zip(at, numbers or [0] * 4, strict=True)]
        places.append((at[1], at[2]) if numbers else None)
    return places


def test_the_source_map_leads_from_each_line_to_the_same_line_of_its_module() -> None:
    texts = {path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob("*.js")}
    found = scripts(texts, SCRIPT, FIRST_VIEW, "joined/")["first.js"]
    source_map = json.loads(found.source_map)
    assert source_map["version"] == 3
    assert "../components/dom.js" in source_map["sources"]
    mapped = 0
    for line, place in zip(found.text.splitlines(), decode(source_map["mappings"]), strict=False):
        if place and "import" not in line:
            source = source_map["sources"][place[0]].removeprefix("../")
            original = texts[source].splitlines()[place[1]]
            assert line.split() == re.sub(r"^export |/\*\* @.*?\*/", "", original).split()
            mapped += 1
    assert mapped > 900


@pytest.mark.parametrize(
    ("line", "problem"),
    [
        ("export default 1;", "only named imports"),
        ("export let a = 1;", "only named imports"),
        ("export { a };", "only named imports"),
        ('export * from "./b.js";', "only named imports"),
        ('export { a } from "./b.js";', "only named imports"),
        ('import a from "./b.js";', "only named imports"),
        ('import "./b.js";', "only named imports"),
        ('import { a } from "elsewhere";', "only named imports"),
        ("import(`./${name}.js`);", "needs the path of a module"),
        ("await import1();", "await outside of a function"),
        ("const a = await b();", "await outside of a function"),
        ("const a = `one", "a template of several lines"),
    ],
)
def test_what_cannot_be_joined_is_refused_with_its_line(line: str, problem: str) -> None:
    with pytest.raises(CannotJoinError, match=f"^views/a.js, line 3: .*{problem}"):
        parse("views/a.js", f"// A view.\n\n{line}\n")


def test_code_after_a_comment_of_several_lines_is_refused() -> None:
    with pytest.raises(CannotJoinError, match="line 2: code after a comment"):
        parse("a.js", "/* one\ntwo */ three();\n")


def test_modules_that_need_each_other_are_refused() -> None:
    texts = {"a.js": 'import { b } from "./b.js";', "b.js": 'import { a } from "./a.js";'}
    modules = {name: parse(name, text) for name, text in texts.items()}
    with pytest.raises(CannotJoinError, match=r"a.js > b.js > a.js"):
        in_order(modules, "a.js")


@pytest.mark.parametrize("how", ['import { gone } from "./gone.js";', 'import("./gone.js");'])
def test_a_module_that_does_not_exist_is_refused(how: str) -> None:
    with pytest.raises(CannotJoinError, match=r"main.js.* needs gone.js, which does not exist"):
        joined(**{"main.js": how})


def test_every_module_of_the_page_can_be_joined() -> None:
    texts = {path.relative_to(FOLDER).as_posix(): path.read_text() for path in FOLDER.rglob("*.js")}
    found = scripts(texts, SCRIPT, FIRST_VIEW, "joined/")
    text = "".join(script.text for script in found.values())
    apart = {"service_worker.js", "views/docs.js"}
    assert {name for name in texts if f"// {name}\n" in text} == {*texts} - apart
    assert len(found) <= 8
