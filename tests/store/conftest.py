"""The databases that the server's tests use, too."""

from tests.web.databases import database, new_database, postgres

__all__ = ["database", "new_database", "postgres"]
