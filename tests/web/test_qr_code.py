"""QR codes say what they should."""

import numpy as np
import pytest
import zxingcpp
from hypothesis import given, settings
from hypothesis import strategies as st

from divisorduel.web.qr_code import qr_code
from tests.conftest import examples

LINK = "http://192.168.100.123:8721/#/match/k3v9h2m8qa/Zq0_-bcdefghijklmnopqrst"


def decoded(rows: list[str], margin: int = 4, scale: int = 4) -> str:
    """Return what a reader of QR codes sees."""
    dark = np.array([[module == "1" for module in row] for row in rows])
    image = np.where(np.pad(dark, margin), np.uint8(0), np.uint8(255))
    [found] = zxingcpp.read_barcodes(np.kron(image, np.ones((scale, scale), np.uint8)))
    return str(found.text)


def test_a_qr_code_is_a_square_with_three_corner_marks() -> None:
    rows = qr_code(LINK)
    assert {len(row) for row in rows} == {len(rows)}
    assert {*"".join(rows)} == {"0", "1"}
    for top, left in ((0, 0), (0, -7), (-7, 0)):
        corner = [row[left:][:7] for row in rows[top:][:7]]
        assert corner == ["1111111", "1000001", *3 * ["1011101"], "1000001", "1111111"]


@pytest.mark.parametrize("link", [LINK, "x", "~" * 300, "0" * 300])
def test_another_program_reads_the_link_from_the_code(link: str) -> None:
    assert decoded(qr_code(link)) == link


@settings(max_examples=examples(60), deadline=None)
@given(st.text(st.characters(min_codepoint=33, max_codepoint=126), min_size=1, max_size=300))
def test_another_program_reads_any_text_from_its_code(text: str) -> None:
    assert decoded(qr_code(text)) == text
