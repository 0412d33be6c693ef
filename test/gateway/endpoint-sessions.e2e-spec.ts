import { eventually } from '../support/eventually';
import { createStage, type Person, type Stage } from './support/endpoint-stage';
import { TestUpstream } from './support/test-upstream';

describe('DELETE of a client of the legacy era', () => {
  let stage: Stage;
  let person: Person;
  let upstream: TestUpstream;

  beforeAll(async () => {
    stage = await createStage(2);
    person = await stage.person();
  });

  afterAll(() => stage.close());

  beforeEach(async () => {
    upstream = await TestUpstream.start({ eras: new Set(['legacy']) });
  });

  afterEach(() => upstream.close());

  it('ends its session with a server, but not the one that another client of the same person uses', async () => {
    const endpoint = await person.endpoint([upstream.url], { naming: 'PLAIN' });
    const [one, other] = [await person.legacy(endpoint), await person.legacy(endpoint)];
    const call = { name: 'echo', arguments: {} };
    await one.result('tools/call', call);
    await other.result('tools/call', call);
    const used = new Set(upstream.of('tools/call').map(({ headers }) => headers['mcp-session-id'] as string));
    expect(used.size).toBe(1);
    const [session = ''] = used;
    expect((await one.open('DELETE')).status).toBe(204);
    await other.result('tools/call', call);
    expect(upstream.ended).not.toContain(session);
    expect((await other.open('DELETE')).status).toBe(204);
    await eventually(
      () => upstream.ended,
      (ended) => ended.includes(session),
      2_000,
    );
    const next = await person.legacy(endpoint);
    await next.result('tools/call', call);
    expect(upstream.of('tools/call').at(-1)?.headers['mcp-session-id']).not.toBe(session);
    expect(upstream.calls.begun).toHaveLength(4);
  });
});
