"use strict";
// Keeps a player's own screen up to date, and counts the missiles of a battery while it is built.
(() => {
  const EVERY_MS = 900;
  const LOST_AFTER_MS = 4000;
  const INSIDE = "button, input, summary";
  const mine = document.getElementById("mine");
  if (!mine) return;
  const GIVEN_UP_MS = 15000; // a connection that was lost while the phone slept may never answer
  const lost = document.getElementById("lost");
  let owedSince = null; // when the umpire was asked what it has not answered yet

  function show(now) {
    if (now.stage !== mine.dataset.stage || now.game !== mine.dataset.game) leave();
    for (const [name, part] of Object.entries(now.regions)) {
      const region = mine.querySelector(`[data-region="${name}"]`);
      if (region.dataset.mark === part.mark) continue;
      const place = [...region.querySelectorAll(INSIDE)].indexOf(document.activeElement);
      region.innerHTML = part.html;
      region.dataset.mark = part.mark;
      if (place >= 0) region.querySelectorAll(INSIDE)[place]?.focus({ preventScroll: true });
    }
    const announce = document.getElementById("announce");
    if (announce.textContent !== now.announce) announce.textContent = now.announce;
  }

  function leave() {
    if (!("sending" in document.body.dataset)) location.replace(mine.dataset.page); // what is sent brings its own page
  }

  async function poll() {
    owedSince ??= Date.now();
    try {
      const have = [...mine.querySelectorAll("[data-mark]")].map((region) => region.dataset.mark).join(" ");
      const answer = await fetch(mine.dataset.now, { cache: "no-store", headers: { "X-Have": have }, signal: AbortSignal.timeout?.(GIVEN_UP_MS) });
      if (answer.status === 403) leave();
      if (answer.ok) {
        show(await answer.json());
        owedSince = null;
      }
    } catch { /* said once it lasts */ }
    setTimeout(poll, EVERY_MS);
  }

  function count(form) {
    const used = {};
    for (const select of form.querySelectorAll("select[data-size]")) {
      const key = `${select.value}-${select.dataset.size}`;
      used[key] = (used[key] || 0) + 1;
    }
    for (const cell of form.querySelectorAll("[data-used]")) {
      const number = used[cell.dataset.used] || 0;
      const most = Number(cell.dataset.most);
      cell.textContent = number;
      cell.className = number > most ? "over" : number === most ? "full" : "";
    }
  }

  const battery = document.getElementById("battery");
  if (battery) battery.addEventListener("change", () => count(battery));
  setInterval(() => { lost.hidden = owedSince === null || Date.now() - owedSince < LOST_AFTER_MS; }, 500);
  poll();
})();
