"""What time limits were multiplied by on the machine that played a match."""

import sqlalchemy as sa
from alembic import op

revision = "0006"
down_revision = "0005"
branch_labels = None
depends_on = None


def upgrade() -> None:
    op.add_column("match", sa.Column("time_factor", sa.Integer(), nullable=True))
