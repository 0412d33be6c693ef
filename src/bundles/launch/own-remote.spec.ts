import { hasOwnRemote } from './own-remote';

const at = (url: string, rest: object = {}) => ({ remotes: [{ type: 'streamable-http', url, ...rest }] });
const npm = { registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } };

describe('A remote server of a listing', () => {
  it.each([
    ['by Streamable HTTP', at('https://a.example/mcp')],
    ['beside packages', { packages: [npm], ...at('https://a.example') }],
    [
      'beside a server with SSE',
      { remotes: [{ type: 'sse', url: 'https://a.example' }, ...at('https://b.example').remotes] },
    ],
    ['whose address needs values', at('https://a.example/{tenant}', { variables: { tenant: {} } })],
    ['whose host needs a value', at('https://{host}/mcp', { variables: { host: {} } })],
    ['that needs a secret', at('https://a.example', { headers: [{ name: 'X', isSecret: true, isRequired: true }] })],
    ['whose whole address is to be configured', at('{base}/mcp')],
  ])('counts: %s', (_, document) => {
    expect(hasOwnRemote(document)).toBe(true);
  });

  it.each([
    ['a package', { packages: [npm] }],
    ['a package that speaks HTTP', { packages: [{ ...npm, transport: { type: 'streamable-http', url: 'http://x' } }] }],
    ['a server with SSE', { remotes: [{ type: 'sse', url: 'https://a.example/sse' }] }],
    ['something else than an address', at('ftp://a.example')],
    ['nothing', {}],
    ['no document', null],
  ])('is not %s', (_, document) => {
    expect(hasOwnRemote(document)).toBe(false);
  });
});
