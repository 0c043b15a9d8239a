// Copies what a button's data-copy names; the button is hidden where scripts do not run.
"use strict";

(() => {
  async function copy(field) {
    // The clipboard interface is missing on plain-http addresses of the house.
    if (navigator.clipboard && window.isSecureContext) {
      try {
        await navigator.clipboard.writeText(field.value);
        return true;
      } catch {
        // Not permitted: the old way below may still be.
      }
    }
    field.select();
    return document.execCommand("copy");
  }

  for (const button of document.querySelectorAll("[data-copy]")) {
    const field = document.querySelector(button.dataset.copy);
    const said = document.querySelector(button.dataset.said);
    button.hidden = false;
    button.addEventListener("click", async () => {
      const done = await copy(field);
      if (!done) field.select();
      said.textContent = done ? button.dataset.done : button.dataset.failed;
    });
  }

  // A form that was refused: its summary of errors is read first.
  document.querySelector("[data-error-summary]")?.focus();
})();
