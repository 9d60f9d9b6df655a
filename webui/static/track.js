"use strict";
// Points of the track are dragged, or lines tapped anew; what was changed goes with the form, in pixels of the photo.
(() => {
  const REACH_PX = 22;
  const svg = document.getElementById("track");
  if (!svg) return;
  const drawn = document.getElementById("drawn");
  const tools = document.getElementById("tools");
  const changed = document.getElementById("changed");
  const unit = Number(svg.dataset.unit);
  const lines = JSON.parse(svg.dataset.lines);
  const touched = new Set();
  let tool = "move";
  let begun = false;
  let held = null;

  const make = (name, attributes) => {
    const made = document.createElementNS("http://www.w3.org/2000/svg", name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };
  const all = () => [["outer", lines.outer], ["inner", lines.inner], ...lines.walls.map((wall) => ["walls", wall]), ["finish", lines.finish]];

  function show() {
    drawn.replaceChildren();
    for (const [part, line] of all()) {
      const shape = part === "outer" || part === "inner" ? "polygon" : "polyline";
      if (part === "finish") drawn.append(make(shape, { class: "t-rim", points: line.map((point) => point.join(",")).join(" "), "stroke-width": 6 * unit }));
      drawn.append(make(shape, { class: `t-${part}`, points: line.map((point) => point.join(",")).join(" ") }));
    }
    for (const [part, line] of all()) {
      if (tool !== "move" && part !== tool) continue;
      line.forEach((point) => {
        drawn.append(make("circle", { cx: point[0], cy: point[1], r: 6 * unit, "stroke-width": unit }));
      });
    }
    const whole = Object.fromEntries([...touched].map((part) => [part, part === "walls" ? lines.walls.filter((wall) => wall.length > 1) : lines[part]]));
    changed.value = touched.size ? JSON.stringify(whole) : "";
  }

  function place(event) {
    const at = new DOMPoint(event.clientX, event.clientY).matrixTransform(svg.getScreenCTM().inverse());
    return [Math.round(at.x * 10) / 10, Math.round(at.y * 10) / 10];
  }

  function tap(point) {
    touched.add(tool);
    if (!begun && tool === "walls") lines.walls.push([]);
    if ((!begun || (tool === "finish" && lines.finish.length > 1)) && tool !== "walls") lines[tool] = [];
    begun = true;
    (tool === "walls" ? lines.walls.at(-1) : lines[tool]).push(point);
    show();
  }

  // The point that a finger means: the nearest, if it is no farther than a finger is wide.
  function nearest([x, y]) {
    const reach = REACH_PX * svg.viewBox.baseVal.width / svg.clientWidth;
    const found = all().flatMap(([part, line]) => line.map((point) => ({ part, point, far: Math.hypot(point[0] - x, point[1] - y) })));
    const best = found.reduce((one, other) => (other.far < one.far ? other : one), { far: Infinity });
    return best.far <= reach ? best : null;
  }

  svg.addEventListener("pointerdown", (event) => {
    held = tool === "move" ? nearest(place(event)) : null;
    if (!held) return;
    event.preventDefault();
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("touchstart", (event) => { if (held) event.preventDefault(); }, { passive: false });
  svg.addEventListener("pointermove", (event) => {
    if (!held) return;
    [held.point[0], held.point[1]] = place(event);
    touched.add(held.part);
    show();
  });
  for (const end of ["pointerup", "pointercancel"]) svg.addEventListener(end, () => { held = null; });
  svg.addEventListener("click", (event) => { if (tool !== "move") tap(place(event)); });
  tools.addEventListener("change", (event) => {
    if (event.target.name !== "tool") return;
    tool = event.target.value;
    begun = false;
    svg.classList.toggle("tapping", tool !== "move");
    show();
  });
  document.getElementById("back").addEventListener("click", () => {
    if (tool === "move" || !begun) return;
    (tool === "walls" ? lines.walls.at(-1) : lines[tool]).pop();
    show();
  });
  document.getElementById("no-walls").addEventListener("click", () => { lines.walls = []; touched.add("walls"); begun = false; show(); });
  tools.hidden = false;
  show();
})();
