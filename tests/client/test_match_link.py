"""Links are read as they are copied, and written as the page writes them."""

import pytest

from divisorduel import ClientError, MatchLink

LINK = "https://duel.example.org:8443/#/match/k3v9h2m8qa/Ab_-12"


@pytest.mark.parametrize("text", [LINK, f"  {LINK}\n", LINK.replace("/#", "#"), f"{LINK}"])
def test_a_link_is_read_and_written(text: str) -> None:
    link = MatchLink.read(text)
    assert (link.server, link.match_id, link.key) == (
        "https://duel.example.org:8443",
        "k3v9h2m8qa",
        "Ab_-12",
    )
    assert str(link) == LINK
    assert "Ab_-12" not in repr(link)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "k3v9h2m8qa",
        "https://duel.example.org/",
        "https://duel.example.org/#/rules/chain",
        "https://duel.example.org/#/match/k3v9h2m8qa/",
        "https://duel.example.org/#/match/../KEY",
        "https://duel.example.org/path/#/match/k3v9h2m8qa/KEY",
        "file:///etc/passwd#/match/k3v9h2m8qa/KEY",
        "https://user:word@duel.example.org/#/match/k3v9h2m8qa/KEY",
        "https://duel.example.org:99999999/#/match/k3v9h2m8qa/KEY",
        "https://[::1/#/match/k3v9h2m8qa/KEY",
        "https:///#/match/k3v9h2m8qa/KEY",
        "https://a\u0000b/#/match/k3v9h2m8qa/KEY",
    ],
)
def test_other_texts_are_refused_with_a_sentence(text: str) -> None:
    with pytest.raises(ClientError) as refused:
        MatchLink.read(text)
    assert refused.value.code == "bad-link"
    assert str(refused.value).endswith(".")


@pytest.mark.parametrize("place", ["turn/4", "review", "round/2/turn/4", "round/12/review", ""])
def test_a_link_to_a_turn_or_a_review_leads_to_its_match(place: str) -> None:
    assert str(MatchLink.read(f"{LINK}/{place}")) == LINK
    with pytest.raises(ClientError, match="has no key"):
        MatchLink.read(f"https://duel.example.org/#/match/k3v9h2m8qa/{place}")


@pytest.mark.parametrize("place", ["turn", "turn/x", "other", "review/3", "turn/4/turn/5"])
def test_a_link_to_another_place_is_refused(place: str) -> None:
    with pytest.raises(ClientError):
        MatchLink.read(f"{LINK}/{place}")
