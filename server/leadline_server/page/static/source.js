// A file: its lines with highlights, in which each name is a link to the symbol that it means.

import { fileAddress, place } from "./address.js";
import { element, number } from "./dom.js";
import { call, get } from "./server.js";

const LINES = 400;
const BEFORE = 120;
const WORD = /[\p{L}_$][\p{L}\p{N}_$]*/gu;
const PROSE = /\.(md|mdx|markdown|rst|adoc|asciidoc|txt)$/i;
const NAMED = new Set(["name", "type"]);

export class SourceView {
  constructor(path, signal) {
    Object.assign(this, { path, signal });
    this.lines = element("ol", { class: PROSE.test(path) ? "source prose" : "source" });
    this.before = element("p", { class: "more" });
    this.after = element("p", { class: "more" });
    this.element = element("div", { class: "source-box" }, this.before, this.lines, this.after);
    this.lines.addEventListener("keydown", (event) => this.step(event));
    this.lines.addEventListener("focusin", (event) => this.rove(event.target));
  }

  /** Loads the lines around one; returns the answer of the first call. */
  async open(line) {
    this.first = Math.max(1, (line || 1) - BEFORE);
    this.last = this.first - 1;
    const answer = await this.read(this.first, LINES);
    if (this.answer) {
      this.showEnds();
      this.showReach(answer);
    }
    return answer;
  }

  async read(first, many) {
    const answer = await call("read_file", { path: this.path, start_line: first, num_lines: many }, this.signal);
    if (answer.error || !answer.items?.length || answer.items[0].line === undefined) return answer;
    if (answer.items[0].text === undefined) return answer;
    this.path = answer.items[0].path;
    const last = answer.items.at(-1).line;
    const rows = new Map(answer.items.map((item) => [item.line, this.row(item)]));
    const made = [...rows.values()];
    if (first < this.first || !this.lines.firstChild) this.lines.prepend(...made);
    else this.lines.append(...made);
    this.first = Math.min(this.first, first);
    this.last = Math.max(this.last, last);
    this.answer ??= answer;
    this.highlight(first, last, answer.items, rows);
    return answer;
  }

  row({ line, text }) {
    const link = element("a", { class: "line", href: fileAddress(this.path, line).url, tabindex: "-1", "aria-label": `line ${line}` }, String(line));
    return element("li", { id: `L${line}`, value: line }, link, element("code", {}, text));
  }

  /** Marks the last line that a model gets with the usual budget. */
  showReach(answer) {
    const last = answer.items[answer.kept.lastIndexOf(true)];
    if (!answer.cut || !last) return;
    const row = this.lines.querySelector(`#L${last.line}`);
    row.classList.add("budget-end");
    row.append(element("span", { class: "reach" }, `${number(answer.budget)} tokens reach to here`));
  }

  /** Puts the highlights of lines into rows; without them they are plain text. */
  async highlight(first, last, items, rows) {
    let found = [];
    try {
      found = (await get("highlights", { path: this.path, first, last }, this.signal)).highlights;
    } catch {
      return;
    }
    const lines = Map.groupBy ? Map.groupBy(found, ([line]) => line) : grouped(found);
    for (const item of items) {
      const marks = lines.get(item.line);
      if (marks) rows.get(item.line).querySelector("code").replaceChildren(...this.marked(item, marks));
    }
    if (!this.current) this.rove(this.lines.querySelector("a.token"));
    this.markName(this.name);
    this.highlighted?.();
  }

  marked({ line, text }, marks) {
    const letters = /[\ud800-\udfff]/.test(text) ? [...text] : text;
    const cut = (from, to) => (typeof letters === "string" ? letters.slice(from, to) : letters.slice(from, to).join(""));
    const parts = [];
    let at = 0;
    for (const [, start, end, kind] of marks) {
      if (start - 1 < at) continue;
      parts.push(cut(at, start - 1), this.token(line, start, cut(start - 1, end - 1), kind));
      at = end - 1;
    }
    return [...parts, cut(at)];
  }

  token(line, column, text, kind) {
    if (!NAMED.has(kind) || !text.match(WORD)) return element("span", { class: `token-${kind}` }, text);
    const symbol = place(this.path, line, column);
    const address = fileAddress(this.path, line, { symbol, show: "definition" });
    return element("a", { class: `token token-${kind}`, href: address.url, tabindex: "-1", "data-at": symbol }, text);
  }

  /** Marks a line, and the names of a symbol in what is loaded; scrolls to the line. */
  mark(line, name, scroll) {
    this.lines.querySelector(".current")?.classList.remove("current");
    const row = line ? this.lines.querySelector(`#L${line}`) : null;
    row?.classList.add("current");
    this.markName(name);
    if (row && scroll) row.scrollIntoView({ block: "center" });
    return !line || Boolean(row);
  }

  markName(name) {
    this.name = name;
    for (const token of this.lines.querySelectorAll("a.token")) token.classList.toggle("same", Boolean(name) && token.textContent === name);
  }

  /** Has the tabulator reach one name of the source; the arrows lead on from it. */
  rove(token) {
    if (!token?.classList?.contains("token")) return;
    if (this.current) this.current.tabIndex = -1;
    this.current = token;
    token.tabIndex = 0;
  }

  step(event) {
    const at = event.target.closest("a.token");
    if (!at || event.altKey || event.ctrlKey || event.metaKey) return;
    const target = { ArrowRight: () => besides(at, 1), ArrowLeft: () => besides(at, -1), ArrowDown: () => inLine(at, 1), ArrowUp: () => inLine(at, -1) }[event.key]?.();
    if (!target) return;
    event.preventDefault();
    target.focus();
  }

  showEnds() {
    const fetch = (first, many) => async () => {
      const height = this.element.ownerDocument.documentElement.scrollHeight;
      const top = first < this.first;
      await this.read(first, many);
      if (top) scrollBy(0, document.documentElement.scrollHeight - height);
      this.mark(null, this.name, false);
      this.showEnds();
    };
    const earlier = Math.max(1, this.first - LINES);
    const button = (text, action) => element("button", { type: "button", on: { click: action } }, text);
    this.before.replaceChildren(this.first > 1 ? button(`Lines ${number(earlier)}-${number(this.first - 1)}`, fetch(earlier, this.first - earlier)) : "");
    const left = this.answer.whole - this.last;
    this.after.replaceChildren(left > 0 ? button(`Lines ${number(this.last + 1)}-${number(Math.min(this.answer.whole, this.last + LINES))} of ${number(this.answer.whole)}`, fetch(this.last + 1, LINES)) : "");
  }
}

function grouped(marks) {
  const lines = new Map();
  for (const mark of marks) lines.set(mark[0], [...(lines.get(mark[0]) ?? []), mark]);
  return lines;
}

/** Returns the name before or after another one. */
function besides(token, step) {
  const all = [...token.closest("ol").querySelectorAll("a.token")];
  return all[all.indexOf(token) + step];
}

/** Returns the name above or below another one that is nearest to it. */
function inLine(token, step) {
  const key = step > 0 ? "nextElementSibling" : "previousElementSibling";
  const middle = (one) => one.getBoundingClientRect().left + one.getBoundingClientRect().width / 2;
  for (let row = token.closest("li")[key]; row; row = row[key]) {
    const names = [...row.querySelectorAll("a.token")];
    if (names.length) return names.reduce((best, one) => (Math.abs(middle(one) - middle(token)) < Math.abs(middle(best) - middle(token)) ? one : best));
  }
  return undefined;
}
