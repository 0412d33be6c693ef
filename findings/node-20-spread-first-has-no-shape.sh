#!/usr/bin/env bash
# Node 20: objects that begin with a spread and go on with members do not share a hidden class.
#
# Behaviour: the function `(source, n) => ({ ...source, state: n })` gives objects of the same form. From about the tenth on,
#   V8 gives each of them a hidden class of its own. To make one took 0.5 to 4 microseconds here, ten to a hundred times as
#   long as with the spread at the end. Node 22 has one class for all of them.
# Output seen: "v20.20.2: the spread first: 12 classes, last: 1", "v22.22.3: the spread first: 1 class, last: 1" (20 objects)
# Source: V8, issue 13303, fixed in V8 11.7. Node 20 has V8 11.3.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
cat >shapes.js <<'JS'
const source = { id: 1, name: 'a' };
const count = (make) => {
  const all = Array.from({ length: 20 }, (_, n) => make(source, n));
  return 1 + all.slice(1).filter((each, n) => !%HaveSameMap(all[n], each)).length;
};
const first = count((of, n) => ({ ...of, state: n, limit: n }));
const last = count((of, n) => ({ state: n, limit: n, ...of }));
const classes = (number) => `${number} ${number === 1 ? 'class' : 'classes'}`;
console.log(`${process.version}: the spread first: ${classes(first)}, last: ${last}`);
process.exit(last !== 1 ? 1 : first > 5 ? 0 : 3);
JS
npm install --silent --no-audit --no-fund --no-package-lock old@npm:node@20.20.2 new@npm:node@22.22.3 >/dev/null
node_modules/old/bin/node --allow-natives-syntax shapes.js
status=0
node_modules/new/bin/node --allow-natives-syntax shapes.js || status=$?
# One class.
[ "$status" -eq 3 ]
