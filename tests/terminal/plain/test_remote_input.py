"""What is typed in a match on a server."""

from divisorduel.terminal.plain.input_parser import Word
from divisorduel.terminal.plain.remote_input import read_remote_line


def test_save_needs_no_file_name_because_the_server_saves_the_game() -> None:
    assert read_remote_line("save") == Word("save")
    assert read_remote_line(" SAVE ") == Word("save")
