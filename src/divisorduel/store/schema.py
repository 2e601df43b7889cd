"""The SQL tables. `migrations` creates them and changes older ones."""

import sqlalchemy as sa

metadata = sa.MetaData(
    naming_convention={
        "pk": "pk_%(table_name)s",
        "fk": "fk_%(table_name)s_%(column_0_name)s",
        "ix": "ix_%(table_name)s_%(column_0_N_name)s",
    }
)


def _match() -> sa.Column[str]:
    owner = sa.ForeignKey("matches.id", ondelete="CASCADE")
    return sa.Column("match_id", sa.String(16), owner, primary_key=True)


matches = sa.Table(
    "matches",
    metadata,
    sa.Column("id", sa.String(16), primary_key=True),
    sa.Column("base", sa.Text, nullable=False),
    # The record of the match as it was created.
    sa.Column("apart", sa.Boolean, nullable=False),
    sa.Column("waits_for", sa.Integer, nullable=False),
    # The seats that were free at the start, as bits: 1, 2 or both.
    sa.Column("hints", sa.Boolean, nullable=False),
    sa.Column("listed", sa.Boolean, nullable=False),
    sa.Column("state", sa.String(8), nullable=False),
    sa.Column("created", sa.Double, nullable=False),
    sa.Index(None, "state", "created"),
)

keys = sa.Table(
    "keys",
    metadata,
    _match(),
    sa.Column("hash", sa.String(64), primary_key=True),
    sa.Column("seats", sa.Integer, nullable=False),
    # As bits: 1, 2, both, or none for a spectator.
)

steps = sa.Table(
    "steps",
    metadata,
    _match(),
    sa.Column("version", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("events", sa.Text, nullable=False),
    sa.Column("at", sa.Double, nullable=False),
)

presence = sa.Table(
    "presence",
    metadata,
    _match(),
    sa.Column("seat", sa.Integer, primary_key=True, autoincrement=False),
    sa.Column("until", sa.Double, nullable=False),
    # When the player's presence ends unless it is renewed, or when it ended.
)
