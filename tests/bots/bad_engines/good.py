"""Follows the protocol; each bad engine changes one thing."""

import sys


def lines(greeting: str = "bot Test\nwant legal\nok\n"):  # type: ignore[no-untyped-def]
    """Greet, and yield each position as its words, with the legal moves after ``legal``."""
    for line in sys.stdin:
        word, *rest = line.split()
        if word == "duel":
            send(greeting)
        elif word == "go":
            yield rest
        elif word == "quit":
            return


def send(text: str) -> None:
    """Write, and flush."""
    sys.stdout.write(text)
    sys.stdout.flush()


def play(words: list[str]) -> None:
    """Take the first legal move."""
    send(f"move {words[words.index('legal') + 1]}\n")


if __name__ == "__main__":
    for position in lines():
        play(position)
