import { addGroup, addPeople, type Directory, PATCH_URN, quantile, settle, startDirectory } from '../directory';
import { type BenchCase, type Figure, median } from '../measure';

const SMALL = 100;
const LARGE = 100_000;
/** Requests of each kind to each group per round. */
const REPETITIONS = 40;

type Times = Record<'add' | 'remove', number[]>;

/** PATCHes of one member, and reading, in a mapped group of 100,000 members and in one of 100. */
export const scimGroups: BenchCase = async (settings) => {
  const directory = await startDirectory(settings, 'bench_scim_groups', 3961);
  try {
    const { service, orgId } = directory;
    const [newcomer = '', ...people] = await addPeople(service.database, orgId, LARGE + 1);
    const small = await addGroup(service.database, orgId, 'Small', people.slice(0, SMALL));
    const large = await addGroup(service.database, orgId, 'Large', people);
    await settle(service.database);

    await patches(directory, small, newcomer); // warm-up
    await patches(directory, large, newcomer);
    const rounds = { small: [] as Times[], large: [] as Times[], bare: [] as number[], full: [] as number[] };
    for (let round = 0; round < settings.rounds; round++) {
      rounds.small.push(await patches(directory, small, newcomer));
      rounds.large.push(await patches(directory, large, newcomer));
      rounds.bare.push(await bareRead(directory, large));
      rounds.full.push(await fullRead(directory, large));
    }
    return [
      ...(['add', 'remove'] as const).flatMap((kind) => [
        onLarge(kind, rounds.small, rounds.large),
        p95(`${kind} one member, group of ${SMALL}, p95`, rounds.small, kind),
      ]),
      {
        name: 'read a group of 100,000 without its members',
        median: median(rounds.bare),
        unit: 'ms',
        rounds: rounds.bare,
      },
      {
        name: 'read a group of 100,000 with all of them',
        median: median(rounds.full),
        unit: 'ms',
        rounds: rounds.full,
      },
    ];
  } finally {
    await directory.stop();
  }
};

/** Adds a member and removes it again, in the two forms that Entra ID uses. */
async function patches({ scim }: Directory, groupId: string, member: string): Promise<Times> {
  const times: Times = { add: [], remove: [] };
  for (let n = 0; n < REPETITIONS; n++) {
    const add = { op: 'Add', path: 'members', value: [{ $ref: null, value: member }] };
    times.add.push(await patch(add));
    const remove =
      n % 2 === 0
        ? { op: 'Remove', path: 'members', value: [{ $ref: null, value: member }] }
        : { op: 'remove', path: `members[value eq "${member}"]` };
    times.remove.push(await patch(remove));
  }
  return times;

  async function patch(operation: object): Promise<number> {
    const body = { schemas: [PATCH_URN], Operations: [operation] };
    const { status, ms } = await scim('PATCH', `/Groups/${groupId}`, body);
    if (status !== 204) throw new Error(`A PATCH of a group answered ${status}.`);
    return ms;
  }
}

async function bareRead({ scim }: Directory, groupId: string): Promise<number> {
  const times: number[] = [];
  for (let n = 0; n < REPETITIONS; n++) {
    times.push((await scim('GET', `/Groups/${groupId}?excludedAttributes=members`)).ms);
  }
  return median(times);
}

async function fullRead({ scim }: Directory, groupId: string): Promise<number> {
  const { body, ms } = await scim('GET', `/Groups/${groupId}`);
  const members = new Set((body as { members: { value: string }[] }).members.map(({ value }) => value));
  if (members.size !== LARGE) throw new Error(`${members.size} of ${LARGE} members were read.`);
  return ms;
}

function p95(name: string, rounds: readonly Times[], kind: keyof Times): Figure {
  const values = rounds.map((times) => quantile(times[kind], 0.95));
  return { name, median: median(values), unit: 'ms', rounds: values };
}

/** The ratio is of the medians: two p95 of forty requests say more about the machine than about the service. */
function onLarge(kind: keyof Times, small: readonly Times[], large: readonly Times[]): Figure {
  const ratios = large.map((times, round) => median(times[kind]) / median(small[round]?.[kind] ?? []));
  return {
    ...p95(`${kind} one member, group of 100,000, p95`, large, kind),
    ratio: { to: 'the same in a group of 100 (medians)', value: median(ratios) },
    goal: '< 50 ms, ≤ 2',
  };
}
