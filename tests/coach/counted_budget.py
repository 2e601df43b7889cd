"""A budget that ends at a known point, however fast the machine is."""

from itertools import count

from divisorduel.solve.budget import Budget


def after_calls(number: int) -> Budget:
    """Return a budget whose time is up once its clock has been read this many times."""
    calls = count()
    return Budget(number, clock=lambda: next(calls))
