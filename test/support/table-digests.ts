import type { DataSource } from 'typeorm';

const OF_CALLS = new Set(['scim_log', 'organisation_calls']);

/**
 * A digest of every table: no row can be added, changed or removed without one of them changing.
 *
 * @param bystander an organisation that calls: that its tokens were used, what its provisioning log says, and how
 *   often it called, is left out
 */
export async function tableDigests(dataSource: DataSource, bystander: string): Promise<Record<string, string>> {
  const tables = await dataSource.query<{ name: string }[]>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = 'public' AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  const digests: Record<string, string> = {};
  for (const { name } of tables) {
    const row = name === 'scim_tokens' ? `to_jsonb(rows) - 'last_used_at'` : 'to_jsonb(rows)';
    const condition = OF_CALLS.has(name) ? 'WHERE org_id <> $1' : 'WHERE $1::uuid IS NOT NULL';
    const [digest] = await dataSource.query<{ digest: string }[]>(
      `SELECT count(*) || ' rows, ' || coalesce(md5(string_agg(md5((${row})::text), '' ORDER BY md5((${row})::text))), '')
         AS digest
       FROM ${name} AS rows ${condition}`,
      [bystander],
    );
    digests[name] = String(digest?.digest);
  }
  return digests;
}
