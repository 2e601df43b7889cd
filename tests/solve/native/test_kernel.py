"""The native kernel is used if it is there and not switched off."""

import sys

import pytest

from divisorduel.solve import native
from divisorduel.solve.native import kernel


@pytest.mark.parametrize(("value", "is_used"), [("pure", False), ("", True), ("native", True)])
@pytest.mark.usefixtures("kernel")
def test_the_kernel_can_be_switched_off(
    monkeypatch: pytest.MonkeyPatch, value: str, is_used: bool
) -> None:
    monkeypatch.setenv("DUEL_SOLVER", value)
    assert (kernel._find() is not None) is is_used


def test_without_the_kernel_nothing_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("DUEL_SOLVER", raising=False)
    monkeypatch.delattr(native, "_kernel", raising=False)
    monkeypatch.setitem(sys.modules, "divisorduel.solve.native._kernel", None)
    assert kernel._find() is None


def test_the_solvers_in_use_have_a_name(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(kernel, "KERNEL", None)
    assert kernel.in_use() == "Python solvers"
    monkeypatch.setattr(kernel, "KERNEL", sys)
    assert kernel.in_use() == "native solvers"
