import * as fc from 'fast-check';
import { ScimError } from '../scim-error';
import { toErrorResponse } from '../error-response';
import type { ScimClient } from '../scim-client';
import type { Removed, Written } from '../scim-resource';
import type { BulkOperation } from './bulk-request';
import type { BulkTarget } from './bulk-target';
import { type BulkResult, BulkRun, Unresolved } from './bulk-run';
import { cases } from '../../../../test/support/random-cases';

const BASE = 'https://toolyard.test/scim/v2';

const CLIENT: ScimClient = { orgId: 'o', tokenId: 't', requestId: 'r', ignored: new Set(), notes: new Set() };

type Data = { members?: { value: string }[]; fails?: 'always' | 'away' };

/** Resources in memory that refer to each other by id, with the errors of a directory. */
class Directory implements BulkTarget {
  readonly members = new Map<string, string[]>();
  readonly calls: string[] = [];

  create(_client: ScimClient, data: unknown): Promise<Written> {
    const id = `id-${this.members.size + 1}`;
    return this.write('create', id, data, () => this.members.set(id, []));
  }

  replace(_client: ScimClient, id: string, data: unknown): Promise<Written> {
    return this.write('replace', id, data, () => this.members.set(id, []));
  }

  patch(_client: ScimClient, id: string, data: unknown): Promise<Written> {
    const [{ value } = { value: {} }] = (data as { Operations: { value: Data }[] }).Operations;
    return this.write('patch', id, value, () => undefined);
  }

  remove(_client: ScimClient, id: string): Promise<Removed> {
    this.calls.push(`remove ${id}`);
    if (!this.members.delete(id)) return Promise.reject(new ScimError('notFound', id));
    return Promise.resolve({});
  }

  private write(call: string, id: string, data: unknown, begin: () => void): Promise<Written> {
    this.calls.push(`${call} ${id}`);
    const { members = [], fails } = data as Data;
    if (fails === 'away') return Promise.reject(new Error('away'));
    const unknown = members.find(
      ({ value }) => value.startsWith('bulkId:') || (value !== id && !this.members.has(value)),
    );
    if (fails || unknown) return Promise.reject(new ScimError('invalidValue', unknown?.value ?? 'fails'));
    begin();
    this.members.get(id)?.push(...members.map(({ value }) => value));
    return Promise.resolve({ id, location: `${BASE}/Groups/${id}`, version: 'W/"1"', resource: undefined });
  }
}

/** A directory that can create many at once, up to the first that fails. */
class BatchingDirectory extends Directory {
  readonly batches: number[] = [];

  async createMany(requests: readonly { client: ScimClient; body: unknown }[]): Promise<Written[]> {
    this.batches.push(requests.length);
    const written: Written[] = [];
    for (const { client, body } of requests) {
      if ((body as Data).fails) break;
      written.push(await this.create(client, body));
    }
    return written;
  }
}

/** The errors of which the last run was asked what a client is told. */
let reported: unknown[];

async function run(
  directory: Directory,
  operations: Partial<BulkOperation>[],
  failOnErrors = Infinity,
): Promise<BulkResult[]> {
  const filled = operations.map((operation): BulkOperation => ({
    method: 'POST',
    path: '/Groups',
    bulkId: undefined,
    version: undefined,
    data: {},
    ...operation,
  }));
  reported = [];
  const outcomes = await new BulkRun({ failOnErrors, operations: filled }, CLIENT, {
    targets: new Map([['/Groups', directory]]),
    base: BASE,
    report: (error) => {
      reported.push(error);
      if (error instanceof Unresolved) return { status: 409, detail: error.message };
      if (error instanceof ScimError) return toErrorResponse(error);
      return { status: 503, detail: String(error) };
    },
  }).perform();
  for (const { result, logged } of outcomes) {
    expect(logged.status).toBe(Number(result.status));
    expect(operations[logged.index]?.bulkId).toBe(result.bulkId);
  }
  return outcomes.map(({ result }) => result);
}

const post = (bulkId: string, refersTo: string[] = [], fails?: Data['fails']): Partial<BulkOperation> => ({
  bulkId,
  data: { members: refersTo.map((value) => ({ value: `bulkId:${value}` })), ...(fails ? { fails } : {}) },
});

describe('Running a SCIM bulk request', () => {
  it('gives every resource all of its references, whatever their graph', async () => {
    const graph = fc.integer({ min: 1, max: 12 }).chain((size) =>
      fc.array(fc.uniqueArray(fc.integer({ min: 0, max: size - 1 }), { maxLength: 4 }), {
        minLength: size,
        maxLength: size,
      }),
    );
    await fc.assert(
      fc.asyncProperty(graph, async (edges) => {
        const directory = new Directory();
        const results = await run(
          directory,
          edges.map((to, from) => post(String(from), to.map(String))),
        );
        expect(results.map(({ status, bulkId }) => [bulkId, status])).toEqual(
          edges.map((_, from) => [String(from), '201']),
        );
        const ids = results.map(({ location }) => location?.split('/').at(-1) ?? '');
        expect(new Set(ids).size).toBe(edges.length);
        for (const [from, to] of edges.entries()) {
          const members = new Set(directory.members.get(ids[from] ?? ''));
          expect(members).toEqual(new Set(to.map((index) => ids[index])));
        }
      }),
      { numRuns: cases(500) },
    );
  });

  it('reports every operation once, in order, whatever fails; reported successes are done', async () => {
    const operation = fc.record({
      to: fc.uniqueArray(fc.integer({ min: 0, max: 9 }), { maxLength: 3 }),
      fails: fc.boolean(),
    });
    const graph = fc.array(operation, { minLength: 10, maxLength: 10 });
    await fc.assert(
      fc.asyncProperty(graph, fc.option(fc.integer({ min: 1, max: 5 })), async (operations, limit) => {
        const directory = new Directory();
        const results = await run(
          directory,
          operations.map(({ to, fails }, from) => post(String(from), to.map(String), fails ? 'always' : undefined)),
          limit ?? Infinity,
        );
        const places = results.map(({ bulkId }) => Number(bulkId));
        expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
        if (limit === null) expect(places).toHaveLength(10);
        for (const { bulkId, status, location } of results) {
          const { to, fails } = operations[Number(bulkId)] ?? { to: [], fails: false };
          const id = location?.split('/').at(-1) ?? '';
          if (status === '201') {
            expect(fails).toBe(false);
            expect(new Set(directory.members.get(id)).size).toBe(to.length);
          } else {
            // A failed resource does not exist, unless its result has a location.
            expect(directory.members.has(id)).toBe(location !== undefined);
          }
        }
        const located = results.filter(({ location }) => location !== undefined);
        expect(located).toHaveLength(directory.members.size);
      }),
      { numRuns: cases(500) },
    );
  });

  it('does not create a resource that refers to a failed one', async () => {
    const directory = new Directory();
    const results = await run(directory, [
      post('a', ['b']),
      post('b', ['c']),
      post('c', [], 'always'),
      post('d', ['a']),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['409', '409', '400', '409']);
    expect(directory.members.size).toBe(0);
  });

  it('follows a chain of a thousand references', async () => {
    const directory = new Directory();
    const chain = Array.from({ length: 1_000 }, (_, index) =>
      post(String(index), index < 999 ? [String(index + 1)] : []),
    );
    const results = await run(directory, chain);
    expect(results.filter(({ status }) => status !== '201')).toEqual([]);
    expect(directory.calls).toHaveLength(1_000);
  });

  it('follows a circle of a thousand references', async () => {
    const directory = new Directory();
    const circle = Array.from({ length: 1_000 }, (_, index) => post(String(index), [String((index + 1) % 1_000)]));
    const results = await run(directory, circle);
    expect(results.filter(({ status }) => status !== '201')).toEqual([]);
    expect(directory.calls.filter((call) => call.startsWith('patch'))).toHaveLength(1);
  });

  it('stops when the database is unavailable, with 503 for the remaining operations', async () => {
    const directory = new Directory();
    const results = await run(directory, [post('a'), post('b', [], 'away'), post('c'), post('d', ['a'])]);
    expect(results.map(({ status }) => status)).toEqual(['201', '503', '503', '503']);
    expect(directory.calls).toEqual(['create id-1', 'create id-2']);
  });

  it('creates independent resources ahead, with the same result as one by one', async () => {
    const operation = fc.record({
      to: fc.oneof(
        { weight: 3, arbitrary: fc.constant<number[]>([]) },
        { weight: 1, arbitrary: fc.uniqueArray(fc.integer({ min: 0, max: 11 }), { minLength: 1, maxLength: 2 }) },
      ),
      fails: fc.oneof({ weight: 5, arbitrary: fc.constant(false) }, { weight: 1, arbitrary: fc.constant(true) }),
    });
    const graph = fc.array(operation, { minLength: 12, maxLength: 12 });
    await fc.assert(
      fc.asyncProperty(graph, fc.option(fc.integer({ min: 1, max: 4 })), async (operations, limit) => {
        const posts = operations.map(({ to, fails }, from) =>
          post(String(from), to.map(String), fails ? 'always' : undefined),
        );
        const [plain, ahead] = [new Directory(), new BatchingDirectory()];
        const expected = await run(plain, posts, limit ?? Infinity);
        const results = await run(ahead, posts, limit ?? Infinity);
        const outcomes = (all: BulkResult[]) => all.map(({ bulkId, status }) => [bulkId, status]);
        expect(outcomes(results)).toEqual(outcomes(expected));
        // Nothing was done without being reported.
        expect(ahead.members.size).toBe(plain.members.size);
      }),
      { numRuns: cases(500) },
    );
  });

  it('reports a batch that fails for an unknown reason, and creates one resource after the other', async () => {
    const mistake = new TypeError('undefined is not a function');
    const directory = new (class extends BatchingDirectory {
      override createMany = () => Promise.reject(mistake);
    })();
    const results = await run(directory, [post('a'), post('b')]);
    expect(results.map(({ status }) => status)).toEqual(['201', '201']);
    expect(reported).toEqual([mistake]);
  });

  it('creates up to a hundred independent resources at once', async () => {
    const directory = new BatchingDirectory();
    const posts = Array.from({ length: 250 }, (_, index) => post(String(index)));
    const results = await run(directory, posts);
    expect(results.map(({ status, bulkId }) => [status, bulkId])).toEqual(posts.map(({ bulkId }) => ['201', bulkId]));
    expect(directory.batches).toEqual([100, 100, 50]);
  });
});
