"use strict";
// Search: what does not have all the words is hidden; a section is hidden with its last entry.
const form = document.getElementById("search");
if (form) {
  const field = document.getElementById("words"), count = document.getElementById("count");
  const entries = [...document.querySelectorAll(".entry")];
  const texts = entries.map(entry => entry.textContent.toLowerCase());
  const filter = () => {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let found = 0;
    entries.forEach((entry, i) => {
      entry.hidden = !words.every(word => texts[i].includes(word));
      found += !entry.hidden;
    });
    count.textContent = words.length ? `${found} of ${entries.length} entries` : "";
  };
  form.hidden = false;
  form.addEventListener("submit", event => event.preventDefault());
  field.addEventListener("input", filter);
}
// A link to a folded trace unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  target.hidden = false;
  if (target.tagName === "DETAILS") target.open = true;
  target.scrollIntoView();
};
addEventListener("hashchange", unfold);
unfold();
// A table that is wider than the screen says so.
const boxes = [...document.querySelectorAll(".scroll, .trace-scroll")];
const measure = () => boxes.forEach(box => box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1));
addEventListener("resize", measure);
document.addEventListener("toggle", measure, true);
measure();
