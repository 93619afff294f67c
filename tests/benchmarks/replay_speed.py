"""How long a step of a replay takes in a browser: the script's own time, from the event on.

Every step of a match of seven is drawn some times; of each the quickest counts, as what else the
machine does is not the page's time.
"""

import statistics

from tests.arena.site.browser import CHROMIUM, Visit, chromium, serving
from tests.arena.site.sample_replays import ROWS
from tests.benchmarks.figures import keep

ROUNDS = 6
MOST = 16  # milliseconds: a frame of a screen
STEPS = """() => {
    const slider = document.querySelector('[data-slider]');
    return [...Array(Number(slider.max)).keys()].map(step => {
        slider.value = step + 1;
        const begun = performance.now();
        slider.dispatchEvent(new Event('input'));
        return performance.now() - begun;
    });
}"""


def say(text: str) -> None:
    print(text)  # noqa: T201


def main() -> None:
    """Print the median over the steps of the largest matches."""
    if CHROMIUM is None:
        say("no Chromium here: nothing measured")
        return
    with serving() as address, chromium() as browser:
        for at, row in enumerate(ROWS):
            if row.players < 7:
                continue
            page = Visit(browser).page
            page.goto(f"{address}/{at}?step=0")
            rounds = [page.evaluate(STEPS) for _ in range(ROUNDS)]
            step = statistics.median(min(each) for each in zip(*rounds, strict=True))
            what = f"a step of a replay, {row.game}, {row.players} players"
            say(f"{what}: {step:.1f} ms of scripting in the median")
            keep(what, step, "ms", f"< {MOST}")


if __name__ == "__main__":
    main()
