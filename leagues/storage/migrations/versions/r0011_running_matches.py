"""How far matches of leagues have come while they are played."""

import sqlalchemy as sa
from alembic import op

revision = "0011"
down_revision = "0010"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "running_match",
        sa.Column("task", sa.String(), nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("spec", sa.Text(), nullable=False),
        sa.Column("decisions", sa.LargeBinary(), nullable=False),
        sa.ForeignKeyConstraint(["task"], ["claim.task"], ondelete="CASCADE"),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("task"),
    )
    op.create_index("ix_running_match_tournament", "running_match", ["tournament"])
