// A visitor's table without reloading: forms are sent and the page's answer is put in place.
"use strict";

(() => {
  const WAIT = 700;
  let busy = false;
  // The last thing that was used.
  let byKeys = false;
  // What was sent meanwhile, such as a move while a hint is computed.
  let next = null;

  async function load(url, options) {
    if (busy) {
      if (options) next = [url, options];
      return;
    }
    busy = true;
    try {
      const answer = await fetch(url, options);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const game = page.querySelector("[data-game]");
      const here = document.querySelector("[data-game]");
      // The end, or an error, is another page: the browser goes there.
      if (!answer.ok || game === null) {
        next = null;
        location.assign(url);
      } else {
        const scores = here.querySelector(".scores");
        if (scores && !scores.open) game.querySelector(".scores")?.removeAttribute("open");
        const first = game.querySelector(byKeys ? "[autofocus], [data-first]" : "[autofocus]");
        // The browser would complain that it is too late.
        first?.removeAttribute("autofocus");
        here.replaceWith(game);
        first?.focus({ preventScroll: true });
        await later();
      }
    } finally {
      busy = false;
      const [sent, ...how] = next ?? [];
      next = null;
      if (sent) load(sent, ...how);
    }
  }

  function later() {
    if (document.querySelector("[data-waits]") === null) return;
    setTimeout(() => load(location.href), WAIT);
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.closest("[data-game]") || event.submitter?.name === "resign") return;
    event.preventDefault();
    const body = new URLSearchParams(new FormData(form, event.submitter));
    load(form.action, { method: "POST", body });
  });

  // The first card has no frame before a key is used: it would look chosen.
  document.addEventListener("pointerdown", () => { byKeys = false; }, true);
  document.addEventListener("keydown", (event) => {
    byKeys = true;
    if (event.key !== "Tab" || event.shiftKey || document.activeElement !== document.body) return;
    const first = document.querySelector("[data-first]");
    if (!first) return;
    event.preventDefault();
    first.focus();
  }, true);

  // The digits pick a card of the hand.
  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || !/^[1-9]$/.test(event.key)) return;
    const card = document.querySelectorAll(".hand:not(.has-chosen) > .pick-card")[Number(event.key) - 1];
    if (!card) return;
    const button = card.querySelector("summary") ?? card;
    button.focus();
    if (card.open === false) card.open = true;
  });

  // A card that a hint has opened stays open: one clicks it to take it.
  document.addEventListener("click", (event) => {
    if (event.target.closest?.(".pick-card.best[open] > summary")) event.preventDefault();
  });

  // What one can do with a card is in sight.
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".pick-card[open]")) return;
    event.target.querySelector(".acts")?.scrollIntoView({ block: "nearest" });
  }, true);

  // Browsers that do not know groups of details: opening one closes the others.
  document.addEventListener("toggle", (event) => {
    if (!event.target.matches?.(".pick-card[open]")) return;
    for (const other of document.querySelectorAll(".pick-card[open]")) {
      if (other !== event.target) other.open = false;
    }
  }, true);

  later();
})();
