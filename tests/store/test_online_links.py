"""The links to a person's own seats are kept, and kept secret."""

import json
import os
import stat
from pathlib import Path

from divisorduel.store.online_links import OnlineLinks

ONE, TWO = (f"http://127.0.0.1:9/#/match/abcdefghi{n}/KEY" for n in (1, 2))


def test_links_are_listed_newest_first_until_they_are_forgotten(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "online"
    links = OnlineLinks(folder)
    assert links.newest_first() == []
    links.forget(ONE)
    for link, about in ((ONE, "chain"), (TWO, "Zoë and Bob"), (ONE, "chain, turn 3")):
        links.remember(link, about)
        for path in folder.iterdir():
            os.utime(path, (path.stat().st_mtime - 10,) * 2)
    assert [(one.link, one.about) for one in links.newest_first()] == [
        (ONE, "chain, turn 3"),
        (TWO, "Zoë and Bob"),
    ]
    links.forget(ONE)
    links.forget(ONE)
    assert [one.link for one in links.newest_first()] == [TWO]


def test_only_the_user_can_read_a_link_and_open_the_folder(tmp_path: Path) -> None:
    before = os.umask(0)
    try:
        OnlineLinks(tmp_path / "online").remember(ONE, "chain")
    finally:
        os.umask(before)
    [path] = (tmp_path / "online").iterdir()
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE((tmp_path / "online").stat().st_mode) == 0o700


def test_a_damaged_file_does_not_hide_the_other_links(tmp_path: Path) -> None:
    links = OnlineLinks(tmp_path)
    links.remember(ONE, "chain")
    for number, content in enumerate((b"", b"{}", b"[]", b"\xff", b'"text"', b"[" * 100_000)):
        (tmp_path / f"{number}.json").write_bytes(content)
    assert [one.link for one in links.newest_first()] == [ONE]


def test_odd_entries_in_the_folder_hide_no_link(tmp_path: Path) -> None:
    links = OnlineLinks(tmp_path)
    links.remember(ONE, "chain")
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "loop.json").symlink_to("loop.json")
    (tmp_path / "device.json").symlink_to("/dev/zero")
    (tmp_path / "folder.json").mkdir()
    assert [one.link for one in links.newest_first()] == [ONE]


def test_a_link_says_when_it_was_last_used(tmp_path: Path) -> None:
    links = OnlineLinks(tmp_path)
    links.remember(ONE, "chain")
    [path] = tmp_path.iterdir()
    os.utime(path, (1_000_000, 1_000_000))
    [found] = links.newest_first()
    assert found.used_at == found.when.timestamp() == 1_000_000


def test_a_link_that_an_older_version_remembered_is_the_same_link(tmp_path: Path) -> None:
    old = tmp_path / "55c63325831718b697c3.json"
    old.write_text(json.dumps({"link": ONE, "about": "chain"}))
    links = OnlineLinks(tmp_path)
    links.remember(ONE, "chain, turn 3")
    assert [(one.link, one.about) for one in links.newest_first()] == [(ONE, "chain, turn 3")]
    links.forget(ONE)
    assert [*tmp_path.iterdir()] == []
