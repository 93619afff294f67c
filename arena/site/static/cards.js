// What a card or a stage does, shown where one points at it or touches it.
"use strict";

(() => {
  let tip = null;

  function hide() {
    tip?.remove();
    tip = null;
  }

  function show(card) {
    hide();
    tip = document.createElement("div");
    // The card itself says it to those who listen.
    tip.setAttribute("aria-hidden", "true");
    if (card.matches(".card")) {
      tip.className = `${card.className} face tip`.replace("chosen", "");
      tip.innerHTML = card.innerHTML;
    } else {
      tip.className = "tip told";
      tip.textContent = card.querySelector(".w").textContent;
    }
    document.body.append(tip);
    const at = card.getBoundingClientRect();
    const left = Math.max(4, Math.min(at.left, innerWidth - tip.offsetWidth - 4));
    const below = at.bottom + tip.offsetHeight + 8 < innerHeight;
    tip.style.left = `${left}px`;
    tip.style.top = `${Math.max(4, below ? at.bottom + 6 : at.top - tip.offsetHeight - 6)}px`;
  }

  const small = (target) => {
    const card = target.closest?.(".card, .stage, .token:has(.w)");
    return card && !card.closest(".opened, .faces, .pick-card, .tip") ? card : null;
  };

  document.addEventListener("pointerover", (event) => {
    const card = small(event.target);
    if (card && event.pointerType === "mouse") show(card);
    else hide();
  });
  document.addEventListener("click", (event) => {
    const card = small(event.target);
    if (card) show(card);
    else hide();
  });
  document.addEventListener("keydown", hide);
  addEventListener("scroll", hide, { passive: true, capture: true });
})();
