import { setTimeout as sleep } from 'node:timers/promises';
import { addPeople, type Directory, quantile, settle, startDirectory } from '../directory';
import { type BenchCase, type Figure, median } from '../measure';

const PEOPLE = 100_000;
const PAGE = 100;
/** How many pages at each end are compared. */
const END = 20;
const LOOKUPS = 200;

interface Page {
  totalResults: number;
  nextCursor?: string;
  Resources: { id: string }[];
}

/**
 * Lists 100,000 users by cursor, from the first page to the last, and does the look-up that every provider begins with.
 */
export const scimUsers: BenchCase = async (settings) => {
  const directory = await startDirectory(settings, 'bench_scim_users', 3962);
  try {
    const { service, orgId } = directory;
    await addPeople(service.database, orgId, PEOPLE);
    await settle(service.database);
    await lookUp(directory, 20); // warm-up
    const figures: Figure[] = [];
    for (const [name, query] of [
      ['by cursor', ''],
      ['by cursor, sorted by userName', '&sortBy=userName'],
      ['by cursor, filtered by a prefix', '&filter=userName%20sw%20%22person%22'],
    ] as const) {
      figures.push(await walk(directory, name, query, settings.rounds));
    }
    const times: number[] = [];
    for (let round = 0; round < settings.rounds; round++) times.push(await lookUp(directory, LOOKUPS));
    figures.push({ name: 'userName eq, among 100,000, p95', median: median(times), unit: 'ms', rounds: times });
    await requireIndex(directory);
    return figures;
  } finally {
    await directory.stop();
  }
};

/** Every page once; all rounds but the first read only the ends. */
async function walk({ scim }: Directory, name: string, query: string, rounds: number): Promise<Figure> {
  const seen = new Set<string>();
  const cursors: string[] = [];
  for (let cursor: string | undefined = ''; cursor !== undefined;) {
    cursors.push(cursor);
    const { body } = await scim('GET', pathOf(cursor));
    const { totalResults, nextCursor, Resources } = body as Page;
    if (totalResults !== PEOPLE) throw new Error(`totalResults is ${totalResults}, not ${PEOPLE}.`);
    for (const { id } of Resources) seen.add(id);
    cursor = nextCursor;
  }
  if (seen.size !== PEOPLE) throw new Error(`${seen.size} of ${PEOPLE} users were on the pages.`);
  const firsts: number[] = [];
  const lasts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    firsts.push(await timeOf(cursors.slice(0, END)));
    lasts.push(await timeOf(cursors.slice(-END)));
  }
  const ratios = lasts.map((last, round) => last / (firsts[round] ?? NaN));
  return {
    name: `the last pages of 100 of 100,000 users, ${name}`,
    median: median(lasts),
    unit: 'ms',
    rounds: lasts,
    ratio: { to: 'the first pages', value: median(ratios) },
    goal: '≤ 1.5',
  };

  function pathOf(cursor: string): string {
    return `/Users?count=${PAGE}&cursor=${encodeURIComponent(cursor)}${query}`;
  }

  async function timeOf(some: readonly string[]): Promise<number> {
    const times: number[] = [];
    for (const cursor of some) times.push((await scim('GET', pathOf(cursor))).ms);
    return median(times);
  }
}

/** @returns the 95th percentile; milliseconds */
async function lookUp({ scim }: Directory, count: number): Promise<number> {
  const times: number[] = [];
  for (let n = 1; n <= count; n++) {
    const number = (n * 7_919) % PEOPLE || 1;
    const filter = encodeURIComponent(`userName eq "PERSON${number}@example.com"`);
    const { body, ms } = await scim('GET', `/Users?filter=${filter}`);
    if ((body as Page).totalResults !== 1) throw new Error(`person${number} was not found.`);
    times.push(ms);
  }
  return quantile(times, 0.95);
}

/** Checks by PostgreSQL's own counters that look-ups use an index and never scan the table. */
async function requireIndex(directory: Directory): Promise<void> {
  const before = await scans(directory);
  await lookUp(directory, LOOKUPS);
  const after = await scans(directory);
  const used = after.index - before.index;
  if (used < LOOKUPS) throw new Error(`${LOOKUPS} look-ups used an index on userName ${used} times.`);
  if (after.table !== before.table)
    throw new Error(`Look-ups read the whole table ${after.table - before.table} times.`);
}

async function scans({ service }: Directory): Promise<{ index: number; table: number }> {
  await sleep(11_000); // a session reports the rest of its statistics once it has been idle for 10 s
  const { rows } = await service.database.query<{ index: number; table: number }>(
    `SELECT (SELECT sum(idx_scan)::int FROM pg_stat_user_indexes
             WHERE relname = 'scim_users' AND indexrelname LIKE 'scim_users_prepared_name_%') AS index,
            (SELECT seq_scan::int FROM pg_stat_user_tables WHERE relname = 'scim_users') AS table`,
  );
  const [row] = rows;
  if (!row) throw new Error('PostgreSQL has no statistics on scim_users.');
  return row;
}
