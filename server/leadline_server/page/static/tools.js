// A call of any tool: its form, and its answer.

import { Address, callAddress } from "./address.js";
import { AnswerView } from "./answer.js";
import { element, number } from "./dom.js";
import { call } from "./server.js";
import { load } from "./waiting.js";

export function toolList(page) {
  const rows = [...page.tools.values()].map((tool) =>
    element("li", {}, element("a", { href: callAddress(tool.name, {}).url, class: "tool" }, tool.name), element("p", { class: "dim" }, tool.description)),
  );
  return element("section", { "aria-labelledby": "heading" }, element("h1", { id: "heading", tabindex: "-1" }, "Tools"), element("p", { class: "lead" }, "Call a tool as a model does, and see exactly what the model receives."), element("ul", { class: "tools" }, ...rows));
}

export function callView(address, page, signal) {
  const tool = page.tools.get(address.get("tool"));
  if (!tool) return element("section", {}, element("h1", { id: "heading", tabindex: "-1" }, "No such tool"), element("p", {}, "This server has no tool with that name. ", element("a", { href: "/?view=tools" }, "All tools")));
  const args = Object.fromEntries([...address.parameters].filter(([name]) => tool.parameters.some((one) => one.name === name)));
  const ready = tool.parameters.every((one) => !one.required || args[one.name] !== undefined);
  const asks = ready && (Object.keys(args).length > 0 || !tool.parameters.some((one) => one.required));
  const body = element("div", {});
  if (asks) {
    load(body, `Waiting for ${tool.name} ...`, signal, async (own) => {
      const answer = await call(tool.name, typed(tool, args), own);
      return new AnswerView(answer, { page, signal, settle: (tokens) => page.replace({ max_tokens: tokens }) }).element;
    });
  }
  return element(
    "section",
    { "aria-labelledby": "heading" },
    element("nav", { "aria-label": "Tools" }, element("a", { href: "/?view=tools" }, "All tools")),
    element("h1", { id: "heading", tabindex: "-1" }, tool.name),
    element("p", { class: "lead" }, tool.description),
    form(tool, args, page),
    body,
  );
}

/** Returns arguments with numbers and truth values as such, not as texts. */
function typed(tool, args) {
  const value = (name, text) => {
    const { type, choices } = tool.parameters.find((one) => one.name === name);
    if (type === "number" && /^-?\d{1,9}$/.test(text)) return Number(text);
    return choices.length === 2 && choices.includes("true") ? (text === "true" ? true : text === "false" ? false : text) : text;
  };
  return Object.fromEntries(Object.entries(args).map(([name, text]) => [name, value(name, text)]));
}

function form(tool, args, page) {
  const fields = tool.parameters.map((parameter) => field(tool, parameter, args[parameter.name]));
  const made = element("form", { class: "call" }, element("div", { class: "fields" }, ...fields), element("button", { type: "submit", class: "primary" }, `Call ${tool.name}`));
  made.addEventListener("submit", (event) => {
    event.preventDefault();
    const given = [...new FormData(made)].filter(([name, value]) => {
      const parameter = tool.parameters.find((one) => one.name === name);
      return value !== "" && (parameter.required || value !== parameter.default);
    });
    page.open(new Address([["tool", tool.name], ...given]).url);
  });
  return made;
}

function field(tool, parameter, value) {
  const id = `field-${parameter.name}`;
  const label = element("label", { for: id }, parameter.name, parameter.required ? element("span", { class: "dim" }, " (required)") : null);
  if (parameter.choices.length) {
    const options = parameter.choices.map((choice) => element("option", { value: choice, selected: choice === (value ?? parameter.default) }, choice));
    return element("div", {}, label, element("select", { id, name: parameter.name }, ...options));
  }
  const bounds = parameter.name === "max_tokens" ? { min: 1, max: tool.most, placeholder: number(tool.usual) } : {};
  const control = element("input", {
    id,
    name: parameter.name,
    type: parameter.type,
    value: value ?? (parameter.name === "max_tokens" ? "" : parameter.default),
    required: parameter.required,
    autocomplete: "off",
    spellcheck: "false",
    ...bounds,
  });
  return element("div", {}, label, control);
}
