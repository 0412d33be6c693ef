import { type BenchCase, median } from '../measure';
import { type Service, startService } from '../service';

const SMALL = { members: 10_000, bundles: 500 };
const LARGE = { members: 100_000, bundles: 5_000 };

type Size = typeof SMALL;

/**
 * Deletes an organisation with its directory: the request, which removes what is visible, and the batches that follow.
 * Ten times as many members and bundles may take at most ten times as long.
 */
export const organisationDeletion: BenchCase = async (settings) => {
  const service = await startService(settings, 'bench_organisation_deletion', 3933, { LOG_LEVEL: 'warn', RUN: 'api' });
  const times = { small: [] as number[], large: [] as number[] };
  try {
    await remove(service, SMALL);
    for (let round = 0; round < Math.min(settings.rounds, 3); round++) {
      times.small.push(await remove(service, SMALL));
      times.large.push(await remove(service, LARGE));
    }
  } finally {
    await service.stop();
  }
  const name = 'organisation deletion, 10,000 members and 500 bundles';
  return [
    {
      name: 'organisation deletion, 100,000 members and 5,000 bundles',
      median: median(times.large),
      unit: 's',
      rounds: times.large,
      ratio: { to: name, value: median(times.large.map((value, index) => value / (times.small[index] ?? NaN))) },
      goal: '≤ 12',
    },
    { name, median: median(times.small), unit: 's', rounds: times.small },
  ];
};

/** @returns the seconds of the request */
async function remove(service: Service, size: Size): Promise<number> {
  const { id } = (await service.call('POST', '/v1/organisations', { name: `Doomed ${performance.now()}` })).body as {
    id: string;
  };
  const { database, userId } = service;
  await database.query(
    `WITH made AS (INSERT INTO users (id, email) SELECT uuid_v7(), $1::text || n || '@example.com' FROM generate_series(1, $2::int) AS n RETURNING id),
          entries AS (INSERT INTO scim_users (id, org_id, user_id, user_name) SELECT uuid_v7(), $1::uuid, id, id::text FROM made)
     INSERT INTO memberships (org_id, user_id, scim_role, role) SELECT $1::uuid, id, 'MEMBER', 'MEMBER' FROM made`,
    [id, size.members],
  );
  await database.query(
    `WITH made AS (INSERT INTO bundles (id, name, slug, org_id, owner_id)
                   SELECT uuid_v7(), 'B', 'b-' || n, $1, $2 FROM generate_series(1, $3::int) AS n RETURNING id)
     INSERT INTO bundle_entries (id, bundle_id, listing_name, position, key)
     SELECT uuid_v7(), id, 'gone/' || n, n, 'key-' || n FROM made, generate_series(1, 10) AS n`,
    [id, userId, size.bundles],
  );
  await database.query('ANALYZE');
  await database.query('CHECKPOINT');
  const started = performance.now();
  const { status } = await service.call('DELETE', `/v1/organisations/${id}`);
  if (status !== 204) throw new Error(`The organisation was not deleted: ${status}.`);
  return (performance.now() - started) / 1_000;
}
