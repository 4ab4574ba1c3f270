// What is wider than its box says so.
const measure = () => document.querySelectorAll(".scroll, .trace-scroll").forEach(
  box => box.classList.toggle("wide", box.scrollWidth > box.clientWidth + 1));
addEventListener("resize", measure);
document.addEventListener("toggle", measure, true);
measure();
