"""Why something is refused, as a value."""

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class Refusal:
    """A stable code for programs, and the parameters that a sentence about it needs."""

    code: str
    params: Mapping[str, int | str] = field(default_factory=dict)
