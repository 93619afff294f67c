"""How many rounds of a tournament were asked for since it was begun."""

import sqlalchemy as sa
from alembic import op

revision = "0003"
down_revision = "0002"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "wish",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("rounds", sa.Integer(), nullable=True),
        sa.Column("command", sa.Text(), nullable=False),
        sa.Column("at", sa.BigInteger(), nullable=False),
        sa.Column("checksum", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_wish_tournament", "wish", ["tournament"])
