// A page that shows itself anew when the server says that there is something new.
"use strict";

(() => {
  const begin = document.querySelector("[data-follow]");
  if (begin === null) return;
  const events = new EventSource(begin.dataset.follow);
  events.addEventListener("changed", async () => {
    const answer = await fetch(location.href);
    if (!answer.ok) return;
    // What was followed is somewhere else now.
    if (answer.redirected) {
      location.replace(answer.url);
      return;
    }
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    const next = page.querySelector("[data-follow]");
    if (next !== null) document.querySelector("[data-follow]").replaceWith(next);
  });
})();
