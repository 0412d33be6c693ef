#!/usr/bin/env bash
# @swc/core 1.16.22 refuses a loop whose variable is called `of`.
#
# Behaviour: `for (const of of [1]) ...` is valid: `of` is no reserved word, and Node and TypeScript take it. SWC reports
#   "Variable declaration list cannot be empty". With another name for the variable it compiles.
# Output seen: "node: 1", then "swc: Variable declaration list cannot be empty"
# Source: ECMA-262, section 14.7.5 (ForDeclaration), where a binding identifier may be `of`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock @swc/core@1.16.22 >/dev/null
echo 'for (const of of [1]) console.log("node:", of);' >loop.js
node loop.js | tee node.txt
grep -q '^node: 1$' node.txt
node -e '
  const { transformSync } = require("@swc/core");
  const options = { swcrc: false, jsc: { parser: { syntax: "typescript" }, target: "es2023" } };
  transformSync("for (const other of [1]) console.log(other);", options);
  try {
    transformSync(require("fs").readFileSync("loop.js", "utf8"), options);
  } catch (error) {
    const found = /Variable declaration list cannot be empty/.exec(String(error.message));
    console.log("swc:", found ? found[0] : error.message);
    process.exit(found ? 0 : 2);
  }
  process.exit(1);
'
