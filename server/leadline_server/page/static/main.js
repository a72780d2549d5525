// The page: a header with the search, one view for each address, and a line on the server.

import { Address } from "./address.js";
import { element } from "./dom.js";
import { FileView } from "./file.js";
import { folderView } from "./folder.js";
import { LedgerView } from "./ledger.js";
import { searchBox, searchView } from "./search.js";
import { get } from "./server.js";
import { StatusLine } from "./status.js";
import { SymbolPanel } from "./symbol.js";
import { callView, toolList } from "./tools.js";
import { load } from "./waiting.js";

const RECENT = 8;
const CALLS = 200;

class Page {
  constructor(about) {
    this.about = about;
    this.exact = about.exact;
    this.tools = new Map(about.tools.map((tool) => [tool.name, tool]));
    this.content = document.getElementById("content");
    this.search = searchBox(this);
    this.offline = element("p", { class: "offline", role: "alert" });
    const link = (href, text) => element("a", { href }, text);
    this.links = element("nav", { "aria-label": "Page" }, element("ul", { class: "links" }, ...[link("/", "Map"), link("/?view=tools", "Tools"), link("/?view=ledger", "Ledger")].map((one) => element("li", {}, one))));
    document.getElementById("header").replaceChildren(element("a", { href: "/", class: "home" }, element("img", { src: "/page/static/icon.svg", alt: "", width: 24, height: 24 }), "Leadline"), this.search.element, this.links, this.offline);
    document.getElementById("footer").replaceChildren(new StatusLine(this).element);
    document.addEventListener("click", (event) => this.follow(event));
    document.addEventListener("keydown", (event) => this.shortcut(event));
    addEventListener("popstate", () => this.render(false));
    history.scrollRestoration = "manual";
  }

  /** Opens links to states of the page without loading it again. */
  follow(event) {
    const link = event.target.closest?.("a[href]");
    if (!link || event.defaultPrevented || event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const href = link.getAttribute("href");
    if (href === "#parts") {
      const parts = document.getElementById("parts");
      parts.open = true;
      return;
    }
    if (href !== "/" && !href.startsWith("/?")) return;
    event.preventDefault();
    this.open(href);
  }

  shortcut(event) {
    const typing = event.target.closest?.("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      this.search.field.focus();
      this.search.field.select();
    } else if (event.key === "Escape" && !typing && this.address.get("file") && this.address.get("symbol")) {
      this.open(this.address.with({ symbol: "", show: "", max_tokens: "", open: "" }).url);
    }
  }

  open(url) {
    history.replaceState({ scroll: scrollY }, "");
    if (url !== location.pathname + location.search) history.pushState(null, "", url);
    this.render(true);
  }

  /** Changes the address of the present state; what is shown is its already. */
  replace(changes) {
    this.address = this.address.with(changes);
    history.replaceState(history.state, "", this.address.url);
    this.view?.note?.(this.address);
  }

  setOnline(online) {
    const text = online ? "" : "The server does not answer.";
    if (this.offline.textContent !== text) this.offline.textContent = text;
  }

  render(moves) {
    this.address = Address.current();
    if (this.view?.update?.(this.address)) return;
    const kept = this.address.view === "source" ? (this.view?.release?.(this.address) ?? null) : null;
    this.ending?.abort();
    this.ending = new AbortController();
    const scroll = history.state?.scroll;
    this.view = null;
    this.search.field.value = this.address.get("q");
    this.content.dataset.view = this.address.view;
    document.title = `${this.title()} - Leadline`;
    for (const link of this.links.querySelectorAll("a")) link.toggleAttribute("aria-current", false);
    const current = { map: "/", tools: "/?view=tools", call: "/?view=tools", ledger: "/?view=ledger" }[this.address.view];
    this.links.querySelector(`a[href="${current}"]`)?.setAttribute("aria-current", "page");
    this.draw(this.ending.signal, kept);
    if (moves) {
      scrollTo(0, 0);
      const symbol = kept ? null : document.getElementById("symbol-heading");
      (symbol ?? document.getElementById("heading") ?? this.content).focus({ preventScroll: true });
    } else if (scroll) this.scrollTo(scroll, this.ending.signal);
  }

  /** Scrolls to where a state was left, once the page has that much again. */
  scrollTo(top, signal) {
    const watch = new ResizeObserver(() => {
      if (document.documentElement.scrollHeight < top + innerHeight && !signal.aborted) return;
      watch.disconnect();
      if (!signal.aborted) scrollTo(0, top);
    });
    watch.observe(this.content);
    signal.addEventListener("abort", () => watch.disconnect());
  }

  title() {
    const { address } = this;
    const place = address.get("file") || address.get("symbol") || address.get("tool") || address.get("path");
    return address.get("q") ? `${address.get("q")}: results` : place || (address.get("view") === "ledger" ? "Ledger" : address.get("view") === "tools" ? "Tools" : this.about.title);
  }

  draw(signal, kept) {
    const { address, content } = this;
    if (address.view === "search") content.replaceChildren(searchView(address, this, signal));
    else if (address.view === "call") content.replaceChildren(callView(address, this, signal));
    else if (address.view === "tools") content.replaceChildren(toolList(this));
    else if (address.view === "ledger") content.replaceChildren(this.ledger(signal, CALLS, "h1"));
    else if (address.view === "symbol") content.replaceChildren(new SymbolPanel(address, { page: this, signal }).element);
    else if (address.view === "source") {
      this.view = new FileView(address, this, signal, kept);
      content.replaceChildren(this.view.element);
    } else {
      const recent = address.get("path") ? "" : this.ledger(signal, RECENT, "h2");
      content.replaceChildren(folderView(address.get("path"), this, signal), recent);
    }
  }

  ledger(signal, most, level) {
    const heading = element(level, { id: level === "h1" ? "heading" : null, tabindex: level === "h1" ? "-1" : null }, most === RECENT ? "Last calls" : "Ledger");
    const all = most === RECENT ? element("a", { href: "/?view=ledger", class: "quiet" }, "All calls") : null;
    return element("section", { class: "card" }, element("div", { class: "panel-head" }, heading, all), new LedgerView(this, signal, most).element);
  }
}

await load(document.getElementById("content"), "Waiting for the server ...", undefined, async (signal) => {
  const page = new Page(await get("about", {}, signal));
  queueMicrotask(() => setTimeout(() => page.render(false)));
  return [];
});
