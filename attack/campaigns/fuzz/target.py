"""What is fuzzed: a source of inputs, and an oracle that says whether an answer is right."""

from abc import ABC, abstractmethod
from pathlib import Path
from random import Random
from typing import Generic, TypeVar

from divisorduel.rules.errors import DuelError

Input = TypeVar("Input")


class Target(ABC, Generic[Input]):
    """A part of the program that reads what others have written."""

    def __init__(self, folder: Path) -> None:
        """Prepare to fuzz; the folder is empty, and is the current one."""
        self.folder = folder

    @abstractmethod
    def make(self, rng: Random) -> Input:
        """Make an input that depends on nothing but the source of randomness."""

    @abstractmethod
    def check(self, given: Input) -> str:
        """Hand the input to the program, and return what came of it in a word.

        Raises any exception if the program did not answer as it should.
        """

    def close(self) -> None:
        """Stop what was started."""


def check_sentence(error: DuelError) -> None:
    """Check that an error of the library says something, and has a code."""
    assert str(error).strip(), f"{error!r} has no message"
    assert error.code, f"{error!r} has no code"
