// The account of an answer as a bar: every place with the spelling of a name, by what it means.

import { element, number } from "./dom.js";

const CLASSES = [
  ["exact", "exact"],
  ["likely", "likely"],
  ["undecided", "undecided"],
  ["other", "another symbol"],
  ["text", "text"],
  ["unexamined", "not examined"],
];

/** Returns the bar; `what` names the places. */
export function accountBar(account, what) {
  const unexamined = Object.values(account.not_examined).reduce((sum, many) => sum + many, 0);
  const counts = CLASSES.map(([key, label]) => [key, label, key === "unexamined" ? unexamined : account[key]]);
  const parts = counts.filter(([, , many]) => many > 0);
  if (!parts.length) return null;
  const bar = element("div", { class: "bar", "aria-hidden": "true" });
  for (const [key, , many] of parts) {
    const part = element("span", { class: `account-${key}` });
    part.style.flexGrow = many;
    bar.append(part);
  }
  const legend = parts.map(([key, label, many]) =>
    element("li", {}, element("span", { class: `swatch account-${key}`, "aria-hidden": "true" }), `${label} ${number(many)}`),
  );
  if (account.aliased) legend.push(element("li", {}, `aliased ${number(account.aliased)}`));
  const total = parts.reduce((sum, [, , many]) => sum + many, 0);
  return element(
    "div",
    { class: "account" },
    element("p", { class: "label" }, `Account of ${number(total)} ${what}`),
    bar,
    element("ul", { class: "legend" }, ...legend),
  );
}
