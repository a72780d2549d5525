// One line on the server: how far the index is, what is wrong with it, the model, the version.

import { element, number, plural } from "./dom.js";
import { get } from "./server.js";

const POLL_MS = 2000;
const CALM_MS = 20000;

export class StatusLine {
  constructor(page) {
    this.page = page;
    this.line = element("p", { role: "status" });
    this.doubts = element("div", {});
    const { about } = page;
    const counted = about.exact ? "counted exactly" : "upper bounds";
    this.element = element("div", { class: "status" }, this.line, element("p", {}, `Tokens of ${about.model === "unknown" ? "an unknown model" : about.model}: ${counted}`), element("p", {}, `Leadline ${about.version}`), this.doubts);
    this.poll();
  }

  async poll() {
    let pause = POLL_MS;
    if (!document.hidden) {
      try {
        const state = await get("state");
        this.update(state);
        this.page.setOnline(true);
        if (state.complete) pause = CALM_MS;
      } catch {
        this.page.setOnline(false);
      }
    }
    setTimeout(() => this.poll(), pause);
  }

  update(state) {
    const text = state.complete ? `${plural(state.files, "files")} indexed` : `Indexing: ${number(Math.min(state.texts, state.symbols))} of ${plural(state.files, "files")}`;
    if (this.line.textContent !== text) this.line.textContent = text;
    const key = JSON.stringify(state.doubts);
    if (key === this.key) return;
    this.key = key;
    const list = element("ul", {}, ...state.doubts.map((doubt) => element("li", {}, doubt)));
    this.doubts.replaceChildren(state.doubts.length ? element("details", {}, element("summary", {}, plural(state.doubts.length, "notes")), list) : "");
  }
}
