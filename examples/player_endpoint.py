"""Offer the built-in players as models of an endpoint, to try duel bench-llm without a model.

python examples/player_endpoint.py 8000
duel bench-llm --url http://127.0.0.1:8000/v1 --model greedy

It understands the prompts of antichain and divider, which it reads as a model does.
"""

import json
import re
import sys
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from random import Random

from divisorduel import game, read_code
from divisorduel.play.players import PLAYERS, Judge

TITLES = {game(key).book.title: key for key in ("antichain", "divider")}


def code_in(prompt: str) -> str:
    """Return the position code of the position that a prompt describes in words."""
    key = next(key for title, key in TITLES.items() if prompt.startswith(title))
    [board] = re.findall(r"The numbers on the board: (\d+) to (\d+)\.", prompt)
    numbers = re.findall(r"Numbers still in play: ([\d, ]+)\.", prompt)
    return f"{key} {'-'.join(board)} {(numbers or ['-'.join(board)])[0].replace(' ', '')} -"


def reply(kind: str, judge: Judge, prompt: str) -> str:
    """Return what a player says to a prompt; the same prompt always gets the same reply."""
    position = read_code(code_in(prompt))
    return f"ANSWER: {PLAYERS[kind](judge).choose(*position, Random(prompt))}"


class Handler(BaseHTTPRequestHandler):
    """Answers chat completions."""

    judge = Judge()

    def do_POST(self) -> None:
        """Answer a request."""
        asked = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        text = reply(asked["model"], self.judge, asked["messages"][-1]["content"])
        message = {"role": "assistant", "content": text}
        body = {"choices": [{"message": message, "finish_reason": "stop"}]}
        data = json.dumps({**body, "usage": {"total_tokens": len(text)}}).encode()
        self.send_response(200)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)


if __name__ == "__main__":
    ThreadingHTTPServer(("127.0.0.1", int(sys.argv[1])), Handler).serve_forever()
