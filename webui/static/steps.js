"use strict";
// The arrow keys go to the step before and after, where the page has links to them; the step that is shown is in sight.
document.addEventListener("keydown", (event) => {
  if (event.altKey || event.ctrlKey || event.metaKey || event.target.matches("input, select, textarea")) return;
  const way = { ArrowLeft: "prev", ArrowRight: "next", Home: "first", End: "last" }[event.key];
  const link = way && document.querySelector(`a[rel~="${way}"]`);
  if (!link) return;
  event.preventDefault();
  link.click();
});

for (const list of document.querySelectorAll(".steps-list")) {
  const now = list.querySelector(".now");
  if (now) list.scrollLeft = now.offsetLeft - list.offsetLeft - (list.clientWidth - now.clientWidth) / 2;
}
