#!/usr/bin/env bash
# The client of @modelcontextprotocol/sdk 1.32.2 gives no tool at all if the output schema of one does not compile.
#
# Behaviour: `listTools()` compiles the output schema of every tool. One that its validator cannot take makes the whole
#   call throw, although the server answered, and although tools without an output schema are unaffected. Valid schemas are
#   among them: `nullable`, which OpenAPI documents bring along, is an unknown keyword in JSON Schema, and unknown keywords
#   are ignored there. Version 2 (@modelcontextprotocol/client 2.4.0) lists both tools.
# Output seen: 'SDK 1: "nullable" cannot be used without "type"', then 'SDK 2: 2 tools'
# Source: JSON Schema 2020-12 core, section 4.3.1 (unknown keywords are annotations); cacheToolMetadata in dist/esm/client.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock \
  @modelcontextprotocol/sdk@1.32.2 @modelcontextprotocol/client@2.4.0 >/dev/null
cat >try.mjs <<'JS'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';

const INFO = { name: 'trial', version: '1.0.0' };
const inputSchema = { type: 'object' };
const outputSchema = { type: 'object', properties: { note: { nullable: true } } };
const tools = [
  { name: 'plain', inputSchema },
  { name: 'typed', inputSchema, outputSchema },
];

async function list(client) {
  const server = new Server(INFO, { capabilities: { tools: {} } });
  server.setRequestHandler(ListToolsRequestSchema, () => ({ tools }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client.listTools().then(
    (answer) => `${answer.tools.length} tools`,
    (error) => error.message,
  );
}

const one = await list(new Client1(INFO));
const two = await list(new Client2(INFO));
console.log(`SDK 1: ${one}\nSDK 2: ${two}`);
process.exit(/"nullable"/.test(one) && two === '2 tools' ? 0 : 1);
JS
node try.mjs
