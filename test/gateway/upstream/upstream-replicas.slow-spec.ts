import { randomUUID } from 'node:crypto';
import type { JsonObject } from '../../../src/gateway/protocol/json-rpc';
import type { UpstreamCall, UpstreamSessionRef, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { TestUpstream, type UpstreamEra } from '../support/test-upstream';
import {
  callOf,
  createStack,
  known,
  LEGACY_CLIENT,
  MODERN_CLIENT,
  type UpstreamStack,
} from '../support/upstream-stack';

const CALLS = 10_000;
const AT_ONCE = 12;

/** Every call reaches another replica, and so does every answer of a client. */
describe('Three replicas', () => {
  let database: TestDatabase;
  let replicas: UpstreamStack[];
  let upstreams: TestUpstream[];
  let states: UpstreamState[];

  beforeAll(async () => {
    database = await createDatabase({ poolSize: 2 });
    replicas = await Promise.all(Array.from({ length: 3 }, () => createStack(database)));
    const eras: UpstreamEra[][] = [['modern'], ['legacy'], ['modern', 'legacy']];
    upstreams = await Promise.all(eras.map((some) => TestUpstream.start({ eras: new Set(some), answersBy: 'events' })));
    states = await Promise.all(upstreams.map((upstream) => known(replicas[0] as UpstreamStack, upstream)));
  });

  afterAll(async () => {
    await Promise.all(replicas.map((replica) => replica.close()));
    await Promise.all(upstreams.map((upstream) => upstream.close()));
    await database.drop();
  });

  it('make 10,000 mixed calls of two clients without a failure, and none of them twice, while sessions are lost', async () => {
    const entries = states.map(() => randomUUID());
    const textOf = (outcome: object) =>
      (outcome as { result: { content: { text: string }[] } }).result.content[0]?.text;
    const wrong: string[] = [];

    const one = async (n: number) => {
      const replica = replicas[n % replicas.length] as UpstreamStack;
      const other = replicas[(n + 1) % replicas.length] as UpstreamStack;
      const which = (n % 7) % states.length;
      const client = n % 2 === 0 ? MODERN_CLIENT : LEGACY_CLIENT;
      const principal = `user ${n % 5}`;
      // Where sessions are lost, what is asked in them is lost, too.
      const tool = n % 11 === 0 && which !== 2 ? 'elicit' : n % 3 === 0 ? 'progress' : 'echo';
      const onMessage = (message: JsonObject, ref: UpstreamSessionRef | undefined) => {
        if (message.method !== 'elicitation/create' || !ref) return;
        const answer = { id: message.id, result: { action: 'accept', content: { n } } };
        other.caller
          .answer(ref, principal, answer)
          .catch((error: unknown) => wrong.push(`answer ${n}: ${String(error)}`));
      };
      const fields: Partial<UpstreamCall> = {
        ...{ client, principal, onMessage },
        entryId: entries[which],
        params: { name: tool, arguments: { n }, _meta: { progressToken: n } },
      };
      const outcome = await replica.caller.call(callOf(states[which] as UpstreamState, tool, fields));
      if (!('result' in outcome)) wrong.push(`${n}: ${JSON.stringify(outcome)}`);
      else if (tool === 'echo' && textOf(outcome) !== JSON.stringify({ n })) wrong.push(`${n}: ${textOf(outcome)}`);
    };

    let next = 0;
    const worker = async () => {
      for (let n = next++; n < CALLS; n = next++) {
        if (n % 1_000 === 999) upstreams[2]?.forgetSessions();
        await one(n).catch((error: unknown) => wrong.push(`${n}: ${String(error)}`));
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, worker));
    expect(wrong).toEqual([]);
    expect(upstreams.reduce((sum, { calls }) => sum + calls.begun.length, 0)).toBe(CALLS);
    // One session for each principal, and each set of capabilities; and again where they were lost.
    expect(upstreams[1]?.of('initialize').length).toBeLessThanOrEqual(10 + 1);
    expect(upstreams[0]?.of('server/discover').length).toBeLessThanOrEqual(3);
  });
});
