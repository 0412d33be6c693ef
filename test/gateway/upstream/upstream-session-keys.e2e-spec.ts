import { Secrets } from '../../../src/config/secrets';
import { ReEncryption } from '../../../src/operations/secrets-keys/re-encryption';
import { SEALED_COLUMNS } from '../../../src/schema';
import { createDatabase, type TestDatabase } from '../../support/database';
import { TestUpstream } from '../support/test-upstream';
import { callOf, createStack, known, LEGACY_CLIENT, type UpstreamStack } from '../support/upstream-stack';

const [OLD, NEW] = [Buffer.alloc(32, 7), Buffer.alloc(32, 8)];

/** The steps of a change of SECRETS_KEY (docs/operating/database-and-secrets.md), each a process of its own on one database. */
describe('A session with a server while SECRETS_KEY changes', () => {
  let database: TestDatabase;
  let upstream: TestUpstream;
  const stacks: UpstreamStack[] = [];

  beforeAll(async () => {
    database = await createDatabase();
    upstream = await TestUpstream.start({ eras: new Set(['legacy']) });
  });

  afterAll(async () => {
    for (const stack of stacks) await stack.close();
    await upstream.close();
    await database.drop();
  });

  const start = async (secrets: Secrets): Promise<UpstreamStack> => {
    const stack = await createStack(database, { secrets });
    stacks.push(stack);
    return stack;
  };
  const call = async (stack: UpstreamStack): Promise<string> => {
    await stack.caller.call(callOf(await known(stack, upstream), 'echo', { client: LEGACY_CLIENT }));
    return String(upstream.of('tools/call').at(-1)?.headers['mcp-session-id']);
  };

  it('goes on as long as its key is accepted, and is begun again by one call, without a failure, after that', async () => {
    const before = await start(new Secrets(OLD, [NEW]));
    const session = await call(before);
    const switched = await start(new Secrets(NEW, [OLD]));
    expect(await call(switched)).toBe(session);

    // Not touched, and no obstacle: the command is done although it is sealed by the former key.
    const [row] = await database.dataSource.query<object[]>(`SELECT session_id FROM upstream_sessions`);
    const counts = await new ReEncryption(database.dataSource, new Secrets(NEW, [OLD]), SEALED_COLUMNS).run(
      () => undefined,
    );
    expect(counts.map(({ other, unreadable }) => other + unreadable)).toEqual(SEALED_COLUMNS.map(() => 0));
    expect(await database.dataSource.query(`SELECT session_id FROM upstream_sessions`)).toEqual([row]);

    const removed = await start(new Secrets(NEW));
    const again = await call(removed);
    expect(again).not.toBe(session);
    expect(await call(removed)).toBe(again);
    // A process that still knows the former key finds the same one.
    expect(await call(await start(new Secrets(NEW, [OLD])))).toBe(again);
    expect(upstream.of('initialize')).toHaveLength(2);
    expect(upstream.calls.begun).toHaveLength(5);
    expect(await database.dataSource.query(`SELECT FROM upstream_sessions`)).toHaveLength(1);
  });
});
