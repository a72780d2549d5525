// Who calls a function, or what it calls, as a graph that unfolds from left to right.

import { fileAddress, place } from "./address.js";
import { AnswerView } from "./answer.js";
import { breakable, element, plural, unseen } from "./dom.js";
import { call } from "./server.js";
import { load } from "./waiting.js";

const SITES = 3;

export class CallGraph {
  constructor(answer, panel) {
    this.panel = panel;
    this.direction = answer.arguments.direction ?? "incoming";
    this.rows = [];
    this.branch = element("ul", {});
    const root = element("div", { class: "node root" }, panel.name || panel.symbol);
    this.element = element("div", { class: "graph", role: "region", tabindex: "0", "aria-label": this.direction === "incoming" ? "Callers" : "Calls" }, element("ul", {}, element("li", {}, root, this.branch)));
    this.unfolded = new Set(panel.address.get("open").split(" ").filter(Boolean));
  }

  add(items, kept) {
    items.forEach((item, i) => {
      const row = this.node(item);
      this.rows.push(row);
      this.branch.append(row);
      this.keep(row, kept[i] ?? false);
    });
  }

  markKept(kept) {
    this.rows.forEach((row, i) => this.keep(row, kept[i] ?? false));
  }

  keep(row, isKept) {
    const box = row.firstChild;
    box.classList.toggle("dropped", !isKept);
    box.querySelector(":scope > .unseen")?.remove();
    if (!isKept) box.append(unseen(" (not in the answer)"));
  }

  node(item) {
    const own = place(item.path, item.line, item.column);
    const address = fileAddress(item.path, item.line, { symbol: own, show: this.panel.show });
    const branch = element("ul", {});
    const button = element("button", { type: "button", class: "unfold", "aria-expanded": "false", "aria-label": `Unfold ${item.name}` }, "+");
    const incoming = this.direction === "incoming";
    const sites = item.sites.slice(0, SITES).flatMap(([line], i) => [i ? ", " : "line ", element("a", { href: fileAddress(item.path, line, { symbol: this.panel.symbol, show: this.panel.show }).url }, String(line))]);
    const more = item.sites.length > SITES ? ` and ${item.sites.length - SITES} more` : "";
    const label = element(
      "div",
      { class: "what" },
      element("p", {}, element("a", { class: "name", href: address.url, title: item.qualified_name }, item.name), item.tier === "exact" ? null : element("span", { class: "tag" }, item.tier)),
      element("p", { class: "dim" }, ...breakable(item.path), ", ", ...(incoming ? sites : [plural(item.sites.length, "calls")]), incoming ? more : ""),
    );
    const known = item.stop === "cycle" || item.stop === "overload";
    const node = element("div", { class: "node" }, label, known ? element("span", { class: "tag" }, item.stop) : button);
    const row = element("li", {}, node, branch);
    button.addEventListener("click", () => this.toggle(own, button, branch));
    if (this.unfolded.has(own)) queueMicrotask(() => this.toggle(own, button, branch));
    return row;
  }

  /** Unfolds a node or folds it again; the address says which are unfolded. */
  toggle(own, button, branch) {
    const opens = button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(opens));
    button.textContent = opens ? "\u2212" : "+";
    if (opens) this.unfolded.add(own);
    else this.unfolded.delete(own);
    this.panel.page.replace({ open: [...this.unfolded].join(" ") });
    if (!opens) branch.replaceChildren();
    else load(branch, "Waiting for call_hierarchy ...", this.panel.signal, (signal) => this.fetch(own, signal));
  }

  async fetch(own, signal) {
    const answer = await call("call_hierarchy", { symbol: own, direction: this.direction }, signal);
    if (answer.error) return element("li", {}, new AnswerView(answer, { page: this.panel.page }).element);
    if (!answer.items.length) return element("li", {}, element("div", { class: "node none" }, this.direction === "incoming" ? "no callers" : "no calls"));
    return answer.items.map((item) => this.node(item));
  }
}
