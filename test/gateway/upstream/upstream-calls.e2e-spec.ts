import type { ServerResponse } from 'node:http';
import type { JsonObject } from '../../../src/gateway/protocol/json-rpc';
import { REVISIONS } from '../../../src/gateway/protocol/revisions';
import type { UpstreamCall, UpstreamSessionRef, UpstreamState } from '../../../src/gateway/upstreams/upstream';
import { createDatabase, type TestDatabase } from '../../support/database';
import { crowding, eventually } from '../../support/eventually';
import { EVENTS, eventOf, TestUpstream, toolOf, type UpstreamEra } from '../support/test-upstream';
import {
  callOf,
  createStack,
  known,
  LEGACY_CLIENT,
  MODERN_CLIENT,
  type UpstreamStack,
} from '../support/upstream-stack';

const CLIENTS = { modern: MODERN_CLIENT, legacy: LEGACY_CLIENT };

/** Which era is spoken with an upstream that has these, to a client of each. */
const MATRIX: [UpstreamEra, UpstreamEra[], UpstreamEra][] = [
  ['modern', ['modern'], 'modern'],
  ['modern', ['legacy'], 'legacy'],
  ['modern', ['modern', 'legacy'], 'modern'],
  ['legacy', ['modern'], 'modern'],
  ['legacy', ['legacy'], 'legacy'],
  ['legacy', ['modern', 'legacy'], 'legacy'],
];

describe('A call of an upstream', () => {
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

  const call = (tool: string, fields: Partial<UpstreamCall> = {}) => stack.caller.call(callOf(state, tool, fields));
  const textOf = (outcome: object) => (outcome as { result: { content: { text: string }[] } }).result.content[0]?.text;
  const sql = (text: string) =>
    database.dataSource.query<{ modern: string | null; legacy: string | null }[]>(text, [state.id]);
  const verdicts = async () => (await sql(`SELECT modern, legacy FROM upstreams WHERE id = $1`))[0];

  describe.each(MATRIX)('of a %s client, that speaks %j', (client, eras, spoken) => {
    const ofClient = { client: CLIENTS[client] };

    beforeEach(() => {
      upstream.eras = new Set(eras);
    });

    it.each(['json', 'events'] as const)('is answered, by %s', async (answersBy) => {
      upstream.answersBy = answersBy;
      const outcome = await call('echo', ofClient);
      expect(outcome).toMatchObject({ era: spoken, result: { content: [{ type: 'text', text: '{"a":1}' }] } });
      expect(upstream.calls.begun).toEqual(['echo']);
      // The era is known from now on.
      const { length } = upstream.received;
      await call('echo', ofClient);
      expect(upstream.received).toHaveLength(length + 1);
    });

    it.each<[string, JsonObject, JsonObject]>([
      [
        'prompts/get',
        { name: 'greet', arguments: { name: 'Ada' } },
        { messages: [{ content: { text: 'Hello Ada' } }] },
      ],
      ['resources/read', { uri: 'memo://one' }, { contents: [{ uri: 'memo://one' }] }],
      [
        'completion/complete',
        { ref: { type: 'ref/prompt', name: 'greet' }, argument: { name: 'name', value: '' } },
        { completion: { total: 2 } },
      ],
    ])('may be %s', async (method, params, result) => {
      expect(await call('', { ...ofClient, method, params })).toMatchObject({ era: spoken, result });
    });

    it('brings its progress as it comes', async () => {
      const messages: JsonObject[] = [];
      const params = {
        name: 'progress',
        arguments: { waits: true },
        _meta: { progressToken: 'mine', traceparent: 'x' },
      };
      const outcome = call('', { ...ofClient, params, onMessage: (message) => messages.push(message) });
      await eventually(
        () => messages,
        ({ length }) => length === 1,
        2_000,
      );
      expect(messages[0]).toMatchObject({
        method: 'notifications/progress',
        params: { progressToken: 'mine', progress: 1 },
      });
      upstream.calls.release();
      expect(textOf(await outcome)).toBe('progressed string');
      expect(messages).toHaveLength(2);
      expect(upstream.of('tools/call')[0]?.params._meta).toMatchObject({ progressToken: 'mine', traceparent: 'x' });
    });

    it('is cancelled there within a second', async () => {
      const cancel = new AbortController();
      const outcome = call('slow', { ...ofClient, signal: cancel.signal });
      await eventually(
        () => upstream.calls.held,
        (held) => held === 1,
        3_000,
      );
      const began = Date.now();
      cancel.abort(new Error('cancelled'));
      await expect(outcome).rejects.toThrow('cancelled');
      const [{ id } = { id: '' }] = upstream.of('tools/call');
      await eventually(
        () => upstream.cancelled,
        (ids) => ids.includes(id ?? ''),
        1_000,
      );
      expect(Date.now() - began).toBeLessThan(1_000 * crowding());
      // Of which nothing is learnt about the upstream.
      expect(stack.caller.breakerOpenFor(callOf(state, '').entryId)).toBe(0);
    });

    it('gives its own error as it came', async () => {
      expect(await call('no such tool', ofClient)).toEqual({
        era: spoken,
        error: { code: -32_602, message: 'Unknown tool' },
      });
    });
  });

  it('says who asks, and nothing of the client', async () => {
    const params = {
      name: 'echo',
      arguments: { region: 'eu' },
      _meta: { 'io.modelcontextprotocol/clientInfo': { name: 'secret' }, 'com.example/a': 1 },
    };
    const inputSchema = { type: 'object', properties: { region: { type: 'string', 'x-mcp-header': 'Region' } } };
    const [withHeaders] = await stack.upstreams.ensure([
      {
        url: upstream.url,
        headers: { 'X-Tenant': 'one', 'Mcp-Method': 'other', Host: 'other', 'Content-Length': '1' },
      },
    ]);
    await stack.caller.call(callOf(withHeaders ?? state, '', { params, inputSchema }));
    const [seen] = upstream.of('tools/call');
    expect(seen?.headers).toMatchObject({
      'x-tenant': 'one',
      'mcp-method': 'tools/call',
      'mcp-name': 'echo',
      'mcp-param-region': 'eu',
      'mcp-protocol-version': '2026-07-28',
      host: `127.0.0.1:${upstream.port}`,
    });
    expect(seen?.params._meta).toEqual({
      'com.example/a': 1,
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': { elicitation: { form: {} } },
      'io.modelcontextprotocol/clientInfo': { name: 'toolyard', title: 'Toolyard', version: '1' },
    });
    expect(JSON.stringify(upstream.received)).not.toContain('secret');
  });

  describe('that asks the client for something', () => {
    it('passes "input_required" of the modern era, and the responses', async () => {
      upstream.eras = new Set(['modern']);
      const first = await call('elicit');
      expect(first).toMatchObject({ result: { resultType: 'input_required', requestState: 'state-1' } });
      const inputResponses = { name: { action: 'accept', content: { name: 'Ada' } } };
      const second = await call('', { params: { name: 'elicit', inputResponses, requestState: 'state-1' } });
      expect(textOf(second)).toBe(JSON.stringify({ responses: inputResponses, state: 'state-1' }));
    });

    it('passes the request on the stream of the call, and another replica passes the answer', async () => {
      upstream.eras = new Set(['legacy']);
      const other = await createStack(database);
      const asked: { message: JsonObject; ref: UpstreamSessionRef | undefined }[] = [];
      const outcome = call('elicit', {
        client: LEGACY_CLIENT,
        onMessage: (message, ref) => asked.push({ message, ref }),
      });
      await eventually(
        () => asked,
        ({ length }) => length === 1,
        3_000,
      );
      const [{ message, ref } = { message: {}, ref: undefined }] = asked;
      expect(message).toMatchObject({ id: 'ask-1', method: 'elicitation/create' });
      if (!ref) throw new Error('It does not say where it came from.');
      const answer = { id: 'ask-1', result: { action: 'accept', content: { name: 'Ada' } } };
      // Not another principal’s, and not with other capabilities.
      for (const [stranger, where] of [
        ['user bob', ref],
        ['user ada', { ...ref, capabilities: 'AAAA' }],
      ] as const)
        await expect(other.caller.answer(where, stranger, answer)).rejects.toMatchObject({ code: 'upstream_error' });
      await other.caller.answer(JSON.parse(JSON.stringify(ref)) as UpstreamSessionRef, 'user ada', answer);
      expect(textOf(await outcome)).toBe(JSON.stringify(answer.result));
      await other.close();
    });

    it('gives it the time that a person needs', async () => {
      upstream.eras = new Set(['legacy']);
      const { callMs } = stack.limits;
      stack.limits.callMs = 500;
      const refs: UpstreamSessionRef[] = [];
      const outcome = call('elicit', { client: LEGACY_CLIENT, onMessage: (_message, ref) => ref && refs.push(ref) });
      await eventually(
        () => refs,
        ({ length }) => length === 1,
        3_000,
      );
      const began = performance.now();
      await eventually(
        () => performance.now() - began,
        (waited) => waited > 1_000,
        3_000,
      );
      const [ref] = refs;
      if (ref) await stack.caller.answer(ref, 'user ada', { id: 'ask-1', result: { action: 'decline' } });
      expect(textOf(await outcome)).toBe('{"action":"decline"}');
      stack.limits.callMs = callMs;
    });

    it('is not asked for a modern client by an upstream of the legacy era: no capabilities are declared', async () => {
      upstream.eras = new Set(['legacy']);
      expect(textOf(await call('elicit'))).toBe('nobody to ask');
      expect(upstream.of('initialize')[0]?.params.capabilities).toEqual({});
    });

    it('brings what it logs', async () => {
      const messages: JsonObject[] = [];
      await call('log', { onMessage: (message) => messages.push(message) });
      expect(messages).toMatchObject([{ method: 'notifications/message', params: { data: 'It works.' } }]);
    });
  });

  describe('whose stream ends before the answer', () => {
    let call1: string | number | undefined;

    beforeEach(() => {
      upstream.eras = new Set(['legacy']);
      upstream.fault = ({ received: { method, id }, response }) => {
        if (method !== 'tools/call') return false;
        call1 = id;
        return Boolean(response.writeHead(200, EVENTS).end('id: e1\nretry: 100\ndata:\n\n'));
      };
    });

    const resuming = (answer: (response: ServerResponse, lastEventId: unknown) => unknown) => {
      const { fault } = upstream;
      upstream.fault = (exchange) => {
        if (exchange.received.method !== 'GET') return fault(exchange);
        answer(exchange.response, exchange.received.headers['last-event-id']);
        return true;
      };
    };

    it('gets it when the stream is resumed, from where it ended; the call is not made again', async () => {
      resuming((response, lastEventId) => {
        const next =
          lastEventId === 'e1'
            ? `id: e2\n${eventOf({ jsonrpc: '2.0', method: 'notifications/message', params: {} })}`
            : '';
        const last = eventOf({ jsonrpc: '2.0', id: call1, result: { content: [] } });
        response.writeHead(200, EVENTS).end(next === '' ? last : next);
      });
      const messages: JsonObject[] = [];
      expect(await call('echo', { onMessage: (message) => messages.push(message) })).toMatchObject({
        result: { content: [] },
      });
      expect(messages).toHaveLength(1);
      expect(upstream.of('tools/call')).toHaveLength(1);
      expect(upstream.of('GET').map(({ headers }) => headers['last-event-id'])).toEqual(['e1', 'e2']);
    });

    it('fails where nothing comes but ends of the stream, after the time for a call', async () => {
      const { callMs } = stack.limits;
      stack.limits.callMs = 500;
      let count = 1;
      resuming((response) => response.writeHead(200, EVENTS).end(`id: e${++count}\nretry: 1\ndata:\n\n`));
      await expect(call('echo')).rejects.toMatchObject({ code: 'upstream_timeout', mayHaveRun: true });
      stack.limits.callMs = callMs;
      expect(upstream.of('tools/call')).toHaveLength(1);
      await eventually(
        () => upstream.of('notifications/cancelled').length,
        (cancelled) => cancelled === 1,
        2_000,
      );
    });

    it.each([404, 405, 500])('fails where the upstream answers that with %d', async (status) => {
      resuming((response) => response.writeHead(status).end());
      await expect(call('echo')).rejects.toMatchObject({ code: 'upstream_error', mayHaveRun: true });
      expect(upstream.of('tools/call')).toHaveLength(1);
    });
  });

  describe('whose era is not what was known', () => {
    it('goes on in the legacy era where the upstream no longer speaks the modern one', async () => {
      await call('echo');
      upstream.eras = new Set(['legacy']);
      expect(await call('echo')).toMatchObject({ era: 'legacy' });
      expect(upstream.calls.begun).toEqual(['echo', 'echo']);
      expect(await verdicts()).toEqual({ modern: '', legacy: '2025-11-25' });
    });

    it('goes on in the modern era where the upstream no longer speaks the legacy one', async () => {
      await call('echo', { client: LEGACY_CLIENT });
      upstream.eras = new Set(['modern']);
      upstream.forgetSessions();
      expect(await call('echo', { client: LEGACY_CLIENT })).toMatchObject({ era: 'modern' });
      expect(await verdicts()).toEqual({ modern: '2026-07-28', legacy: '' });
    });

    it('learns nothing from statuses that say nothing about eras', async () => {
      for (const status of [401, 403, 408, 429, 500, 503]) {
        upstream.fault = ({ received, response }) =>
          ['server/discover', 'initialize'].includes(received.method) && Boolean(response.writeHead(status).end());
        for (const client of [MODERN_CLIENT, LEGACY_CLIENT])
          await expect(call('echo', { client })).rejects.toMatchObject({ name: 'UpstreamFailure', status });
        expect(await verdicts()).toEqual({ modern: null, legacy: null });
      }
    });

    it('is asked again after a day', async () => {
      await call('echo');
      await sql(`UPDATE upstreams SET modern_at = now() - interval '23 hours' WHERE id = $1`);
      const other = await createStack(database);
      await other.caller.call(callOf(state, 'echo'));
      expect(upstream.of('server/discover')).toHaveLength(1);
      await sql(`UPDATE upstreams SET modern_at = now() - interval '25 hours' WHERE id = $1`);
      const third = await createStack(database);
      await third.caller.call(callOf(state, 'echo'));
      expect(upstream.of('server/discover')).toHaveLength(2);
      await Promise.all([other.close(), third.close()]);
    });

    it('is asked again ten minutes after a "no" that contradicts what it had said, and after a day if that is confirmed', async () => {
      const callElsewhere = async () => {
        const other = await createStack(database);
        const outcome = await other.caller.call(callOf(state, 'echo'));
        await other.close();
        return outcome;
      };
      const pass = (time: string) =>
        sql(`UPDATE upstreams SET modern_at = modern_at - interval '${time}' WHERE id = $1`);
      expect(await call('echo')).toMatchObject({ era: 'modern' });
      await pass('23 hours');
      upstream.fault = ({ era, response }) => era === 'modern' && Boolean(response.writeHead(404).end());
      expect(await call('echo')).toMatchObject({ era: 'legacy' });
      await pass('9 minutes');
      const { length } = upstream.of('server/discover');
      expect(await callElsewhere()).toMatchObject({ era: 'legacy' });
      expect(upstream.of('server/discover')).toHaveLength(length);
      await pass('2 minutes');
      expect(await callElsewhere()).toMatchObject({ era: 'legacy' });
      expect(upstream.of('server/discover')).toHaveLength(length + 1);
      await pass('23 hours');
      expect(await callElsewhere()).toMatchObject({ era: 'legacy' });
      expect(upstream.of('server/discover')).toHaveLength(length + 1);
      upstream.fault = () => false;
      await pass('2 hours');
      expect(await callElsewhere()).toMatchObject({ era: 'modern' });
    });

    it('is asked again ten minutes after a server was gone for a moment', async () => {
      expect(await call('echo')).toMatchObject({ era: 'modern' });
      upstream.fault = ({ era, response }) => era === 'modern' && Boolean(response.writeHead(404).end());
      expect(await call('echo')).toMatchObject({ era: 'legacy' });
      // Another process that has not heard of it notes the same, which gives it no longer life.
      await stack.eras.noteModern(state.id, null);
      upstream.fault = () => false;
      await sql(`UPDATE upstreams SET modern_at = modern_at - interval '11 minutes' WHERE id = $1`);
      const other = await createStack(database);
      expect(await other.caller.call(callOf(state, 'echo'))).toMatchObject({ era: 'modern' });
      await other.close();
    });

    it('is probed once, however many ask', async () => {
      await Promise.all(Array.from({ length: 10 }, () => call('echo')));
      expect(upstream.of('server/discover')).toHaveLength(1);
    });

    it('is not probed by a process that read of it before another found it out', async () => {
      await stack.eras.of(state.id);
      const other = await createStack(database);
      await other.caller.call(callOf(state, 'echo'));
      expect(await call('echo')).toMatchObject({ era: 'modern' });
      expect(upstream.of('server/discover')).toHaveLength(1);
      await other.close();
    });

    it('fails where the upstream speaks neither, and works when it does', async () => {
      upstream.eras = new Set();
      const said = `Toolyard speaks ${REVISIONS.join(', ')}.`;
      await expect(call('echo')).rejects.toThrow(
        `It answered \`initialize\` with the error -32022 and status 400. ${said}`,
      );
      upstream.eras = new Set(['legacy']);
      await stack.upstreams.refresh([state.id], new AbortController().signal);
      expect(await call('echo')).toMatchObject({ era: 'legacy' });
    });
  });

  it('keeps the upstream in use', async () => {
    await sql(`UPDATE upstreams SET used_at = now() - interval '2 hours' WHERE id = $1`);
    await call('echo');
    const isUsed = () => sql(`SELECT modern FROM upstreams WHERE id = $1 AND used_at > now() - interval '1 minute'`);
    await eventually(isUsed, ({ length }) => length === 1, 3_000);
  });

  it('has the lists read again where it does not know the name', async () => {
    await stack.upstreams.refresh([state.id], new AbortController().signal);
    await sql(`UPDATE upstreams SET listed_at = now() - interval '1 minute' WHERE id = $1`);
    upstream.tools = [toolOf('other')];
    await call('echo');
    const isDue = async () =>
      (
        await database.dataSource.query<{ due: boolean }[]>(
          `SELECT due_at <= now() AS due FROM upstreams WHERE id = $1`,
          [state.id],
        )
      )[0];
    await eventually(isDue, (row) => row?.due === true, 2_000);
  });
});
