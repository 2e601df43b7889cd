"""Requests: what they contain, how they are named, and what they can cost."""

import json

import pytest

from divisorduel.bots.llm.chat_request import RESERVED_FIELDS, LanguageModel, RequestError


@pytest.mark.parametrize(
    ("url", "endpoint"),
    [
        ("http://localhost:8000/v1", "http://localhost:8000/v1/chat/completions"),
        ("http://localhost:8000/v1/", "http://localhost:8000/v1/chat/completions"),
        ("https://[::1]/v1/chat/completions", "https://[::1]/v1/chat/completions"),
        ("https://a.example/x?version=2", "https://a.example/x/chat/completions?version=2"),
    ],
)
def test_the_address_may_have_any_usual_form(url: str, endpoint: str) -> None:
    assert LanguageModel(url, "m").endpoint == endpoint
    assert "?" not in LanguageModel(url, "m").shown_url


@pytest.mark.parametrize(
    "url",
    ["", "localhost:8000", "ftp://a/v1", "http://", "http://a:x/v1", "http://a b/", "http://["],
)
def test_what_is_not_an_address_is_refused(url: str) -> None:
    with pytest.raises(RequestError, match="Not the address of an endpoint"):
        LanguageModel(url, "m")


def test_an_address_with_a_password_is_refused_and_not_repeated() -> None:
    with pytest.raises(RequestError) as found:
        LanguageModel("https://me:secret@a.example/v1", "m")
    assert "secret" not in str(found.value)


@pytest.mark.parametrize("name", sorted(RESERVED_FIELDS))
def test_a_parameter_cannot_change_the_score_or_the_budget(name: str) -> None:
    with pytest.raises(RequestError, match=f"'{name}' cannot be set"):
        LanguageModel("http://a/v1", "m", parameters={name: 2})


def test_parameters_and_the_name_of_the_limit_are_sent() -> None:
    model = LanguageModel("http://a/v1", "m", 50, "max_completion_tokens", {"temperature": 0})
    assert json.loads(model.request("Hello").body) == {
        "model": "m",
        "messages": [{"role": "user", "content": "Hello"}],
        "max_completion_tokens": 50,
        "temperature": 0,
    }


def test_the_key_of_a_request_depends_on_all_of_it() -> None:
    models = [
        LanguageModel("http://a/v1", "m"),
        LanguageModel("http://b/v1", "m"),
        LanguageModel("http://a/v1", "n"),
        LanguageModel("http://a/v1", "m", 10),
        LanguageModel("http://a/v1", "m", parameters={"temperature": 0}),
    ]
    keys = {model.request(prompt).key for model in models for prompt in ("one", "two")}
    assert len(keys) == 10


def test_each_purpose_has_its_own_cached_reply_and_is_not_sent() -> None:
    model = LanguageModel("http://a/v1", "m")
    one, two = model.request("Hello", "game 1"), model.request("Hello", "game 2")
    assert one.body == two.body == model.request("Hello").body
    assert len({one.key, two.key, model.request("Hello").key}) == 3


def test_the_cost_has_room_for_a_prompt_with_one_token_for_each_byte() -> None:
    request = LanguageModel("http://a/v1", "m", 70).request("ü" * 100)
    assert request.cost > 200 + 70
