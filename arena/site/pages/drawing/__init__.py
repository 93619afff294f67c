"""What pages are drawn with: charts, parts that several share, Markdown."""
