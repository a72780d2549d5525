// Calls as a model writes them, `tool(name="value", n=1)`: found in texts and turned into links.

import { callAddress } from "./address.js";
import { element } from "./dom.js";

const CALL = /\b([a-z]+(?:_[a-z]+)*)\(((?:[a-z_]+=(?:"(?:[^"\\]|\\.)*"|true|false|-?\d+)(?:, )?)*)\)/g;
const ARGUMENT = /([a-z_]+)=(?:"((?:[^"\\]|\\.)*)"|(true|false|-?\d+))/g;
const RESULT = /leadline:\/\/result\/[\w-]+/g;

/** Returns the calls of known tools in a text: where they are, and what they call. */
export function findCalls(text, tools) {
  const found = [];
  for (const match of text.matchAll(CALL)) {
    if (!tools.has(match[1])) continue;
    const args = {};
    for (const [, name, quoted, plain] of match[2].matchAll(ARGUMENT)) {
      args[name] = quoted === undefined ? plain : quoted.replace(/\\(.)/g, "$1");
    }
    found.push({ start: match.index, end: match.index + match[0].length, tool: match[1], arguments: args });
  }
  for (const match of text.matchAll(RESULT)) {
    const inCall = found.some((one) => match.index >= one.start && match.index < one.end);
    const args = { uri: match[0] };
    if (!inCall) found.push({ start: match.index, end: match.index + match[0].length, tool: "read_result", arguments: args });
  }
  return found.sort((one, other) => one.start - other.start);
}

const urlOfCall = ({ tool, arguments: args }) => callAddress(tool, args).url;

/** Returns a text in which calls are links; `urlOf` returns where a call leads. */
export function linked(text, tools, urlOf = urlOfCall) {
  const parts = [];
  let at = 0;
  for (const call of findCalls(text, tools)) {
    parts.push(text.slice(at, call.start), element("a", { href: urlOf(call) }, text.slice(call.start, call.end)));
    at = call.end;
  }
  return [...parts, text.slice(at)];
}

/** Returns the lines of an answer that offer a call: the text, the call and its price. */
export function offers(text, tools, urlOf = urlOfCall) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("next: ") || line.startsWith("all: "))
    .map((line) => ({ line, label: line.startsWith("all: ") ? "all" : "next", call: findCalls(line, tools)[0] }))
    .filter(({ call }) => call)
    .map(({ line, label, call }) => ({
      label,
      text: line.slice(call.start, call.end),
      price: /~[\d,]+ tokens$/.exec(line)?.[0] ?? "",
      url: urlOf(call),
    }));
}
