// A leaderboard that can be searched and sorted, and that follows a league while it plays.
"use strict";

(() => {
  const tools = document.querySelector("[data-board-tools]");
  if (tools === null) return;
  const find = tools.querySelector("input");
  const mine = tools.querySelector("[data-mine]");
  const found = tools.querySelector("output");
  const table = () => document.querySelector("[data-board]");
  let sorted = null;
  let down = false;

  function filter() {
    const wanted = find.value.trim().toLowerCase();
    const own = mine?.checked ?? false;
    let count = 0;
    for (const row of table().tBodies[0].rows) {
      const named = row.cells[1].textContent.toLowerCase().includes(wanted);
      row.hidden = !named || (own && !row.classList.contains("mine"));
      count += row.hidden ? 0 : 1;
    }
    found.textContent = wanted && count === 0 ? found.dataset.none : "";
  }

  function sort() {
    if (sorted === null) return;
    const body = table().tBodies[0];
    const value = (row) => {
      const cell = row.cells[sorted];
      return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim();
    };
    const rows = [...body.rows].sort((one, other) => {
      const [a, b] = [value(one), value(other)];
      const order = typeof a === "number" ? a - b : a.localeCompare(b);
      return down ? -order : order;
    });
    body.append(...rows);
    [...table().tHead.rows[0].cells].forEach((cell, at) => {
      if (at === sorted) cell.setAttribute("aria-sort", down ? "descending" : "ascending");
      else cell.removeAttribute("aria-sort");
    });
  }

  // A head that can be sorted by is a button; ranks begin with the best, all else with the most.
  function dress() {
    [...table().tHead.rows[0].cells].forEach((cell, at) => {
      if (at > 1 && !("value" in (table().tBodies[0].rows[0]?.cells[at].dataset ?? {}))) return;
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = cell.textContent;
      button.addEventListener("click", () => {
        down = sorted === at ? !down : at > 1 && !("best" in cell.dataset);
        sorted = at;
        sort();
      });
      cell.replaceChildren(button);
    });
  }

  // Times become "3 hours ago" here, as a page may have been kept for a while.
  const UNITS = [["year", 31536000], ["month", 2592000], ["day", 86400], ["hour", 3600], ["minute", 60]];
  const words = new Intl.RelativeTimeFormat(document.documentElement.lang, { numeric: "auto" });

  function tellAges() {
    for (const time of document.querySelectorAll("[data-ago]")) {
      const seconds = Math.max(0, Date.now() / 1000 - Number(time.dataset.ago));
      const [unit, size] = UNITS.find(([, size]) => seconds >= size) ?? ["minute", 60];
      time.textContent = words.format(-Math.floor(seconds / size), unit);
    }
  }

  // The page is asked again when the server says that there is something new.
  function follow() {
    const scroll = document.querySelector("[data-live-board]");
    if (scroll === null) return;
    const events = new EventSource(scroll.dataset.liveBoard);
    events.addEventListener("changed", async () => {
      const answer = await fetch(location.href);
      if (!answer.ok) return;
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      const next = page.querySelector("[data-board]");
      if (next === null) return;
      table().replaceWith(next);
      dress();
      tellAges();
      sort();
      filter();
    });
  }

  find.addEventListener("input", filter);
  mine?.addEventListener("change", filter);
  dress();
  tellAges();
  setInterval(tellAges, 60_000);
  follow();
})();
