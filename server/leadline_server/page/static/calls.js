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

/** Returns a text in which calls are links. */
export function linked(text, tools) {
  const parts = [];
  let at = 0;
  for (const { start, end, tool, arguments: args } of findCalls(text, tools)) {
    parts.push(text.slice(at, start), element("a", { href: callAddress(tool, args).url }, text.slice(start, end)));
    at = end;
  }
  return [...parts, text.slice(at)];
}

/** Returns the lines of an answer that offer a call: the text, the call and its price. */
export function offers(text, tools) {
  return text
    .split("\n")
    .filter((line) => line.startsWith("next: ") || line.startsWith("all: "))
    .map((line) => ({ line, label: line.startsWith("all: ") ? "all" : "next", call: findCalls(line, tools)[0] }))
    .filter(({ call }) => call)
    .map(({ line, label, call }) => ({
      label,
      text: line.slice(call.start, call.end),
      price: /~[\d,]+ tokens$/.exec(line)?.[0] ?? "",
      url: callAddress(call.tool, call.arguments).url,
    }));
}
