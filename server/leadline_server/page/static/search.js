// A search in three ways at once: by names, by meaning, and by text.

import { Address } from "./address.js";
import { AnswerView, openCall } from "./answer.js";
import { element } from "./dom.js";
import { ItemList } from "./items.js";
import { call } from "./server.js";
import { load } from "./waiting.js";

const MODES = new Map([
  ["names", { label: "Names", tool: "symbol_search", about: "definitions by name" }],
  ["meaning", { label: "Meaning", tool: "find_code", about: "where something is done" }],
  ["text", { label: "Text", tool: "search_text", about: "strings, comments, any line" }],
]);

export function searchView(address, page, signal) {
  const query = address.get("q");
  const modes = [...MODES.keys()].filter((mode) => page.tools.has(MODES.get(mode).tool));
  const chosen = modes.includes(address.get("in")) ? address.get("in") : "";
  const link = (mode, label) => element("li", {}, element("a", { href: address.with({ in: mode, max_tokens: "" }).url, "aria-current": mode === chosen ? "page" : null }, label));
  const tabs = element("nav", { "aria-label": "Where to search" }, element("ul", { class: "tabs" }, link("", "All"), ...modes.map((mode) => link(mode, MODES.get(mode).label))));
  const sections = (chosen ? [chosen] : modes).map((mode) => section(mode, address, page, signal, !chosen));
  return element(
    "div",
    { class: "search-results" },
    element("h1", { id: "heading", tabindex: "-1" }, "Results for ", element("q", {}, query)),
    element("div", { class: "search-bar" }, tabs, place(address, page)),
    element("div", { class: chosen ? "one" : "columns" }, ...sections),
  );
}

function section(mode, address, page, signal, brief) {
  const { label, tool, about } = MODES.get(mode);
  const body = element("div", {});
  const all = brief ? element("a", { href: address.with({ in: mode }).url, class: "quiet", "aria-label": `All results in ${label}` }, "All") : null;
  const head = element("div", { class: "panel-head" }, element("h2", {}, label, " ", element("span", { class: "dim" }, about)), all);
  load(body, `Waiting for ${tool} ...`, signal, async (own) => {
    const args = { query: address.get("q") };
    if (address.get("at")) args.path = address.get("at");
    if (address.get("max_tokens")) args.max_tokens = Number(address.get("max_tokens"));
    const answer = await call(tool, args, own);
    const list = new ItemList({}, mode === "text" ? words(address.get("q")) : null);
    const view = new AnswerView(answer, { page, signal, brief, list, settle: (tokens) => page.replace({ max_tokens: tokens }) });
    return [view.element, brief || answer.error ? "" : element("p", {}, openCall(answer))];
  });
  return element("section", { class: "card" }, head, body);
}

/** Returns what marks a query in a line. */
const words = (query) => new RegExp(query.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"), "giu");

/** Returns the field that limits a search to a folder. */
function place(address, page) {
  const field = element("input", { id: "at", type: "text", value: address.get("at"), placeholder: "everywhere", autocomplete: "off", spellcheck: "false", list: page.about.roots.length ? "roots" : null });
  const roots = page.about.roots.length ? element("datalist", { id: "roots" }, ...page.about.roots.map((name) => element("option", { value: name }))) : null;
  const form = element("form", { class: "place" }, element("label", { for: "at" }, "In folder"), field, roots, element("button", { type: "submit" }, "Limit"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    page.open(address.with({ at: field.value.trim(), max_tokens: "" }).url);
  });
  return form;
}

/** Returns the one box for all searches. */
export function searchBox(page) {
  const field = element("input", { id: "q", name: "q", type: "search", required: true, placeholder: "A name, a question, or text", autocomplete: "off", spellcheck: "false", "aria-keyshortcuts": "/" });
  const form = element("form", { role: "search", class: "search" }, element("label", { for: "q", class: "unseen" }, "Search"), field, element("button", { type: "submit", class: "primary" }, "Search"));
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const query = field.value.trim();
    const now = Address.current();
    const kept = now.view === "search" ? { in: now.get("in"), at: now.get("at") } : {};
    if (query) page.open(Address.of({ q: query, ...kept }).url);
  });
  return { element: form, field };
}
