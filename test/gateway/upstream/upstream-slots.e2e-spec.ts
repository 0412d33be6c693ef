import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { TestUpstream } from '../support/test-upstream';
import { createStack, known, type UpstreamStack } from '../support/upstream-stack';

/** More than a process reads at once. */
const MANY = 30;

describe('The slots for reading lists, beside many servers that accept and never answer', () => {
  let database: TestDatabase;
  let stack: UpstreamStack;
  let upstream: TestUpstream;
  let tarpit: TestUpstream;

  beforeAll(async () => {
    database = await createDatabase();
  });

  afterAll(() => database.drop());

  beforeEach(async () => {
    [upstream, tarpit] = [await TestUpstream.start(), await TestUpstream.start()];
    tarpit.fault = () => true;
  });

  afterEach(async () => {
    await stack.close();
    await Promise.all([upstream.close(), tarpit.close()]);
    await sql(`DELETE FROM upstreams`);
  });

  const sql = <Row>(text: string, values: unknown[] = []) => database.dataSource.query<Row[]>(text, values);
  const silent = async () => {
    const wanted = Array.from({ length: MANY }, (_, n) => ({ url: `${tarpit.url}/${n}`, headers: {} }));
    return (await stack.upstreams.ensure(wanted)).flatMap((state) => (state ? [state.id] : []));
  };
  const claimed = async () => (await sql(`SELECT FROM upstreams WHERE claimed_until > now()`)).length;

  it('leave room for the first lists of others, because one person has half', async () => {
    stack = await createStack(database);
    const patience = new AbortController();
    const refreshed = stack.upstreams.refresh(await silent(), patience.signal, 'user mallory').catch(() => undefined);
    await eventually(claimed, (count) => count >= 8, 3_000);
    const { id } = await known(stack, upstream);
    await stack.upstreams.refresh([id], AbortSignal.timeout(3_000), 'user grace');
    expect((await known(stack, upstream)).listedAt).not.toBeNull();
    expect(await claimed()).toBe(8);
    patience.abort();
    await refreshed;
  });

  it('leave room for servers that are due and answer, because those that never did have six', async () => {
    stack = await createStack(database, { isWorker: true });
    const { id } = await known(stack, upstream);
    const listedAt = async () => (await known(stack, upstream)).listedAt?.getTime() ?? 0;
    const first = await eventually(listedAt, (at) => at > 0, 3_000);
    await silent();
    await eventually(claimed, (count) => count >= 6, 3_000);
    await sql(`UPDATE upstreams SET due_at = now() WHERE id = $1`, [id]);
    await eventually(listedAt, (at) => at > first, 3_000);
    expect(await claimed()).toBe(6);
  });

  it.each([
    [0, 24, 36],
    [120, 96, 145],
    [86_400, 239, 361],
  ])('are asked for less often by one that has never listed anything: down for %d s', async (downFor, least, most) => {
    stack = await createStack(database);
    upstream.fault = ({ response }) => Boolean(response.writeHead(500).end());
    const { id } = await known(stack, upstream);
    await sql(`UPDATE upstreams SET down_since = now() - $2 * interval '1 second' WHERE id = $1`, [id, downFor]);
    await stack.upstreams.refresh([id], new AbortController().signal);
    const [row] = await sql<{ rest: number }>(
      `SELECT extract(epoch FROM due_at - now())::float AS rest FROM upstreams WHERE id = $1`,
      [id],
    );
    expect(row?.rest).toBeGreaterThan(least);
    expect(row?.rest).toBeLessThan(most);
  });
});
