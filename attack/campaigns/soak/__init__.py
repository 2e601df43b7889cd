"""Play for hours and keep 100,000 matches; memory, descriptors, tasks and waits stay bounded."""

from contextlib import ExitStack

from attack.campaign import Context
from attack.campaigns.soak.steady_load import CACHED, SteadyLoad
from attack.campaigns.soak.stored_matches import many_stored_matches
from attack.servers import NewDatabase, databases

MINUTES = 30.0
SHORT_ROUNDS = 6


def run(context: Context) -> None:
    """Measure a server with many stored matches, then play on others until the time is up."""
    with databases(context) as kinds:
        for kind, new_database in kinds.items():
            with context.attempt("many stored matches", database=kind):
                many_stored_matches(context, kind, new_database)
        _play(context, kinds)


def _play(context: Context, kinds: dict[str, NewDatabase]) -> None:
    with ExitStack() as stack:
        loads = []
        for kind, new_database in kinds.items():
            load = SteadyLoad(context, kind, new_database())
            stack.enter_context(load.server)
            load.warm_up(context.scaled(CACHED + CACHED // 10, 20))
            loads.append(load)
        rounds = 0
        while context.seconds_left and (context.full or rounds < SHORT_ROUNDS):
            rounds += 1
            for load in loads:
                with context.attempt("a round of play", number=rounds):
                    load.cycle()
        for load in loads:
            with context.attempt("compare the beginning and the end"):
                context.note(load.check())
