"use strict";
// Adds a row for a player without leaving the form, brings what is wrong into view, and keeps the choice of the kind of
// source in step with what is typed.
(() => {
  const rows = document.getElementById("rows");
  const add = document.getElementById("add");
  const most = Number(rows.dataset.most);

  add?.addEventListener("click", (event) => {
    event.preventDefault();
    const count = rows.children.length;
    if (count >= most) return;
    const row = rows.lastElementChild.cloneNode(true);
    for (const wrong of row.querySelectorAll(".wrong")) wrong.remove();
    for (const field of row.querySelectorAll("input, select")) {
      field.name = field.name.replace(/\d+$/, count);
      field.removeAttribute("aria-invalid");
      field.removeAttribute("aria-describedby");
      if (field.type === "radio") Object.assign(field, { value: String(count), checked: false });
      else if (field.tagName === "INPUT") field.value = "";
      else field.value = free(field);
    }
    const label = row.querySelector("label").firstChild;
    label.textContent = label.textContent.replace(/\d+/, count + 1);
    rows.append(row);
    row.querySelector("input").focus();
    if (count + 1 >= most) add.remove();
  });

  function free(select) {
    const taken = [...rows.querySelectorAll("select")].map((each) => each.value);
    const values = [...select.options].map((option) => option.value);
    return values.find((value) => !taken.includes(value)) ?? values[0];
  }

  for (const source of document.querySelectorAll(".from")) {
    source.addEventListener("input", (event) => {
      if (event.target.type !== "radio") source.querySelector("input[type=radio]").checked = true;
    });
  }
  document.querySelector("[aria-invalid]")?.focus();
})();
