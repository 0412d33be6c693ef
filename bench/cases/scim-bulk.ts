import { addPeople, type Directory, settle, startDirectory, USER_URN } from '../directory';
import { type BenchCase, type Figure, median } from '../measure';

/** Users in the directory at the beginning. */
const PEOPLE = 20_000;
/** The maximum in `/ServiceProviderConfig`. */
const OPERATIONS = 500;
const BULK_URN = 'urn:ietf:params:scim:api:messages:2.0:BulkRequest';
const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';

interface Operation {
  method: string;
  path: string;
  bulkId: string;
  data: object;
}

/**
 * The largest bulk requests that `/ServiceProviderConfig` allows, against a reference in the same run: as many users
 * written by one plain client, each in its own transaction (an account, an entry and a membership). No server that
 * commits each user separately can be faster than that.
 */
export const scimBulk: BenchCase = async (settings) => {
  const directory = await startDirectory(settings, 'bench_scim_bulk', 3964);
  try {
    const { service, orgId } = directory;
    await addPeople(service.database, orgId, PEOPLE);
    await settle(service.database);
    const kinds: Record<string, (round: number) => Operation[]> = {
      'bulk of 500 new users': users,
      'bulk of 250 new groups, each before its new user': usersAndGroups,
    };
    const reference: number[] = [];
    const seconds = Object.fromEntries(Object.keys(kinds).map((name) => [name, [] as number[]]));
    await bulk(directory, users(-1)); // warm-up
    for (let round = 0; round < settings.rounds; round++) {
      reference.push(await plainly(directory, round));
      for (const [name, operations] of Object.entries(kinds)) {
        seconds[name]?.push(await bulk(directory, operations(round)));
      }
    }
    const base = median(reference);
    return [
      { name: '500 users by a plain client', median: base, unit: 's', rounds: reference },
      ...Object.entries(seconds).map(([name, rounds]): Figure => ({
        name,
        median: median(rounds),
        unit: 's',
        rounds,
        ratio: { to: '500 users by a plain client', value: median(rounds) / base },
        goal: name.includes('groups') ? '< 8 s' : '≤ 4 s',
      })),
    ];
  } finally {
    await directory.stop();
  }
};

/** @returns seconds */
async function bulk(directory: Directory, operations: Operation[]): Promise<number> {
  const { ms, body } = await directory.scim('POST', '/Bulk', { schemas: [BULK_URN], Operations: operations });
  const results = (body as { Operations: { status: string }[] }).Operations;
  const failed = results.filter(({ status }) => status !== '201');
  if (results.length !== operations.length || failed.length > 0) {
    throw new Error(`${failed.length} of ${results.length} failed: ${JSON.stringify(failed[0])}`);
  }
  return ms / 1_000;
}

function users(round: number): Operation[] {
  return Array.from({ length: OPERATIONS }, (_, n) => user(`bulk-${round}-${n}`));
}

function usersAndGroups(round: number): Operation[] {
  return Array.from({ length: OPERATIONS / 2 }, (_, n) => {
    const name = `mixed-${round}-${n}`;
    const data = { schemas: [GROUP_URN], displayName: name, members: [{ value: `bulkId:${name}` }] };
    return [{ method: 'POST', path: '/Groups', bulkId: `group of ${name}`, data }, user(name)];
  }).flat();
}

function user(name: string): Operation {
  const email = `${name}@example.com`;
  const data = {
    schemas: [USER_URN],
    userName: email,
    externalId: name,
    displayName: name,
    name: { givenName: 'Bulk', familyName: name },
    emails: [{ value: email, type: 'work', primary: true }],
    active: true,
  };
  return { method: 'POST', path: '/Users', bulkId: name, data };
}

/** @returns seconds */
async function plainly({ service, orgId }: Directory, round: number): Promise<number> {
  const { database } = service;
  const started = performance.now();
  for (let n = 0; n < OPERATIONS; n++) {
    const email = `plain-${round}-${n}@example.com`;
    await database.query('BEGIN');
    const { rows } = await database.query<{ id: string }>(
      `INSERT INTO users (id, email) VALUES (uuid_v7(), $1) RETURNING id`,
      [email],
    );
    await database.query(`INSERT INTO scim_users (id, org_id, user_id, user_name) VALUES (uuid_v7(), $1, $2, $3)`, [
      orgId,
      rows[0]?.id,
      email,
    ]);
    await database.query(
      `INSERT INTO memberships (org_id, user_id, scim_role, role) VALUES ($1, $2, 'MEMBER', 'MEMBER')`,
      [orgId, rows[0]?.id],
    );
    await database.query('COMMIT');
  }
  return (performance.now() - started) / 1_000;
}
