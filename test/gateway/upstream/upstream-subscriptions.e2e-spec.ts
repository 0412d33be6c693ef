import type { UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { eventually } from '../../support/eventually';
import { eventOf, EVENTS, TestUpstream, type UpstreamEra } from '../support/test-upstream';
import {
  callOf,
  createStack,
  known,
  LEGACY_CLIENT,
  MODERN_CLIENT,
  type UpstreamStack,
} from '../support/upstream-stack';

const CLIENTS = { modern: MODERN_CLIENT, legacy: LEGACY_CLIENT };

describe('A client', () => {
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

  beforeEach(async () => {
    upstream = await TestUpstream.start();
    state = await known(stack, upstream);
  });

  afterEach(() => upstream.close());

  describe.each<UpstreamEra>(['modern', 'legacy'])('that subscribes to resources of a %s upstream', (era) => {
    let end: AbortController;
    let updated: string[];

    beforeEach(() => {
      upstream.eras = new Set([era]);
      end = new AbortController();
      updated = [];
    });

    afterEach(() => end.abort(new Error('over')));

    const subscribe = (fields: object = {}) =>
      stack.caller.subscribe({
        ...callOf(state, ''),
        client: CLIENTS[era],
        uris: ['memo://one', 'memo://two'],
        signal: end.signal,
        onUpdated: (uri) => updated.push(uri),
        ...fields,
      });
    const streams = () =>
      upstream.listening.size + [...upstream.sessions.values()].filter(({ stream }) => stream?.writable).length;

    it('hears of their changes until it ends', async () => {
      await subscribe();
      upstream.update('memo://three');
      upstream.update('memo://two');
      await eventually(
        () => updated,
        ({ length }) => length === 1,
        2_000,
      );
      expect(updated).toEqual(['memo://two']);
      end.abort(new Error('over'));
      await eventually(
        () => upstream.listening.size + upstream.sessions.size,
        (count) => count === 0,
        2_000,
      );
    });

    it('hears of changes that a server reports on the stream of a call, of the server that it follows', async () => {
      const other = await TestUpstream.start({ eras: new Set([era]) });
      await subscribe();
      for (const server of [upstream, other])
        server.fault = (exchange) => {
          if (exchange.received.method !== 'tools/call') return false;
          exchange.response.writeHead(200, EVENTS);
          for (const uri of ['memo://three', server === other ? 'memo://one' : 'memo://two'])
            exchange.response.write(
              eventOf({ jsonrpc: '2.0', method: 'notifications/resources/updated', params: { uri } }),
            );
          server.send(exchange, { content: [] });
          return true;
        };
      await stack.caller.call(callOf(await known(stack, other), 'echo', { client: CLIENTS[era] }));
      await stack.caller.call(callOf(state, 'echo', { client: CLIENTS[era] }));
      expect(updated).toEqual(['memo://two']);
      await other.close();
    });

    it('begins again when the stream was lost, and says that all may have changed', async () => {
      stack.limits.relistenMs = 50;
      await subscribe();
      upstream.breakStreams();
      await eventually(
        () => updated,
        ({ length }) => length === 2,
        3_000,
      );
      expect(updated).toEqual(['memo://one', 'memo://two']);
      await eventually(streams, (count) => count >= 1, 2_000);
      upstream.update('memo://one');
      await eventually(
        () => updated,
        ({ length }) => length === 3,
        2_000,
      );
    });

    it('fails where the upstream does not offer it, or does not answer', async () => {
      upstream.fault = ({ received, response }) =>
        ['subscriptions/listen', 'GET'].includes(received.method) && Boolean(response.writeHead(405).end());
      await expect(subscribe()).rejects.toMatchObject({ code: 'upstream_error', status: 405 });
      stack.limits.subscriptions = 0;
      await expect(subscribe()).rejects.toMatchObject({ code: 'rate_limited' });
      stack.limits.subscriptions = 1_024;
    });
  });

  it('is not given up on its stream by an upstream that pings', async () => {
    upstream.eras = new Set(['legacy']);
    const end = new AbortController();
    const subscription = {
      client: LEGACY_CLIENT,
      uris: ['memo://one'],
      signal: end.signal,
      onUpdated: () => undefined,
    };
    await stack.caller.subscribe({ ...callOf(state, ''), ...subscription });
    const [session] = upstream.sessions.values();
    session?.stream?.write(eventOf({ jsonrpc: '2.0', id: 'p1', method: 'ping' }));
    session?.stream?.write(eventOf({ jsonrpc: '2.0', id: 's1', method: 'sampling/createMessage', params: {} }));
    const answers = () => upstream.of('(answer)').map(({ body }) => body);
    await eventually(answers, ({ length }) => length === 2, 2_000);
    expect(answers()).toEqual(
      expect.arrayContaining([
        { jsonrpc: '2.0', id: 'p1', result: {} },
        { jsonrpc: '2.0', id: 's1', error: { code: -32_601, message: 'Nobody can be asked on this stream.' } },
      ]),
    );
    end.abort(new Error('over'));
  });
});
