"""Attacks on the wire: a short run, and the frames they send."""

from pathlib import Path

import pytest
from websockets.exceptions import ProtocolError
from websockets.frames import Frame, Opcode
from websockets.streams import StreamReader

from attack.bystander import MOST_GROWTH, Noticed
from attack.campaigns.wire.http_attacks import HTTP_ATTACKS
from attack.campaigns.wire.websocket_attacks import WEBSOCKET_ATTACKS, WRONG_FRAMES
from attack.raw_connection import TEXT, frame
from tests.attack.short_form import run_short


@pytest.mark.thorough
# The attackers leave thousands of connections without closing them.
@pytest.mark.filterwarnings("ignore:.*StreamWriter:pytest.PytestUnraisableExceptionWarning")
def test_no_one_else_notices_an_attack_on_the_wire(tmp_path: Path) -> None:
    context = run_short("wire", tmp_path)
    assert context.tried == len(HTTP_ATTACKS) + len(WEBSOCKET_ATTACKS) > 30


@pytest.mark.parametrize("size", [0, 1, 125, 126, 65_535, 65_536])
def test_a_frame_of_any_size_is_read_back(size: int) -> None:
    text = b"x" * size
    assert parsed(frame(TEXT, text)) == Frame(Opcode.TEXT, text)


@pytest.mark.parametrize(
    "name", [name for name in WRONG_FRAMES if "opcode" in name or "reserved" in name]
)
def test_a_wrong_frame_breaks_the_protocol(name: str) -> None:
    with pytest.raises(ProtocolError):
        parsed(WRONG_FRAMES[name])


def parsed(data: bytes) -> Frame:
    stream = StreamReader()
    stream.feed_data(data)
    parsing = Frame.parse(stream.read_exact, mask=True, max_size=None)
    try:
        while True:
            next(parsing)
    except StopIteration as done:
        found: Frame = done.value
        return found


def probe(seconds: float = 0.1, *, competitors: int = 0, failure: str = "") -> dict[str, object]:
    return {"what": "move", "seconds": seconds, "competitors": competitors, "failure": failure}


def test_a_bystander_notices_failures_delays_and_memory_growth() -> None:
    assert [*Noticed([probe()]).problems(1.0)] == []
    slow, broken = Noticed([probe(), probe(2.5)]), Noticed([probe(failure="reset")])
    assert [*slow.problems(1.0)] == ["move took 2.50 s"]
    assert [*broken.problems(1.0)] == ["1 of 1 failed, first move: reset"]
    large = Noticed([probe()], growth=MOST_GROWTH + (1 << 20))
    assert [*large.problems(1.0)] == ["the server's memory grew by 251 MB"]


def test_a_busy_machine_is_given_more_time() -> None:
    assert [*Noticed([probe(2.5, competitors=1_000)]).problems(1.0)] == []
