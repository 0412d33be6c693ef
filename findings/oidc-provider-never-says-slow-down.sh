#!/usr/bin/env bash
# oidc-provider 9.13.3 exports the error `slow_down` and never gives it: a device may ask for its token as often as it likes.
#
# Behaviour: a device that asks for its token more often than `interval` says is to get `slow_down`, and to wait five seconds
#   longer from then on. The library has a class for that error, and no code that throws it: two requests at once are both
#   answered with `authorization_pending`. A server that wants the interval kept has to count requests itself.
# Output seen: "authorization_pending, authorization_pending"
# Source: RFC 8628, section 3.5; lib/helpers/errors.js, and no other mention in lib/.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
npm install --silent --ignore-scripts --no-audit --no-fund --no-package-lock oidc-provider@9.13.3 >/dev/null
cat >try.mjs <<'JS'
import { once } from 'node:events';
import { createServer } from 'node:http';
import Provider from 'oidc-provider';

const server = createServer().listen(0, '127.0.0.1');
await once(server, 'listening');
const issuer = `http://127.0.0.1:${server.address().port}`;
const grant = 'urn:ietf:params:oauth:grant-type:device_code';
const provider = new Provider(issuer, {
  clients: [{ client_id: 'tv', token_endpoint_auth_method: 'none', grant_types: [grant], response_types: [], redirect_uris: [] }],
  features: { deviceFlow: { enabled: true } },
});
server.on('request', provider.callback());

const post = async (path, form) =>
  (await fetch(issuer + path, { method: 'POST', body: new URLSearchParams({ client_id: 'tv', ...form }) })).json();
const { device_code } = await post('/device/auth', { scope: 'openid' });
const ask = async () => (await post('/token', { grant_type: grant, device_code })).error;
const seen = `${await ask()}, ${await ask()}`;
console.log(seen);
process.exit(seen === 'authorization_pending, authorization_pending' ? 0 : 1);
JS
node try.mjs
