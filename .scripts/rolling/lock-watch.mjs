import pg from 'pg';

/** Those that keep writers out; ACCESS EXCLUSIVE keeps readers out as well. */
const LOCKS = `
  SELECT locks.pid, relation::regclass::text AS relation, replace(mode, 'Lock', '') AS mode, granted
  FROM pg_locks AS locks JOIN pg_class ON pg_class.oid = relation
  WHERE locktype = 'relation' AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
    AND mode IN ('ShareLock', 'ShareRowExclusiveLock', 'ExclusiveLock', 'AccessExclusiveLock')
    AND relkind = 'r' AND relation = ANY ($1::oid[]) AND locks.pid <> pg_backend_pid()`;

/**
 * Watches, with a look each 5 ms, who holds or waits for locks on tables that keep writers out.
 *
 * @param url of the database
 * @returns `stop`, which gives the longest of each table and mode: `{ relation, mode, ms, waitedMs }`
 */
export async function watchLocks(url) {
  const client = new pg.Client({ connectionString: url, application_name: 'lock watch' });
  await client.connect();
  // What the migrations create is empty, and nobody uses it yet.
  const { rows: tables } = await client.query(
    `SELECT oid FROM pg_class WHERE relkind = 'r' AND relnamespace = 'public'::regnamespace AND relname <> 'migrations'`,
  );
  const oids = tables.map(({ oid }) => oid);
  const open = new Map();
  const longest = new Map();
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const now = performance.now();
      const { rows } = await client.query({ name: 'locks', text: LOCKS, values: [oids] });
      const seen = new Set();
      for (const { pid, relation, mode, granted } of rows) {
        const key = `${pid} ${relation} ${mode}`;
        seen.add(key);
        const lock = open.get(key) ?? { relation, mode, since: now, grantedAt: undefined };
        if (granted) lock.grantedAt ??= now;
        open.set(key, lock);
        note(longest, lock, now);
      }
      for (const key of open.keys()) if (!seen.has(key)) open.delete(key);
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  return {
    stop: async () => {
      isOver = true;
      await watching;
      await client.end();
      return [...longest.values()].sort((a, b) => b.ms - a.ms);
    },
  };
}

function note(longest, { relation, mode, since, grantedAt }, now) {
  const key = `${relation} ${mode}`;
  const ms = grantedAt === undefined ? 0 : Math.round(now - grantedAt);
  const waitedMs = Math.round((grantedAt ?? now) - since);
  const known = longest.get(key) ?? { relation, mode, ms: 0, waitedMs: 0 };
  longest.set(key, { relation, mode, ms: Math.max(known.ms, ms), waitedMs: Math.max(known.waitedMs, waitedMs) });
}
