"use strict";
// Sends the photo as soon as it is taken, and asks until the umpire has judged it.
(() => {
  const EVERY_MS = 400;
  const form = document.getElementById("shutter");
  const field = form.querySelector("input[type=file]");
  const sending = document.getElementById("sending");
  const sent = document.getElementById("sent");
  const words = document.getElementById("sending-words");
  const came = document.getElementById("came");

  function send() {
    const request = new XMLHttpRequest();
    sending.hidden = false;
    words.textContent = "Sending …";
    request.upload.addEventListener("progress", (event) => { if (event.lengthComputable) sent.value = event.loaded / event.total; });
    request.addEventListener("load", () => {
      if (request.status < 400) location.assign(request.responseURL);
      else refused(request.responseText);
    });
    request.addEventListener("error", () => { words.textContent = "It could not be sent. Is this phone in the same network? Try again."; });
    request.open("POST", form.action);
    request.send(new FormData(form));
  }

  function refused(html) {
    const page = new DOMParser().parseFromString(html, "text/html");
    words.textContent = page.querySelector("[role=alert], main p")?.textContent || "It was refused.";
    sent.value = 0;
    form.reset();
  }

  async function poll() {
    try {
      const answer = await fetch(came.dataset.state);
      if (answer.ok) {
        const state = await answer.json();
        if (!state.waiting) {
          came.innerHTML = state.html;
          return;
        }
      }
    } catch { /* asked again soon */ }
    setTimeout(poll, EVERY_MS);
  }

  form.classList.add("quick");
  form.querySelector("button").hidden = true;
  field.addEventListener("change", () => { if (field.files.length) send(); });
  if (came.dataset.waiting === "yes") poll();
})();
