"""Matches counted by kind, and ratings that are stored."""

import sqlalchemy as sa
from alembic import op

revision = "0007"
down_revision = "0006"
branch_labels = None
depends_on = None

KIND = "tournament, stage, game, edition, expansions, expert, players, sandbox, rated"


def upgrade() -> None:
    op.create_table(
        "match_count",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("stage", sa.String(), nullable=False),
        sa.Column("game", sa.String(), nullable=False),
        sa.Column("edition", sa.String(), nullable=True),
        sa.Column("expansions", sa.String(), nullable=False),
        sa.Column("expert", sa.Boolean(), nullable=False),
        sa.Column("players", sa.Integer(), nullable=False),
        sa.Column("sandbox", sa.String(), nullable=False),
        sa.Column("rated", sa.Boolean(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.ForeignKeyConstraint(["tournament"], ["tournament.id"]),
        sa.PrimaryKeyConstraint("id"),
    )
    op.create_index("ix_match_count_tournament", "match_count", ["tournament"])
    op.execute(
        f"INSERT INTO match_count ({KIND}, matches) "
        f"SELECT {KIND}, count(*) FROM match GROUP BY {KIND} ORDER BY {KIND}"
    )
    op.create_table(
        "rating_board",
        sa.Column("id", sa.Integer(), nullable=False),
        sa.Column("scope", sa.String(), nullable=False),
        sa.Column("contest", sa.Integer(), nullable=False),
        sa.Column("kind", sa.String(), nullable=False),
        sa.Column("unrated", sa.Boolean(), nullable=False),
        sa.Column("model", sa.Integer(), nullable=False),
        sa.Column("drift", sa.Float(), nullable=False),
        sa.Column("last_match", sa.Integer(), nullable=False),
        sa.Column("last_exclusion", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("totals", sa.LargeBinary(), nullable=False),
        sa.PrimaryKeyConstraint("id"),
        sa.UniqueConstraint("scope", "contest", "kind", "unrated"),
    )
    op.create_table(
        "rating_point",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), autoincrement=False, nullable=False),
        sa.Column("match", sa.Integer(), nullable=False),
        sa.Column("tournament", sa.Integer(), nullable=False),
        sa.Column("number", sa.Integer(), nullable=False),
        sa.Column("tied", sa.BigInteger(), nullable=False),
        sa.Column("pairs", sa.BigInteger(), nullable=False),
        sa.Column("draw_tied", sa.BigInteger(), nullable=False),
        sa.Column("draw_pairs", sa.BigInteger(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["rating_board.id"]),
        sa.PrimaryKeyConstraint("board", "matches"),
    )
    op.create_table(
        "rating",
        sa.Column("board", sa.Integer(), nullable=False),
        sa.Column("matches", sa.Integer(), nullable=False),
        sa.Column("entrant", sa.Integer(), nullable=False),
        sa.Column("mu", sa.Float(), nullable=False),
        sa.Column("sigma", sa.Float(), nullable=False),
        sa.Column("games", sa.Integer(), nullable=False),
        sa.Column("precision", sa.Float(), nullable=False),
        sa.Column("pull", sa.Float(), nullable=False),
        sa.ForeignKeyConstraint(["board"], ["rating_board.id"]),
        sa.ForeignKeyConstraint(["entrant"], ["entrant.id"]),
        sa.PrimaryKeyConstraint("board", "matches", "entrant"),
        sqlite_with_rowid=False,
    )
