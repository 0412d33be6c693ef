#!/usr/bin/env bash
# jest 30.5.2 leaves an AsyncLocalStorage behind for each suite, and Node.js 20 and 22 carry all of them in every promise.
#
# Behaviour: jest-circus is evaluated for each suite and makes a storage then; the first test enables it, and nothing disables
#   it. The list of enabled storages is Node's own, one for the process, so those of suites that have ended stay in it: every
#   promise and callback gets a property for each, and a process becomes slower with each suite it runs. Suites that run in
#   a context of their own are no exception. Node.js 24 keeps such contexts in another way and is not concerned.
# Output seen (Node.js 20.20.2): "storages carried by a callback: 1 in the first suite, 30 in the last of 30"
# Source: jest-circus/build/jestAdapterInit.js, the part "src/testExecutionContext.ts"; lib/async_hooks.js of Node.js 20,
#   `_propagate`.
set -euo pipefail
node -e 'process.exit(parseInt(process.versions.node, 10) < 24 ? 0 : 1)' || { echo 'This needs Node.js 20 or 22.'; exit 2; }
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock jest@30.5.2 >/dev/null

for number in $(seq 10 39); do
  cat > "suite-$number.test.js" <<'SUITE'
const { executionAsyncResource } = require('node:async_hooks');
const { appendFileSync } = require('node:fs');

test('what a callback carries', async () => {
  const callback = await new Promise((resolve) => setImmediate(() => resolve(executionAsyncResource())));
  const carried = Object.getOwnPropertySymbols(callback).filter(({ description }) => description === 'kResourceStore');
  appendFileSync('carried.txt', `${carried.length}\n`);
});
SUITE
done
node_modules/.bin/jest --rootDir . --runInBand --silent >/dev/null 2>&1

first=$(head -1 carried.txt)
last=$(tail -1 carried.txt)
printf 'storages carried by a callback: %s in the first suite, %s in the last of 30\n' "$first" "$last"
[ "$last" -ge $((first + 29)) ]
