// A league on one screen: its latest match plays, then the one after it, and so on.
"use strict";

(() => {
  // On the score pad.
  const PAUSE = 4000;
  const stage = document.querySelector("[data-live-matches]");
  if (stage === null) return;
  const frame = document.querySelector("[data-live-frame]");
  const seen = new Set([frame?.dataset.match]);
  let newest = Number(frame?.dataset.match);
  // The match on the screen has ended, and there was no other.
  let idle = false;

  const rows = () => [...document.querySelectorAll("[data-queue] [data-match]")];

  function mark() {
    for (const row of rows()) row.classList.toggle("won", row.dataset.match === frame.dataset.match);
  }

  // What is new comes in its order; while nothing is, what was before the page was opened.
  function next() {
    const left = rows().filter((it) => !seen.has(it.dataset.match));
    const newer = left.filter((it) => Number(it.dataset.match) > newest);
    const row = newer.at(-1) ?? left[0];
    idle = row === undefined;
    if (idle) return;
    seen.add(row.dataset.match);
    newest = Math.max(newest, Number(row.dataset.match));
    frame.dataset.match = row.dataset.match;
    frame.src = row.dataset.embed;
    mark();
  }

  async function refresh() {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    // The first match there is.
    if (frame === null && page.querySelector("[data-live-frame]") !== null) location.reload();
    for (const part of ["[data-under-way]", "[data-queue]", "[data-top]"]) {
      const now = page.querySelector(part);
      if (now !== null) document.querySelector(part)?.replaceWith(now);
    }
    if (frame === null) return;
    mark();
    if (idle) next();
  }

  function listen() {
    frame.contentDocument?.addEventListener("ended", () => setTimeout(next, PAUSE), { once: true });
  }

  frame?.addEventListener("load", listen);
  if (frame?.contentDocument?.readyState === "complete") listen();
  new EventSource(stage.dataset.liveMatches).addEventListener("changed", refresh);
})();
