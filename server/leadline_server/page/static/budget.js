// The budget of an answer as a slider: what the answer keeps and drops with more or fewer tokens.

import { element, number, short } from "./dom.js";
import { preview } from "./server.js";

const STEPS = [60, 80, 100, 150, 200, 300, 400, 600, 800, 1000, 1500, 2000, 3000, 4000, 6000, 9000, 12000, 20000];
const PAUSE_MS = 120;
let made = 0;

/** Returns a slider; `show(answer)` receives the answer with each budget, `settle(tokens)` the one that is chosen. */
export function budgetSlider(answer, signal, show, settle) {
  const stops = stopsOf(answer);
  const id = `budget-${(made += 1)}`;
  const nearest = stops.reduce((best, stop, place) => (stop <= answer.budget ? place : best), 0);
  const output = element("output", { for: id }, `${number(answer.budget)} tokens`);
  const input = element("input", { id, type: "range", min: 0, max: stops.length - 1, step: 1, value: nearest });
  const describe = (tokens) => {
    output.textContent = `${number(tokens)} tokens`;
    input.setAttribute("aria-valuetext", `${number(tokens)} tokens`);
  };
  describe(answer.budget);
  let waiting;
  input.addEventListener("input", () => {
    const tokens = stops[input.valueAsNumber];
    describe(tokens);
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      preview(answer.uri, tokens, signal)
        .then((found) => tokens === stops[input.valueAsNumber] && show(found))
        .catch((error) => {
          if (error.name !== "AbortError") output.textContent = error.message;
        });
    }, PAUSE_MS);
  });
  input.addEventListener("change", () => settle(stops[input.valueAsNumber]));
  return element(
    "div",
    { class: "budget" },
    element("label", { for: id }, "Budget"),
    element("span", { class: "dim", "aria-hidden": "true" }, short(stops[0])),
    input,
    element("span", { class: "dim", "aria-hidden": "true" }, short(stops.at(-1))),
    output,
  );
}

function stopsOf(answer) {
  const between = STEPS.filter((tokens) => tokens > answer.least && tokens < answer.most);
  return [...new Set([answer.least, ...between, answer.budget, answer.most])].sort((one, other) => one - other);
}
