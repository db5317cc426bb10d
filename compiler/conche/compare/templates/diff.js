"use strict";
for (const game of document.querySelectorAll("section.witness")) {
  const list = game.querySelector("ol.steps");
  const steps = [...list.querySelectorAll("li")];
  const back = game.querySelector("button.back");
  const next = game.querySelector("button.next");
  const told = game.querySelector("output");
  let at = 0;
  const show = (number) => {
    at = Math.max(0, Math.min(steps.length - 1, number));
    steps.forEach((step, index) => {
      step.classList.toggle("now", index === at);
      step.classList.toggle("later", index > at);
    });
    list.scrollTop = steps[at].offsetTop - list.clientHeight / 2;
    back.disabled = at === 0;
    next.disabled = at === steps.length - 1;
    told.textContent = `step ${at + 1} of ${steps.length}`;
  };
  if (steps.length > 0) {
    game.querySelector("p.stepper").hidden = false;
    back.addEventListener("click", () => show(at - 1));
    next.addEventListener("click", () => show(at + 1));
    show(0);
  }
}
