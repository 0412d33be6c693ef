#!/usr/bin/env bash
# A client that openapi-python-client generates answers None for a picture, and the generator ends well.
#
# Behaviour: openapi-python-client 0.29.1 knows `application/octet-stream`, JSON and text. An answer of `image/png` is left out
#   with a warning and the exit code 0. The generated function returns None for a 200 with the bytes, as for an unknown status.
# Output seen: "exit code 0; a picture of 4 bytes: None; the same as application/octet-stream: 4 bytes"
# Source: OpenAPI 3.1.0, Response Object (the keys of `content` are media types); the notes of release 0.19.1 of the generator,
#   which name the way out, `content_type_overrides`.
set -euo pipefail
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"
python3 -m venv venv
venv/bin/pip install --quiet --disable-pip-version-check openapi-python-client==0.29.1
document() {
  printf '{"openapi":"3.1.0","info":{"title":"%s","version":"1"},"paths":{"/icon":{"get":{"operationId":"icon","responses":{"200":{"description":"A picture.","content":{"%s":{"schema":{"type":"string","format":"binary"}}}}}}}}}' "$1" "$2"
}
document picture image/png >picture.json
document plain application/octet-stream >plain.json
export PATH="$folder/venv/bin:$PATH"
code=0
openapi-python-client generate --meta none --path picture.json --output-path picture >/dev/null 2>&1 || code=$?
openapi-python-client generate --meta none --path plain.json --output-path plain >/dev/null 2>&1
cat >try.py <<'PY'
import importlib, sys
import httpx

def icon(package, kind):
    client = importlib.import_module(f"{package}.client").Client(base_url="http://localhost")
    answer = httpx.MockTransport(lambda request: httpx.Response(200, content=b"\x89PNG", headers={"content-type": kind}))
    client.set_httpx_client(httpx.Client(base_url="http://localhost", transport=answer))
    api = importlib.import_module(f"{package}.api.default.icon")
    return api.sync_detailed(client=client).parsed

picture, plain = icon("picture", "image/png"), icon("plain", "application/octet-stream")
size = None if plain is None else len(plain.payload.read())
print(f"exit code {sys.argv[1]}; a picture of 4 bytes: {picture}; the same as application/octet-stream: {size} bytes")
sys.exit(0 if sys.argv[1] == "0" and picture is None and size == 4 else 1)
PY
venv/bin/python try.py "$code"
