"""The example that offers the built-in players as models works as its first lines say."""

import threading
from http.server import ThreadingHTTPServer
from pathlib import Path

from examples.player_endpoint import Handler
from tests.bots.llm.bench import Bench


def test_the_built_in_players_are_models(tmp_path: Path) -> None:
    with ThreadingHTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        try:
            bench = Bench(tmp_path, "conversion", key="divider", count=3, model="perfect")
            run = bench.run(f"http://127.0.0.1:{server.server_address[1]}/v1")
        finally:
            server.shutdown()
            thread.join()
    assert [result.outcome for result in run.counted(0)] == ["winning"] * 3
