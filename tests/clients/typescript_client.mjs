// Drives a server with the TypeScript SDK: typescript_client.mjs stdio COMMAND... | http URL
// The SDK is looked for in the folder that LEADLINE_CLIENTS names.

import { createRequire } from "node:module";
import { join } from "node:path";

const installed = createRequire(join(process.env.LEADLINE_CLIENTS, "package.json"));
const { Client, StreamableHTTPClientTransport } = installed("@modelcontextprotocol/client");
const { StdioClientTransport } = installed("@modelcontextprotocol/client/stdio");

const [way, ...target] = process.argv.slice(2);
const transport =
  way === "stdio"
    ? new StdioClientTransport({ command: target[0], args: target.slice(1), env: process.env })
    : new StreamableHTTPClientTransport(new URL(target[0]));

const client = new Client({ name: "leadline-tests", version: "1" }, { versionNegotiation: { mode: "auto" } });
await client.connect(transport);

const call = async (name, args) => (await client.callTool({ name, arguments: args })).content[0].text;

const { tools } = await client.listTools();
const text = await call("document_symbols", { path: "many.py", max_tokens: 200 });
const uri = text.match(/^all: (\S+)$/m)[1];
const items = [];
for (let page; !page?.complete; ) {
  page = JSON.parse(await call("read_result", { uri, offset: items.length, format: "json" }));
  items.push(...page.items);
  if (page.items.length === 0) break;
}
const resource = JSON.parse((await client.readResource({ uri })).contents[0].text);
const version = installed("./package.json").dependencies["@modelcontextprotocol/client"];
const protocol = client.getNegotiatedProtocolVersion();
await client.close();

process.stdout.write(
  JSON.stringify({ version, protocol, tools: tools.map((tool) => tool.name), text, items, resource }),
);
