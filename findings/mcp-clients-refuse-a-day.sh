#!/usr/bin/env bash
# The TypeScript clients of MCP give no resource at all if one was modified on a day, or at a time without an offset.
#
# Behaviour: a server may say when a resource was last modified, as "an ISO 8601 formatted string". `2025-01-12` is one. The
#   clients (@modelcontextprotocol/sdk 1.32.2, @modelcontextprotocol/client 2.4.0) take only a date with a time of seconds
#   and an offset or `Z`; any other fails `listResources()` as a whole.
# Output seen: "2025-01-12T15:00:58Z: 2 and 2", then "2025-01-12: refused and refused"
# Source: the schema of MCP 2025-06-18 and later, Annotations.lastModified; ISO 8601-1:2019, section 5.2.2.1.
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
import { ListResourcesRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { Client as Client2 } from '@modelcontextprotocol/client';

const INFO = { name: 'trial', version: '1.0.0' };

async function list(client, lastModified) {
  const server = new Server(INFO, { capabilities: { resources: {} } });
  const resources = [
    { uri: 'note:one', name: 'one' },
    { uri: 'note:two', name: 'two', annotations: { lastModified } },
  ];
  server.setRequestHandler(ListResourcesRequestSchema, () => ({ resources }));
  const [near, far] = InMemoryTransport.createLinkedPair();
  await Promise.all([server.connect(far), client.connect(near)]);
  return client.listResources().then(
    (answer) => answer.resources.length,
    () => 'refused',
  );
}

const seen = [];
for (const when of ['2025-01-12T15:00:58Z', '2025-01-12']) {
  const line = `${when}: ${await list(new Client1(INFO), when)} and ${await list(new Client2(INFO), when)}`;
  console.log(line);
  seen.push(line);
}
process.exit(seen[0].endsWith('2 and 2') && seen[1].endsWith('refused and refused') ? 0 : 1);
JS
node try.mjs
