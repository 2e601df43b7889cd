"""The check that every rule book passes, for the games of other people too."""

from divisorduel.rules.conformance import ConformanceError, check_game

__all__ = ["ConformanceError", "check_game"]
