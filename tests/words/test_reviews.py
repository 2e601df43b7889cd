"""Reviews in English, as JSON, as annotated records and as a page."""

import json
import xml.etree.ElementTree as ET
from dataclasses import replace

import pytest

from divisorduel import read_records
from divisorduel import write_records as write
from divisorduel.coach.review import review
from divisorduel.record.check import check_record
from divisorduel.words.review_page import review_page
from divisorduel.words.reviews import (
    line_text,
    refutation,
    remark,
    review_json,
    review_record,
    review_text,
    summary,
)
from tests.coach.test_review import SAMPLE, only_record


def test_an_annotated_record_is_a_valid_record() -> None:
    annotated = review_record(review(only_record(SAMPLE)))
    check_record(annotated)
    [again] = read_records(write([annotated]))
    assert again == annotated
    assert "Mistake! 4 would have won." in write([annotated])


def test_the_json_has_every_turn() -> None:
    data = json.loads(json.dumps(review_json(review(only_record(SAMPLE)))))
    assert [turn["mistake"] for turn in data["turns"]] == [False, True, *[False] * 5]
    assert data["turns"][1]["better"] == [4]


def test_the_page_is_well_formed_and_loads_nothing() -> None:
    page = review_page(review(only_record(SAMPLE)))
    ET.fromstring(
        page.removeprefix("<!doctype html>\n")
        .replace('<meta charset="utf-8">', "")
        .replace('<meta name="viewport" content="width=device-width, initial-scale=1">', "")
    )
    assert "&lt;Bob&gt;" in page
    assert "<Bob>" not in page
    assert "http" not in page
    assert page.count("<svg") == 2


def test_losing_a_won_game_by_a_wrong_number_is_mentioned() -> None:
    text = '[Game "descent"]\n[Board "16"]\n[Termination "wrong number 3"]\n\n0-1\n'
    found = review(only_record(text.replace("\n\n0-1", "\n\n 0-1")))
    assert summary(found).startswith("Player 1 made 1 mistake and Player 2 made no mistakes.")
    said = "Player 1 could have won at the end, but took 3, a wrong number. 2 would have won."
    assert said in summary(found)
    assert list(review_text(found))[-1] == summary(found)


def test_annotating_twice_repeats_nothing() -> None:
    once = review_record(review(only_record(SAMPLE)))
    assert review_record(review(once)) == once


def test_a_forfeit_out_of_turn_names_no_moves() -> None:
    text = '[Game "chain"]\n[Board "2-50"]\n[Termination "forfeit"]\n\n1. 8 0-1\n'
    assert "would have won" not in summary(review(only_record(text)))


def test_a_review_has_a_heading_a_line_for_each_turn_and_a_summary() -> None:
    found = review(only_record(SAMPLE))
    heading, first, second, *_, last = review_text(found)
    assert heading == "Review of Divisor Duel, even numbers 2 to 20: Ann against <Bob>"
    assert first == "Turn 1: Ann took 12."
    assert second == ("Turn 2: <Bob> took 6. Mistake! 4 would have won. 6 loses to 18.")
    assert last == summary(found)


def test_the_refutation_of_a_mistake_is_shown_on_request() -> None:
    found = review(only_record(SAMPLE))
    assert [line for line in review_text(found, lines=True) if "Mistake" in line] == [
        (
            "Turn 2: <Bob> took 6. Mistake! 4 would have won. 6 loses to 18. "
            "The shortest win: 18, 2, 14."
        )
    ]
    page = review_page(found)
    shown = "<details><summary>Show the moves</summary>The shortest win: 18, 2, 14.</details>"
    assert f"6 loses to 18.{shown}" in page


def test_a_mistake_that_one_move_refutes_is_explained_in_a_sentence() -> None:
    found = review(only_record(SAMPLE))
    [mistake] = found.mistakes
    quick = replace(mistake, line=(18,))
    assert refutation(quick) == "4 would have won. 6 loses to 18, which leaves no move."
    assert line_text(quick) == ""
    assert "Show the moves" not in review_page(replace(found, judgements=(quick,)))


def test_a_line_that_may_not_be_the_shortest_says_so() -> None:
    [mistake] = review(only_record(SAMPLE)).mistakes
    assert line_text(replace(mistake, shortest=False)) == (
        "For example: 18, 2, 14 (there may be a shorter win)."
    )
    assert refutation(replace(mistake, line=())) == "4 would have won. 6 loses to 18."
    assert line_text(replace(mistake, line=())) == ""


def test_the_page_cuts_long_names_with_an_ellipsis_and_numbers_the_turns() -> None:
    record = only_record(SAMPLE.replace("Ann", "Annabelle Lee-Smith"))
    page = review_page(review(record))
    assert ">Annabelle L…</text>" in page
    for turn in range(1, 8):
        assert f'opacity="0.7">{turn}</text>' in page


@pytest.mark.parametrize(
    ("better", "said"),
    [
        ((4,), "4 would have won."),
        ((6, 8), "6 or 8 would have won."),
        ((2, 6, 8), "2, 6 or 8 would have won."),
        (tuple(range(2, 20)), "2, 3, 4, 5, 6, 7, 8, 9, 10, 11 or one of 8 others would have won."),
    ],
)
def test_the_moves_that_would_have_won_are_listed(better: tuple[int, ...], said: str) -> None:
    [mistake] = review(only_record(SAMPLE)).mistakes
    assert refutation(replace(mistake, better=better, answer=None)) == said


def test_a_move_that_could_not_be_judged_is_not_called_good() -> None:
    [mistake] = review(only_record(SAMPLE)).mistakes
    assert remark(replace(mistake, mistake=None)).startswith("(This position is too large")
    assert remark(replace(mistake, mistake=False)) == ""
