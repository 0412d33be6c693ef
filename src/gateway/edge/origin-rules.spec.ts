import type { ServerResponse } from 'node:http';
import { OriginRules } from './origin-rules';

const settings = {
  publicUrl: 'https://tools.example.com/base',
  host: '127.0.0.1',
  mcpAllowedOrigins: ['https://app.example.com'],
};
const local = new OriginRules(settings);
const open = new OriginRules({ ...settings, host: '0.0.0.0' });

describe('A request to an endpoint', () => {
  it.each([
    [undefined, '127.0.0.1:3000'],
    [undefined, 'localhost'],
    [undefined, '[::1]:3000'],
    [undefined, 'tools.example.com'],
    ['https://tools.example.com', 'localhost:3000'],
    ['https://app.example.com', undefined],
  ])('may come from %s to %s', (origin, host) => {
    expect(() => local.check({ origin, host })).not.toThrow();
    expect(() => open.check({ origin, host })).not.toThrow();
  });

  it.each([
    'null',
    'http://tools.example.com',
    'https://tools.example.com.evil.com',
    'https://evil.com',
    'http://localhost:3000',
    '',
  ])('may not come from a page of %j', (origin) => {
    for (const rules of [local, open])
      expect(() => rules.check({ origin, host: 'localhost' })).toThrow(
        expect.objectContaining({ status: 403 }) as Error,
      );
  });

  it('may not be for another host where only this machine can reach us', () => {
    for (const host of ['evil.com', '127.0.0.1.evil.com:3000', 'localhost.evil.com', '10.0.0.1']) {
      expect(() => local.check({ host })).toThrow(expect.objectContaining({ status: 403 }) as Error);
      expect(() => open.check({ host })).not.toThrow();
    }
  });

  it('may have the headers of the protocol, if a page asks before', () => {
    const headers: Record<string, string> = {};
    const response = {
      setHeader: (name: string, value: string) => (headers[name] = value),
      writeHead: () => ({ end: () => undefined }),
    };
    local.preflight(
      'Content-Type, mcp-param-region, MCP-Protocol-Version, cookie, x-evil',
      response as unknown as ServerResponse,
    );
    expect(headers['Access-Control-Allow-Headers']).toBe('content-type, mcp-param-region, mcp-protocol-version');
  });
});
