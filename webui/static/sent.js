"use strict";
// A form that leads to another page is sent once: while the umpire works a second tap does nothing, and the page says why.
(() => {
  const SHOWN_AFTER_MS = 300;
  const LONG_MS = 30000; // then a tap sends it again: the answer may have been lost
  const UNSAID = "The umpire is at work …";
  const LONG = "It takes long. If nothing comes of it, tap again.";
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  let timers = [];

  const say = (words) => toast.replaceChildren(Object.assign(document.createElement("p"), { textContent: words }));

  function free() {
    timers.forEach(clearTimeout);
    delete document.body.dataset.sending;
    toast.replaceChildren();
  }

  window.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if ("sending" in document.body.dataset) return event.preventDefault();
    free();
    const words = event.submitter?.dataset.working || UNSAID;
    document.body.dataset.sending = "yes";
    timers = [
      setTimeout(() => say(words), SHOWN_AFTER_MS),
      setTimeout(() => { delete document.body.dataset.sending; say(`${words} ${LONG}`); }, LONG_MS),
    ];
  });
  document.addEventListener("DOMContentLoaded", () => document.body.append(toast));
  window.addEventListener("pageshow", free);
})();
