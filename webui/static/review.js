"use strict";
// Sends photos one at a time, so that progress shows and one that fails keeps no other back; then follows the reading.
(() => {
  const QUICK_MS = 500;
  const SLOW_MS = 4000;
  const GIVEN_UP_MS = 30000; // many photos make a long answer
  const shown = {};
  const sending = document.getElementById("sending");
  const sent = document.getElementById("sent");
  const sendingWords = document.getElementById("sending-words");
  const reading = document.getElementById("reading");
  const read = document.getElementById("read");
  const readingWords = document.getElementById("reading-words");
  let isSending = false;
  let timer = 0;

  function show(state) {
    for (const [name, html] of Object.entries(state.regions)) {
      if (shown[name] === html) continue;
      const region = document.querySelector(`[data-region="${name}"]`);
      if (region.querySelector("input:focus, select:focus")) continue; // somebody types there; later then
      if (name in shown || region.innerHTML.trim() !== html.trim()) replace(region, html);
      shown[name] = html;
    }
    reading.hidden = state.read === state.count;
    read.max = state.count || 1;
    read.value = state.read;
    readingWords.textContent = `${state.read} of ${state.count} photos read`;
  }

  function replace(region, html) {
    const open = [...region.querySelectorAll("details")].map((each) => each.open);
    const controls = () => [...region.querySelectorAll("a, button, summary")];
    const place = controls().indexOf(document.activeElement);
    const aside = region.querySelector("ol")?.scrollLeft || 0;
    region.innerHTML = html;
    region.querySelectorAll("details").forEach((each, n) => { if (n in open) each.open = open[n]; });
    if (place >= 0) controls()[place]?.focus({ preventScroll: true });
    const list = region.querySelector("ol");
    if (list) list.scrollLeft = aside;
  }

  async function poll() {
    clearTimeout(timer);
    let wait = SLOW_MS;
    try {
      const answer = await fetch(document.getElementById("review").dataset.state, { signal: AbortSignal.timeout?.(GIVEN_UP_MS) });
      if (answer.ok) {
        const state = await answer.json();
        show(state);
        if (!state.done || isSending) wait = QUICK_MS;
      }
    } catch { /* asked again soon */ }
    timer = setTimeout(poll, wait);
  }

  function send(url, token, file, tell) {
    return new Promise((done) => {
      const request = new XMLHttpRequest();
      const body = new FormData();
      body.append("token", token);
      body.append("photos", file, file.name);
      request.upload.addEventListener("progress", (event) => tell(event.lengthComputable ? event.loaded / event.total : 0));
      request.addEventListener("load", () => done(request.status < 400 ? "" : refusal(request.responseText)));
      request.addEventListener("error", () => done("The umpire does not answer. Try again."));
      request.open("POST", url);
      request.setRequestHeader("Accept", "application/json");
      request.send(body);
    });
  }

  function refusal(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    return page.querySelector("[role=alert]")?.textContent || "It was refused.";
  }

  async function sendAll(form, url) {
    const field = form.querySelector("input[type=file]");
    const files = [...field.files];
    const failed = [];
    let why = "";
    isSending = true;
    document.body.dataset.sending = "yes"; // meanwhile no other form leads away
    sending.hidden = false;
    sent.max = files.length;
    poll();
    for (const [n, file] of files.entries()) {
      sendingWords.textContent = `Sending ${form.dataset.noun} ${n + 1} of ${files.length}`;
      const fault = await send(url, form.elements.token.value, file, (part) => { sent.value = n + part; });
      if (fault) failed.push(file.name);
      why = fault || why;
    }
    isSending = false;
    delete document.body.dataset.sending;
    sendingWords.textContent = failed.length ? `Not sent: ${failed.join(", ")}. ${why}` : "All sent";
    sent.value = files.length;
    form.reset();
    if (failed.length === 0) location.assign(location.pathname + location.search);
    poll();
  }

  document.addEventListener("submit", (event) => {
    const form = event.target;
    if (!form.classList.contains("sending")) return;
    event.preventDefault();
    if (!("sending" in document.body.dataset)) sendAll(form, event.submitter.getAttribute("formaction"));
  });

  window.addEventListener("beforeunload", (event) => { if (isSending) event.preventDefault(); });
  poll();
})();
