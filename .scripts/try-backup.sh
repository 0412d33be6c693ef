#!/usr/bin/env bash
# Tries a backup and a restore as docs/operating/database-and-secrets.md describes them, with PostgreSQL 15 of Debian: a service with data and
# webhooks that are pending, pg_dump while it runs, pg_restore into an empty database, `npm run after-restore`, and the
# service on the restored database. Needs root, Debian's postgresql-15 and a build. Takes about a minute.
set -euo pipefail
cd "$(dirname "$0")/.."

PG=/usr/lib/postgresql/15/bin
if [ ! -x "$PG/initdb" ] || [ "$(id -u)" != 0 ]; then
  echo 'SKIPPED: backup and restore were not tried. This needs root and PostgreSQL 15 (apt-get install postgresql-15).' >&2
  exit 0
fi

work=$(mktemp -d)
chmod 755 "$work"
mkdir "$work/cluster" "$work/data"
chown postgres "$work/cluster"
service=
finish() {
  [ -z "$service" ] || kill "$service" 2>/dev/null || true
  setpriv --reuid postgres --clear-groups "$PG/pg_ctl" -D "$work/cluster" -m immediate -w stop >/dev/null 2>&1 || true
  rm -rf "$work"
}
trap finish EXIT

free_port() { node -e 'const s=net.createServer().listen(0,"127.0.0.1",()=>{console.log(s.address().port);s.close()})'; }
ok() { echo "ok: $1"; }
fail() {
  echo "FAILED: $1" >&2
  exit 1
}
is() { [ "$2" = "$3" ] && ok "$1: $2" || fail "$1: $2, not $3"; }

pg_port=$(free_port)
setpriv --reuid postgres --clear-groups "$PG/initdb" -D "$work/cluster" -U toolyard --auth=trust --encoding=UTF8 --locale=C.UTF-8 >/dev/null
setpriv --reuid postgres --clear-groups "$PG/pg_ctl" -D "$work/cluster" -l "$work/cluster/log" -w start \
  -o "-p $pg_port -c listen_addresses=127.0.0.1 -k $work/cluster -c fsync=off" >/dev/null
server="postgres://toolyard@127.0.0.1:$pg_port"
createdb --maintenance-db="$server/postgres" original
createdb --maintenance-db="$server/postgres" restored
query() { psql -X -At "$server/$1" -c "$2"; }

port=$(free_port)
export PORT=$port DATA_DIR="$work/data" SAMPLE_CATALOGUE=true LOG_LEVEL=warn SECRETS_KEY
SECRETS_KEY=$(head -c 32 /dev/urandom | base64)
api="http://127.0.0.1:$port/v1"

serve() {
  DATABASE_URL="$server/$1" node dist/src/main.js >"$work/$1.log" 2>&1 &
  service=$!
  for _ in $(seq 600); do
    ! curl -fs "http://127.0.0.1:$port/readyz" >/dev/null || return 0
    kill -0 "$service" || fail "the service on $1 does not start: $(cat "$work/$1.log")"
    sleep 0.1
  done
  fail "the service on $1 is not ready"
}
stop() {
  kill "$service"
  wait "$service" || fail 'the service ended with an error'
  service=
}
call() { curl -fsS -H "Authorization: Bearer $TOKEN" -H 'Content-Type: application/json' "$@"; }
id() { node -pe 'JSON.parse(fs.readFileSync(0)).id'; }

serve original
TOKEN=$(DATABASE_URL="$server/original" node dist/src/commands/token.js --email alice@example.com --admin)
org=$(call "$api/organisations" -d '{"name": "Backup"}' | id)
# Nobody answers there, so every delivery of it stays pending.
hook=$(call "$api/webhooks" -d "{\"org_id\": \"$org\", \"target_url\": \"https://receiver.invalid/\", \"event_types\": [\"bundle.created\"]}" | id)
for number in $(seq 50); do call "$api/bundles" -d "{\"name\": \"Bundle $number\", \"org_id\": \"$org\"}" >/dev/null; done
personal=$(call "$api/users/me/access-tokens" -d '{"name": "Script", "scopes": ["bundles:read"]}' | node -pe 'JSON.parse(fs.readFileSync(0)).token')
query original "INSERT INTO sessions (id, digest, user_id, methods, signed_in_at, last_seen_at, expires_at, address, device)
  SELECT gen_random_uuid(), '\\x01', id, '{pwd}', now(), now(), now() + interval '1 day', '127.0.0.1', 'a browser' FROM users LIMIT 1" >/dev/null

began=$(date +%s%N)
pg_dump --format=custom --file="$work/backup" "$server/original"
ok "pg_dump beside the running service: $(du -k "$work/backup" | cut -f1) KiB in $((($(date +%s%N) - began) / 1000000)) ms"
stop
began=$(date +%s%N)
pg_restore --exit-on-error --no-owner --dbname="$server/restored" "$work/backup"
ok "pg_restore: $((($(date +%s%N) - began) / 1000000)) ms"

counts() {
  query "$1" "SELECT string_agg(format('%s %s', relname, (xpath('/row/c/text()', query_to_xml(format('SELECT count(*) AS c FROM %I', relname), false, true, '')))[1]), E'\n' ORDER BY relname)
    FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind = 'r' AND relname !~ '^(webhook_|category_count)'"
}
is 'the restored tables have the rows of the original' "$(counts restored | md5sum)" "$(counts original | md5sum)"
pending=$(query restored "SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING'")
[ "$pending" -gt 0 ] || fail 'no delivery is pending in the backup'
ok "$pending deliveries are pending in the backup"

DATABASE_URL="$server/restored" node dist/src/commands/after-restore.js
is 'pending deliveries' "$(query restored "SELECT count(*) FROM webhook_deliveries WHERE status = 'PENDING'")" 0
is 'queued deliveries and events' "$(query restored 'SELECT (SELECT count(*) FROM webhook_queue) + (SELECT count(*) FROM webhook_new_events)')" 0
is 'sessions' "$(query restored 'SELECT count(*) FROM sessions')" 0

serve restored
is 'deliveries that say why they were not sent' "$(query restored "SELECT count(*) FROM webhook_deliveries WHERE status = 'CANCELLED' AND error = 'restored'")" "$(call "$api/webhooks/$hook/deliveries?limit=100" | node -pe 'JSON.parse(fs.readFileSync(0)).filter((one) => one.error === "restored").length')"
is 'bundles through the API' "$(call "$api/bundles?limit=100" | node -pe 'JSON.parse(fs.readFileSync(0)).length')" 50
is 'a personal access token of before' "$(curl -s -o /dev/null -w '%{http_code}' -H "Authorization: Bearer $personal" "$api/bundles")" 200
call "$api/bundles" -d "{\"name\": \"New\", \"org_id\": \"$org\"}" >/dev/null
for _ in $(seq 100); do
  fresh=$(query restored "SELECT count(*) FROM webhook_deliveries WHERE error IS DISTINCT FROM 'restored' AND event_type = 'bundle.created' AND attempt_count > 0")
  [ "$fresh" != 1 ] || break
  sleep 0.1
done
is 'attempts for an event of after the restore' "$fresh" 1
stop
