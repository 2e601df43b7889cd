"""A benchmark against a real endpoint: every kind of reply lands in its own column."""

import gzip
import json
import tracemalloc
from collections import Counter
from functools import partial
from pathlib import Path

import pytest

from divisorduel.bots.llm.endpoint import MOST_BYTES, EndpointError
from divisorduel.bots.llm.trials import TrialMode
from tests.bots.llm.bench import Bench
from tests.bots.llm.fake_endpoint import Response, completion, playing, saying, serving


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path)


@pytest.mark.parametrize("mode", ["positions", "conversion"])
@pytest.mark.parametrize("key", ["antichain", "divider"])
def test_a_perfect_model_wins_every_trial(tmp_path: Path, mode: TrialMode, key: str) -> None:
    bench = Bench(tmp_path, mode, key=key)
    with serving(playing("perfect")) as endpoint:
        score = bench.score(endpoint)
    assert score.counts == {"winning": 6}
    assert score.interval[1] == 1
    kept, met = score.kept
    assert kept == met == bench.calls == len(endpoint.prompts)


@pytest.mark.parametrize("kind", ["random", "greedy"])
@pytest.mark.parametrize("mode", ["positions", "conversion"])
def test_a_random_or_greedy_model_scores_about_its_floor(
    tmp_path: Path, mode: TrialMode, kind: str
) -> None:
    bench = Bench(tmp_path, mode, count=40)
    with serving(playing(kind)) as endpoint:
        score = bench.score(endpoint)
    assert set(score.counts) == {"losing", "winning"}
    assert score.floors is not None
    floor = score.floors.greedy if kind == "greedy" else score.floors.chance
    low, high = score.interval
    assert low < floor < high


def test_games_that_reach_the_same_position_do_not_share_its_reply(bench: Bench) -> None:
    bench.mode, bench.key, bench.size, bench.count = "conversion", "divider", 12, 20
    with serving(playing("perfect")) as endpoint:
        score = bench.score(endpoint)
    often = Counter(endpoint.prompts).most_common(1)[0][1]
    assert often > 1
    assert bench.calls == score.kept[1] == len(endpoint.prompts)


@pytest.mark.parametrize("mode", ["positions", "conversion"])
def test_an_illegal_number_counts_as_illegal_and_not_as_losing(
    tmp_path: Path, mode: TrialMode
) -> None:
    with serving(saying("ANSWER: 1000")) as endpoint:
        score = Bench(tmp_path, mode).score(endpoint)
    assert score.counts == {"illegal": 6}
    assert score.kept == (0, 6)


@pytest.mark.parametrize(
    ("text", "cause"),
    [("", "empty"), ("I resign.", "unreadable"), ("ANSWER: 3 or 5", "unreadable"), (None, "empty")],
)
def test_a_reply_without_exactly_one_number_counts_as_no_answer(
    bench: Bench, text: str | None, cause: str
) -> None:
    with serving(lambda _prompt, _before: completion(text)) as endpoint:
        score = bench.score(endpoint)
    assert score.counts == {"no answer": 6}
    assert score.causes == {cause: 6}
    assert score.failed == 0


def test_a_reply_that_was_cut_off_is_not_read_even_if_it_seems_to_have_an_answer(
    bench: Bench,
) -> None:
    def cut(prompt: str, before: int) -> Response:
        whole = playing("perfect")(prompt, before).body
        return completion(whole["choices"][0]["message"]["content"], "length")

    with serving(cut) as endpoint:
        assert bench.counts(endpoint) == {"cut off": 6}


@pytest.mark.parametrize(
    "garbage",
    [b"", b"<html>", b"[" * 100_000, b'{"choices": []}', b'{"choices": [{"text": "3"}]}', b"\xff"],
)
def test_a_body_that_is_not_a_completion_counts_as_no_answer(bench: Bench, garbage: bytes) -> None:
    bench.count = 2
    with serving(lambda _prompt, _before: Response(garbage)) as endpoint:
        score = bench.score(endpoint, attempts=2)
    assert score.counts == {"no answer": 2}
    assert score.causes == {"not a completion": 2}
    assert (score.failed, score.retries, bench.calls) == (2, 2, 4)


@pytest.mark.parametrize("layers", [1, 2])
def test_a_compressed_body_is_not_decompressed_however_small_it_is(
    bench: Bench, layers: int
) -> None:
    data = json.dumps(completion("ANSWER: 3").body).encode() + b" " * 10 * MOST_BYTES
    for _ in range(layers):
        data = gzip.compress(data, 1)
    headers = {"Content-Encoding": ", ".join(["gzip"] * layers)}
    with serving(lambda _prompt, _before: Response(data, headers=headers)) as endpoint:
        bench.count = 1
        tracemalloc.start()
        try:
            score = bench.score(endpoint, attempts=2)
            _, most = tracemalloc.get_traced_memory()
        finally:
            tracemalloc.stop()
        assert set(endpoint.encodings) == {"identity"}
    assert score.counts == {"no answer": 1}
    assert score.causes == {"compressed": 1}
    assert most < 2 * MOST_BYTES


def test_a_body_that_is_too_long_counts_as_no_answer(bench: Bench) -> None:
    body = b" " * (MOST_BYTES + 1)
    with serving(lambda _prompt, _before: Response(body)) as endpoint:
        bench.count = 1
        assert bench.score(endpoint, attempts=1).causes == {"too long": 1}


def test_the_body_of_a_busy_endpoint_is_not_read(bench: Bench) -> None:
    body, headers = b" " * (MOST_BYTES + 1), {"Content-Encoding": "gzip"}
    with serving(lambda _prompt, _before: Response(body, 503, headers)) as endpoint:
        bench.count = 1
        assert bench.score(endpoint, attempts=1).causes == {"HTTP 503": 1}


def test_an_endpoint_that_always_fails_counts_as_no_answer_and_the_cause_is_reported(
    bench: Bench,
) -> None:
    with serving(lambda _prompt, _before: Response({}, 500)) as endpoint:
        score = bench.score(endpoint, attempts=3)
    assert score.counts == {"no answer": 6}
    assert score.causes == {"HTTP 500": 6}
    assert (score.failed, score.retries, bench.calls) == (6, 12, 18)
    assert bench.waits == [1, 2] * 6


def test_a_rate_limit_is_waited_out_and_the_retry_is_reported(bench: Bench) -> None:
    perfect = playing("perfect")

    def limited(prompt: str, before: int) -> Response:
        wait = Response({}, 429, {"Retry-After": "17"})
        return wait if before == 0 else perfect(prompt, before)

    with serving(limited) as endpoint:
        score = bench.score(endpoint)
    assert score.counts == {"winning": 6}
    assert score.retries == 6
    assert bench.waits == [17] * 6


def test_a_rate_limit_that_lasts_counts_as_no_answer_and_costs_nothing(bench: Bench) -> None:
    bench.tokens = 2000
    with serving(lambda _prompt, _before: Response({}, 429, {"Retry-After": "1"})) as endpoint:
        score = bench.score(endpoint)
    assert score.causes == {"HTTP 429": 6}


def test_an_endpoint_that_asks_to_wait_for_hours_stops_the_run(bench: Bench) -> None:
    later = Response({}, 429, {"Retry-After": "7200"})
    with serving(lambda _prompt, _before: later) as endpoint, pytest.raises(EndpointError) as found:
        bench.run(endpoint)
    assert str(found.value).startswith("The endpoint asks us to wait 7,200 seconds (HTTP 429).")
    assert bench.waits == []


def test_an_endpoint_that_hangs_counts_as_no_answer(bench: Bench) -> None:
    bench.count = 2
    with serving(lambda _prompt, _before: Response(is_hanging=True)) as endpoint:
        score = bench.score(endpoint, seconds=0.05, attempts=2)
    assert score.causes == {"timeout": 2}
    assert (score.failed, score.retries) == (2, 2)


def test_a_refusal_that_is_compressed_or_too_long_stops_the_run_and_is_not_quoted(
    bench: Bench,
) -> None:
    long = {"error": {"message": "x" * MOST_BYTES}}
    packed = gzip.compress(json.dumps({"error": {"message": "No."}}).encode())
    for refusal in (Response(long, 401), Response(packed, 401, {"Content-Encoding": "gzip"})):
        behaviour = partial(lambda refusal, _prompt, _before: refusal, refusal)
        with serving(behaviour) as endpoint, pytest.raises(EndpointError) as found:
            bench.run(endpoint)
        expected = "The endpoint answers HTTP 401. Check --url, --model and the key."
        assert str(found.value) == expected


def test_a_refused_key_stops_the_run_and_is_not_shown(bench: Bench) -> None:
    body = {"error": {"message": "Incorrect API key provided:\n secret-7."}}
    with serving(lambda _prompt, _before: Response(body, 401)) as endpoint:
        with pytest.raises(EndpointError) as found:
            bench.run(endpoint, key="secret-7")
        assert endpoint.keys == ["Bearer secret-7"]
    assert str(found.value) == "The endpoint answers HTTP 401: Incorrect API key provided: …."
    assert "secret-7" not in (bench.folder / "replies.jsonl").read_text()


def test_the_key_is_in_no_file_even_if_the_endpoint_repeats_it(bench: Bench) -> None:
    with serving(saying("Your key is secret-7.")) as endpoint:
        run = bench.run(endpoint, key="secret-7")
        assert set(endpoint.keys) == {"Bearer secret-7"}
    assert {result.reply for result in run.results.values()} == {"Your key is …."}
    assert [*bench.folder.iterdir()] == [bench.folder / "replies.jsonl"]
    assert "secret-7" not in (bench.folder / "replies.jsonl").read_text()


def test_the_key_is_in_no_file_even_if_the_finish_reason_contains_it(bench: Bench) -> None:
    with serving(saying("ANSWER: 3", finish="Bearer secret-7")) as endpoint:
        bench.run(endpoint, key="secret-7")
    assert "secret-7" not in (bench.folder / "replies.jsonl").read_text()


def test_a_key_that_no_header_can_hold_is_refused_and_not_shown(bench: Bench) -> None:
    with serving(playing("perfect")) as endpoint, pytest.raises(EndpointError) as found:
        bench.run(endpoint, key="secret\n7")
    assert "secret" not in str(found.value)


def test_an_endpoint_that_is_not_there_stops_the_run(bench: Bench) -> None:
    with serving(playing("perfect")) as endpoint:
        pass
    with pytest.raises(EndpointError, match="Cannot connect to the endpoint"):
        bench.run(endpoint)
    with serving(playing("perfect")) as endpoint:
        assert bench.counts(endpoint) == {"winning": 6}


def test_a_redirect_is_not_followed(bench: Bench) -> None:
    moved = Response({}, 307, {"Location": "http://127.0.0.1:9/"})
    with serving(lambda _prompt, _before: moved) as endpoint:
        with pytest.raises(EndpointError, match="HTTP 307"):
            bench.run(endpoint, key="secret-7")
        assert len(endpoint.prompts) == 1


@pytest.mark.parametrize("mode", ["positions", "conversion"])
@pytest.mark.parametrize("jobs", [1, 4])
def test_a_rerun_makes_no_call_and_gives_the_same_result(
    tmp_path: Path, mode: TrialMode, jobs: int
) -> None:
    bench = Bench(tmp_path, mode)
    with serving(playing("random")) as endpoint:
        first = bench.run(endpoint, jobs=jobs)
        asked = sum(one.asked for one in first.results.values())
        assert bench.calls == len(endpoint.prompts) == asked
        again = bench.run(endpoint, jobs=5 - jobs)
        assert bench.calls == 0
    assert again.results == first.results


def test_failed_requests_are_not_sent_again_unless_the_user_asks(bench: Bench) -> None:
    with serving(lambda _prompt, _before: Response({}, 503)) as endpoint:
        bench.run(endpoint, attempts=1)
        endpoint.behaviour = playing("perfect")
        assert bench.counts(endpoint) == {"no answer": 6}
        assert bench.calls == 0
        score = bench.score(endpoint, resend_failures=True)
    assert score.counts == {"winning": 6}
    assert (bench.calls, score.retries) == (6, 6)


def test_a_longer_run_reuses_the_replies_of_a_shorter_one(bench: Bench) -> None:
    with serving(playing("greedy")) as endpoint:
        bench.run(endpoint)
        bench.count = 10
        bench.run(endpoint)
    assert bench.calls == 4


@pytest.mark.parametrize("mode", ["positions", "conversion"])
@pytest.mark.parametrize("jobs", [1, 4])
def test_the_budget_is_never_exceeded_and_what_is_done_counts(
    tmp_path: Path, mode: TrialMode, jobs: int
) -> None:
    bench = Bench(tmp_path, mode, tokens=9000)
    perfect = playing("perfect")
    with serving(
        lambda prompt, before: completion(_said(perfect(prompt, before)), tokens=None)
    ) as e:
        run = bench.run(e, jobs=jobs)
        costs = [run.plan.model.request(prompt).cost for prompt in e.prompts]
        assert sum(costs) <= 9000 < sum(costs) + 2 * min(costs)
        assert not run.is_complete
        assert [one.outcome for one in run.counted(0)] == ["winning"] * len(run.counted(0))
        bench.run(e, jobs=jobs)
        assert bench.calls == 0
        bench.tokens = 1_000_000
        done = bench.run(e, jobs=jobs)
    assert done.is_complete
    assert len(e.prompts) == sum(one.asked for one in done.results.values())


def test_a_request_is_not_sent_if_its_reply_might_not_fit(bench: Bench) -> None:
    bench.tokens = 1500
    with serving(playing("perfect")) as endpoint:
        run = bench.run(endpoint)
        assert endpoint.prompts == []
    assert run.results == {}


def test_a_reported_use_frees_the_rest_of_the_reservation(bench: Bench) -> None:
    bench.tokens = 3000
    with serving(playing("perfect")) as endpoint:  # each uses 100 tokens, and reserves over 1,500
        assert bench.run(endpoint).is_complete


def test_failed_requests_count_in_full(bench: Bench) -> None:
    bench.tokens = 9000
    with serving(lambda _prompt, _before: Response({}, 500)) as endpoint:
        assert not bench.run(endpoint, attempts=3).is_complete
        assert len(endpoint.prompts) in (4, 5)


def test_by_default_the_prompt_does_not_list_the_legal_moves(bench: Bench) -> None:
    with serving(playing("perfect")) as endpoint:
        bench.run(endpoint)
        assert not any("Legal moves" in prompt for prompt in endpoint.prompts)
        assert {body["max_tokens"] for body in endpoint.bodies} == {1000}
        assert {key for body in endpoint.bodies for key in body} == {
            "model",
            "messages",
            "max_tokens",
        }


def _said(response: Response) -> str:
    return str(response.body["choices"][0]["message"]["content"])
