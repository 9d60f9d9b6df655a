"use strict";
// Sends the photo as soon as it is taken, and asks until the umpire has judged it.
(() => {
  const EVERY_MS = 400;
  const GIVEN_UP_MS = 15000;
  const form = document.getElementById("shutter");
  const field = form.querySelector("input[type=file]");
  const sending = document.getElementById("sending");
  const sent = document.getElementById("sent");
  const words = document.getElementById("sending-words");
  const looking = document.querySelector(".looking");
  const came = document.getElementById("came");

  function send() {
    const request = new XMLHttpRequest();
    const body = new FormData(form);
    field.disabled = true; // one photo at a time
    sending.hidden = false;
    words.textContent = "Sending …";
    request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) sent.value = event.loaded / event.total; });
    request.addEventListener("load", () => {
      if (request.status < 400) location.assign(request.responseURL);
      else refused(request.responseText);
    });
    request.addEventListener("error", () => again("It could not be sent. Is this phone in the same network? Try again."));
    request.open("POST", form.action);
    request.send(body);
  }

  function refused(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    again(page.querySelector("[role=alert], main p")?.textContent || "It was refused.");
  }

  function again(why) {
    words.textContent = why;
    sent.value = 0;
    field.disabled = false;
    form.reset();
  }

  async function poll() {
    try {
      const answer = await fetch(came.dataset.state, { signal: AbortSignal.timeout?.(GIVEN_UP_MS) });
      if (answer.status === 403) return location.reload(); // the umpire was started again: it says how to join
      if (answer.ok) {
        const state = await answer.json();
        if (!state.waiting) {
          came.innerHTML = state.html;
          return;
        }
      }
      looking.textContent = "The umpire looks at your photo …";
    } catch {
      looking.textContent = "The umpire does not answer. This page carries on by itself once it does.";
    }
    setTimeout(poll, EVERY_MS);
  }

  window.addEventListener("pageshow", () => { field.disabled = false; sending.hidden = true; });
  form.classList.add("quick");
  form.querySelector("button").hidden = true;
  field.addEventListener("change", () => { if (field.files.length) send(); });
  if (came.dataset.waiting === "yes") poll();
})();
