"""The small changes that are made to a program, as replacements of nodes in its syntax tree."""

import ast
from collections.abc import Iterator
from dataclasses import dataclass

Node = ast.AST | list[ast.stmt] | None
"""What a change puts into the tree; None drops an optional part."""

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE,
    ast.LtE: ast.Lt,
    ast.Gt: ast.GtE,
    ast.GtE: ast.Gt,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE,
    ast.LtE: ast.Gt,
    ast.Gt: ast.LtE,
    ast.GtE: ast.Lt,
    ast.Eq: ast.NotEq,
    ast.NotEq: ast.Eq,
    ast.Is: ast.IsNot,
    ast.IsNot: ast.Is,
    ast.In: ast.NotIn,
    ast.NotIn: ast.In,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub,
    ast.Sub: ast.Add,
    ast.Mult: ast.FloorDiv,
    ast.FloorDiv: ast.Mult,
    ast.Div: ast.Mult,
    ast.Mod: ast.FloorDiv,
    ast.Pow: ast.Mult,
    ast.BitAnd: ast.BitOr,
    ast.BitOr: ast.BitAnd,
    ast.BitXor: ast.BitOr,
    ast.LShift: ast.RShift,
    ast.RShift: ast.LShift,
}
_CALLS = {"min": "max", "max": "min", "any": "all", "all": "any"}

_NOT_NUMBERS = ast.JoinedStr | ast.List | ast.Tuple | ast.Set | ast.Dict | ast.ListComp
"""Operands with which arithmetic is not about numbers: other operators would only raise."""


@dataclass(frozen=True, eq=False)
class Change:
    """A node of a syntax tree, and what replaces it."""

    kind: str
    line: int
    """The line of the statement."""
    parent: ast.AST
    field: str
    index: int | None
    """The place in the field, if that is a list of nodes of which one is replaced."""
    new: Node

    def apply(self) -> Node:
        """Change the tree, and return what was there before."""
        before: Node
        if self.index is None:
            before = getattr(self.parent, self.field)
            setattr(self.parent, self.field, self.new)
        else:
            nodes = getattr(self.parent, self.field)
            before, nodes[self.index] = nodes[self.index], self.new
        return before

    def revert(self, before: Node) -> None:
        """Change the tree back."""
        if self.index is None:
            setattr(self.parent, self.field, before)
        else:
            getattr(self.parent, self.field)[self.index] = before


def changes_of(tree: ast.Module) -> Iterator[Change]:
    """Yield the changes that can be made to a module, one at a time."""
    yield from _below(tree, 0, returns_bool=False)


def _below(node: ast.AST, line: int, *, returns_bool: bool) -> Iterator[Change]:
    """Yield the changes in everything that a node consists of."""
    if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
        returns_bool = isinstance(node.returns, ast.Name) and node.returns.id == "bool"
    for parent, field, index, child in _parts(node):
        if _is_left_alone(parent, field, child):
            continue
        # In an f-string, Python 3.11 does not know the line of an expression.
        at = child.lineno if isinstance(child, ast.stmt) else line
        for kind, new in _replacements(child, returns_bool=returns_bool):
            yield Change(kind, at, parent, field, index, new)
        for kind, part, changed in _changed_parts(child):
            yield Change(kind, at, child, part, None, changed)
        yield from _below(child, at, returns_bool=returns_bool)


def _parts(node: ast.AST) -> Iterator[tuple[ast.AST, str, int | None, ast.AST]]:
    for field, value in ast.iter_fields(node):
        if isinstance(value, ast.AST):
            yield node, field, None, value
        elif isinstance(value, list):
            for index, child in enumerate(value):
                if isinstance(child, ast.AST):
                    yield node, field, index, child


def _is_left_alone(parent: ast.AST, field: str, child: ast.AST) -> bool:
    """Tell whether a part of a program is a type, a decorator, or text for people."""
    if field in ("annotation", "returns", "decorator_list", "bases", "format_spec"):
        return True
    match parent, child:
        case _, ast.Expr(ast.Constant()):  # a docstring, or three dots
            return True
        case ast.JoinedStr(), ast.Constant():
            return True
        case _, ast.If(ast.Name("TYPE_CHECKING")):
            return True
        case ast.Subscript(ast.Name("Literal")), _:
            return True
        case ast.Module(), ast.Assign(value=ast.BinOp(op=ast.BitOr())):  # an alias of types
            return True
        case ast.Call(ast.Name("isinstance" | "issubclass" | "cast" | "TypeVar")), _:
            return field == "args" and child is not parent.args[0]
        case _, ast.Expr(ast.Call(ast.Attribute(ast.Name("log")))):
            return True
    return False


def _replacements(node: ast.AST, *, returns_bool: bool) -> Iterator[tuple[str, ast.AST]]:
    """Yield the nodes that may replace a node, each with the kind of the change."""
    match node:
        case ast.Compare():
            yield from _compared(node)
        case ast.BinOp(left, op, right) if not (_is_text(left) or _is_text(right)):
            yield "arithmetic", ast.BinOp(left, _ARITHMETIC[type(op)](), right)
        case ast.AugAssign(target, op, value):
            if not _is_text(value):
                yield "arithmetic", ast.AugAssign(target, _ARITHMETIC[type(op)](), value)
            yield "removed statement", ast.Pass()
        case ast.BoolOp(op, values):
            yield "boolean", ast.BoolOp(ast.And() if isinstance(op, ast.Or) else ast.Or(), values)
            for at in range(len(values)):
                rest = values[:at] + values[at + 1 :]
                yield "removed operand", ast.BoolOp(op, rest) if len(rest) > 1 else rest[0]
        case ast.UnaryOp(ast.Not() | ast.USub() | ast.Invert(), operand):
            yield "removed operator", operand
        case ast.Constant(value):
            yield from (("constant", ast.Constant(other)) for other in _other_constants(value))
        case ast.JoinedStr() if not _is_prose(node):
            yield "constant", ast.Constant("")
        case ast.IfExp(test, body, orelse):
            yield "swapped branches", ast.IfExp(test, orelse, body)
        case ast.Call(ast.Name(name), args, keywords) if name in _CALLS:
            yield "call", ast.Call(ast.Name(_CALLS[name]), args, keywords)
        case ast.Return(ast.expr() as value) if returns_bool:
            yield "return value", ast.Return(ast.UnaryOp(ast.Not(), value))
        case ast.Return(ast.expr() as value) if not _is_none(value):
            yield "return value", ast.Return(ast.Constant(None))
        case ast.Break():
            yield "loop", ast.Continue()
        case ast.Continue():
            yield "loop", ast.Break()
        case ast.Expr(value) if not isinstance(value, ast.Yield | ast.YieldFrom):
            yield "removed statement", ast.Pass()
        case ast.Raise() | ast.Delete() | ast.Return():
            yield "removed statement", ast.Pass()
        case ast.Assign([ast.Attribute() | ast.Subscript()]):
            yield "removed statement", ast.Pass()


def _changed_parts(node: ast.AST) -> Iterator[tuple[str, str, Node]]:
    """Yield the parts that may be replaced in a node: the kind, the field and the new part."""
    match node:
        case ast.If(test, _, orelse):
            for value in (True, False):
                yield "condition", "test", ast.Constant(value)
            if orelse:
                yield "swapped branches", "test", ast.UnaryOp(ast.Not(), test)
        case ast.While(test) if not isinstance(test, ast.Constant):
            yield "condition", "test", ast.Constant(value=False)
        case ast.For():
            yield "loop", "iter", ast.Tuple([], ast.Load())
        case ast.comprehension(ifs=[_, *_]):
            yield "removed filter", "ifs", []
        case ast.match_case(guard=ast.expr()):
            yield "removed filter", "guard", None
        case ast.ExceptHandler():
            yield "error", "body", [ast.Raise()]
        case ast.Slice():
            for field in ("lower", "upper", "step"):
                if getattr(node, field):
                    yield "slice", field, None


def _compared(node: ast.Compare) -> Iterator[tuple[str, ast.Compare]]:
    for at, op in enumerate(node.ops):
        for kind, others in (("boundary", _BOUNDARY), ("comparison", _OPPOSITE)):
            if type(op) in others:
                ops = [*node.ops[:at], others[type(op)](), *node.ops[at + 1 :]]
                yield kind, ast.Compare(node.left, ops, node.comparators)


def _other_constants(value: object) -> Iterator[bool | int | float | str]:
    match value:
        case bool():
            yield not value
        case int():
            yield from (value + 1, value - 1)
        case float():
            yield value * 2 or 1.0
        case str() if " " not in value:
            yield "" if value else "mutant"


def _is_none(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and node.value is None


def _is_text(node: ast.expr) -> bool:
    is_string = isinstance(node, ast.Constant) and isinstance(node.value, str)
    return is_string or isinstance(node, _NOT_NUMBERS)


def _is_prose(node: ast.JoinedStr) -> bool:
    """Tell whether an f-string has spaces: sentences for people are not changed."""
    return any(isinstance(part, ast.Constant) and " " in str(part.value) for part in node.values)
