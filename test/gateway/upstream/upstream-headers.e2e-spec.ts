import type { UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { JSON_TYPE, TestUpstream, toolOf } from '../support/test-upstream';
import { callOf, createStack, known, type UpstreamStack } from '../support/upstream-stack';

describe('A call that an upstream has refused for its headers', () => {
  let database: TestDatabase;
  let stack: UpstreamStack;
  let upstream: TestUpstream;
  let state: UpstreamState;

  beforeAll(async () => {
    database = await createDatabase();
    stack = await createStack(database);
  });

  afterAll(async () => {
    await stack.close();
    await database.drop();
  });

  afterEach(() => upstream.close());

  const textOf = (outcome: object) => (outcome as { result: { content: { text: string }[] } }).result.content[0]?.text;
  const params = { name: 'route', arguments: { region: 'eu' } };
  const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
  /** With the definition that was listed at first, which wants no headers. */
  const callAsBefore = () => stack.caller.call(callOf(state, '', { params, inputSchema: { type: 'object' } }));

  beforeEach(async () => {
    upstream = await TestUpstream.start();
    state = await known(stack, upstream);
    upstream.eras = new Set(['modern']);
    upstream.tools = [toolOf('route')];
    await stack.upstreams.refresh([state.id], new AbortController().signal);
    upstream.fault = ({ received, response }) => {
      if (received.method !== 'tools/call' || received.headers['mcp-param-region'] === 'eu') return false;
      const error = { code: -32_020, message: 'Header mismatch' };
      const answer = JSON.stringify({ jsonrpc: '2.0', id: received.id, error });
      return Boolean(response.writeHead(400, JSON_TYPE).end(answer));
    };
  });

  it('is sent once more with those that its tool wants now; lists are read once for all that wait', async () => {
    upstream.tools = [toolOf('route', { inputSchema })];
    const outcomes = await Promise.all(Array.from({ length: 5 }, callAsBefore));
    expect(outcomes.map(textOf)).toEqual(Array.from({ length: 5 }, () => '{"region":"eu"}'));
    expect(upstream.of('tools/call')).toHaveLength(10);
    expect(upstream.calls.begun).toHaveLength(5);
    expect(upstream.of('tools/list')).toHaveLength(2);
    // As from a bundle that was compiled before.
    expect(textOf(await callAsBefore())).toBe('{"region":"eu"}');
    expect(upstream.of('tools/list')).toHaveLength(2);
  });

  it('is not sent again where its tool wants no others, and lists are not read each time', async () => {
    for (let n = 0; n < 3; n++) expect(await callAsBefore()).toMatchObject({ error: { code: -32_020 } });
    expect(upstream.of('tools/call')).toHaveLength(3);
    expect(upstream.of('tools/list')).toHaveLength(2);
  });
});
