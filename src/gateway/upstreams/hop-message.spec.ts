import { readIncoming } from '../protocol/incoming';
import { legacyHop, modernHop } from './hop-message';

const US = { name: 'Toolyard', version: '1.0.0' };
const client = {
  revision: '2026-07-28',
  capabilities: { elicitation: { url: {} } },
  info: { name: 'Secret client', version: '1' },
  logLevel: 'info',
} as const;
const params = {
  name: 'read datei ä',
  arguments: { region: 'eu', where: { dry: true }, other: 'x' },
  requestState: 's',
  _meta: {
    progressToken: 5,
    traceparent: '00-a-b-01',
    'io.modelcontextprotocol/clientInfo': { name: 'Secret client' },
  },
};
const inputSchema = {
  type: 'object',
  properties: {
    region: { type: 'string', 'x-mcp-header': 'Region' },
    where: { type: 'object', properties: { dry: { type: 'boolean', 'x-mcp-header': 'Dry-Run' } } },
    absent: { type: 'string', 'x-mcp-header': 'Absent' },
  },
};

describe('A request for an upstream without handshake', () => {
  const { headers, body, id } = modernHop({ id: 'ty-1', method: 'tools/call', params, inputSchema }, client, US);

  it('has the headers that its body wants', () => {
    expect(id).toBe('ty-1');
    expect(headers).toEqual({
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': '=?base64?cmVhZCBkYXRlaSDDpA==?=',
      'mcp-param-region': 'eu',
      'mcp-param-dry-run': 'true',
    });
    expect(readIncoming(JSON.parse(String(body)), (name) => headers[name])).toMatchObject({
      era: 'modern',
      method: 'tools/call',
    });
  });

  it('passes what the client wants and can do, and hides who it is', () => {
    expect(JSON.parse(String(body))).toEqual({
      jsonrpc: '2.0',
      id: 'ty-1',
      method: 'tools/call',
      params: {
        ...params,
        _meta: {
          progressToken: 5,
          traceparent: '00-a-b-01',
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientCapabilities': client.capabilities,
          'io.modelcontextprotocol/clientInfo': US,
          'io.modelcontextprotocol/logLevel': 'info',
        },
      },
    });
    expect(String(body)).not.toContain('Secret');
  });
});

describe('A request for an upstream of an earlier revision', () => {
  it('is in its session, without metadata of another era', () => {
    const { headers, body } = legacyHop({ id: 1, method: 'tools/call', params, inputSchema }, '2025-06-18', 's-1');
    expect(headers).toEqual({ 'mcp-protocol-version': '2025-06-18', 'mcp-session-id': 's-1' });
    expect(JSON.parse(String(body))).toMatchObject({
      params: { _meta: { progressToken: 5, traceparent: '00-a-b-01' } },
    });
    expect(String(body)).not.toContain('io.modelcontextprotocol');
    expect(legacyHop({ id: 1, method: 'ping', params: {} }, '2025-03-26', undefined)).toEqual({
      id: 1,
      headers: { 'mcp-protocol-version': '2025-03-26' },
      body: Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping","params":{}}'),
    });
  });
});
