"""A hook of the documentation's site: pages outside of docs are part of it too."""

import re
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
PAGES = ("CHANGELOG.md", "CONTRIBUTING.md", "DECISIONS.md", "SECURITY.md")


def on_files(files: Any, config: Any) -> Any:
    """Add the pages of the project's root, and the examples."""
    from mkdocs.structure.files import File

    paths = [ROOT / name for name in PAGES]
    paths += [path for path in (ROOT / "examples").rglob("*") if path.is_file()]
    for path in paths:
        name = path.relative_to(ROOT).as_posix()
        if "__pycache__" not in name:
            files.append(File.generated(config, f"project/{name}", abs_src_path=str(path)))
    return files


def on_page_markdown(markdown: str, page: Any, **_: Any) -> str:
    """Lead links of pages to files outside of docs to where the site has them."""
    path = page.file.src_uri
    markdown = re.sub(r"^```(\w+) \w+$", r"```\1", markdown, flags=re.MULTILINE)
    # A folder of examples has no page of its own.
    markdown = markdown.replace("](../examples/trained)", "](../examples/trained/bot.py)")
    if path.startswith("project/"):
        up = "../" * path.count("/")
        return re.sub(r"\]\((?:\.\./)*docs/", f"]({up}", markdown)
    return markdown if "/" in path else markdown.replace("](../", "](project/")
