"""The SQL tables. `migrations` creates them and changes older ones."""

from sqlalchemy import (
    Boolean,
    Column,
    Double,
    ForeignKey,
    Index,
    Integer,
    MetaData,
    String,
    Table,
    Text,
)

metadata = MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _match() -> Column[str]:
    owner = ForeignKey("matches.id", ondelete="CASCADE")
    return Column("match_id", String(16), owner, primary_key=True)


matches = Table(
    "matches",
    metadata,
    Column("id", String(16), primary_key=True),
    Column("base", Text, nullable=False),
    # The record of the match as it was created.
    Column("apart", Boolean, nullable=False),
    Column("waits_for", Integer, nullable=False),
    # The seats that were free at the start, as bits: 1, 2 or both.
    Column("hints", Boolean, nullable=False),
    Column("listed", Boolean, nullable=False),
    Column("state", String(8), nullable=False),
    Column("created", Double, nullable=False),
    Index(None, "state", "created"),
)

keys = Table(
    "keys",
    metadata,
    _match(),
    Column("hash", String(64), primary_key=True),
    Column("seats", Integer, nullable=False),
    # As bits: 1, 2, both, or none for a spectator.
)

steps = Table(
    "steps",
    metadata,
    _match(),
    Column("version", Integer, primary_key=True, autoincrement=False),
    Column("events", Text, nullable=False),
    Column("at", Double, nullable=False),
)

presence = Table(
    "presence",
    metadata,
    _match(),
    Column("seat", Integer, primary_key=True, autoincrement=False),
    Column("until", Double, nullable=False),
    # When the player's presence ends unless it is renewed, or ended.
)
