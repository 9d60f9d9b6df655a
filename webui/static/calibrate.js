"use strict";
// Shows what the live camera sees, again and again, while it is looked at.
(() => {
  const EVERY_MS = 600;
  const GIVEN_UP_MS = 15000;
  const live = document.getElementById("live");
  if (!live) return;
  const picture = document.getElementById("live-picture");
  const words = document.getElementById("live-words");
  const tips = document.getElementById("live-tips");

  function show(now) {
    if (words.textContent !== now.words) words.textContent = now.words;
    if ([...tips.children].map((tip) => tip.textContent).join("\n") !== now.tips.join("\n")) {
      tips.replaceChildren(...now.tips.map((tip) => Object.assign(document.createElement("li"), { textContent: tip })));
    }
    if (now.picture && picture.getAttribute("src") !== now.picture) picture.src = now.picture;
    picture.hidden = !now.picture;
  }

  async function poll() {
    try {
      const answer = await fetch(live.dataset.live, { signal: AbortSignal.timeout?.(GIVEN_UP_MS) });
      if (answer.ok) show(await answer.json());
      else words.textContent = "The umpire was started again. Open the main screen’s link from the terminal, then come back.";
    } catch {
      words.textContent = "The umpire does not answer. Is it still running?";
      picture.hidden = true;
    }
    setTimeout(poll, EVERY_MS);
  }

  poll();
})();
