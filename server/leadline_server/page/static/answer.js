// One answer: its price, what its budget keeps and drops, its account, its items, the next calls, and its text.

import { callAddress } from "./address.js";
import { accountBar } from "./account.js";
import { budgetSlider } from "./budget.js";
import { linked, offers } from "./calls.js";
import { element, number, plural } from "./dom.js";
import { ItemList, countsTable, wordOf } from "./items.js";
import { get } from "./server.js";

const BRIEF = 8;
const NAMES = new Set(["find_references", "call_hierarchy", "rename_symbol"]);

/**
 * Draws an answer.
 *
 * page: what the page knows of its server. signal: ends requests. list: draws the items (an ItemList or what has its
 * methods). urlOf: where a call in the answer leads. brief: without slider, account and text. settle: receives the budget that a person chooses.
 */
export class AnswerView {
  constructor(answer, { page, signal, list, urlOf, brief = false, settle = () => {} }) {
    Object.assign(this, { answer, page, signal, urlOf, brief, settle });
    this.list = list ?? new ItemList({}, answer.tool === "find_references" ? wordOf(answer.subject?.split(/[.:]/).at(-1)) : null);
    this.element = element("div", { class: "answer" });
    if (answer.error || answer.items === undefined) this.showError();
    else this.showAnswer();
  }

  showError() {
    this.element.append(element("p", { class: "error", role: "alert" }, ...linked(this.answer.text.trim().replace(/^error: /, ""), this.page.tools, this.urlOf)));
  }

  showAnswer() {
    const { answer, brief } = this;
    this.cost = element("div", { class: "cost" });
    this.text = element("pre", { class: "text", tabindex: "0", role: "region", "aria-label": "The answer as a model reads it" });
    this.next = element("ul", { class: "next" });
    const items = brief ? answer.items.slice(0, BRIEF) : answer.items;
    this.list.add(items, brief ? items.map(() => true) : answer.kept);
    this.more = element("p", { class: "more" });
    this.element.append(this.cost);
    if (!brief && answer.uri && answer.tool !== "read_result" && answer.total) this.element.append(budgetSlider(answer, this.signal, (other) => this.update(other), this.settle));
    const account = !brief && answer.account ? accountBar(answer.account, NAMES.has(answer.tool) ? "places with this name" : answer.noun) : null;
    if (account) this.element.append(account);
    this.element.append(this.notes());
    if (answer.counts.length) this.element.append(...answer.counts.map((group) => countsTable(group, answer.total)));
    this.element.append(this.list.element, this.more);
    if (!brief) this.element.append(this.next, element("details", { class: "as-text" }, element("summary", {}, "As the model reads it"), this.text));
    this.loaded = items.length;
    this.update(answer);
  }

  notes() {
    const notes = this.answer.notes.filter((note) => !note.startsWith("account: "));
    return notes.length ? element("ul", { class: "notes" }, ...notes.map((note) => element("li", {}, ...linked(note, this.page.tools, this.urlOf)))) : "";
  }

  /** Shows what the answer is with another budget. */
  update(answer) {
    const about = this.page.exact ? "" : "~";
    const saved = answer.whole_price - answer.price;
    const state = this.stateOf(answer);
    this.cost.replaceChildren(
      element("span", { class: "price", title: "What the answer costs a model to read, of its budget" }, `${about}${number(answer.price)} of ${number(answer.budget)} tokens`),
      element("span", { class: answer.cut && answer.shown < answer.total ? "state cut" : "state", "aria-live": "polite" }, state),
      saved > 0 ? element("span", { class: "dim" }, `${number(saved)} saved`) : "",
    );
    if (!this.brief) this.list.markKept(answer.kept);
    this.text.replaceChildren(...linked(answer.text, this.page.tools, this.urlOf));
    this.next.replaceChildren(
      ...offers(answer.text, this.page.tools, this.urlOf).map((offer) =>
        element("li", {}, element("span", { class: "label" }, offer.label), element("a", { href: offer.url }, offer.label === "all" ? "the complete result" : offer.text), offer.price ? element("span", { class: "dim" }, offer.price) : null),
      ),
    );
    this.showRest();
  }

  /** Returns what an answer shows of its items. */
  stateOf(answer) {
    if (!answer.total) return answer.headline || `no ${answer.noun}`;
    const all = plural(answer.total, answer.noun);
    if (answer.counts.length) return `${all}, counted`;
    if (answer.shown < answer.total) return `keeps ${number(answer.shown)} of ${all}`;
    if (answer.cut) return `all ${all}, shortened`;
    if (answer.ranked) return `${all}, best of more`;
    return answer.account_complete && !answer.at_least ? `${all}, complete` : all;
  }

  /** Offers the items that are not listed yet. */
  showRest() {
    const left = this.answer.total - this.loaded;
    this.more.replaceChildren();
    if (this.brief) {
      if (left > 0) this.more.append(element("span", { class: "dim" }, `${number(left)} more`));
      return;
    }
    if (left <= 0 || !this.answer.uri) return;
    const fetch = async () => {
      const found = await get("items", { uri: this.answer.uri, offset: this.loaded }, this.signal);
      this.list.add(found.items, []);
      this.loaded += found.items.length;
      this.showRest();
    };
    this.more.append(element("button", { type: "button", on: { click: fetch } }, `List more of ${number(left)} other ${this.answer.noun}`));
  }
}

/** Returns the link that opens a call with its form. */
export const openCall = (answer) => element("a", { href: callAddress(answer.tool, answer.arguments).url, class: "quiet" }, "Open the call");
