// A symbol: its definition, uses, members, callers and callees, each the answer of one call.

import { Address, callAddress } from "./address.js";
import { AnswerView, openCall } from "./answer.js";
import { element } from "./dom.js";
import { CallGraph } from "./graph.js";
import { ItemList, wordOf } from "./items.js";
import { call } from "./server.js";
import { load } from "./waiting.js";

export const TABS = new Map([
  ["definition", { label: "Definition", tool: "go_to_definition", arguments: {} }],
  ["uses", { label: "Uses", tool: "find_references", arguments: {} }],
  ["members", { label: "Members", tool: "type_members", arguments: {} }],
  ["implementations", { label: "Implementers", tool: "find_implementations", arguments: {} }],
  ["callers", { label: "Callers", tool: "call_hierarchy", arguments: { direction: "incoming" } }],
  ["calls", { label: "Calls", tool: "call_hierarchy", arguments: { direction: "outgoing" } }],
]);

/** Returns the last name of a symbol: of an address with a position, of the text there. */
const nameOf = (symbol, known) => known || (/:\d+(?::\d+)?$/.test(symbol) ? "" : symbol.split(/[.:#]|::/).at(-1));

export class SymbolPanel {
  /** `found(name)` receives the name of the symbol once it is known. */
  constructor(address, { page, signal, name, found = () => {} }) {
    Object.assign(this, { address, page, signal, found });
    this.symbol = address.get("symbol");
    this.show = TABS.has(address.get("show")) ? address.get("show") : "definition";
    this.name = nameOf(this.symbol, name);
    this.heading = element(address.get("file") ? "h2" : "h1", { id: "symbol-heading", tabindex: "-1" }, this.name || this.symbol);
    this.body = element("div", { class: "panel-body" });
    this.top = element("div", {}, this.head(), this.tabs());
    this.element = element("section", { class: "panel", "aria-labelledby": "symbol-heading" }, this.top, this.body);
    load(this.body, `Waiting for ${TABS.get(this.show).tool} ...`, signal, (own) => this.fetch(own));
  }

  /** Shows the same symbol at another address: beside another place of the source. */
  moveTo(address) {
    this.address = address;
    this.top.replaceChildren(this.head(), this.tabs());
  }

  head() {
    const { address } = this;
    const alone = Address.of({ symbol: this.symbol, show: this.show });
    const wide = address.get("file") ? element("a", { href: alone.url, class: "quiet" }, "Full width") : null;
    const close = address.get("file") ? element("a", { href: address.with({ symbol: "", show: "", max_tokens: "", open: "" }).url, class: "quiet" }, "Close") : null;
    return element("div", { class: "panel-head" }, this.heading, element("p", { class: "panel-links" }, wide, close));
  }

  tabs() {
    const links = [...TABS].map(([show, { label }]) =>
      element("li", {}, element("a", { href: this.address.with({ show, max_tokens: "", open: "" }).url, "aria-current": show === this.show ? "page" : null }, label)),
    );
    return element("nav", { "aria-label": "About the symbol" }, element("ul", { class: "tabs" }, ...links));
  }

  async fetch(signal) {
    const tab = TABS.get(this.show);
    const args = { symbol: this.symbol, ...tab.arguments };
    if (this.address.get("max_tokens")) args.max_tokens = Number(this.address.get("max_tokens"));
    const answer = await call(tab.tool, args, signal);
    const name = answer.error ? "" : nameOf(answer.subject ?? "", "");
    if (name) {
      this.name = name;
      this.heading.replaceChildren(name);
      this.found(name);
    }
    const view = new AnswerView(answer, { page: this.page, signal: this.signal, list: this.list(answer), urlOf: (one) => this.urlOf(one), settle: (tokens) => this.page.replace({ max_tokens: tokens }) });
    const subject = answer.subject && answer.subject !== this.name ? element("p", { class: "subject" }, answer.subject) : "";
    return [subject, view.element, answer.error ? "" : element("p", {}, openCall(answer))];
  }

  /** Returns where a call leads: into this panel, if it shows such an answer. */
  urlOf({ tool, arguments: args }) {
    const { symbol, ...others } = args;
    const same = ([, tab]) => tab.tool === tool && Object.entries({ direction: "incoming", ...others }).every(([name, value]) => ({ direction: "incoming", ...tab.arguments })[name] === value);
    const found = symbol && [...TABS].find(same);
    return found ? this.address.with({ symbol, show: found[0], max_tokens: "", open: "" }).url : callAddress(tool, args).url;
  }

  list(answer) {
    if (answer.tool === "call_hierarchy") return new CallGraph(answer, this);
    // What belongs to this symbol keeps it beside the source; another symbol takes its place.
    const more = this.show === "members" ? {} : { symbol: this.symbol, show: this.show };
    return new ItemList(more, wordOf(this.name));
  }
}
