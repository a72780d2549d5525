// The address of a state of the page: everything that is shown can be found again by its URL.
//
//   /?path=FOLDER                                    the map of a folder
//   /?q=TEXT&in=names|meaning|text&at=PATH           a search
//   /?file=PATH&line=N[&symbol=ADDRESS&show=TAB]     a file, beside it a symbol
//   /?symbol=ADDRESS&show=TAB                        a symbol alone
//   /?tool=NAME&ARGUMENT=VALUE...                    a call of any tool
//   /?view=ledger                                    the calls of all clients
//   max_tokens=N                                     with an answer: its budget

export class Address {
  constructor(parameters) {
    this.parameters = new Map([...parameters].filter(([, value]) => value !== "" && value != null).map(([name, value]) => [name, String(value)]));
  }

  static current() {
    return new Address(new URLSearchParams(location.search));
  }

  static of(parameters) {
    return new Address(Object.entries(parameters));
  }

  get(name, otherwise = "") {
    return this.parameters.get(name) ?? otherwise;
  }

  /** Returns this address with some parameters changed; an empty value removes one. */
  with(changes) {
    return new Address(new Map([...this.parameters, ...Object.entries(changes)]));
  }

  get view() {
    const has = (name) => this.parameters.has(name);
    if (has("tool")) return "call";
    if (has("file")) return "source";
    if (has("symbol")) return "symbol";
    if (has("q")) return "search";
    return this.get("view") === "ledger" || this.get("view") === "tools" ? this.get("view") : "map";
  }

  get url() {
    const query = new URLSearchParams([...this.parameters]).toString().replaceAll("%2F", "/").replaceAll("%3A", ":");
    return query ? `/?${query}` : "/";
  }
}

export const fileAddress = (path, line, more = {}) => Address.of({ file: path, line: line ?? "", ...more });
export const folderAddress = (path) => Address.of({ path });

/** Returns the address of a call; a model would write it `tool(arguments)`. */
export const callAddress = (tool, args) => Address.of({ tool, ...args });

/** Returns the symbol at a place, as tools take it. */
export const place = (path, line, column) => (column ? `${path}:${line}:${column}` : `${path}:${line}`);
