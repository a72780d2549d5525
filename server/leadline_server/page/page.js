"use strict";
// The page works without this script, apart from the box: links of the map lead to whole pages.

const POLL_MS = 2000;
const find = (id) => document.getElementById(id);

async function fragment(url) {
  const response = await fetch(url, { headers: { Accept: "text/html" } });
  if (!response.ok) throw new Error(await response.text());
  return response.text();
}

// What is shown is exchanged only where it changed, so that nobody loses their place.
const shown = new Map();
async function refresh(id, url) {
  try {
    const text = await fragment(url);
    if (shown.get(id) !== text) {
      if (shown.has(id) || find(id).innerHTML !== text) find(id).innerHTML = text;
      shown.set(id, text);
    }
    find("offline")?.remove();
  } catch (error) {
    if (!find("offline")) {
      const notice = document.createElement("p");
      notice.id = "offline";
      notice.className = "bad";
      notice.setAttribute("role", "status");
      notice.textContent = "The server does not answer.";
      document.querySelector("header").append(notice);
    }
  }
}

async function poll() {
  if (!document.hidden) {
    await refresh("state", "/page/state");
    await refresh("ledger", "/page/ledger");
  }
  setTimeout(poll, POLL_MS);
}

async function open(url, focus) {
  const path = new URL(url, location.href).searchParams.get("path") ?? "";
  find("map").innerHTML = await fragment("/page/map?path=" + encodeURIComponent(path));
  if (focus) find("map-heading").focus();
}

find("map").addEventListener("click", async (event) => {
  const link = event.target.closest("a");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  const url = link.getAttribute("href");
  try {
    await open(url, true);
    history.pushState(null, "", url);
  } catch {
    location.assign(url);
  }
});
addEventListener("popstate", () => open(location.href, false).catch(() => location.reload()));

const forms = [...document.querySelectorAll("form[data-tool]")];
const choose = () => forms.forEach((form) => (form.hidden = form.dataset.tool !== find("tool").value));
find("tool").addEventListener("change", choose);
choose();

async function call(form) {
  const given = [...new FormData(form)].filter(([, value]) => value !== "");
  const body = JSON.stringify({ tool: form.dataset.tool, arguments: Object.fromEntries(given) });
  const headers = { "Content-Type": "application/json" };
  find("outcome").textContent = "Calling the tool.";
  const response = await fetch("/page/call", { method: "POST", headers, body });
  const answer = await response.json().catch(() => ({ error: "The server rejected the call." }));
  if (answer.error) {
    find("outcome").textContent = answer.error;
    find("answer").hidden = true;
    return;
  }
  const size = answer.tokens.toLocaleString("en") + " o200k tokens, " + answer.text.length.toLocaleString("en") + " characters";
  find("outcome").textContent = (answer.is_error ? "Error: " : "Answer: ") + size + ".";
  find("answer").textContent = answer.text;
  find("answer").hidden = false;
  await refresh("ledger", "/page/ledger");
}

forms.forEach((form) =>
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    call(form).catch(() => (find("outcome").textContent = "The server does not answer."));
  }),
);

setTimeout(poll, POLL_MS);
