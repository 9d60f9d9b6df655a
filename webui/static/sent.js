"use strict";
// A form that leads to another page is sent once: while the umpire works a second tap does nothing, and the page says why.
(() => {
  const SHOWN_AFTER_MS = 300;
  const GIVEN_UP_MS = 10000; // then a tap sends it again: the answer may have been lost
  const UNSAID = "The umpire is at work …";
  const toast = document.createElement("div");
  toast.className = "toast";
  toast.setAttribute("role", "status");
  let timers = [];

  function free() {
    timers.forEach(clearTimeout);
    delete document.body.dataset.sending;
    toast.replaceChildren();
  }

  window.addEventListener("submit", (event) => {
    if (event.defaultPrevented) return;
    if ("sending" in document.body.dataset) return event.preventDefault();
    const words = event.submitter?.dataset.working || UNSAID;
    document.body.dataset.sending = "yes";
    timers = [
      setTimeout(() => toast.replaceChildren(Object.assign(document.createElement("p"), { textContent: words })), SHOWN_AFTER_MS),
      setTimeout(free, GIVEN_UP_MS),
    ];
  });
  document.addEventListener("DOMContentLoaded", () => document.body.append(toast));
  window.addEventListener("pageshow", free);
})();
