// The items of a result as rows, by file. A row is a link to its place in the source.

import { fileAddress, folderAddress, place } from "./address.js";
import { breakable, element, number, plural, unseen } from "./dom.js";

/** Returns what finds a name as a whole word; null for no name. */
export const wordOf = (name) => (name ? new RegExp(`(?<![\\w$])${name.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")}(?![\\w$])`, "gu") : null);

/** Draws items; `more` are parameters that the addresses of places keep, `word` is marked in lines. */
export class ItemList {
  constructor(more = {}, word = null) {
    this.more = more;
    this.word = word;
    this.rows = [];
    this.element = element("div", { class: "items" });
    this.path = null;
    this.list = null;
  }

  add(items, kept) {
    items.forEach((item, i) => {
      const path = item.path ?? "";
      if (this.list === null || path !== this.path || item.mark !== this.mark) this.open(path, item);
      const row = this.row(item);
      row.classList.add("row");
      this.rows.push(row);
      this.list.append(row);
      this.keep(row, kept?.[i] ?? false);
    });
  }

  /** Marks which rows an answer keeps. */
  markKept(kept) {
    this.rows.forEach((row, i) => this.keep(row, kept[i] ?? false));
  }

  keep(row, isKept) {
    row.classList.toggle("dropped", !isKept);
    const said = row.querySelector(":scope > .unseen");
    if (isKept) said?.remove();
    else if (!said) row.append(unseen(" (not in the answer)"));
  }

  open(path, item) {
    this.path = path;
    this.mark = item.mark;
    this.list = element("ol", { class: "rows" });
    const files = item.bytes !== undefined && path;
    if (!path || files) {
      this.path = files ? path : "";
      if (this.plain) {
        this.list = this.plain;
        return;
      }
      this.plain = this.list;
      this.element.append(this.list);
      return;
    }
    this.plain = null;
    const mark = item.mark ? element("span", { class: "tag" }, item.mark) : null;
    const head = element("p", { class: "path" }, element("a", { href: fileAddress(path, null, this.more).url }, ...breakable(path)), mark);
    this.element.append(element("div", { class: "group" }, head, this.list));
  }

  row(item) {
    if (item.severity) return this.diagnostic(item);
    if (item.old !== undefined) return hunk(item);
    if (item.role) return this.use(item);
    if (item.qualified_name) return this.symbol(item);
    if (item.folders) return part(item);
    if (item.group !== undefined) return count(item);
    if (item.bytes !== undefined) return file(item);
    return this.line(item);
  }

  to(path, line) {
    return fileAddress(path, line, this.more).url;
  }

  /** Returns the link with the number of a line. */
  at(item) {
    return element("a", { class: "line", href: this.to(item.path, item.line), "aria-label": `${item.path}, line ${item.line}` }, String(item.line));
  }

  symbol(item) {
    const own = place(item.path, item.line, item.column);
    const address = fileAddress(item.path, item.line, { ...this.more, symbol: own, show: this.more.show ?? "definition" });
    const doc = item.doc ? element("p", { class: "doc" }, item.doc.split("\n\n")[0]) : null;
    const matched = item.words?.length ? element("span", { class: "dim" }, item.words.join(", ")) : null;
    const tier = item.tier ? element("span", { class: "tag" }, item.tier === "name" ? "undecided" : item.tier) : null;
    const container = item.container || item.inherited_from;
    return element(
      "li",
      {},
      this.at(item),
      element(
        "div",
        { class: "what" },
        element(
          "p",
          { class: "title" },
          ...spaced(
            item.kind ? element("span", { class: `kind kind-${item.kind}` }, item.kind) : null,
            element("a", { class: "name", href: address.url }, item.name),
            container ? element("span", { class: "dim" }, `in ${container}`) : null,
            item.reason ? element("span", { class: "tag" }, item.reason) : null,
            tier,
            matched,
          ),
        ),
        item.signature && item.signature !== item.name ? element("code", { class: "signature" }, item.signature) : null,
        doc,
      ),
    );
  }

  use(item) {
    const role = item.role === "definition" ? "kind kind-definition" : "tag";
    const times = item.again?.length ? element("span", { class: "dim" }, `${item.again.length + 1} times`) : null;
    const said = [element("span", { class: role }, item.role), item.tier === "exact" ? null : element("span", { class: "tag" }, item.tier === "name" ? "undecided" : item.tier)];
    return element(
      "li",
      {},
      this.at(item),
      element("div", { class: "what" }, this.code(item.text), element("p", { class: "about" }, ...said, times, item.container ? element("span", { class: "dim" }, `in ${item.container}`) : null)),
    );
  }

  line(item) {
    const about = item.container || item.mentioned_in;
    return element(
      "li",
      { class: item.column ? null : "plain" },
      item.line ? this.at(item) : null,
      element("div", { class: "what" }, this.code(item.text ?? ""), about ? element("p", { class: "about dim" }, `in ${about}`) : null),
    );
  }

  diagnostic(item) {
    return element("li", {}, this.at(item), element("div", { class: "what" }, element("p", {}, element("span", { class: `kind severity-${item.severity}` }, item.severity), ` ${item.message} `, element("span", { class: "dim" }, item.code))));
  }

  /** Returns a line of code in which the word that was looked for is marked. */
  code(text) {
    if (!this.word) return element("code", {}, text);
    const parts = [];
    let at = 0;
    for (const match of text.matchAll(this.word)) {
      if (!match[0]) continue;
      parts.push(text.slice(at, match.index), element("mark", {}, match[0]));
      at = match.index + match[0].length;
    }
    return element("code", {}, ...parts, text.slice(at));
  }
}

/** Returns parts with a blank between them, where a line may be broken. */
const spaced = (...parts) => parts.filter(Boolean).flatMap((part, i) => (i ? [" ", part] : [part]));

function file(item) {
  return element(
    "li",
    {},
    element("div", { class: "what wide" }, element("a", { href: fileAddress(item.path).url }, ...breakable(item.path)), element("span", { class: "dim number" }, `${number(item.tokens)} tokens`)),
  );
}

function count(item) {
  const files = plural(item.files, "files");
  return element("li", {}, element("div", { class: "what wide" }, element("span", {}, item.group), element("span", { class: "dim number" }, `${files}, ${number(item.tokens)} tokens`)));
}

function part(item) {
  const folders = item.folders.map((folder) => element("a", { href: folderAddress(folder.replace(/\/$/, "")).url }, folder));
  const mark = item.mark ? element("span", { class: "tag" }, item.mark) : null;
  return element(
    "li",
    {},
    element("div", { class: "what" }, element("p", { class: "title" }, ...folders.flatMap((folder) => [folder, " "]), mark, element("span", { class: "dim" }, plural(item.files, "files"))), item.text ? element("p", { class: "doc" }, item.text) : null),
  );
}

function hunk(item) {
  const lines = (text, sign) => text.split("\n").filter((line, i, all) => line || i < all.length - 1).map((line) => `${sign}${line}\n`);
  return element(
    "li",
    {},
    element("div", { class: "what" }, element("p", {}, element("a", { href: fileAddress(item.path, item.start_line).url }, `line ${number(item.start_line)}`)), element("pre", { class: "hunk" }, element("del", {}, ...lines(item.old, "-")), element("ins", {}, ...lines(item.new, "+")))),
  );
}

/** Returns the counts that an answer has in place of its items. */
export function countsTable([by, groups], total) {
  const most = Math.max(...groups.map(([, many]) => many), 1);
  const rows = groups.map(([name, many]) => {
    const bar = element("span", { class: "share", "aria-hidden": "true" });
    bar.style.width = `${(100 * many) / most}%`;
    return element("tr", {}, element("th", { scope: "row" }, name || "."), element("td", { class: "number" }, number(many)), element("td", { class: "shares" }, bar));
  });
  const head = element("tr", {}, element("th", { scope: "col" }, by), element("th", { scope: "col", class: "number" }, "number"), element("td", {}));
  return element("table", { class: "counts" }, element("caption", {}, `${number(total)} by ${by}`), element("thead", {}, head), element("tbody", {}, ...rows));
}
