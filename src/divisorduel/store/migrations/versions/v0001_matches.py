"""Matches, their keys, their steps, and the players' presence."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None


def upgrade() -> None:
    """Create the tables."""
    op.create_table(
        "matches",
        sa.Column("id", sa.String(16), nullable=False),
        sa.Column("base", sa.Text(), nullable=False),
        sa.Column("apart", sa.Boolean(), nullable=False),
        sa.Column("waits_for", sa.Integer(), nullable=False),
        sa.Column("hints", sa.Boolean(), nullable=False),
        sa.Column("listed", sa.Boolean(), nullable=False),
        sa.Column("state", sa.String(8), nullable=False),
        sa.Column("created", sa.Double(), nullable=False),
        sa.PrimaryKeyConstraint("id", name=op.f("pk_matches")),
    )
    op.create_index(op.f("ix_matches_state_created"), "matches", ["state", "created"])
    op.create_table(
        "keys",
        sa.Column("match_id", sa.String(16), nullable=False),
        sa.Column("hash", sa.String(64), nullable=False),
        sa.Column("seats", sa.Integer(), nullable=False),
        _of_match("keys"),
        sa.PrimaryKeyConstraint("match_id", "hash", name=op.f("pk_keys")),
    )
    op.create_table(
        "steps",
        sa.Column("match_id", sa.String(16), nullable=False),
        sa.Column("version", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("events", sa.Text(), nullable=False),
        sa.Column("at", sa.Double(), nullable=False),
        _of_match("steps"),
        sa.PrimaryKeyConstraint("match_id", "version", name=op.f("pk_steps")),
    )
    op.create_table(
        "presence",
        sa.Column("match_id", sa.String(16), nullable=False),
        sa.Column("seat", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("until", sa.Double(), nullable=False),
        _of_match("presence"),
        sa.PrimaryKeyConstraint("match_id", "seat", name=op.f("pk_presence")),
    )


def _of_match(table: str) -> sa.ForeignKeyConstraint:
    name = op.f(f"fk_{table}_match_id")
    return sa.ForeignKeyConstraint(["match_id"], ["matches.id"], name=name, ondelete="CASCADE")
