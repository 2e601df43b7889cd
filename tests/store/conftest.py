"""The databases of the server's tests."""

from tests.web.databases import database, database_kind, new_database, postgres

__all__ = ["database", "database_kind", "new_database", "postgres"]
