"use strict";
// A link to something folded unfolds it.
const unfold = () => {
  const target = location.hash && document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target) return;
  for (let each = target; each; each = each.parentElement) if (each.tagName === "DETAILS") each.open = true;
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
