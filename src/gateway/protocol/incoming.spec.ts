import { type Incoming, readIncoming } from './incoming';
import { RpcFailure } from './json-rpc';

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientCapabilities': {},
};
const HEADERS = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/list' };
const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: META } };
const CALL = { jsonrpc: '2.0', id: 2, method: 'tools/call', params: { name: 'a', arguments: {}, _meta: META } };
const CALL_HEADERS = { ...HEADERS, 'mcp-method': 'tools/call', 'mcp-name': 'a' };

const read = (body: unknown, headers: Record<string, string> = {}): Incoming =>
  readIncoming(body, (name) => headers[name]);

/** @returns status, code and id of the failure */
function refusal(body: unknown, headers: Record<string, string> = {}): unknown[] {
  try {
    return ['accepted', read(body, headers)];
  } catch (error) {
    if (!(error instanceof RpcFailure)) throw error;
    return [error.status, error.code, error.id];
  }
}

describe('A message of a modern client', () => {
  it('is read with what the client says of itself', () => {
    expect(read(CALL, CALL_HEADERS)).toEqual({
      era: 'modern',
      kind: 'request',
      id: 2,
      method: 'tools/call',
      params: CALL.params,
      client: { revision: '2026-07-28', capabilities: {}, info: undefined, logLevel: undefined },
    });
  });

  it('must say what its headers say', () => {
    expect(refusal(CALL, { ...CALL_HEADERS, 'mcp-method': 'tools/list' })).toEqual([400, -32020, 2]);
    expect(refusal(CALL, { ...CALL_HEADERS, 'mcp-name': 'b' })).toEqual([400, -32020, 2]);
    expect(refusal(CALL, { ...CALL_HEADERS, 'mcp-name': '=?base64?YQ=?=' })).toEqual([400, -32020, 2]);
    expect(refusal(CALL, HEADERS)).toEqual([400, -32020, 2]);
    expect(refusal(LIST, { 'mcp-protocol-version': '2026-07-28' })).toEqual([400, -32020, 1]);
    expect(refusal(LIST, { 'mcp-method': 'tools/list' })).toEqual([400, -32020, 1]);
    expect(refusal(LIST, { ...HEADERS, 'mcp-protocol-version': '2025-11-25' })).toEqual([400, -32020, 1]);
    expect(read(CALL, { ...CALL_HEADERS, 'mcp-name': '=?base64?YQ==?=' })).toMatchObject({ method: 'tools/call' });
  });

  it('must have its metadata', () => {
    const without = (key: string) => ({
      ...LIST,
      params: { _meta: Object.fromEntries(Object.entries(META).filter(([name]) => name !== key)) },
    });
    for (const key of Object.keys(META)) expect(refusal(without(key), HEADERS)).toEqual([400, -32602, 1]);
    expect(refusal({ ...LIST, params: {} }, HEADERS)).toEqual([400, -32602, 1]);
  });

  it('must be of a revision that we speak', () => {
    const params = { _meta: { ...META, 'io.modelcontextprotocol/protocolVersion': '2030-01-01' } };
    const headers = { ...HEADERS, 'mcp-protocol-version': '2030-01-01' };
    expect(refusal({ ...LIST, params }, headers)).toEqual([400, -32022, 1]);
    expect(refusal({ ...LIST, params: {} }, headers)).toEqual([400, -32022, 1]);
    expect(() => read({ ...LIST, params }, headers)).toThrow(
      expect.objectContaining({
        data: {
          supported: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
          requested: '2030-01-01',
        },
      }) as Error,
    );
  });

  it('asks for log messages by a level that exists', () => {
    const params = (level: unknown) => ({ _meta: { ...META, 'io.modelcontextprotocol/logLevel': level } });
    expect(read({ ...LIST, params: params('warning') }, HEADERS)).toMatchObject({ client: { logLevel: 'warning' } });
    for (const level of ['loud', 3])
      expect(refusal({ ...LIST, params: params(level) }, HEADERS)).toEqual([400, -32602, 1]);
  });

  it('cannot be an answer', () => {
    expect(refusal({ jsonrpc: '2.0', id: 1, result: {} }, HEADERS)).toEqual([400, -32600, 1]);
  });
});

describe('A message of a client of an earlier revision', () => {
  const headers = { 'mcp-protocol-version': '2025-06-18' };

  it('is a request, a notification or an answer', () => {
    const params = {};
    expect(read({ jsonrpc: '2.0', id: 'x', method: 'ping' }, headers)).toEqual({
      era: 'legacy',
      kind: 'request',
      id: 'x',
      method: 'ping',
      params,
    });
    expect(read({ jsonrpc: '2.0', method: 'notifications/initialized' }, headers)).toEqual({
      era: 'legacy',
      kind: 'notification',
      method: 'notifications/initialized',
      params,
    });
    const answer = { jsonrpc: '2.0', id: 3, error: { code: 1, message: 'no' } };
    expect(read(answer, headers)).toEqual({ era: 'legacy', kind: 'answer', id: 3, body: answer });
  });

  it('needs no header, since 2025-03-26 had none', () => {
    expect(read({ jsonrpc: '2.0', id: 1, method: 'tools/list' })).toMatchObject({ era: 'legacy', kind: 'request' });
  });

  it('is `initialize`, whatever revision it asks for', () => {
    const params = { protocolVersion: '2026-07-28', capabilities: {}, clientInfo: { name: 'a', version: '1' } };
    expect(read({ jsonrpc: '2.0', id: 0, method: 'initialize', params }, HEADERS)).toMatchObject({ era: 'legacy' });
  });

  it('is no `initialize` that says its revision in `_meta`, which is a request without a handshake', () => {
    const headers = { ...HEADERS, 'mcp-method': 'initialize' };
    const initialize = { jsonrpc: '2.0', id: 0, method: 'initialize', params: { _meta: META } };
    expect(read(initialize, headers)).toMatchObject({ era: 'modern', method: 'initialize' });
  });
});

describe('A notification', () => {
  it('must be of a revision that we speak', () => {
    const message = { jsonrpc: '2.0', method: 'notifications/cancelled', params: {} };
    expect(refusal(message, { 'mcp-protocol-version': '2031-01-01' })).toEqual([400, -32022, undefined]);
    expect(read(message, { 'mcp-protocol-version': '2026-07-28' })).toMatchObject({ era: 'modern' });
    expect(read(message)).toMatchObject({ era: 'legacy' });
  });
});

describe('What is no message', () => {
  it.each([
    ['a batch', [LIST], [400, -32600, undefined]],
    ['a text', 'x', [400, -32600, undefined]],
    ['null', null, [400, -32600, undefined]],
    ['another version', { ...LIST, jsonrpc: '1.0' }, [400, -32600, undefined]],
    ['no method', { jsonrpc: '2.0', id: 1 }, [400, -32600, 1]],
    ['an id that is null', { ...LIST, id: null }, [400, -32600, undefined]],
    ['an id that is no integer', { ...LIST, id: 1.5 }, [400, -32600, undefined]],
    ['an id without end', { ...LIST, id: 'x'.repeat(1_025) }, [400, -32600, undefined]],
    ['parameters in an array', { ...LIST, params: [] }, [400, -32602, 1]],
    ['an answer without an id', { jsonrpc: '2.0', result: {} }, [400, -32600, undefined]],
  ])('is refused: %s', (_, body, expected) => {
    expect(refusal(body, HEADERS)).toEqual(expected);
  });
});
