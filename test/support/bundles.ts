import type { DataSource } from 'typeorm';
import type { Api } from './api';
import type { BundleExport } from './api-types';
import { createListing } from './factories';

/** What goes with a bundle (specification, operation 2, rule 2; editors and versions by the contract, section 6). */
export const BUNDLE_CHILDREN = [
  'approved_definitions',
  'bundle_access_tokens',
  'bundle_deployments',
  'bundle_editors',
  'bundle_endpoints',
  'bundle_entries',
  'bundle_follows',
  'bundle_policies',
  'bundle_policy_versions',
  'bundle_tools',
  'bundle_versions',
  'credentials',
  'endpoint_aliases',
  'endpoint_upstreams',
  'tool_approvals',
  'tool_overrides',
];

/** @returns what an export says of itself, with the configuration in it */
export async function exportReport(api: Api, bundleId: string, query: string): Promise<BundleExport> {
  const { body } = await api.get(`/v1/bundles/${bundleId}/export?format=report&${query}`);
  if (!('skipped' in body)) throw new Error('An export with format=report is a report.');
  return body;
}

/** The servers of a configuration for VS Code that are commands; what a client reads is open in the document. */
export function commandsOf(configuration: object): { command: string; args: string[] }[] {
  return Object.values((configuration as { servers: Record<string, { command: string; args: string[] }> }).servers);
}

/**
 * Gives a bundle that many rows in each of its tables, and one entry more with a listing; by SQL, since many. It has one
 * endpoint at most.
 */
export async function fillBundle(dataSource: DataSource, bundleId: string, children: number): Promise<void> {
  const query = (sql: string, parameters: unknown[]) => dataSource.query<object[]>(sql, parameters);
  await query(`INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, $1)`, [children]);
  await query(
    `INSERT INTO upstreams (id, digest, url, headers) VALUES (uuid_v7(), '\\x01', 'https://mcp.example.com/', '{}')
     ON CONFLICT DO NOTHING`,
    [],
  );
  for (const [table, columns, values] of [
    ['bundle_entries', 'id, listing_name, key, position', `uuid_v7(), 'gone', 'gone-' || n, n`],
    ['bundle_versions', 'number, entries, entry_count, action, changes', `n + 1, '[]', 0, 'CREATED', '{}'`],
    [
      'bundle_access_tokens',
      'id, name, prefix, digest, created_by',
      `uuid_v7(), n, 'tyb_', sha256(uuid_v7()::text::bytea), (SELECT id FROM users LIMIT 1)`,
    ],
    ['bundle_deployments', 'id, name, environment, status, bundle_version', `uuid_v7(), n, 'test', 'RUNNING', n + 1`],
    [
      'credentials',
      'id, kind, owner, entry_id, origin',
      `uuid_v7(), 'SECRETS', 'BUNDLE', uuid_v7(), 'https://mcp.example.com'`,
    ],
    ['endpoint_aliases', 'entry_id, alias', `uuid_v7(), 'a' || n`],
    ['endpoint_upstreams', 'entry_id, upstream_id', `uuid_v7(), (SELECT id FROM upstreams LIMIT 1)`],
    [
      'bundle_tools',
      'id, entry_id, kind, name, digest, is_listed',
      `uuid_v7(), uuid_v7(), 'tool', 'read', '\\x01', true`,
    ],
    [
      'tool_approvals',
      'entry_id, kind, name, digest, from_version, approved_at',
      `uuid_v7(), 'tool', 'read', '\\x01', 1, now()`,
    ],
    ['tool_overrides', 'entry_id, kind, name, from_version, is_enabled', `uuid_v7(), 'tool', 'read', 1, true`],
    ['approved_definitions', 'digest, body', `sha256(convert_to(n::text, 'UTF8')), n::text`],
    ['bundle_policy_versions', 'number, kept', `n, '{}'`],
    ['bundle_policies', 'place, effect, subject_kind, tools', `n, 'ALLOW', 'everyone', '*'`],
  ]) {
    const sql = `INSERT INTO ${table} (bundle_id, ${columns}) SELECT $1, ${values} FROM generate_series(1, $2) AS n`;
    await query(sql, [bundleId, children]);
  }
  for (const table of ['bundle_follows', 'bundle_editors']) {
    await query(`INSERT INTO ${table} (bundle_id, user_id) SELECT $1, id FROM users LIMIT $2`, [bundleId, children]);
  }
  if (children === 0) return;
  await query(`INSERT INTO bundle_endpoints (bundle_id) VALUES ($1)`, [bundleId]);
  const listing = await createListing(dataSource);
  const entry = `INSERT INTO bundle_entries (id, bundle_id, listing_id, listing_name, key, position)
    VALUES (uuid_v7(), $1, $2, 'there', 'there', 0)`;
  await query(entry, [bundleId, listing]);
}

/**
 * How many rows of each table go with a bundle: of itself, of every table with a column `bundle_id`, and of every one that
 * refers to one of these by a foreign key. Not the record of its calls, which ends with its days.
 */
export async function rowsOfBundle(dataSource: DataSource, bundleId: string): Promise<Record<string, number>> {
  const tables = await dataSource.query<{ name: string }[]>(`
    SELECT table_name AS name FROM information_schema.columns
    WHERE table_schema = 'public' AND column_name = 'bundle_id' AND table_name NOT LIKE 'endpoint\\_calls%'
    UNION
    SELECT conrelid::regclass::text FROM pg_constraint
    WHERE contype = 'f' AND confrelid::regclass::text LIKE 'bundle%' AND conrelid <> confrelid`);
  const counts: Record<string, number> = {};
  for (const name of ['bundles', ...tables.map((table) => table.name)]) {
    const column = name === 'bundles' ? 'id' : 'bundle_id';
    const [row] = await dataSource.query<{ count: number }[]>(
      `SELECT count(*)::int AS count FROM ${name} WHERE ${column} = $1`,
      [bundleId],
    );
    counts[name] = row?.count ?? 0;
  }
  return counts;
}

/** @returns the tables in which the id stands anywhere, be it inside of a document */
export async function mentionsOf(dataSource: DataSource, id: string): Promise<string[]> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT quote_ident(tablename) AS name FROM pg_tables WHERE schemaname = 'public' ORDER BY 1`,
  );
  const found: string[] = [];
  for (const { name } of tables) {
    const [row] = await dataSource.query<object[]>(`SELECT 1 FROM ${name} AS t WHERE strpos(t::text, $1) > 0 LIMIT 1`, [
      id,
    ]);
    if (row) found.push(name);
  }
  return found;
}
