#!/usr/bin/env bash
# @nestjs/cli 11.0.13 carries a whole application that is no part of it.
#
# Behaviour: the published package has a folder `nest-app` with compiled code and a `node_modules` of its own. Nothing in
#   its package.json names the folder, and no command of the CLI reads it. An installation grows by more than 200 MB.
# Output seen: "nest-app/node_modules: 238 MB, of 239 MB of the package"
# Source: the published package itself (npm pack @nestjs/cli@11.0.13).
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock --omit=optional @nestjs/cli@11.0.13 >/dev/null

package=node_modules/@nestjs/cli
[ -d "$package/nest-app/node_modules" ]
grep -q nest-app "$package/package.json" && exit 1
carried=$(du -sm "$package/nest-app/node_modules" | cut -f1)
whole=$(du -sm "$package" | cut -f1)
printf 'nest-app/node_modules: %s MB, of %s MB of the package\n' "$carried" "$whole"
[ "$carried" -gt 100 ]
