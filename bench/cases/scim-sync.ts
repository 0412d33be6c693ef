import type { Client } from 'pg';
import { type BenchCase, type Figure, median } from '../measure';
import { type Service, startService } from '../service';

const SIZES = [1_000, 10_000, 100_000];
const GROUPS = 100;
const MAPPINGS = 20;

/** `POST …/scim/sync` of growing directories in 100 groups with 20 mappings: all roles changing, then none. */
export const scimSync: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_scim_sync', 3921, {
    LOG_LEVEL: 'warn',
    LIMIT_SYNCS_PER_MINUTE: '10000',
  });
  const changing: Figure[] = [];
  const unchanged: Figure[] = [];
  try {
    for (const size of SIZES) {
      const { id } = (await service.call('POST', '/v1/organisations', { name: `Bench ${size}` })).body as {
        id: string;
      };
      await fill(service.database, id, size);
      await sync(service, id); // everybody joins
      const everybody: number[] = [];
      const nobody: number[] = [];
      for (let round = 0; round < settings.rounds; round++) {
        await turnRoles(service.database, id, round);
        everybody.push(await sync(service, id));
        nobody.push(await sync(service, id));
      }
      changing.push(figure(`sync of ${size}, everybody changing`, everybody, changing.at(-1), '≤ 12'));
      unchanged.push(figure(`sync of ${size}, nobody changing`, nobody, unchanged.at(-1)));
    }
  } finally {
    await service.stop();
  }
  return [...changing, ...unchanged];
};

function figure(name: string, rounds: number[], smaller?: Figure, goal?: string): Figure {
  const value = median(rounds);
  const ratio = smaller && { to: 'a tenth of the people', value: value / smaller.median };
  return { name, median: value, unit: 's', rounds, ratio, goal: smaller && goal };
}

async function sync(service: Service, orgId: string): Promise<number> {
  const started = performance.now();
  await service.call('POST', `/v1/organisations/${orgId}/scim/sync`);
  return (performance.now() - started) / 1_000;
}

/** Each user is in three groups, one of which is mapped. */
async function fill(database: Client, orgId: string, size: number): Promise<void> {
  await database.query(`CREATE TEMP TABLE IF NOT EXISTS people (n int, user_id uuid, scim_id uuid)`);
  await database.query(`CREATE TEMP TABLE IF NOT EXISTS groups (n int, id uuid)`);
  await database.query(`TRUNCATE people, groups`);
  await database.query(`INSERT INTO people SELECT n, uuid_v7(), uuid_v7() FROM generate_series(1, $1) AS n`, [size]);
  await database.query(`INSERT INTO groups SELECT n, uuid_v7() FROM generate_series(0, $1) AS n`, [GROUPS - 1]);
  await database.query(`INSERT INTO users (id, email) SELECT user_id, user_id || '@example.com' FROM people`);
  await database.query(
    `INSERT INTO scim_users (id, org_id, user_id, consent_user_id, user_name) SELECT scim_id, $1, user_id, user_id, user_id || '@example.com' FROM people`,
    [orgId],
  );
  await database.query(`INSERT INTO scim_groups (id, org_id, display_name) SELECT id, $1, 'Group ' || n FROM groups`, [
    orgId,
  ]);
  await database.query(
    `INSERT INTO scim_group_members (group_id, scim_user_id)
     SELECT DISTINCT groups.id, people.scim_id FROM people CROSS JOIN generate_series(0, 2) AS k
     JOIN groups ON groups.n = CASE k WHEN 0 THEN people.n % ${MAPPINGS} ELSE ${MAPPINGS} + (people.n * (k + 6)) % ${GROUPS - MAPPINGS} END`,
  );
  await database.query(
    `INSERT INTO scim_role_mappings (id, org_id, group_id, group_name, role)
     SELECT uuid_v7(), $1, id, 'Group ' || n, 'ADMIN' FROM groups WHERE n < ${MAPPINGS}`,
    [orgId],
  );
}

async function turnRoles(database: Client, orgId: string, round: number): Promise<void> {
  await database.query(`UPDATE scim_role_mappings SET role = $2 WHERE org_id = $1`, [
    orgId,
    round % 2 === 0 ? 'MEMBER' : 'ADMIN',
  ]);
}
