// What every page does: copying, the theme, and preferences that were changed without a reload.
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

  // What a button's data-copy names; the button is hidden where scripts do not run.
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

  const THEMES = ["system", "light", "dark"];

  function showTheme(theme) {
    document.documentElement.dataset.theme = theme;
    const chosen = theme === "system" ? null : theme;
    document.querySelector('meta[name="color-scheme"]').content = chosen ?? "light dark";
    const grounds = [...document.querySelectorAll('meta[name="theme-color"]')];
    const ground = grounds.find((meta) => chosen && meta.media.includes(chosen));
    for (const meta of grounds) meta.content = (ground ?? meta).dataset.own;
    for (const button of document.querySelectorAll("[data-theme-switch]")) {
      button.value = THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length];
      button.title = button.dataset[theme];
      button.setAttribute("aria-label", button.dataset[theme]);
    }
  }

  function showChosen(form, now) {
    for (const field of form.elements) {
      if (field.type === "radio") field.checked = now[field.name] === field.value;
      if (field.type === "checkbox") field.checked = now[field.name];
    }
  }

  document.addEventListener("preferences", (event) => {
    const now = event.detail;
    showTheme(now.theme);
    for (const form of document.querySelectorAll("[data-preferences]")) {
      showChosen(form, now);
      const said = form.querySelector("[data-saved]");
      said.textContent = form === event.target ? said.dataset.saved : "";
    }
  });

  // A form that was refused: its summary of errors is read first.
  document.querySelector("[data-error-summary]")?.focus();
})();
