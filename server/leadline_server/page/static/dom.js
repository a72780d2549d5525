// Elements of the page. Text is only ever added as text: no name of a file or a tool becomes markup.

const SVG = "http://www.w3.org/2000/svg";

/** Returns an element. `attributes`: `on` has listeners by event; false, null and undefined leave an attribute out. */
export function element(tag, attributes = {}, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

export function drawing(tag, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

function fill(made, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name === "on") Object.entries(value).forEach(([event, listener]) => made.addEventListener(event, listener));
    else if (name === "value" && "value" in made && made.tagName !== "LI") made.value = value;
    else made.setAttribute(name, value === true ? "" : value);
  }
  made.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return made;
}

/** Returns text for screen readers alone. */
export const unseen = (text) => element("span", { class: "unseen" }, text);

/** Returns a path that may be broken after each slash. */
export const breakable = (path) => path.split("/").flatMap((part, i, all) => (i < all.length - 1 ? [`${part}/`, element("wbr")] : [part]));

export const number = (value) => value.toLocaleString("en");

/** Returns a number as short as a label needs it: 1,234,567 as 1.2M. */
export function short(value) {
  if (value < 1000) return String(value);
  const [unit, sign] = value < 999500 ? [1e3, "k"] : [1e6, "M"];
  const many = value / unit;
  return (many < 9.95 ? many.toFixed(1) : number(Math.round(many))) + sign;
}

export const plural = (many, noun) => `${number(many)} ${many === 1 ? noun.replace(/ies$/, "y").replace(/s$/, "") : noun}`;
