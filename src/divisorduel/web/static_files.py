"""Files that are served from memory: compressed, cached by browsers, and checked with ETags."""

import gzip
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256

import brotli
from starlette.datastructures import Headers
from starlette.responses import Response

CHECKED = "no-cache"
"""Browsers keep the file, but ask each time whether it is still the same."""
IMMUTABLE = "public, max-age=31536000, immutable"
"""Browsers keep the file and never ask: its address changes when the file does."""

BROTLI_QUALITY = 5
"""At the highest quality, a file is a tenth smaller and takes twenty times as long."""
GZIP_LEVEL = 9
COMPRESSED_TYPES = ("text/", "image/svg+xml", "application/json", "application/manifest+json")


@dataclass(frozen=True)
class StaticFile:
    """The content of a file and its type."""

    content: bytes
    media_type: str

    @cached_property
    def digest(self) -> str:
        """A short hash of the content."""
        return sha256(self.content).hexdigest()[:16]

    @cached_property
    def brotli(self) -> bytes:
        """The content, compressed with Brotli."""
        return bytes(brotli.compress(self.content, quality=BROTLI_QUALITY))

    @cached_property
    def gzip(self) -> bytes:
        """The content, compressed with gzip."""
        return gzip.compress(self.content, GZIP_LEVEL, mtime=0)

    def encoded(self, coding: str) -> tuple[str, bytes]:
        """Return the content in this coding, or as it is if that is not smaller."""
        if coding and self.media_type.startswith(COMPRESSED_TYPES):
            content = self.brotli if coding == "br" else self.gzip
            if len(content) < len(self.content):
                return coding, content
        return "", self.content

    def answer(self, asked: Headers, cache_control: str) -> Response:
        """Answer a request with these headers: with the file, or with 304 if the client has it.

        A request for a range is answered with the whole file, which HTTP allows.
        """
        coding, content = self.encoded(best_coding(asked.get("accept-encoding", "")))
        etag = f'"{self.digest}-{coding}"' if coding else f'"{self.digest}"'
        headers = {"etag": etag, "cache-control": cache_control, "vary": "Accept-Encoding"}
        if _has(asked.get("if-none-match", ""), etag):
            return Response(status_code=304, headers=headers)
        if coding:
            headers["content-encoding"] = coding
        return Response(content, media_type=self.media_type, headers=headers)


def best_coding(accepted: str) -> str:
    """Return "br", "gzip" or "", as the header Accept-Encoding allows."""
    weights = {}
    for part in accepted.lower().split(","):
        name, _, parameter = part.partition(";")
        try:
            weights[name.strip()] = float(parameter.strip().removeprefix("q=") or 1)
        except ValueError:
            continue
    for coding in ("br", "gzip"):
        if weights.get(coding, weights.get("*", 0)) > 0:
            return coding
    return ""


def _has(known: str, etag: str) -> bool:
    """Tell whether the header If-None-Match names an ETag."""
    tags = [tag.strip().removeprefix("W/") for tag in known.split(",")]
    return etag in tags or tags == ["*"]
