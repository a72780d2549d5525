// What the page fetches from its server. A request that nobody waits for any more is ended, here and there.

export class Problem extends Error {}

const previews = new Map();
const MOST_PREVIEWS = 200;

export function get(path, parameters, signal) {
  const query = new URLSearchParams(Object.entries(parameters ?? {}).filter(([, value]) => value !== undefined));
  return answer(fetch(`/page/${path}?${query}`, { signal, headers: { Accept: "application/json" } }));
}

/** Makes a call; returns the answer as a model gets it, with the items of the complete result. */
export function call(tool, args, signal) {
  const body = JSON.stringify({ tool, arguments: args });
  return answer(fetch("/page/call", { method: "POST", signal, headers: { "Content-Type": "application/json" }, body }));
}

/** Returns what the answer with a stored result would be with another budget. */
export async function preview(uri, tokens, signal) {
  const key = `${uri} ${tokens}`;
  if (!previews.has(key)) {
    const found = await get("preview", { uri, max_tokens: tokens }, signal);
    if (previews.size >= MOST_PREVIEWS) previews.delete(previews.keys().next().value);
    previews.set(key, found);
  }
  return previews.get(key);
}

async function answer(request) {
  let response;
  try {
    response = await request;
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new Problem("The server does not answer.");
  }
  const type = response.headers.get("Content-Type") ?? "";
  const body = type.startsWith("application/json") ? await response.json() : { problem: await response.text() };
  if (body.problem !== undefined) throw new Problem(body.problem || "The server rejected the request.");
  return body;
}
