"use strict";
// Runs before the page is drawn, so that a chosen look never flashes. What is chosen stays with this browser.
(() => {
  const root = document.documentElement;
  const read = (name) => { try { return localStorage.getItem(name); } catch { return null; } };
  const keep = (name, value) => { try { localStorage.setItem(name, value); } catch { /* private window: kept until it closes */ } };
  const isDark = () => (root.dataset.theme ? root.dataset.theme === "dark" : matchMedia("(prefers-color-scheme: dark)").matches);

  function choose(name, value) {
    root.dataset[name] = value;
    keep(name, value);
    show();
  }

  function show() {
    const states = { dark: isDark(), large: root.dataset.type === "large", sound: root.dataset.sound === "on" };
    for (const [id, is] of Object.entries(states)) {
      const box = document.getElementById(id);
      if (box) box.checked = is;
    }
  }

  for (const [name, values] of Object.entries({ theme: ["light", "dark"], type: ["large"], sound: ["on"] })) {
    if (values.includes(read(name))) root.dataset[name] = read(name);
  }
  document.addEventListener("DOMContentLoaded", () => {
    const on = (id, event, act) => document.getElementById(id)?.addEventListener(event, act);
    on("theme", "click", () => choose("theme", isDark() ? "light" : "dark"));
    on("dark", "change", (event) => choose("theme", event.target.checked ? "dark" : "light"));
    on("large", "change", (event) => choose("type", event.target.checked ? "large" : "normal"));
    on("sound", "change", (event) => choose("sound", event.target.checked ? "on" : "off"));
    show();
  });
})();
