"""The program in docs/api.md plays a match to its end."""

import re
import subprocess
import sys
from pathlib import Path

from tests.polling import wait_until
from tests.web.clients import Server, new_match

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()


def test_the_program_on_the_page_wins_a_game_it_can_win(web: Server, tmp_path: Path) -> None:
    program, creating = re.findall(r"```python\n(.*?)```", PAGE, flags=re.DOTALL)
    file = tmp_path / "robot.py"
    file.write_text(program)
    with new_match(web.url, board={"to": 8}, first="1") as match:
        link = f"{web.url}/#/match/{match.id}/{match.keys['2']}"
        with subprocess.Popen([sys.executable, file, link]) as robot:
            for _ in wait_until("the robot has joined"):
                seen = match.one.see()
                if seen["to_move"] == 1:
                    match.one.take(seen["legal"][0] if seen["turns"] else 6)  # 6 loses
                if seen["winner"]:
                    break
            assert robot.wait(60) == 0
        assert match.one.see()["winner"] == 2
        assert match.one.see()["names"] == ["Ann", "Robot"]
    compile(creating, "docs/api.md", "exec")
    file.write_text(creating.replace("http://127.0.0.1:8721", web.url))
    done = subprocess.run([sys.executable, file], capture_output=True, text=True, check=True)
    assert done.stdout.count("/#/match/") == 3
