// A treemap: nested tiles whose areas are tokens, each a link down to the file.

import { fileAddress, folderAddress } from "./address.js";
import { element, number, plural, short, unseen } from "./dom.js";

const HEAD = 22;
const GAP = 3;
const LEAST = 4;
const WIDE_LABEL = 92;
const CHARACTER = 7.5;
const MANY = 8;

/** Returns rectangles that fill a box in proportion to `areas` (positive, largest first), as near to squares as can be:
 *  rows along the shorter side, each as long as that makes its worst rectangle better (Bruls, Huizing, van Wijk 2000). */
export function squarify(areas, box) {
  const total = areas.reduce((sum, area) => sum + area, 0);
  const scale = total ? (box.width * box.height) / total : 0;
  let rest = areas.map((area) => area * scale);
  let { x, y, width, height } = box;
  const boxes = [];
  while (rest.length) {
    const side = Math.min(width, height);
    let many = 1;
    while (many < rest.length && worst(rest.slice(0, many + 1), side) <= worst(rest.slice(0, many), side)) many += 1;
    const row = rest.slice(0, many);
    const sum = row.reduce((one, other) => one + other, 0);
    const deep = side ? sum / side : 0;
    let at = 0;
    for (const area of row) {
      const long = deep ? area / deep : 0;
      boxes.push(width >= height ? { x, y: y + at, width: deep, height: long } : { x: x + at, y, width: long, height: deep });
      at += long;
    }
    if (width >= height) [x, width] = [x + deep, width - deep];
    else [y, height] = [y + deep, height - deep];
    rest = rest.slice(many);
  }
  return boxes;
}

function worst(row, side) {
  const sum = row.reduce((one, other) => one + other, 0);
  if (!sum || !side) return Infinity;
  return Math.max((side * side * row[0]) / (sum * sum), (sum * sum) / (side * side * row.at(-1)));
}

export class Treemap {
  constructor(folder) {
    this.folder = folder;
    this.element = element("div", { class: "treemap", role: "group", "aria-label": `Map of ${folder.path || "the repository"}: areas are proportional to tokens` });
    this.element.addEventListener("keydown", (event) => this.step(event));
    this.element.addEventListener("focusin", (event) => this.rove(event.target));
    this.watch = new ResizeObserver(() => this.draw());
    this.watch.observe(this.element);
  }

  draw() {
    const width = this.element.clientWidth;
    if (!width || width === this.width) return;
    this.width = width;
    const height = Math.round(Math.min(620, Math.max(320, width * 0.55)));
    this.element.style.height = `${height}px`;
    const focused = this.element.contains(document.activeElement) ? document.activeElement.getAttribute("href") : null;
    const parts = this.parts();
    const boxes = squarify(parts.map((part) => part.tokens), { x: 0, y: 0, width, height });
    this.prefix = commonPrefix(parts.filter((part) => !part.rest).map((part) => part.name));
    this.element.replaceChildren(...parts.flatMap((part, i) => this.tile(part, boxes[i])));
    this.rove((focused && this.element.querySelector(`a[href="${CSS.escape(focused)}"]`)) || this.element.querySelector("a"));
    if (focused) this.current?.focus();
  }

  /** Returns the largest parts of the folder, and the others as one. */
  parts() {
    const { parts, tiles, total } = this.folder;
    const heavy = parts.filter((part) => part.tokens);
    const shown = heavy.slice(0, tiles).map((part) => ({ ...part, path: this.path(part.name) }));
    const rest = this.folder.tokens - shown.reduce((sum, part) => sum + part.tokens, 0);
    if (rest > 0) shown.push({ name: `${number(total - this.folder.unknown - shown.length)} others`, tokens: rest, kind: "generated", rest: true });
    return shown.sort((one, other) => other.tokens - one.tokens);
  }

  path(name, folder = this.folder.path) {
    return folder ? `${folder}/${name}` : name;
  }

  tile(part, box) {
    const name = part.folder ? `${part.name}/` : part.name;
    const share = ((100 * part.tokens) / this.folder.tokens).toFixed(1);
    const label = `${name}: ${number(part.tokens)} tokens, ${share} %${part.folder ? `, ${plural(part.files, "files")}` : ""}, ${part.kind}`;
    const inner = part.inside?.length && box.height > 3 * HEAD && box.width > WIDE_LABEL;
    const link = element(
      "a",
      { class: `tile kind-${part.kind}${inner ? " folder" : ""}`, href: part.rest ? "#parts" : this.url(part), tabindex: "-1", title: label },
      ...caption(part.rest ? name : this.shorten(name, box), label, part.tokens, box),
    );
    setBox(link, box);
    if (!inner) return [link];
    const room = { x: box.x + GAP, y: box.y + HEAD, width: box.width - 2 * GAP, height: box.height - HEAD - GAP };
    const boxes = squarify(part.inside.map((one) => one.tokens), room);
    return [link, ...part.inside.flatMap((one, i) => this.innerTile(part, one, boxes[i]))];
  }

  /** Returns a name that has room in a box: without what all names begin with, if the whole has none. */
  shorten(name, box) {
    return this.prefix.length > 2 && name.length * CHARACTER > box.width - 10 ? `\u2026${name.slice(this.prefix.length)}` : name;
  }

  innerTile(part, one, box) {
    if (box.width < LEAST || box.height < LEAST) return [];
    const name = one.name ? (one.folder ? `${one.name}/` : one.name) : `${plural(one.files, "files")} more`;
    const path = this.path(one.name, part.path);
    const label = `${part.name}/${name}: ${number(one.tokens)} tokens, ${one.kind}`;
    const url = one.name ? this.url({ ...one, path }) : folderAddress(part.path).url;
    const link = element("a", { class: `tile inner kind-${one.kind}`, href: url, tabindex: "-1", title: label }, ...caption(name, label, one.tokens, box));
    setBox(link, box);
    return [link];
  }

  url(part) {
    return part.folder ? folderAddress(part.path).url : fileAddress(part.path).url;
  }

  rove(tile) {
    if (!tile?.classList?.contains("tile")) return;
    if (this.current) this.current.tabIndex = -1;
    this.current = tile;
    tile.tabIndex = 0;
  }

  /** Moves to the nearest tile in the direction of an arrow. */
  step(event) {
    const direction = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] }[event.key];
    if (!direction || !this.current || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    const own = middle(this.current);
    let best = null;
    for (const tile of this.element.children) {
      const [x, y] = middle(tile).map((one, i) => one - own[i]);
      const along = x * direction[0] + y * direction[1];
      const across = Math.abs(x * direction[1]) + Math.abs(y * direction[0]);
      const far = along + 2 * across;
      if (along > 1 && across <= 2 * along && (!best || far < best.far)) best = { tile, far };
    }
    best?.tile.focus();
  }
}

/** Returns as much of a label as there is room for, and the rest for screen readers. */
function caption(name, label, tokens, box) {
  if (box.width < 34 || box.height < 18) return [unseen(label)];
  const size = box.width >= WIDE_LABEL ? element("span", { class: "size", "aria-hidden": "true" }, short(tokens)) : "";
  return [element("span", { class: "caption" }, element("span", { class: "name" }, name), size), unseen(label.slice(label.indexOf(": ")))];
}

/** Returns what many names begin with. */
function commonPrefix(names) {
  if (names.length < MANY) return "";
  let many = 0;
  while (names.every((name) => many < name.length && name[many] === names[0][many])) many += 1;
  return names[0].slice(0, many);
}

function setBox(link, box) {
  link.classList.toggle("tiny", box.width < 14 || box.height < 14);
  link.style.left = `${box.x}px`;
  link.style.top = `${box.y}px`;
  link.style.width = `${Math.max(0, box.width - 1)}px`;
  link.style.height = `${Math.max(0, box.height - 1)}px`;
}

const middle = (tile) => [tile.offsetLeft + tile.offsetWidth / 2, tile.offsetTop + Math.min(tile.offsetHeight, 2 * HEAD) / 2];
