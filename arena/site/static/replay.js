// Steps through a replay without reloading: the parts of all steps are in the page.
"use strict";

(() => {
  const viewer = document.querySelector("[data-replay]");
  const data = JSON.parse(document.getElementById("replay-data").textContent);
  const last = data.steps.length - 1;
  const fixed = "fixed" in viewer.dataset;
  const find = (selector) => viewer.querySelector(selector);
  const slots = [...viewer.querySelectorAll("[data-slot]")];
  const seats = [...viewer.querySelectorAll("[data-seat]")];
  const entries = [...viewer.querySelectorAll("[data-to]")];
  const slider = find("[data-slider]");
  const button = find("[data-play-button]");
  const pace = 1400;
  let step = Number(viewer.dataset.step);
  let timer = null;

  const clamp = (number) => Math.max(0, Math.min(last, number));

  function address(number) {
    if (fixed) return `#step-${number}`;
    const url = new URL(location.href);
    url.searchParams.set("step", number);
    url.hash = "";
    return url.search;
  }

  function fill(slot, number, fresh) {
    const html = data.parts[data.steps[number].fill[slot.dataset.slot]];
    const shown = data.parts[data.steps[step].fill[slot.dataset.slot]];
    slot.classList.toggle("fresh", fresh && html !== shown);
    if (html === shown) return;
    const open = slot.querySelector("details[open]") !== null;
    slot.innerHTML = html;
    if (open) slot.querySelector("details")?.setAttribute("open", "");
  }

  function show(number, { announce = true } = {}) {
    number = clamp(number);
    const now = data.steps[number];
    for (const slot of slots) fill(slot, number, number === step + 1);
    step = number;
    for (const seat of seats) {
      seat.classList.toggle("active", now.active.includes(Number(seat.dataset.seat)));
    }
    find("[data-heading]").textContent = now.heading;
    find("[data-brief]").textContent = now.brief;
    find("[data-number]").textContent = number;
    slider.value = number;
    slider.setAttribute("aria-valuetext", now.heading);
    entries.forEach((entry, at) => {
      if (at === number) entry.setAttribute("aria-current", "step");
      else entry.removeAttribute("aria-current");
    });
    const targets = { first: 0, previous: clamp(number - 1), next: clamp(number + 1), last };
    for (const [kind, target] of Object.entries(targets)) {
      const link = find(`[data-go=${kind}]`);
      link.href = address(target);
      if (target === number) link.setAttribute("aria-disabled", "true");
      else link.removeAttribute("aria-disabled");
    }
    for (const link of document.querySelectorAll("[data-keep-step]")) keep(link, number);
    if (announce && timer === null) find("[data-live]").textContent = now.live;
    if (number === last) pause();
  }

  // The same step in another language or from another seat.
  function keep(link, number) {
    const url = new URL(link.href);
    if (fixed) url.hash = `step-${number}`;
    else url.searchParams.set("step", number);
    link.href = url.href;
  }

  function go(number) {
    show(number);
    history.replaceState(null, "", address(step));
  }

  function label(text, sign) {
    button.setAttribute("aria-label", text);
    button.title = text;
    button.firstElementChild.textContent = sign;
  }

  function play() {
    if (step === last) go(0);
    timer = setInterval(() => go(step + 1), pace);
    label(viewer.dataset.pause, "❚❚");
  }

  function pause() {
    if (timer === null) return;
    clearInterval(timer);
    timer = null;
    label(viewer.dataset.play, "▶");
    find("[data-live]").textContent = data.steps[step].live;
  }

  const toggle = () => (timer === null ? play() : pause());

  function asked() {
    const hash = /^#step-(\d+)$/.exec(location.hash);
    if (hash) return clamp(Number(hash[1]));
    const query = new URLSearchParams(location.search).get("step");
    return query !== null && /^\d+$/.test(query) ? clamp(Number(query)) : step;
  }

  const MOVES = {
    ArrowLeft: () => go(step - 1),
    ArrowRight: () => go(step + 1),
    Home: () => go(0),
    End: () => go(last),
    " ": toggle,
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const move = MOVES[event.key];
    const own = event.target.closest("input, select, textarea, button, summary, .scroll");
    // Controls keep the keys they live on: a button the space bar, a slider all but that.
    const free = event.key === " " ? "input[type=range]" : "button, summary";
    const taken = own && !own.matches(free);
    if (!move || taken) return;
    event.preventDefault();
    if (event.key !== " ") pause();
    move();
  });

  viewer.addEventListener("click", (event) => {
    const link = event.target.closest("[data-go], [data-to]");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    pause();
    const moves = { first: 0, previous: step - 1, next: step + 1, last };
    go("to" in link.dataset ? Number(link.dataset.to) : moves[link.dataset.go]);
  });

  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  button.addEventListener("click", toggle);
  addEventListener("hashchange", () => show(asked()));

  for (const hidden of [slider, button, find("[data-keys]")]) hidden.hidden = false;
  // Without a script the list of steps is what a permanent link of a plain file leads to.
  for (const entry of entries) entry.parentElement.removeAttribute("id");
  if (location.hash.startsWith("#step-")) {
    find(".steps").open = false;
    scrollTo(0, 0);
  }
  show(asked(), { announce: false });
})();
