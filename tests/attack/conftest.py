"""A server that the tests of campaigns share."""

from tests.web.conftest import web

__all__ = ["web"]
