"""Entrants, tournaments and the matches they played."""

import sqlalchemy as sa
from alembic import op

revision = "0001"
down_revision = None
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "entrant",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("label", sa.String(), nullable=False),
        sa.Column("spec", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("owner", sa.String(), nullable=True),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["parent"], ["entrant.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("digest"),
    )
    op.create_table(
        "tournament",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("config", sa.Text(), nullable=False),
        sa.Column("identity", sa.String(), nullable=False),
        sa.Column("cycles", sa.Text(), nullable=False),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_index("ix_tournament_identity", "tournament", ["identity"])
    op.create_table(
        "participant",
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("position", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.ForeignKeyConstraint(["entrant"], ["entrant.id"]),
        sa.PrimaryKeyConstraint("tournament", "position"),
    )
    op.create_table(
        "batch",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tournament", "number"),
    )
    _create_matches()
    _create_events()


def _create_matches() -> None:
    op.create_table(
        "match",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("batch", sa.Integer(), nullable=False),
        sa.Column("fixture", sa.String(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("round", sa.Integer(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("edition", sa.String(), nullable=True),
        sa.Column("expansions", sa.String(), nullable=False),
        sa.Column("expert", sa.Boolean(), nullable=False),
        sa.Column("seed", sa.BigInteger(), nullable=False),
        sa.Column("rules", sa.Integer(), nullable=False),
        sa.Column("decisions", sa.LargeBinary(), nullable=False),
        sa.Column("sandbox", sa.String(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("program", sa.String(), nullable=False),
        sa.Column("played_at", sa.BigInteger(), nullable=False),
        sa.Column("duration", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.ForeignKeyConstraint(["batch"], ["batch.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("tournament", "number"),
    )
    op.create_table(
        "seat",
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("seat", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("wonder", sa.String(), nullable=False),
        sa.Column("score", sa.Integer(), nullable=False),
        sa.Column("rank", sa.Integer(), nullable=False),
        sa.Column("asked", sa.Integer(), nullable=True),
        sa.Column("computed", sa.BigInteger(), nullable=True),
        sa.Column("longest", sa.BigInteger(), nullable=True),
        sa.Column("printed", sa.Text(), nullable=True),
        sa.Column("fault", sa.String(), nullable=True),
        sa.Column("fault_decision", sa.Integer(), nullable=True),
        sa.Column("fault_detail", sa.Text(), nullable=True),
        sa.ForeignKeyConstraint(["match"], ["match.id"]),
        sa.ForeignKeyConstraint(["entrant"], ["entrant.id"]),
        sa.PrimaryKeyConstraint("match", "seat"),
        sqlite_with_rowid=False,
    )


def _create_events() -> None:
    op.create_table(
        "exclusion",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("excluded", sa.Boolean(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["match"], ["match.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_exclusion_match", "exclusion", ["match"])
    op.create_table(
        "incident",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_incident_tournament", "incident", ["tournament"])
