"use strict";
// Places of the table can be pointed at: with a finger, or with the arrow keys and Enter. Also the picture's switches.
(() => {
  const board = document.getElementById("board");
  const dialog = document.getElementById("correct");
  const photo = document.getElementById("photo");
  const ARROWS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
  const TWO_TAPS_MS = 400;
  let openedAt = -Infinity;
  let last = null; // the name of the place that the keyboard was on

  const places = () => [...board.querySelectorAll(".place")];
  const middle = (place) => {
    const box = place.querySelector(".touch, polygon").getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };

  function makeReachable() {
    for (const svg of board.querySelectorAll("svg")) svg.setAttribute("role", "group");
    const all = places();
    for (const place of all) {
      place.setAttribute("role", "button");
      place.setAttribute("tabindex", "-1");
      place.setAttribute("aria-label", place.querySelector("title").textContent);
    }
    const first = all.find((place) => place.dataset.place === last) || all[0];
    first?.setAttribute("tabindex", "0");
  }

  function step(from, [dx, dy]) {
    const [x, y] = middle(from);
    let best = null;
    let least = Infinity;
    for (const place of places()) {
      const [px, py] = middle(place);
      const along = (px - x) * dx + (py - y) * dy;
      const aside = Math.abs((px - x) * dy) + Math.abs((py - y) * dx);
      if (along > 2 && along + 3 * aside < least) [best, least] = [place, along + 3 * aside];
    }
    return best;
  }

  function focusOn(place) {
    for (const each of places()) each.setAttribute("tabindex", each === place ? "0" : "-1");
    last = place.dataset.place;
    place.focus();
  }

  function nearest(x, y) {
    const away = (place) => { const [px, py] = middle(place); return (px - x) ** 2 + (py - y) ** 2; };
    return places().reduce((best, place) => (!best || away(place) < away(best) ? place : best), null);
  }

  async function open(fields) {
    const answer = await fetch(`${dialog.dataset.ask}?${new URLSearchParams(fields)}`).catch(() => null);
    const words = answer ? await answer.text() : "The umpire does not answer. Tap the place again.";
    if (!answer?.ok) {
      document.dispatchEvent(new CustomEvent("refused", { detail: words }));
      return;
    }
    dialog.innerHTML = words;
    if (!dialog.open) dialog.showModal();
    openedAt = performance.now();
    dialog.scrollTop = 0;
  }

  board.addEventListener("keydown", (event) => {
    const place = event.target.closest(".place");
    if (!place) return;
    if (event.key === "Enter" || event.key === " ") open({ at: place.dataset.place });
    else if (ARROWS[event.key]) { const to = step(place, ARROWS[event.key]); if (to) focusOn(to); } else return;
    event.preventDefault();
  });

  board.addEventListener("click", (event) => {
    const place = event.target.closest(".place") || nearest(event.clientX, event.clientY);
    if (!place) return;
    last = place.dataset.place;
    open({ at: place.dataset.place });
  });

  photo.addEventListener("click", (event) => {
    const layer = photo.querySelector("svg.layer");
    if (!layer || event.target.closest(".tools")) return;
    const point = new DOMPoint(event.clientX, event.clientY).matrixTransform(layer.getScreenCTM().inverse());
    open({ x: point.x.toFixed(1), y: point.y.toFixed(1) });
  });

  function isBeside({ target, clientX, clientY }) {
    const { left, right, top, bottom } = dialog.getBoundingClientRect();
    return target === dialog && (clientX < left || clientX > right || clientY < top || clientY > bottom);
  }

  // The second tap of two was meant for the place, and not for what opened over it.
  dialog.addEventListener("click", (event) => {
    const isTouch = event.pointerType === "touch" && event.timeStamp - openedAt < TWO_TAPS_MS;
    if (event.detail > 1 || isTouch) { event.preventDefault(); event.stopImmediatePropagation(); }
  }, true);

  dialog.addEventListener("click", (event) => {
    if (isBeside(event) || event.target.closest("[data-close]")) dialog.close();
  });
  dialog.addEventListener("close", () => {
    places().find((place) => place.dataset.place === last)?.focus({ preventScroll: true });
  });

  function toggle(id, act) {
    const button = document.getElementById(id);
    button.addEventListener("click", () => {
      const is = button.getAttribute("aria-pressed") !== "true";
      button.setAttribute("aria-pressed", String(is));
      act(is);
    });
  }
  toggle("marks", (is) => photo.classList.toggle("plain", !is));
  toggle("larger", (is) => document.body.classList.toggle("photo-first", is));

  document.addEventListener("region", (event) => { if (event.detail === board) makeReachable(); });
  makeReachable();
})();
