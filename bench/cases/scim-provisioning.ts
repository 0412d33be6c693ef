import {
  addGroup,
  addPeople,
  type Directory,
  PATCH_URN,
  quantile,
  settle,
  startDirectory,
  USER_URN,
} from '../directory';
import { type BenchCase, median } from '../measure';

/** Users in the directory at the beginning. */
const PEOPLE = 20_000;
const GROUPS = 20;
/** Concurrent requests: Entra ID processes several users at a time. */
const CLIENTS = 8;
const MIN_SECONDS = 30;

/**
 * The first cycle of an identity provider, for half a minute or more: for each person look up, create, change, and add
 * to a mapped group, which is then read without its members. The load generator and PostgreSQL share the two cores with
 * the service.
 */
export const scimProvisioning: BenchCase = async (settings) => {
  const directory = await startDirectory(settings, 'bench_scim_provisioning', 3963);
  try {
    const { service, orgId } = directory;
    const people = await addPeople(service.database, orgId, PEOPLE);
    const groups: string[] = [];
    for (let n = 0; n < GROUPS; n++) {
      groups.push(await addGroup(service.database, orgId, `Group ${n}`, people.slice(n * 1_000, (n + 1) * 1_000)));
    }
    await settle(service.database);
    const rounds = { rate: [] as number[], p95: [] as number[], slowest: [] as number[] };
    await provision(directory, groups, 3, 'warm'); // warm-up
    for (let round = 0; round < Math.min(settings.rounds, 3); round++) {
      const seconds = Math.max(settings.seconds, MIN_SECONDS);
      const started = performance.now();
      const times = await provision(directory, groups, seconds, `round${round}`);
      rounds.rate.push(times.length / ((performance.now() - started) / 1_000));
      rounds.p95.push(quantile(times, 0.95));
      rounds.slowest.push(Math.max(...times));
    }
    return [
      {
        name: 'provisioning, one organisation',
        median: median(rounds.rate),
        unit: 'requests/s',
        rounds: rounds.rate,
        goal: '≥ 50',
      },
      { name: 'provisioning, p95', median: median(rounds.p95), unit: 'ms', rounds: rounds.p95, goal: '< 200' },
      {
        name: 'provisioning, slowest',
        median: Math.max(...rounds.slowest),
        unit: 'ms',
        rounds: rounds.slowest,
        goal: '< 10,000',
      },
    ];
  } finally {
    await directory.stop();
  }
};

/** @returns the duration of each request; milliseconds */
async function provision(
  directory: Directory,
  groups: readonly string[],
  seconds: number,
  stem: string,
): Promise<number[]> {
  const times: number[] = [];
  const end = performance.now() + seconds * 1_000;
  let number = 0;
  await Promise.all(
    Array.from({ length: CLIENTS }, async () => {
      while (performance.now() < end) await onePerson(`${stem}-${number++}`);
    }),
  );
  return times;

  async function onePerson(name: string): Promise<void> {
    const email = `${name}@example.com`;
    const filter = encodeURIComponent(`userName eq "${email}"`);
    await ask('GET', `/Users?filter=${filter}`);
    const created = await ask('POST', '/Users', {
      schemas: [USER_URN, 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User'],
      externalId: `external-${name}`,
      userName: email,
      active: true,
      displayName: name,
      emails: [{ primary: true, type: 'work', value: email }],
      name: { formatted: name, familyName: name, givenName: 'New' },
      meta: { resourceType: 'User' },
      roles: [],
    });
    const { id } = created as { id: string };
    await ask('PATCH', `/Users/${id}`, {
      schemas: [PATCH_URN],
      Operations: [
        { op: 'Replace', path: 'displayName', value: `New ${name}` },
        { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'Retail' },
      ],
    });
    const group = groups[number % groups.length] ?? '';
    await ask('PATCH', `/Groups/${group}`, {
      schemas: [PATCH_URN],
      Operations: [{ op: 'Add', path: 'members', value: [{ $ref: null, value: id }] }],
    });
    await ask('GET', `/Groups/${group}?excludedAttributes=members`);
  }

  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const answer = await directory.scim(method, path, body);
    times.push(answer.ms);
    return answer.body;
  }
}
