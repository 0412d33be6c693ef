import type { JsonObject } from '../protocol/json-rpc';
import type { ReachableEntry } from '../compile/compiled-bundle';
import type { UpstreamCaller } from '../upstreams/upstream-caller';
import { CallMessages } from './call-messages';
import type { InputResponses } from './input-responses';
import type { MethodCall } from './method-call';
import type { UpstreamRequestIds } from './upstream-request-ids';

/** Requests that this service answers wait here until they are let go. */
class HeldAnswers {
  readonly ids: unknown[] = [];
  private readonly waiting: (() => void)[] = [];

  readonly answer = (_session: unknown, _principal: string, { id }: JsonObject): Promise<void> => {
    this.ids.push(id);
    return new Promise((resolve) => this.waiting.push(resolve));
  };

  /** Lets all go that have begun, and those after them begin. */
  async next(): Promise<void> {
    this.waiting.splice(0).forEach((resolve) => resolve());
    await new Promise((resolve) => setImmediate(resolve));
  }
}

describe('What a server asks in one call', () => {
  const session = { upstreamId: 'u', entryId: 'e', capabilities: '' };
  const callOf = (capabilities: JsonObject = {}) => {
    const reply = { hasRoom: true, send: () => undefined };
    const signal = new AbortController().signal;
    const exchange = { admission: { principal: 'user a' }, path: { path: '/mcp/bundles/b' } };
    const client = { era: 'legacy', revision: '2025-11-25', capabilities };
    return { exchange, client, reply, signal, gone: signal } as unknown as MethodCall;
  };
  const messagesOf = (held: HeldAnswers, inputs: Partial<InputResponses> = {}) =>
    new CallMessages(
      held as unknown as UpstreamCaller,
      { seal: () => 'sealed' } as unknown as UpstreamRequestIds,
      inputs as InputResponses,
    );

  it('is refused four at a time and 200 in all, and then the call fails', async () => {
    const held = new HeldAnswers();
    const messages = messagesOf(held);
    const call = callOf();
    for (let id = 0; id < 200; id++) messages.pass(call, { id, method: id % 2 ? 'ping' : 'x' }, session);
    await held.next();
    expect(held.ids).toHaveLength(8);
    for (let n = 0; n < 50; n++) await held.next();
    expect(held.ids).toEqual(Array.from({ length: 200 }, (_, id) => id));
    expect(() => messages.pass(call, { id: 200, method: 'x' }, session)).toThrow('more than 200 requests');
    expect(messages.pass(callOf(), { id: 200, method: 'x' }, session)).toBe(false);
  });

  it('is not refused any more when the call has ended', async () => {
    const held = new HeldAnswers();
    const messages = messagesOf(held);
    const call = callOf();
    const entry = {} as ReachableEntry;
    await messages.withAnswers(call, entry, () => {
      for (let id = 0; id < 10; id++) messages.pass(call, { id, method: 'x' }, session);
      return Promise.resolve({ result: {}, era: 'legacy' });
    });
    for (let n = 0; n < 4; n++) await held.next();
    expect(held.ids).toHaveLength(4);
  });
});
