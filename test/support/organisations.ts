import type { DataSource } from 'typeorm';
import { newId } from '../../src/database/id';
import type { Role } from '../../src/organisations/members/role';
import type { Api } from './api';
import type { SyncRun } from './api-types';
import { nextPage } from './pages';

export interface Told {
  type: string;
  data: Record<string, unknown>;
}

/** How many people a sync changed in which way. */
export type Counts = Pick<SyncRun, 'joined' | 'promoted' | 'demoted' | 'removed' | 'retained' | 'unchanged'>;

/** The address of a run of the sync, as `Location` says it. */
export type RunPath = `/v1/organisations/${string}/scim/sync-runs/${string}`;

/** Runs the sync and reads what it did. */
export async function syncOf(api: Api, orgId: string): Promise<SyncRun> {
  const { headers } = await api.post(`/v1/organisations/${orgId}/scim/sync`, undefined, 200);
  return readRun(api, headers.location as RunPath);
}

/** @param location of a run */
export async function readRun(api: Api, location: RunPath): Promise<SyncRun> {
  const first = await api.get(`${location}?limit=100`);
  const run = first.body;
  for (let next = nextPage(first); next !== undefined;) {
    const page = await api.get(next as RunPath);
    run.changes.push(...page.body.changes);
    next = nextPage(page);
  }
  return run;
}

/**
 * @returns a function that gives the events of the organisation since it was last called, in the order of their ids;
 *   those of one sync come in any order
 */
export function watchEvents(dataSource: DataSource, orgId: string): () => Promise<Told[]> {
  let seen: string[] = [];
  return async () => {
    const rows = await dataSource.query<(Told & { id: string })[]>(
      `SELECT id, type, data FROM events WHERE org_id = $1 ORDER BY id`,
      [orgId],
    );
    const fresh = rows.filter(({ id }) => !seen.includes(id));
    seen = rows.map(({ id }) => id);
    return fresh.map(({ type, data }) => ({ type, data }));
  };
}

/**
 * The rows as they lie on the disk: a row that is written again, even with the same values, gets another place.
 *
 * @param orgId all organisations if it is left out
 */
export function storedMemberships(dataSource: DataSource, orgId?: string): Promise<Record<string, unknown>[]> {
  return dataSource.query(
    `SELECT ctid::text, xmin::text, * FROM memberships WHERE org_id = coalesce($1, org_id) ORDER BY org_id, user_id`,
    [orgId ?? null],
  );
}

/** A membership by SQL, as the sync would have made it, for an account made for it. The role in force is computed. */
export async function createMembership(
  dataSource: DataSource,
  orgId: string,
  fields: {
    userId?: string;
    manual?: Role;
    scim?: Role;
    suspended?: boolean;
    retained?: boolean;
    createdAt?: string;
  },
): Promise<string> {
  const userId = fields.userId ?? newId();
  await dataSource.query(`INSERT INTO users (id, email) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, [
    userId,
    `${userId}@example.com`,
  ]);
  await dataSource.query(
    `INSERT INTO memberships (org_id, user_id, manual_role, scim_role, suspended, retained_last_owner, role, created_at)
     VALUES ($1, $2, $3::organisation_role, $4::organisation_role, $5, $6::boolean,
       CASE WHEN $6 THEN 'OWNER' WHEN NOT $5 THEN GREATEST($3, $4) END, coalesce($7::timestamptz, now()))
     ON CONFLICT ON CONSTRAINT memberships_pkey DO UPDATE
       SET manual_role = excluded.manual_role, scim_role = excluded.scim_role, suspended = excluded.suspended,
           retained_last_owner = excluded.retained_last_owner, role = excluded.role`,
    [
      orgId,
      userId,
      fields.manual ?? null,
      fields.scim ?? null,
      fields.suspended ?? false,
      fields.retained ?? false,
      fields.createdAt ?? null,
    ],
  );
  return userId;
}
