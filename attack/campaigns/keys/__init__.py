"""Every call and every WebSocket message with every kind of key, made from the descriptions."""

from contextlib import closing

from attack.campaign import Context
from attack.campaigns.keys.calls import Calls
from attack.campaigns.keys.connections import Connections
from attack.campaigns.keys.made_up_keys import try_made_up_keys
from attack.servers import NO_LIMITS, databases, serving
from tests.web.clients import new_match


def run(context: Context) -> None:
    """Try all keys on each database; in the short form on SQLite only."""
    with databases(context) as known:
        for name, make in known.items():
            if context.full or name == "sqlite":
                _run_on(context, make())


def _run_on(context: Context, database: str) -> None:
    with serving(context, *NO_LIMITS, database=database) as server:
        with new_match(server.url) as other:
            other.join()
            with closing(Calls(context, server.url, other)) as calls:
                calls.try_all()
            Connections(context, server.url, other).try_all()
            try_made_up_keys(context, server.url)
        log = server.log.read_text(errors="replace")
        with context.attempt("read the log"):
            assert "Traceback" not in log, log[-2_000:]
            assert "Exception in ASGI" not in log, log[-2_000:]
