"use strict";
// Asks for the state, replaces the regions that changed, and sends orders without leaving the page.
(() => {
  const EVERY_MS = Number(document.body.dataset.every || 700);
  const LOST_AFTER_MS = 2500;
  const GIVEN_UP_MS = 15000; // a connection that was lost while the device slept may never answer
  const PICTURE_MS = 4000; // no region waits longer for its picture
  const SLOW_MS = 1000; // the umpire may be looking at a photo before it takes in what was said
  const READ_MS = 6000;
  const HURRIED = 12; // after an order the next answers are asked for sooner
  const CAN_HOLD_FOCUS = "button, summary, input, select, a[href], .place";
  const shown = {};
  let etag = "";
  let asking = null; // the last question: earlier ones count no more
  let owedSince = null; // when the umpire was asked what it has not answered yet
  let told = ""; // the parts in which an order's outcome shows
  let slow = 0;
  let timer = 0;
  let hurried = 0;
  let photo = "";

  function show(state) {
    if (state.match !== document.body.dataset.match) { // another game is on now
      location.reload();
      return;
    }
    document.title = state.title;
    for (const [name, html] of Object.entries(state.regions)) {
      if (name === "photo") showPhoto(html);
      else replace(name, html);
    }
    document.getElementById("toggle").setAttribute("aria-pressed", String(state.paused));
    const announce = document.getElementById("announce");
    if (announce.textContent !== state.announce) announce.textContent = state.announce;
    heard(["verdict", "said", "board", "refused"].map((name) => state.regions[name]).join());
    document.dispatchEvent(new CustomEvent("shown", { detail: state }));
  }

  function heard(now) {
    if (now === told) return;
    told = now;
    clearTimeout(slow);
    document.querySelector(".toast [data-slow]")?.remove();
  }

  function replace(name, html) {
    const region = document.querySelector(`[data-region="${name}"]`);
    if (!region || shown[name] === html) return;
    const aside = name === "strip" ? region.querySelector("ol").scrollLeft : 0;
    if (name in shown || !holds(region, html)) renew(region, html);
    shown[name] = html;
    if (name === "strip") follow(region, aside);
  }

  // What the page came with is not made anew by the first answer: somebody may have opened some of it.
  function holds(region, html) {
    const same = region.cloneNode();
    same.innerHTML = html;
    return same.innerHTML === region.innerHTML;
  }

  function renew(region, html) {
    const place = focusPlace(region);
    region.innerHTML = html;
    document.dispatchEvent(new CustomEvent("region", { detail: region }));
    if (place !== null) region.querySelectorAll(CAN_HOLD_FOCUS)[place]?.focus({ preventScroll: true });
  }

  // The photo is there before its region changes, so that it never flashes; nothing else waits for it.
  async function showPhoto(html) {
    photo = html;
    const address = shown.photo !== html && html.match(/(?:href|src)="([^"]+)"/)?.[1];
    const loaded = address && Object.assign(new Image(), { src: address }).decode().catch(() => {});
    if (loaded) await Promise.race([loaded, new Promise((done) => setTimeout(done, PICTURE_MS))]);
    if (photo === html) replace("photo", html);
  }

  function focusPlace(region) {
    if (!region.contains(document.activeElement)) return null;
    const place = [...region.querySelectorAll(CAN_HOLD_FOCUS)].indexOf(document.activeElement);
    return place < 0 ? null : place;
  }

  function follow(region, aside) {
    const list = region.querySelector("ol");
    const now = list.querySelector("li.now");
    list.scrollLeft = aside;
    if (!now) return;
    list.scrollTo({ left: now.offsetLeft - list.clientWidth / 2 + now.clientWidth / 2 });
    region.scrollTo({ top: now.offsetTop - region.clientHeight / 2 + now.clientHeight / 2 });
  }

  async function poll() {
    clearTimeout(timer);
    asking?.abort();
    const mine = new AbortController();
    const givenUp = setTimeout(() => mine.abort(), GIVEN_UP_MS);
    asking = mine;
    owedSince ??= Date.now();
    try {
      const headers = etag ? { "If-None-Match": etag } : {};
      const answer = await fetch(document.body.dataset.state, { headers, signal: mine.signal });
      if (answer.status === 403) return location.reload(); // the umpire was started again: it says how to join
      if (answer.status < 500) owedSince = null;
      if (answer.status === 200) {
        const state = await answer.json();
        etag = answer.headers.get("ETag") || "";
        show(state);
      }
    } catch { /* said once it lasts */ }
    clearTimeout(givenUp);
    if (mine !== asking) return;
    timer = setTimeout(poll, hurried-- > 0 ? Math.min(120, EVERY_MS) : EVERY_MS);
  }

  async function send(url, fields) {
    const body = new URLSearchParams(fields);
    clearTimeout(slow);
    if (body.has("count")) slow = setTimeout(() => say("The umpire has heard you, and looks at the table first.").dataset.slow = "", SLOW_MS);
    try {
      const answer = await fetch(url, { method: "POST", body, redirect: "manual" });
      if (answer.status === 400 || answer.status === 403) location.reload();
      else if (answer.status > 400) refuse(await answer.text());
    } catch {
      clearTimeout(slow);
      say("That did not reach the umpire, or its answer was lost. Look again, and tap once more if it is not done.");
    }
    hurried = HURRIED;
    setTimeout(poll, 60);
  }

  function refuse(html) {
    const words = new DOMParser().parseFromString(html, "text/html").body.lastElementChild?.textContent || html;
    clearTimeout(slow);
    say(words);
  }

  function say(words) {
    const said = Object.assign(document.createElement("p"), { textContent: words });
    document.querySelector('[data-region="refused"]').replaceChildren(said);
    delete shown.refused;
    setTimeout(() => said.remove(), READ_MS);
    return said;
  }

  document.addEventListener("refused", (event) => refuse(event.detail));

  // The second tap of two meant what was there before the first, and not what that brought.
  document.addEventListener("click", (event) => {
    const button = event.target.closest("button[formaction]");
    if (event.detail > 1 && button?.form?.elements.count) event.preventDefault();
  }, true);

  document.addEventListener("submit", (event) => {
    const button = event.submitter;
    const url = button?.getAttribute("formaction");
    if (!url) return;
    event.preventDefault();
    const fields = new FormData(event.target);
    if (button.name) fields.set(button.name, button.value);
    button.closest("dialog")?.close();
    button.closest("[popover]")?.hidePopover();
    send(url, fields);
  });

  document.addEventListener("keydown", (event) => {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target.closest("input:not([type=checkbox]):not([type=radio]), textarea, dialog")) return;
    const key = event.key.toLowerCase();
    const name = key === "y" || (key === "z" && event.shiftKey) ? "redo" : key === "z" ? "undo" : null;
    if (!name) return;
    event.preventDefault();
    document.querySelector(`[formaction$="/${name}"]:not(:disabled)`)?.click();
  });

  document.querySelector("select[name=pace]")?.addEventListener("change", (event) => {
    const token = event.target.form.elements.token.value;
    send(event.target.dataset.order, { token, pace: event.target.value });
  });

  setInterval(() => {
    document.getElementById("lost").hidden = owedSince === null || Date.now() - owedSince < LOST_AFTER_MS;
  }, 500);
  poll();
})();
