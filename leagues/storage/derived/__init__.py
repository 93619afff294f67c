"""What is derived from results and stored beside them: it may be dropped and is made again."""
