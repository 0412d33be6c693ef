import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import type { Client } from 'pg';

const REAL = resolve(__dirname, '../../../shared/data/official-registry-2025-12-12.json.gz');
/** Of each server, for some 80,000 versions. */
const COPIES = 30;

/**
 * Loads the versions of the official registry, 30 times over under different names: some 80,000 of 31,000 servers.
 *
 * @param copies how many times; 1 gives the registry itself, 2,600 versions
 * @returns the number of versions
 * @throws Error if the data is missing
 */
export async function loadCatalogue(database: Client, copies = COPIES): Promise<number> {
  const { servers } = JSON.parse(gunzipSync(readFileSync(REAL)).toString('utf8')) as {
    servers: { server: { name: string; version: string; description?: string } }[];
  };
  const usable = servers
    .map(({ server }) => server)
    .filter(({ description = '', version }) => description !== '' && version !== '');
  await database.query(`INSERT INTO categories (name, slug, description, icon, display_order)
    SELECT 'Category ' || n, 'category-' || n, '', 'box', n FROM generate_series(1, 25) AS n`);
  await database.query(`CREATE TEMP TABLE real_servers (name text, version text, server jsonb)`);
  for (let at = 0; at < usable.length; at += 200) {
    await database.query(
      `INSERT INTO real_servers SELECT server ->> 'name', server ->> 'version', server
       FROM jsonb_array_elements($1::jsonb) AS server`,
      [JSON.stringify(usable.slice(at, at + 200))],
    );
  }
  await database.query(
    `INSERT INTO listings (id, name, slug, title, description, category_id, status, visibility, published_at, transports,
                           registry_types)
     SELECT uuid_v7(), name || suffix, 'server', coalesce(server ->> 'title', name), server ->> 'description',
            1 + abs(hashtext(name)) % 25, 'PUBLISHED', 'PUBLIC', now(),
            server_transports(server), server_registry_types(server)
     FROM (SELECT DISTINCT ON (name) * FROM real_servers ORDER BY name, version DESC) AS latest
     CROSS JOIN (SELECT CASE WHEN n = 1 THEN '' ELSE '.copy' || n END AS suffix FROM generate_series(1, $1::int) AS n) AS copy`,
    [copies],
  );
  const { rowCount } = await database.query(
    `INSERT INTO listing_versions (listing_id, version, server, is_latest)
     SELECT listings.id, version, server || jsonb_build_object('name', listings.name),
            row_number() OVER (PARTITION BY listings.id ORDER BY version DESC) = 1
     FROM (SELECT DISTINCT ON (name, version) * FROM real_servers) AS one
     CROSS JOIN (SELECT CASE WHEN n = 1 THEN '' ELSE '.copy' || n END AS suffix FROM generate_series(1, $1::int) AS n) AS copy
     JOIN listings ON listings.name = one.name || suffix`,
    [copies],
  );
  await database.query(`VACUUM ANALYZE listings`);
  await database.query(`VACUUM ANALYZE listing_versions`);
  return rowCount ?? 0;
}
