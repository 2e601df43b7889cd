"""Database fixtures, shared with the tests of the server."""

from tests.web.databases import database, database_kind, new_database, postgres

__all__ = ["database", "database_kind", "new_database", "postgres"]
