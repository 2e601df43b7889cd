"""Counts move sequences directly from the specifications, without using the library.

Run as a script, it prints the contents of perft.csv.
"""

from collections.abc import Callable, Iterator

State = tuple[tuple[int, ...], tuple[int, ...]]
"""The numbers on the board at the start, and the numbers taken so far."""


def related(a: int, b: int) -> bool:
    return a % b == 0 or b % a == 0


def chain(state: State) -> Iterator[int]:
    pool, taken = state
    for n in pool:
        if n not in taken and (not taken or related(n, taken[-1])):
            yield n


def juniper(state: State) -> Iterator[int]:
    yield from (n for n in chain(state) if state[1] or n % 2 == 0)


def antichain(state: State) -> Iterator[int]:
    pool, taken = state
    yield from (n for n in pool if not any(related(n, t) for t in taken))


def divider(state: State) -> Iterator[int]:
    pool, taken = state
    yield from (n for n in pool if not any(n % t == 0 for t in taken))


def descent(state: State) -> Iterator[int]:
    pool, taken = state
    current = taken[-1] if taken else pool[0]
    yield from (n for n in range(2, current) if current % n == 0)


RULES: dict[str, Callable[[State], Iterator[int]]] = {
    "evens": chain,
    "chain": chain,
    "juniper": juniper,
    "antichain": antichain,
    "divider": divider,
    "descent": descent,
}

BOARDS = {
    "evens": ("2-8", "2-12", "2-20"),
    "chain": ("2-10", "2-14", "2-50", "2-20:3"),
    "juniper": ("1-8", "1-12", "1-100"),
    "antichain": ("2-8", "2-12", "2-50"),
    "divider": ("2-8", "2-9", "2-12"),
    "descent": ("16", "72", "720720"),
}

DEEPEST = {"2-50": 3, "1-100": 3, "720720": 3}


def pool_of(key: str, board: str) -> tuple[int, ...]:
    if key == "descent":
        return (int(board),)
    span, _, step = board.partition(":")
    low, high = map(int, span.split("-"))
    return tuple(range(low, high + 1, int(step or (2 if key == "evens" else 1))))


def sequences(key: str, state: State, depth: int) -> int:
    if depth == 0:
        return 1
    pool, taken = state
    return sum(sequences(key, (pool, (*taken, n)), depth - 1) for n in RULES[key](state))


def table() -> Iterator[tuple[str, str, int, int]]:
    for key, boards in BOARDS.items():
        for board in boards:
            for depth in range(1, DEEPEST.get(board, 6) + 1):
                yield key, board, depth, sequences(key, (pool_of(key, board), ()), depth)


if __name__ == "__main__":
    print("game,board,depth,sequences")
    for row in table():
        print(*row, sep=",")
