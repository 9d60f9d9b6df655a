"use strict";
// While the umpire goes through a long match: how far it is; then the match.
(() => {
  const EVERY_MS = 500;
  const GIVEN_UP_MS = 15000;
  const going = document.getElementById("going");

  async function poll() {
    try {
      const answer = await fetch(going.dataset.state, { signal: AbortSignal.timeout?.(GIVEN_UP_MS) });
      if (answer.status === 403 || answer.status === 404) return location.replace(going.dataset.then || location.href); // started again
      if (answer.ok) {
        const state = await answer.json();
        if (!state.waiting) return location.replace(going.dataset.then || location.href);
        document.getElementById("through-words").textContent = `The umpire goes through the match: ${state.done} of ${state.of}`;
        Object.assign(document.getElementById("through"), { max: state.of || 1, value: state.done });
      }
    } catch { /* asked again soon */ }
    setTimeout(poll, EVERY_MS);
  }

  poll();
})();
