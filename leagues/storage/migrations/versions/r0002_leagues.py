"""Leagues, who submits to them, and who plays for them."""

import sqlalchemy as sa
from alembic import op

revision = "0002"
down_revision = "0001"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "league",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("rules", sa.Text(), nullable=False),
        sa.Column("seed", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "league_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_league_event_league", "league_event", ["league"])
    _create_owners()
    _create_submissions()
    _create_work()


def _create_owners() -> None:
    op.create_table(
        "owner",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("name"),
    )
    op.create_table(
        "token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_token_owner", "token", ["owner"])


def _create_submissions() -> None:
    op.create_table(
        "snapshot",
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("content", sa.LargeBinary(), nullable=False),
        sa.Column("files", sa.Integer(), nullable=False),
        sa.Column("size", sa.BigInteger(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("digest"),
    )
    op.create_table(
        "submission",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=True),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("version", sa.String(), nullable=False),
        sa.Column("digest", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("parent", sa.Integer(), nullable=True),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("received", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"]),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.ForeignKeyConstraint(["digest"], ["snapshot.digest"]),
        sa.ForeignKeyConstraint(["parent"], ["submission.id"]),
        sa.ForeignKeyConstraint(["entrant"], ["entrant.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("league", "digest"),
    )
    op.create_table(
        "submission_event",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("submission", sa.Integer(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("detail", sa.Text(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["submission"], ["submission.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_submission_event_submission", "submission_event", ["submission"])


def _create_work() -> None:
    op.create_table(
        "stage",
        sa.Column("tournament", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.ForeignKeyConstraint(["league"], ["league.id"]),
        sa.PrimaryKeyConstraint("tournament"),
        sa.UniqueConstraint("league", "number"),
    )
    op.create_table(
        "worker",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("until", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_table(
        "claim",
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("worker", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["worker"], ["worker.id"]),
        sa.PrimaryKeyConstraint("task"),
    )
    op.create_index("ix_claim_worker", "claim", ["worker"])
