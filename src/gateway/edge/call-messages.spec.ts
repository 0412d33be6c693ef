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
  const callOf = (capabilities: JsonObject = {}, send: (message: unknown) => void = () => undefined) => {
    const reply = { hasRoom: true, send };
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

  it.each([
    [[8, 8], 16, 'done'],
    [[8, 9], 8, 'more than 16 inputs in one call'],
    [Array.from({ length: 17 }, () => 1), 16, 'asked for input 16 times'],
  ])('is at most 16 questions in all rounds of a modern server: %j', async (rounds, count, end) => {
    const asked: unknown[] = [];
    const inputs = { expect: () => ({ id: 'ti-1', answer: Promise.resolve({ result: {} }) }) };
    const messages = messagesOf(new HeldAnswers(), inputs);
    const call = callOf({ sampling: {} }, (message) => asked.push(message));
    const question = { method: 'sampling/createMessage' };
    const left = [...rounds];
    const outcome = messages.withAnswers(call, {} as ReachableEntry, () => {
      const inputRequests = Object.fromEntries(
        Array.from({ length: left.shift() ?? 0 }, (_, n) => [`q${n}`, question]),
      );
      const isOver = Object.keys(inputRequests).length === 0;
      return Promise.resolve({ result: isOver ? {} : { resultType: 'input_required', inputRequests }, era: 'modern' });
    });
    expect(await outcome.then(() => 'done', String)).toContain(end);
    expect(asked).toHaveLength(count);
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
