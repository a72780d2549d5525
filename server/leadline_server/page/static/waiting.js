// What is shown while an answer takes its time, and in its place if there is none.

import { element } from "./dom.js";
import { Problem } from "./server.js";

const SILENT_MS = 300;

/** Fills `place` with what `load(signal)` makes. Until then it shows what is waited for, and a button to stop that. */
export async function load(place, what, signal, load) {
  const own = new AbortController();
  const stop = () => own.abort();
  signal?.addEventListener("abort", stop);
  const waiting = notice(what, stop);
  const put = (made) => place.replaceChildren(place.tagName === "UL" ? element("li", {}, made) : made);
  const shown = setTimeout(() => put(waiting.element), SILENT_MS);
  place.setAttribute("aria-busy", "true");
  try {
    const made = await load(own.signal);
    if (!signal?.aborted) place.replaceChildren(...[made].flat());
  } catch (error) {
    if (signal?.aborted) return;
    const again = () => loadAgain(place, what, signal, load);
    if (error.name === "AbortError") put(stopped("Stopped.", again));
    else if (error instanceof Problem) put(stopped(error.message, again));
    else {
      put(stopped("This page has an error.", again));
      throw error;
    }
  } finally {
    clearTimeout(shown);
    waiting.end();
    place.removeAttribute("aria-busy");
    signal?.removeEventListener("abort", stop);
  }
}

const loadAgain = (place, what, signal, make) => {
  place.replaceChildren();
  load(place, what, signal, make);
};

function stopped(message, again) {
  return element(
    "div",
    { class: "notice" },
    element("p", { role: "status" }, message),
    element("button", { type: "button", on: { click: again } }, "Try again"),
  );
}

function notice(what, stop) {
  const seconds = element("span", { class: "dim", "aria-hidden": "true" });
  const start = performance.now();
  const clock = setInterval(() => {
    seconds.textContent = ` ${Math.round((performance.now() - start) / 1000)} s`;
  }, 1000);
  const made = element(
    "div",
    { class: "notice waiting" },
    element("p", {}, element("span", { role: "status" }, what), seconds),
    element("button", { type: "button", on: { click: stop } }, "Stop"),
  );
  return { element: made, end: () => clearInterval(clock) };
}
