// Steps through a replay without reloading: the parts of all steps are in the page.
"use strict";

// In plain files, which no server compresses, the data is packed.
const unpack = (text) => {
  const bytes = Uint8Array.from(atob(text), (char) => char.charCodeAt(0));
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).text();
};

(async () => {
  const viewer = document.querySelector("[data-replay]");
  const stored = document.getElementById("replay-data");
  const plain = stored.type === "application/json";
  const data = JSON.parse(plain ? stored.textContent : await unpack(stored.textContent));
  const last = data.steps.length - 1;
  const fixed = "fixed" in viewer.dataset;
  const find = (selector) => viewer.querySelector(selector);
  const slots = [...viewer.querySelectorAll("[data-slot]")];
  const places = slots.map((slot) => Number(slot.dataset.slot));
  const seats = [...viewer.querySelectorAll("[data-seat]")];
  const entries = [...viewer.querySelectorAll("[data-to]")];
  const tabs = [...viewer.querySelectorAll("[data-city]")];
  const links = [...document.querySelectorAll("[data-keep-step]")];
  const table = find(".table");
  const list = find(".steps > ol");
  const slider = find("[data-slider]");
  const button = find("[data-play-button]");
  const speed = find("[data-speed]");
  const graph = find(".graph");
  const narrow = matchMedia("(max-width: 59.9rem)");
  const still = matchMedia("(prefers-reduced-motion: reduce)");
  const together = data.steps[0].active.length !== 1;
  // Milliseconds a step is shown: what one seat decides, or all at once; a battle besides.
  const PACE = together ? 3000 : 1500;
  const BATTLE = 1500;
  // A part is a text, or a row: what stands before its pieces, their numbers, what comes after.
  const html = (part) =>
    typeof part === "string"
      ? part
      : part.map((it) => (typeof it === "string" ? it : data.pieces[it])).join("");
  const pieces = [];
  let step = Number(viewer.dataset.step);
  let timer = null;
  // The city that a narrow screen shows.
  let shown = 0;

  const clamp = (number) => Math.max(0, Math.min(last, number));

  function address(number) {
    if (fixed) return `#step-${number}`;
    const url = new URL(location.href);
    url.searchParams.set("step", number);
    url.hash = "";
    return url.search;
  }

  // A piece is parsed once and copied wherever it lies.
  function piece(number) {
    if (!pieces[number]) {
      const made = document.createElement("template");
      made.innerHTML = data.pieces[number];
      pieces[number] = made.content.firstElementChild;
    }
    return pieces[number].cloneNode(true);
  }

  // A row is laid anew from the first piece that differs, so that none is moved.
  function lay(row, before, next) {
    let from = 1;
    const end = next.length - 1;
    while (from < end && from < before.length - 1 && next[from] === before[from]) from += 1;
    while (row.children.length >= from) row.lastElementChild.remove();
    row.append(...next.slice(from, end).map(piece));
  }

  function fill(slot, at, number, forward) {
    const next = data.steps[number].fill[at];
    const before = data.steps[step].fill[at];
    const changed = next !== before;
    if (changed || slot.classList.contains("fresh")) slot.classList.toggle("fresh", forward && changed);
    if (!changed) return;
    const [one, other] = [data.parts[before], data.parts[next]];
    const rows = typeof one !== "string" && typeof other !== "string" && one[0] === other[0];
    // A hand that was passed on is another one.
    const passed = slot.classList.contains("at-hand");
    if (rows && !passed) lay(slot.lastElementChild, one, other);
    else slot.innerHTML = html(other);
  }

  function show(number, { announce = true } = {}) {
    number = clamp(number);
    const now = data.steps[number];
    const forward = number === step + 1;
    slots.forEach((slot, at) => fill(slot, places[at], number, forward));
    entries[step].removeAttribute("aria-current");
    entries[number].setAttribute("aria-current", "step");
    step = number;
    for (const seat of seats) {
      seat.classList.toggle("active", now.active.includes(Number(seat.dataset.seat)));
    }
    table.classList.toggle("to-right", find(".pass > .i-right") !== null);
    find("[data-heading]").textContent = now.heading;
    find("[data-brief]").textContent = now.brief;
    find("[data-number]").textContent = number + 1;
    slider.value = number;
    slider.setAttribute("aria-valuetext", now.heading);
    const { left, right } = graph.dataset;
    const x = Number(left) + ((Number(right) - Number(left)) * number) / Math.max(last, 1);
    find("[data-now]").setAttribute("x1", x);
    find("[data-now]").setAttribute("x2", x);
    const targets = { first: 0, previous: clamp(number - 1), next: clamp(number + 1), last };
    for (const [kind, target] of Object.entries(targets)) {
      const link = find(`[data-go=${kind}]`);
      link.href = address(target);
      if (target === number) link.setAttribute("aria-disabled", "true");
      else link.removeAttribute("aria-disabled");
    }
    for (const link of links) keep(link, number);
    if (announce && timer === null) find("[data-live]").textContent = now.live;
    if (number === last) end();
  }

  // Pages around this one hear that the match is over.
  function end() {
    const played = timer !== null;
    pause();
    if (!played) return;
    // Who let it play sees the score pad, wherever it has room.
    const pad = find(".at-ending").getBoundingClientRect();
    if (pad.bottom > innerHeight) scrollTo({ top: scrollY + pad.bottom - innerHeight });
    document.dispatchEvent(new Event("ended"));
  }

  // The list follows the step, without moving the page.
  function follow() {
    const entry = entries[step].parentElement;
    list.scrollTop = entry.offsetTop - list.offsetTop - list.clientHeight / 3;
  }

  // The same step in another language or from another seat.
  function keep(link, number) {
    const url = new URL(link.href);
    if (fixed) url.hash = `step-${number}`;
    else url.searchParams.set("step", number);
    link.href = url.href;
  }

  // A narrow screen shows the city that decides.
  function attend() {
    if (narrow.matches && !together && data.steps[step].active.length === 1) {
      city(data.steps[step].active[0]);
    }
  }

  function go(number) {
    show(number);
    requestAnimationFrame(follow);
    attend();
    history.replaceState(null, "", address(step));
  }

  function label(text, sign) {
    button.setAttribute("aria-label", text);
    button.title = text;
    button.firstElementChild.textContent = sign;
  }

  function wait() {
    clearTimeout(timer);
    const long = PACE + (find(".battle") === null ? 0 : BATTLE);
    timer = setTimeout(() => {
      go(step + 1);
      if (timer !== null) wait();
    }, long / Number(speed.value));
  }

  function play() {
    if (step === last) go(0);
    wait();
    label(viewer.dataset.pause, "❚❚");
  }

  function pause() {
    if (timer === null) return;
    clearTimeout(timer);
    timer = null;
    label(viewer.dataset.play, "▶");
    find("[data-live]").textContent = data.steps[step].live;
  }

  const toggle = () => (timer === null ? play() : pause());

  // A city in full: over the others, or the one that a narrow screen has room for.
  function open(seat) {
    for (const place of seats) {
      const it = Number(place.dataset.seat) === seat && !place.classList.contains("opened");
      place.classList.toggle("opened", it);
      place.querySelector(".open").setAttribute("aria-expanded", it);
      place.querySelector("[data-more]").textContent = it ? "✕" : place.dataset.more;
    }
    if (seat !== null) city(seat);
  }

  function city(seat) {
    shown = (seat + seats.length) % seats.length;
    for (const place of seats) {
      place.classList.toggle("shown", Number(place.dataset.seat) === shown);
    }
    for (const tab of tabs) {
      if (Number(tab.dataset.city) === shown && narrow.matches) tab.setAttribute("aria-current", "true");
      else tab.removeAttribute("aria-current");
    }
  }

  function full() {
    if (document.fullscreenElement) document.exitFullscreen();
    else viewer.requestFullscreen?.();
  }

  // The address of a step is not a place to scroll to.
  function stay() {
    if (location.hash.startsWith("#step-")) scrollTo(0, 0);
  }

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
    Escape: () => (document.fullscreenElement ? document.exitFullscreen() : open(null)),
    " ": toggle,
    f: full,
  };

  document.addEventListener("keydown", (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const digit = /^[1-7]$/.test(event.key) && Number(event.key) <= seats.length;
    const move = digit ? () => open(Number(event.key) - 1) : MOVES[event.key];
    const own = event.target.closest("input, select, textarea, button, summary, .scroll");
    // Controls keep the keys they live on: a button the space bar, a slider all but that.
    const free = event.key === " " ? "input[type=range]" : "button, summary";
    const taken = own && event.key !== "Escape" && !own.matches(free);
    if (!move || taken) return;
    event.preventDefault();
    if (event.key.startsWith("Arrow") || event.key === "Home" || event.key === "End") pause();
    move();
  });

  document.addEventListener("click", (event) => {
    for (const list of viewer.querySelectorAll(".at-choice details[open]")) {
      if (!list.contains(event.target)) list.open = false;
    }
  });

  // On a phone the controls are in sight before the table is.
  function reveal() {
    if (narrow.matches && table.getBoundingClientRect().top > innerHeight / 2) viewer.scrollIntoView();
  }

  viewer.addEventListener("click", (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return;
    const opener = event.target.closest("[data-open], [data-city]");
    if (opener) {
      event.preventDefault();
      if ("open" in opener.dataset) open(Number(opener.dataset.open));
      else if (narrow.matches) city(Number(opener.dataset.city));
      else open(Number(opener.dataset.city));
      return;
    }
    const link = event.target.closest("[data-go], [data-to]");
    if (!link) return;
    event.preventDefault();
    pause();
    const moves = { first: 0, previous: step - 1, next: step + 1, last };
    go("to" in link.dataset ? Number(link.dataset.to) : moves[link.dataset.go]);
    if ("go" in link.dataset) reveal();
  });

  graph.addEventListener("click", (event) => {
    const box = graph.querySelector("svg").getBoundingClientRect();
    const { left, right, wide } = graph.dataset;
    const x = ((event.clientX - box.left) / box.width) * Number(wide);
    pause();
    go(Math.round(((x - Number(left)) / (Number(right) - Number(left))) * last));
  });

  // A finger that moves across the city brings the next one.
  let touch = null;
  table.addEventListener("touchstart", (event) => { touch = event.touches[0]; }, { passive: true });
  table.addEventListener("touchend", (event) => {
    if (touch === null || !narrow.matches) return;
    const across = event.changedTouches[0].clientX - touch.clientX;
    const down = event.changedTouches[0].clientY - touch.clientY;
    if (Math.abs(across) > 50 && Math.abs(across) > 2 * Math.abs(down)) city(shown + (across < 0 ? 1 : -1));
    touch = null;
  }, { passive: true });

  slider.addEventListener("input", () => {
    pause();
    go(Number(slider.value));
  });
  speed.addEventListener("change", () => { if (timer !== null) play(); });
  button.addEventListener("click", toggle);
  button.addEventListener("click", reveal);
  find("[data-full]").addEventListener("click", full);
  addEventListener("hashchange", () => show(asked()));
  // Until then a browser may scroll again.
  addEventListener("load", () => requestAnimationFrame(stay));
  narrow.addEventListener("change", () => { open(null); city(shown); });

  for (const opener of viewer.querySelectorAll(".open")) opener.hidden = false;
  find("[data-full]").hidden = !viewer.requestFullscreen;
  for (const place of seats) place.dataset.more = place.querySelector("[data-more]").textContent;
  // Without a script the list of steps is what a permanent link of a plain file leads to.
  for (const entry of entries) entry.parentElement.removeAttribute("id");
  stay();
  city(0);
  show(asked(), { announce: false });
  attend();
  follow();
  const begins = "autoplay" in viewer.dataset && !location.hash && !still.matches;
  if (begins && document.visibilityState === "visible") play();
})();
