// The calls of all clients as they come: the question, what was sent, and what the complete answer would have cost more.

import { callAddress } from "./address.js";
import { element, number } from "./dom.js";
import { get } from "./server.js";

const POLL_MS = 2000;

export class LedgerView {
  constructor(page, signal, most) {
    Object.assign(this, { page, signal, most, latest: null });
    this.body = element("tbody", {});
    this.sum = element("p", { class: "dim" }, "No calls yet. The calls of all clients appear here as they come.");
    this.troubles = element("div", {});
    const heads = [["question", ""], ["sent", "number"], ["saved", "number"], ["client", "wide-only"], ["at", "number wide-only"]];
    this.table = element(
      "table",
      { class: "ledger", hidden: true },
      element("caption", {}, "Tokens of the model, newest first. Saved: compared with the complete answer."),
      element("thead", {}, element("tr", {}, ...heads.map(([head, kind]) => element("th", { scope: "col", class: kind || null }, head)))),
      this.body,
    );
    this.element = element("div", { class: "ledger-box" }, this.sum, this.troubles, this.table);
    this.poll();
  }

  async poll() {
    if (this.signal.aborted) return;
    if (!document.hidden) {
      try {
        this.update(await get("ledger", {}, this.signal));
        this.page.setOnline(true);
      } catch (error) {
        if (error.name === "AbortError") return;
        this.page.setOnline(false);
      }
    }
    setTimeout(() => this.poll(), POLL_MS);
  }

  /** Shows the calls, if there are new ones: nobody loses their place for nothing. */
  update({ calls, troubles }) {
    this.troubles.replaceChildren(...troubles.map((trouble) => element("p", { class: "error" }, trouble)));
    const latest = calls[0]?.number ?? 0;
    if (latest === this.latest || !calls.length) return;
    const fresh = this.latest ?? latest;
    this.latest = latest;
    const total = (name) => calls.reduce((sum, one) => sum + one[name], 0);
    this.sum.textContent = `The last ${calls.length === 1 ? "call" : `${number(calls.length)} calls`}: ${number(total("sent"))} tokens sent, ${number(total("saved"))} saved.`;
    this.table.hidden = false;
    this.body.replaceChildren(...calls.slice(0, this.most).map((one) => row(one, one.number > fresh)));
  }
}

function row(one, fresh) {
  const known = one.arguments !== undefined;
  const question = known ? element("a", { href: callAddress(one.tool, one.arguments).url }, one.call) : one.call;
  const at = new Date(one.at * 1000);
  return element(
    "tr",
    { class: fresh ? "fresh" : null },
    element("th", { scope: "row" }, question, one.error ? element("span", { class: "tag bad" }, "error") : null),
    element("td", { class: "number" }, number(one.sent)),
    element("td", { class: "number" }, one.saved ? number(one.saved) : "-"),
    element("td", { class: "wide-only" }, one.client || "-"),
    element("td", { class: "number wide-only" }, element("time", { datetime: at.toISOString() }, at.toLocaleTimeString("en-GB"))),
  );
}
