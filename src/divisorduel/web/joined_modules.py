"""Join the JavaScript modules of the page into a few scripts, so that a browser asks for few files.

Each module becomes a function that returns what the module exports. A script holds several of them,
in the order in which they need each other, and imports what it needs from other scripts. Lines with
nothing but a comment are left out; a source map leads from each remaining line back to its module.
"""

import json
import posixpath
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

_IMPORT = re.compile(r'import (?:\{([^{}]*)\}|\* as (\w+)) from "(\.[^"]+)";')
_EXPORT = re.compile(r"export (?=(?:async function|function|const|class) (\w+)\b)")
_LATER = re.compile(r'\bimport\("(\.[^"]+)"\)')
_TYPE = re.compile(r"/\*\* @.*?\*/ ?")
FIRST, SHARED = "first.js", "shared.js"
"""The scripts with what the page needs first, and with what several of its views need."""
_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"


class CannotJoinError(ValueError):
    """A module has something that cannot be joined."""

    def __init__(self, module: str, line: int, problem: str) -> None:
        super().__init__(f"{module}, line {line}: {problem}")


@dataclass(frozen=True)
class Module:
    """A module without its imports, its exports and its comments."""

    name: str
    lines: tuple[tuple[int, str], ...]
    """The lines that are left, with their numbers, from 0."""
    imports: Mapping[str, tuple[str, ...]]
    """The modules that it needs at once, with the patterns that take the names out of them."""
    exports: tuple[str, ...]
    later: frozenset[str]
    """The modules that it loads when it needs them."""

    @property
    def variable(self) -> str:
        """The name of what the module exports, in a script."""
        return self.name.removesuffix(".js").replace("/", "$")


def parse(name: str, text: str) -> Module:
    """Take a module apart, or raise `CannotJoinError`."""
    lines: list[tuple[int, str]] = []
    imports: dict[str, tuple[str, ...]] = {}
    exports: list[str] = []
    later: set[str] = set()
    for number, line in _code(name, text):
        if found := _IMPORT.fullmatch(line):
            names, whole, relative = found.groups()
            pattern = whole or f"{{{names.replace(' as ', ': ')}}}"
            needed = _resolve(name, relative)
            imports[needed] = (*imports.get(needed, ()), pattern)
            continue
        if found := _EXPORT.match(line):
            exports.append(found[1])
            line = line[found.end() :]
        if problem := _problem(line):
            raise CannotJoinError(name, number + 1, problem)
        later |= {_resolve(name, relative) for relative in _LATER.findall(line)}
        lines.append((number, line))
    return Module(name, tuple(lines), imports, tuple(exports), frozenset(later))


def _resolve(name: str, relative: str) -> str:
    return posixpath.normpath(posixpath.join(posixpath.dirname(name), relative))


def _code(name: str, text: str) -> Iterator[tuple[int, str]]:
    """Return the lines with code, with their numbers. An import over several lines is one line."""
    comment = False
    begun: tuple[int, str] | None = None
    for number, whole in enumerate(text.splitlines()):
        line = whole.strip()
        if comment or (line.startswith("/*") and "*/" not in line):
            comment = "*/" not in line
            if not comment and not line.endswith("*/"):
                raise CannotJoinError(name, number + 1, "code after a comment of several lines")
        elif begun:
            begun = begun[0], f"{begun[1]} {line}"
            if line.endswith(";"):
                yield begun
                begun = None
        elif whole.startswith("import {") and ";" not in whole:
            begun = number, whole
        elif line and not line.startswith("//"):
            code = _TYPE.sub("", whole).rstrip()
            if code.strip() and not (line.startswith("/*") and line.find("*/") == len(line) - 2):
                yield number, code


def _problem(line: str) -> str | None:
    """Return why a line cannot be part of a script, if it cannot."""
    if re.match(r"(?:im|ex)port\b(?!\()", line):
        return "only named imports, and exports of functions, classes and constants, can be joined"
    if re.search(r"\bimport\(", _LATER.sub("", line)):
        return 'import(…) needs the path of a module, as in import("./view.js")'
    if re.match(r"(?!\s|(?:async )?function|class).*\bawait\b", line) and "async" not in line:
        return "await outside of a function cannot be joined"
    if len(re.findall(r"(?<!\\)`", line)) % 2:
        return "a template of several lines cannot be joined"
    return None


def in_order(modules: Mapping[str, Module], *entries: str) -> list[str]:
    """Return modules and everything that they need at once, each after what it needs."""
    found: dict[str, None] = {}

    def visit(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            raise CannotJoinError(name, 1, f"imports itself: {' > '.join([*path, name])}")
        for needed in modules[name].imports:
            if needed not in found:
                visit(needed, (*path, name))
        found[name] = None

    for name in entries:
        visit(name, ())
    return list(found)


@dataclass(frozen=True)
class Script:
    """A joined script and its source map."""

    text: str
    source_map: str


def scripts(texts: Mapping[str, str], main: str, first_view: str, folder: str) -> dict[str, Script]:
    """Join the module `main` and everything that it loads, at once or later.

    `main` is a script of its own, so that no other script starts it again. `first` has the other
    modules that the page needs for `first_view`. Any other module that is loaded later becomes
    a script of its own name, with what only it needs; what several of them need is in `shared`.
    The scripts belong in `folder`, next to the files. Return them by name.
    """
    modules = _reachable(texts, main)
    first = in_order(modules, main, first_view)
    entries = sorted({name for module in modules.values() for name in module.later} - {*first})
    needs = {
        entry: [one for one in in_order(modules, entry) if one not in first] for entry in entries
    }
    script_of = dict.fromkeys(first, FIRST) | {main: posixpath.basename(main)}
    for entry, needed in needs.items():
        for name in needed:
            script_of[name] = SHARED if name in script_of else posixpath.basename(entry)
    order = in_order(modules, main, first_view, *entries)
    return {
        script: _join(
            [modules[name] for name in order if script_of[name] == script],
            modules,
            script_of,
            folder,
        )
        for script in dict.fromkeys(script_of.values())
    }


def _reachable(texts: Mapping[str, str], main: str) -> dict[str, Module]:
    """Return the modules that `main` needs, at once or later."""
    found: dict[str, Module] = {}
    waiting = [main]
    while waiting:
        name = waiting.pop()
        if name in found:
            continue
        module = found[name] = parse(name, texts[name])
        if missing := (module.imports.keys() | module.later) - texts.keys():
            raise CannotJoinError(name, 1, f"needs {min(missing)}, which does not exist")
        waiting += [*module.imports, *module.later]
    return found


def _join(
    joined: Sequence[Module],
    modules: Mapping[str, Module],
    script_of: Mapping[str, str],
    folder: str,
) -> Script:
    """Join modules, given in the right order, into one script."""
    own = {module.name for module in joined}
    others: dict[str, list[str]] = {}
    for name in dict.fromkeys(name for module in joined for name in module.imports):
        if name not in own:
            others.setdefault(script_of[name], []).append(modules[name].variable)
    lines = [
        f'import {{ {", ".join(names)} }} from "./{script}";' for script, names in others.items()
    ]
    places: list[tuple[int, int] | None] = [None] * len(lines)

    for at, module in enumerate(joined):
        head = [f"// {module.name}", f"const {module.variable} = (() => {{"]
        head += [
            f"const {pattern} = {modules[name].variable};"
            for name, patterns in module.imports.items()
            for pattern in patterns
        ]
        tail = [f"return {{ {', '.join(module.exports)} }};", "})();"]
        code = [_linked(line, module.name, modules, script_of, folder) for _, line in module.lines]
        lines += [*head, *code, *tail]
        places += [None] * len(head)
        places += [(at, number) for number, _ in module.lines]
        places += [None] * len(tail)
    script = script_of[joined[0].name]
    lines += [
        f"export {{ {', '.join(module.variable for module in joined)} }};",
        f"//# sourceMappingURL={script}.map",
    ]
    sources = [posixpath.relpath(module.name, folder) for module in joined]
    return Script("\n".join(lines) + "\n", _source_map(sources, places))


def _linked(
    line: str, name: str, modules: Mapping[str, Module], script_of: Mapping[str, str], folder: str
) -> str:
    """Return a line of a module with the addresses that it needs in a script."""

    def load(found: re.Match[str]) -> str:
        wanted = _resolve(name, found[1])
        needed = dict.fromkeys(script_of[one] for one in [wanted, *in_order(modules, wanted)])
        loads = ", ".join(
            f'import("./{script}")'
            for script in needed
            if script == script_of[wanted] or script != FIRST
        )
        return f"Promise.all([{loads}]).then(([one]) => one.{modules[wanted].variable})"

    here = f'new URL("{posixpath.relpath(name, folder)}", import.meta.url).href'
    return _LATER.sub(load, line.replace("import.meta.url", here))


def _source_map(sources: Sequence[str], places: Sequence[tuple[int, int] | None]) -> str:
    """Return a source map: for each line of a script, its source and its line there."""
    mappings = []
    before = 0, 0
    for place in places:
        if place:
            source, line = place[0] - before[0], place[1] - before[1]
            mappings.append(f"A{_base64(source)}{_base64(line)}A")
            before = place
        else:
            mappings.append("")
    found = {"version": 3, "sources": sources, "names": [], "mappings": ";".join(mappings)}
    return json.dumps(found, separators=(",", ":"))


def _base64(number: int) -> str:
    """Return a number as source maps write it: five bits to a digit, the sign in the last bit."""
    rest = abs(number) << 1 | (number < 0)
    digits = ""
    while rest >= 32:
        digits += _DIGITS[rest & 31 | 32]
        rest >>= 5
    return digits + _DIGITS[rest]
