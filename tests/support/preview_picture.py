"""The picture beside a link to the site; drawn by `python -m tests.support.preview_picture`."""

from pathlib import Path

from PIL import Image, ImageDraw, ImageFont

from arena.site.templating import ASSETS

SIZE = (1200, 630)
GROUND, GOLD, PALE = "#3a1c0a", "#f4c95d", "#f7efe0"
FONTS = "/usr/share/fonts/truetype/dejavu"


def draw_preview(path: Path) -> None:
    """Draw a stepped temple and the name of the site."""
    picture = Image.new("RGB", SIZE, GROUND)
    pen = ImageDraw.Draw(picture)
    width, top = 440, 190
    for step in range(5):
        half = (width - step * 88) // 2
        bottom = 470 - step * 56
        pen.rectangle((300 - half, bottom - 56, 300 + half, bottom), fill=GOLD)
    pen.rectangle((60, 478, 540, 486), fill=GOLD)
    for text, size, place, face in (
        ("Wonders Arena", 64, (590, top + 20), "DejaVuSerif-Bold"),
        ("Bots play 7 Wonders and Architects.", 30, (592, top + 138), "DejaVuSans"),
        ("Every match can be watched again.", 30, (592, top + 200), "DejaVuSans"),
    ):
        pen.text(place, text, fill=PALE, font=ImageFont.truetype(f"{FONTS}/{face}.ttf", size))
    picture.quantize(16).save(path, optimize=True)


if __name__ == "__main__":
    draw_preview(ASSETS / "preview.png")
