// A file with its source, and beside it its outline or a symbol.

import { callAddress, fileAddress } from "./address.js";
import { AnswerView } from "./answer.js";
import { crumbs } from "./folder.js";
import { element, number, plural } from "./dom.js";
import { ItemList } from "./items.js";
import { call } from "./server.js";
import { SourceView } from "./source.js";
import { SymbolPanel } from "./symbol.js";
import { load } from "./waiting.js";

const BESIDE = ["symbol", "show", "max_tokens", "open"];

/** Returns where a call leads from a file: to another file as such. */
const urlOf = ({ tool, arguments: args }) => (tool === "read_file" ? fileAddress(args.path, args.start_line) : callAddress(tool, args)).url;

const isNarrow = () => matchMedia("(max-width: 64rem)").matches;

export class FileView {
  /** `kept` is what another file releases: the panel of the same symbol. */
  constructor(address, page, signal, kept = null) {
    Object.assign(this, { address, page, signal });
    this.path = address.get("file");
    this.source = new SourceView(this.path, signal);
    this.info = element("p", { class: "dim" });
    this.box = element("div", { class: "source-place" });
    this.side = element("div", { class: "side" });
    const head = element("div", { class: "file-head" }, crumbs(this.path, page), element("h1", { id: "heading", tabindex: "-1" }, this.path.split("/").at(-1)), this.info);
    this.element = element("div", { class: "file" }, head, element("div", { class: "file-body" }, this.box, this.side));
    signal.addEventListener("abort", () => this.ending?.abort(), { once: true });
    load(this.box, "Waiting for read_file ...", signal, () => this.read());
    if (kept) this.adopt(kept);
    else this.showSide();
  }

  /** Returns the panel, for another file beside which the same symbol is shown; null for another symbol. */
  release(address) {
    if (!this.panel || !address.get("file") || BESIDE.some((name) => this.address.get(name) !== address.get(name))) return null;
    const kept = { panel: this.panel, ending: this.ending, name: this.name, top: this.side.scrollTop };
    this.ending = null;
    return kept;
  }

  adopt({ panel, ending, name, top }) {
    Object.assign(this, { panel, ending, name, adopted: true });
    panel.moveTo(this.address);
    this.side.replaceChildren(panel.element);
    requestAnimationFrame(() => (this.side.scrollTop = top));
  }

  async read() {
    const answer = await this.source.open(Number(this.address.get("line")));
    if (answer.error && !this.panel) this.side.replaceChildren();
    if (answer.error || answer.items?.[0]?.text === undefined) return new AnswerView(answer, { page: this.page, signal: this.signal, urlOf }).element;
    this.info.textContent = `${plural(answer.whole, "lines")}. ${answer.notes.filter((note) => !note.startsWith("in ")).join(". ")}`;
    requestAnimationFrame(() => this.mark(!(isNarrow() && this.panel && !this.adopted)));
    return this.source.element;
  }

  /** Shows another state of the same file without loading it again; returns whether it could. */
  update(address) {
    if (address.get("file") !== this.path) return false;
    const before = this.address;
    this.address = address;
    const sameSymbol = before.get("symbol") === address.get("symbol");
    const toLine = before.get("line") !== address.get("line") && (sameSymbol || !isNarrow());
    if (before.get("line") !== address.get("line") && !this.mark(toLine)) return false;
    if (BESIDE.some((name) => before.get(name) !== address.get(name))) this.showSide();
    else this.panel?.moveTo(address);
    return true;
  }

  /** Notes an address of what is shown already. */
  note(address) {
    this.address = address;
    this.panel?.moveTo(address);
  }

  mark(scrolls) {
    const line = Number(this.address.get("line")) || null;
    const row = line && this.source.lines.querySelector(`#L${line}`);
    const inSight = row && row.getBoundingClientRect().top > 80 && row.getBoundingClientRect().bottom < innerHeight;
    return this.source.mark(line, this.name, scrolls && !inSight);
  }

  showSide() {
    this.ending?.abort();
    this.ending = new AbortController();
    const { address } = this;
    this.name = null;
    this.panel = null;
    if (!address.get("symbol")) {
      this.side.replaceChildren(this.outline());
      this.mark(false);
      return;
    }
    const token = this.source.lines.querySelector(`[data-at="${CSS.escape(address.get("symbol"))}"]`);
    const found = (name) => {
      this.name = name;
      this.mark(false);
    };
    if (token) found(token.textContent);
    else this.source.highlighted = () => this.nameOfToken(found);
    const panel = (this.panel = new SymbolPanel(address, { page: this.page, signal: this.ending.signal, name: token?.textContent, found }));
    this.side.replaceChildren(panel.element);
    if (isNarrow()) panel.heading.scrollIntoView({ block: "start" });
    panel.heading.focus({ preventScroll: true });
  }

  /** Finds the name of the symbol in the source, once it has highlights. */
  nameOfToken(found) {
    const token = this.source.lines.querySelector(`[data-at="${CSS.escape(this.address.get("symbol"))}"]`);
    if (token && !this.name) found(token.textContent);
  }

  outline() {
    const body = element("div", { class: "panel-body" });
    load(body, "Waiting for document_symbols ...", this.ending.signal, async (own) => {
      const answer = await call("document_symbols", { path: this.path }, own);
      return new AnswerView(answer, { page: this.page, signal: this.ending.signal, list: new Outline() }).element;
    });
    return element("section", { class: "panel", "aria-labelledby": "outline-heading" }, element("h2", { id: "outline-heading" }, "Outline"), body);
  }
}

/** The symbols of a file, nested as they are in it. */
class Outline extends ItemList {
  open() {
    this.path = "";
    this.list = element("ol", { class: "rows outline" });
    this.element.append(this.list);
  }

  add(items, kept) {
    items.forEach((item, i) => {
      if (!this.list) this.open();
      const row = this.symbol(item);
      row.classList.add("row");
      row.style.paddingInlineStart = `${0.6 + Math.min(item.qualified_name.split(".").length - this.level(items), 6) * 0.9}rem`;
      this.rows.push(row);
      this.list.append(row);
      this.keep(row, kept[i] ?? false);
    });
  }

  level(items) {
    this.least ??= Math.min(...items.map((item) => item.qualified_name.split(".").length));
    return this.least;
  }

  symbol(item) {
    const address = fileAddress(item.path, item.line, { symbol: `${item.path}:${item.line}:${item.column}`, show: "definition" });
    return element("li", {}, element("span", { class: `kind kind-${item.kind}` }, item.kind), element("a", { class: "name", href: address.url }, item.name), element("span", { class: "dim" }, ` ${number(item.line)}`));
  }
}

