"use strict";
// Keeps a player's own screen up to date, and counts the missiles of a battery while it is built.
(() => {
  const EVERY_MS = 900;
  const LOST_AFTER_MS = 4000;
  const SENDING_MS = 10000; // an answer that takes longer is given up
  const SHOWN_AFTER_MS = 300;
  const INSIDE = "button, input, summary";
  const mine = document.getElementById("mine");
  if (!mine) return;
  const lost = document.getElementById("lost");
  const sending = document.getElementById("sending");
  let answeredAt = Date.now();
  let sentAt = 0;

  const isSending = () => Date.now() - sentAt < SENDING_MS;

  function show(now) {
    if (!isSending()) sending.hidden = true;
    if (now.stage !== mine.dataset.stage && !isSending()) return location.replace(mine.dataset.page);
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

  async function poll() {
    try {
      const have = [...mine.querySelectorAll("[data-mark]")].map((region) => region.dataset.mark).join(" ");
      const answer = await fetch(mine.dataset.now, { cache: "no-store", headers: { "X-Have": have } });
      if (answer.status === 403) return location.replace(mine.dataset.page);
      if (answer.ok) {
        show(await answer.json());
        answeredAt = Date.now();
      }
    } catch { /* said below, once it lasts */ }
    lost.hidden = Date.now() - answeredAt < LOST_AFTER_MS;
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

  // What was sent brings its own page: no second tap sends it again, and no poll leads away from it.
  document.addEventListener("submit", (event) => {
    if (isSending()) return event.preventDefault();
    sentAt = Date.now();
    setTimeout(() => { sending.hidden = !isSending(); }, SHOWN_AFTER_MS);
  });
  window.addEventListener("pageshow", () => { sentAt = 0; sending.hidden = true; });

  const battery = document.getElementById("battery");
  if (battery) battery.addEventListener("change", () => count(battery));
  poll();
})();
