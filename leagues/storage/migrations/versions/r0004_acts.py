"""What moderators did, as a hash chain."""

import sqlalchemy as sa
from alembic import op

revision = "0004"
down_revision = "0003"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "act",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("league", sa.Integer(), nullable=True),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("facts", sa.Text(), nullable=False),
        sa.Column("effect", sa.String(), nullable=False),
        sa.Column("reason", sa.String(), nullable=False),
        sa.Column("by", sa.String(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["league"], ["league.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_act_league", "act", ["league"])
    op.create_index("ix_act_subject", "act", ["subject"])
    op.create_table(
        "act_head",
        sa.Column("id", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("acts", sa.Integer(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
