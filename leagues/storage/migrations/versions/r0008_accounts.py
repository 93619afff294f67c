"""Tokens that expire, sessions and invitations; equal bots of different owners in one league."""

import sqlalchemy as sa
from alembic import op

revision = "0008"
down_revision = "0007"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "access_token",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=True),
        sa.Column("revoked", sa.BigInteger(), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    op.create_index("ix_access_token_owner", "access_token", ["owner"])
    op.execute(
        "INSERT INTO access_token (owner, hash, name, created) "
        "SELECT owner, hash, '', at FROM token WHERE hash <> '' AND id IN "
        "(SELECT max(id) FROM token GROUP BY owner)"
    )
    op.drop_index("ix_token_owner", "token")
    op.drop_table("token")
    op.create_table(
        "session",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("token", sa.Integer(), nullable=True),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.ForeignKeyConstraint(["token"], ["access_token.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    op.create_table(
        "invitation",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("hash", sa.String(), nullable=False),
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("note", sa.String(), nullable=False),
        sa.Column("state", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.Column("expires", sa.BigInteger(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=True),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("hash"),
    )
    _let_content_be_equal()


COLUMNS = "id, league, owner, name, version, digest, facts, parent, entrant, received, checksum"


def _let_content_be_equal() -> None:
    """Drop the constraint that a league has every content once."""
    if op.get_bind().dialect.name == "postgresql":
        op.drop_constraint("submission_league_digest_key", "submission")
    else:  # which cannot drop one: the table is made anew, while foreign keys are not looked at
        op.create_table(
            "submission_made_anew",
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
        )
        op.execute(f"INSERT INTO submission_made_anew ({COLUMNS}) SELECT {COLUMNS} FROM submission")
        op.drop_table("submission")
        op.rename_table("submission_made_anew", "submission")
    op.create_index("ix_submission_league", "submission", ["league"])
