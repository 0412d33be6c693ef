import type { DataSource } from 'typeorm';
import { TIME_OUTS } from './data-source';
import { many } from './statements';

const UNLIMITED = `SELECT name FROM pg_settings WHERE name = ANY ($1) AND setting::bigint = 0 ORDER BY name`;

/**
 * A pooler decides which settings its connections have: PgBouncer refuses those that a client asks for, or is configured
 * to ignore them.
 *
 * @throws Error for the operator if a connection of the data source has no time-outs
 */
export async function requireTimeouts(dataSource: DataSource): Promise<void> {
  const rows = await many<{ name: string }>(dataSource, UNLIMITED, [Object.keys(TIME_OUTS)]);
  if (rows.length === 0) return;
  const missing = rows.map(({ name }) => name).join(', ');
  const remedy = rows.map(({ name }) => `SET ${name} = ${TIME_OUTS[name as keyof typeof TIME_OUTS]}`).join('; ');
  throw new Error(
    `DATABASE_URL: connections of this pooler have no ${missing}. Give it connect_query='${remedy}', as in deploy/pgbouncer.ini, or set them for the role (ALTER ROLE … SET …).`,
  );
}
