// Buttons that copy the text of a field beside them.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-copy]");
  if (button === null) return;
  const field = document.getElementById(button.dataset.copy);
  field.focus();
  field.select();
  // Without TLS there is no clipboard but the old command.
  if (navigator.clipboard) await navigator.clipboard.writeText(field.value);
  else document.execCommand("copy");
  button.textContent = field.dataset.copied;
});
