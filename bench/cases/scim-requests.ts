import { join } from 'node:path';
import { type CpuTime, cpuOf } from '../cpu';
import { addGroup, addPeople, type Directory, PATCH_URN, settle, startDirectory, USER_URN } from '../directory';
import { type BenchCase, type BenchSettings, type Figure, median, type Server, startServer } from '../measure';

const PEOPLE = 10_000;
/** Further users, who are not in the group, to add to it. */
const OTHERS = 3_000;
/** Concurrent requests: Entra ID processes several users at a time. */
const CLIENTS = 8;

const WARM_UP_S = 8;

/** The goals of CPU time per request, of service and database together; milliseconds. */
const GOALS = { create: 4, look: 2, add: 8 } as const;

type Kind = keyof typeof GOALS;

const NAMES: Record<Kind, string> = {
  create: 'create a user',
  look: `userName eq among ${PEOPLE.toLocaleString('en')}`,
  add: `+1 member in a group of ${PEOPLE.toLocaleString('en')}`,
};

/** Sends one request. @param number different for each request of a kind */
type Send = (kind: Kind, number: number) => Promise<void>;

interface Round extends CpuTime {
  /** Requests per second. */
  rate: number;
}

/**
 * The three requests of which provisioning consists, at the service and at bare Express with one statement: requests
 * per second, and the CPU time of the service and its database per request. The load generator is not counted.
 */
export const scimRequests: BenchCase = async (settings) => {
  const directory = await startDirectory(settings, 'bench_scim_requests', 3967);
  let reference: Server | undefined;
  try {
    const { service, orgId } = directory;
    const people = await addPeople(service.database, orgId, PEOPLE + OTHERS);
    const groupId = await addGroup(service.database, orgId, 'Everyone', people.slice(0, PEOPLE));
    await settle(service.database);
    const env = { DATABASE_URL: service.databaseUrl };
    reference = await startServer(join(__dirname, '..', 'references', 'bare-scim.js'), 3968, env, '/');
    const target: Target = { directory, groupId, others: people.slice(PEOPLE) };
    const figures: Figure[] = [];
    for (const kind of Object.keys(GOALS) as Kind[]) {
      figures.push(...(await compare(kind, settings, target, reference)));
    }
    return figures;
  } finally {
    await reference?.stop();
    await directory.stop();
  }
};

interface Target {
  directory: Directory;
  groupId: string;
  /** Users who are not in the group. */
  others: readonly string[];
}

async function compare(kind: Kind, settings: BenchSettings, target: Target, reference: Server): Promise<Figure[]> {
  const { directory, groupId } = target;
  const { service, orgId, scim } = directory;
  const own: Send = async (...request) => {
    const { method, path, body } = requestOf(target, 'own', ...request);
    await scim(method, path, body);
  };
  const bare: Send = async (...request) => {
    const { method, path, body } = requestOf(target, 'bare', ...request);
    const response = await fetch(`${reference.url}/${orgId}${path}`, {
      method,
      headers: body ? { 'Content-Type': 'application/json' } : {},
      body: body ? JSON.stringify(body) : undefined,
    });
    await response.text();
    if (!response.ok) throw new Error(`The reference answered ${response.status}.`);
  };
  const rounds: { own: Round[]; bare: Round[] } = { own: [], bare: [] };
  let number = 0;
  const measure = async (send: Send, { pid }: { pid: number }, seconds: number): Promise<Round> => {
    const most = kind === 'add' ? target.others.length : Infinity;
    const before = await cpuOf({ pid, database: service.database });
    const started = performance.now();
    const end = started + seconds * 1_000;
    let count = 0;
    await Promise.all(
      Array.from({ length: CLIENTS }, async () => {
        while (performance.now() < end && count < most) {
          count++;
          await send(kind, number++);
        }
      }),
    );
    const elapsed = performance.now() - started;
    const after = await cpuOf({ pid, database: service.database });
    if (kind === 'add') await reset(directory, groupId, target.others);
    return {
      rate: (count / elapsed) * 1_000,
      service: (after.service - before.service) / count,
      database: (after.database - before.database) / count,
    };
  };
  // Until V8 has compiled the way of a request, which takes several hundred of them, it costs half as much again.
  await measure(own, service, WARM_UP_S);
  await measure(bare, reference, 1);
  for (let round = 0; round < settings.rounds; round++) {
    rounds.own.push(await measure(own, service, settings.seconds));
    rounds.bare.push(await measure(bare, reference, settings.seconds));
  }
  return summarized(kind, rounds);
}

function summarized(kind: Kind, { own, bare }: { own: Round[]; bare: Round[] }): Figure[] {
  const name = `SCIM: ${NAMES[kind]}`;
  const line = (what: string, unit: string, value: (round: Round) => number, goal?: string): Figure => {
    const values = own.map(value);
    const ratios = values.map((own, index) => own / value(bare[index] ?? { rate: NaN, service: NaN, database: NaN }));
    const ratio = { to: 'bare Express, one statement', value: median(ratios) };
    return { name: `${name}, ${what}`, median: median(values), unit, rounds: values, ratio, goal };
  };
  return [
    line('8 clients', 'requests/s', ({ rate }) => rate),
    line('CPU', 'ms', ({ service, database }) => service + database, `≤ ${GOALS[kind]} ms`),
    line('CPU of the service', 'ms', ({ service }) => service),
    line('CPU of the database', 'ms', ({ database }) => database),
  ];
}

/** Puts the group and the roles back as they were, so that each round does the same. */
async function reset({ service: { database }, orgId }: Directory, groupId: string, others: readonly string[]) {
  await database.query(`DELETE FROM scim_group_members WHERE group_id = $1 AND scim_user_id = ANY ($2)`, [
    groupId,
    others,
  ]);
  await database.query(
    `UPDATE memberships SET scim_role = 'MEMBER', role = 'MEMBER' FROM scim_users
     WHERE memberships.org_id = $1 AND scim_users.org_id = $1 AND memberships.user_id = scim_users.user_id
       AND scim_users.id = ANY ($2)`,
    [orgId, others],
  );
}

function requestOf(
  { groupId, others }: Target,
  stem: string,
  kind: Kind,
  number: number,
): { method: string; path: string; body?: object } {
  if (kind === 'look') {
    const filter = encodeURIComponent(`userName eq "person${(number % PEOPLE) + 1}@example.com"`);
    return { method: 'GET', path: `/Users?filter=${filter}` };
  }
  if (kind === 'add') {
    const member = others[number % others.length];
    const operation = { op: 'Add', path: 'members', value: [{ $ref: null, value: member }] };
    return { method: 'PATCH', path: `/Groups/${groupId}`, body: { schemas: [PATCH_URN], Operations: [operation] } };
  }
  const email = `${stem}-${number}@example.com`;
  return {
    method: 'POST',
    path: '/Users',
    body: {
      schemas: [USER_URN, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: `${stem}-${number}`,
      userName: email,
      active: true,
      displayName: `New ${number}`,
      emails: [{ primary: true, type: 'work', value: email }],
      name: { formatted: `New ${number}`, familyName: String(number), givenName: 'New' },
      meta: { resourceType: 'User' },
      roles: [],
    },
  };
}
