"""What the processes of a site share: keys, games of visitors, counts of requests, log-ins."""

import sqlalchemy as sa
from alembic import op

revision = "0009"
down_revision = "0008"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.create_table(
        "site_key",
        sa.Column("name", sa.String(), nullable=False),
        sa.Column("value", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("name"),
    )
    op.create_table(
        "live_game",
        sa.Column("id", sa.String(), nullable=False),
        sa.Column("visitor", sa.String(), nullable=False),
        sa.Column("address", sa.String(), nullable=False),
        sa.Column("holder", sa.String(), nullable=False),
        sa.Column("game", sa.Text(), nullable=False),
        sa.Column("decisions", sa.Text(), nullable=False),
        sa.Column("choice", sa.Text(), nullable=False),
        sa.Column("over", sa.Boolean(), nullable=False),
        sa.Column("used", sa.BigInteger(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_live_game_visitor", "live_game", ["visitor"])
    op.create_table(
        "rate_count",
        sa.Column("limiter", sa.String(), nullable=False),
        sa.Column("client", sa.String(), nullable=False),
        sa.Column("window", sa.BigInteger(), nullable=False),
        sa.Column("hits", sa.Integer(), nullable=False),
        sa.PrimaryKeyConstraint("limiter", "client", "window"),
    )
    op.create_table(
        "identity",
        sa.Column("issuer", sa.String(), nullable=False),
        sa.Column("subject", sa.String(), nullable=False),
        sa.Column("owner", sa.Integer(), nullable=False),
        sa.Column("created", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["owner"], ["owner.id"]),
        sa.PrimaryKeyConstraint("issuer", "subject"),
    )
    op.create_index("ix_identity_owner", "identity", ["owner"])
