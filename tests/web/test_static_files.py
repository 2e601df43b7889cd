"""Files are compressed as the client asks, cached, and sent again only when they change."""

import gzip
from pathlib import Path

import brotli
import httpx
import pytest

from divisorduel.web.page_files import FOLDER
from divisorduel.web.security import HEADERS
from divisorduel.web.static_files import IMMUTABLE, StaticFile, best_coding
from tests.web.clients import NO_TLS, Server

STYLE = "/static/style.css"
CONTENT = (FOLDER / "style.css").read_bytes()


def ask(web: Server, path: str = STYLE, method: str = "GET", **headers: str) -> httpx.Response:
    """Send a request; the header Accept-Encoding is missing unless it is given."""
    sent = {"accept-encoding": "", **{name.replace("_", "-"): to for name, to in headers.items()}}
    return httpx.request(method, web.url + path, headers=sent, verify=NO_TLS)


def raw(web: Server, accepted: str) -> tuple[httpx.Headers, bytes]:
    """Return the headers and the body of an answer as they were sent."""
    with httpx.stream(
        "GET", web.url + STYLE, headers={"accept-encoding": accepted}, verify=NO_TLS
    ) as answer:
        return answer.headers, b"".join(answer.iter_raw())


@pytest.mark.parametrize(
    ("accepted", "coding"),
    [
        ("", ""),
        ("identity", ""),
        ("gzip", "gzip"),
        ("gzip, deflate", "gzip"),
        ("gzip, deflate, br, zstd", "br"),
        ("BR;q=0.1,gzip", "br"),
        ("br;q=0, gzip;q=0.5", "gzip"),
        ("gzip;q=0", ""),
        ("*", "br"),
        ("br;q=0, *", "gzip"),
        ("*;q=0", ""),
        ("br;q=nan, gzip;q=", "gzip"),
        ("br;level=9, ;;, =, gzip;q=x", ""),
        ("compress", ""),
    ],
)
def test_the_encoding_is_the_best_one_that_the_client_accepts(accepted: str, coding: str) -> None:
    assert best_coding(accepted) == coding


def test_each_encoding_is_smaller_and_decodes_to_the_file(web: Server) -> None:
    decoders = {"br": brotli.decompress, "gzip": gzip.decompress}
    for coding, decode in decoders.items():
        headers, body = raw(web, coding)
        assert headers["content-encoding"] == coding
        assert int(headers["content-length"]) == len(body) < len(CONTENT) / 2
        assert decode(body) == CONTENT
    headers, body = raw(web, "")
    assert "content-encoding" not in headers
    assert body == CONTENT


def test_a_file_that_does_not_become_smaller_is_sent_as_it_is() -> None:
    for file in (StaticFile(b"6|2", "text/css"), StaticFile(b"0" * 9999, "image/png")):
        assert file.encoded("br") == file.encoded("gzip") == ("", file.content)


@pytest.mark.parametrize("path", ["/", "/docs", STYLE, "/static/main.js", "/service-worker.js"])
def test_a_client_that_has_the_file_is_told_so(web: Server, path: str) -> None:
    etags = set()
    for accepted in ("", "gzip", "br"):
        first = ask(web, path, accept_encoding=accepted)
        etag = first.headers["etag"]
        etags.add(etag)
        for known in (etag, f"W/{etag}", f'"other", {etag}', "*"):
            again = ask(web, path, accept_encoding=accepted, if_none_match=known)
            assert (again.status_code, again.content) == (304, b""), known
            for name in ("etag", "vary", "cache-control", *HEADERS):
                assert again.headers[name] == first.headers[name]
        for unknown in ('"other"', etag.strip('"'), ""):
            assert ask(web, path, accept_encoding=accepted, if_none_match=unknown).is_success
    assert len(etags) == 3  # a strong ETag belongs to one sequence of bytes
    assert all(etag[0] == etag[-1] == '"' for etag in etags)


@pytest.mark.parametrize("accepted", ["", "gzip", "br"])
def test_every_answer_with_a_file_says_what_it_depends_on(web: Server, accepted: str) -> None:
    for path in ("/", STYLE):
        answer = ask(web, path, accept_encoding=accepted)
        assert answer.headers["vary"] == "Accept-Encoding"
        assert answer.headers["cache-control"] == "no-cache"
        assert {name: answer.headers[name] for name in HEADERS} == HEADERS


@pytest.mark.parametrize("accepted", ["", "gzip", "br"])
def test_head_has_the_headers_of_get_and_no_body(web: Server, accepted: str) -> None:
    head = ask(web, method="HEAD", accept_encoding=accepted)
    whole = ask(web, accept_encoding=accepted)
    assert head.content == b""
    for answer in (head, whole):
        del answer.headers["date"]
    assert head.headers == whole.headers


@pytest.mark.parametrize("wanted", ["bytes=0-9", "bytes=-5", "bytes=0-1,4-5", "bytes=9999999-"])
def test_a_request_for_a_range_gets_the_whole_file(web: Server, wanted: str) -> None:
    answer = ask(web, range=wanted)
    assert (answer.status_code, answer.content) == (200, CONTENT)
    assert "content-range" not in answer.headers


def test_other_methods_are_refused(web: Server) -> None:
    for method in ("POST", "PUT", "DELETE"):
        assert ask(web, method=method).status_code == 405


def test_a_file_under_its_version_is_cached_forever(web: Server) -> None:
    page = ask(web, "/").text
    [address] = {word for word in page.split('"') if word.endswith("/joined/style.css")}
    base = address.removesuffix("joined/style.css")
    assert base != "/static/"
    answer = ask(web, f"{base}style.css")
    assert (answer.content, answer.headers["cache-control"]) == (CONTENT, IMMUTABLE)
    assert ask(web, f"{base}style.css", if_none_match=answer.headers["etag"]).status_code == 304


def test_a_file_under_another_version_leads_to_the_current_one(web: Server) -> None:
    answer = ask(web, "/static/000000000000/style.css")
    assert (answer.status_code, answer.headers["location"]) == (307, STYLE)
    assert answer.headers["cache-control"] == "no-store"


@pytest.mark.parametrize(
    "path",
    [
        "000000000000/nothing.js", "//example.org/style.css", "x//example.org", "../style.css/",
        "style.css/", "a/b/style.css", "%2e%2e/%2e%2e/app.py", "..%2fapp.py", "style.css%00", "",
        "x/../../app.py", "STYLE.CSS",
    ],
)  # fmt: skip
def test_any_other_path_is_not_found(web: Server, path: str) -> None:
    answer = ask(web, f"/static/{path}")
    assert (answer.status_code, answer.json()["code"]) == (404, "not-found")


def test_only_files_in_the_folder_are_read() -> None:
    assert Path(__file__).parents[2] / "src/divisorduel/web/static" == FOLDER
    assert not [path for path in FOLDER.rglob("*") if path.is_symlink()]
