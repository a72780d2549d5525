// A folder: its treemap with a legend, and its parts as a list.

import { fileAddress, folderAddress } from "./address.js";
import { element, number, plural } from "./dom.js";
import { get } from "./server.js";
import { Treemap } from "./treemap.js";
import { load } from "./waiting.js";

const ROWS = 100;

export function folderView(path, page, signal) {
  const heading = element("h1", { id: "heading", tabindex: "-1" }, path || page.about.title);
  const body = element("div", {});
  load(body, "Waiting for the map ...", signal, (own) => loadFolder(path, own));
  return element("section", { class: "folder", "aria-labelledby": "heading" }, path ? crumbs(path, page) : null, heading, body);
}

async function loadFolder(path, signal) {
  const folder = await get("map", { path }, signal);
  const cost = element("p", { class: "lead" }, folder.unknown ? "Reading what is open would cost a model " : "Reading all of it would cost a model ", element("strong", {}, `~${number(folder.tokens)} tokens`), `: ${plural(folder.files, "files")}`, folder.unknown ? "" : ".");
  const opened = folder.total - folder.unknown;
  if (folder.unknown) cost.append(` in ${plural(opened, "roots")}. Another root is opened when you look into it, or when a question is about it.`);
  const map = folder.tokens ? new Treemap(folder).element : element("p", {}, "There is nothing to read.");
  return [cost, legend(folder), map, parts(folder)];
}

/** Returns the folders above a path as links. */
export function crumbs(path, page) {
  const names = path.split("/");
  const steps = names.map((name, i) => {
    const last = i === names.length - 1;
    const at = names.slice(0, i + 1).join("/");
    return element("li", {}, last ? element("span", { "aria-current": "page" }, name) : element("a", { href: folderAddress(at).url }, name));
  });
  return element("nav", { "aria-label": "Folder" }, element("ol", { class: "crumbs" }, element("li", {}, element("a", { href: "/" }, page.about.title)), ...steps));
}

function legend(folder) {
  const kinds = Object.entries(folder.kinds).filter(([, tokens]) => tokens);
  const share = (tokens) => `${((100 * tokens) / folder.tokens).toFixed(tokens < folder.tokens / 100 ? 1 : 0)} %`;
  return element("ul", { class: "legend" }, ...kinds.map(([kind, tokens]) => element("li", {}, element("span", { class: `swatch kind-${kind}`, "aria-hidden": "true" }), `${kind} ${share(tokens)}`)));
}

function parts(folder) {
  const body = element("tbody", {});
  const add = (many) => {
    const from = body.childElementCount;
    body.append(...folder.parts.slice(from, from + many).map((part) => partRow(folder, part)));
  };
  add(ROWS);
  const rest = () => folder.parts.length - body.childElementCount;
  const button = element("button", { type: "button" }, `Show ${number(rest())} more`);
  button.addEventListener("click", () => {
    add(folder.parts.length);
    button.remove();
  });
  const caption = folder.parts.length < folder.total ? `The largest ${number(folder.parts.length)} of ${number(folder.total)} parts` : plural(folder.total, "parts");
  const heads = ["tokens", "share", "files"].map((head) => element("th", { scope: "col", class: "number" }, head));
  const table = element("table", {}, element("caption", {}, caption), element("thead", {}, element("tr", {}, element("th", { scope: "col" }, "name"), ...heads)), body);
  const open = folder.path !== "" || folder.unknown > 0;
  return element("details", { id: "parts", open }, element("summary", {}, "As a list"), table, rest() > 0 ? button : null);
}

function partRow(folder, part) {
  const path = folder.path ? `${folder.path}/${part.name}` : part.name;
  const address = part.folder ? folderAddress(path) : fileAddress(path);
  const share = folder.tokens ? `${((100 * part.tokens) / folder.tokens).toFixed(1)} %` : "-";
  return element(
    "tr",
    {},
    element("th", { scope: "row" }, element("span", { class: `swatch kind-${part.kind}`, "aria-hidden": "true" }), element("a", { href: address.url }, part.folder ? `${part.name}/` : part.name)),
    element("td", { class: "number" }, part.known === false ? "not open" : number(part.tokens)),
    element("td", { class: "number" }, share),
    element("td", { class: "number" }, part.folder && part.known !== false ? number(part.files) : ""),
  );
}
