import { readConfig } from '../entries/entry-config';
import { hasOwnRemote } from './own-remote';

const at = (url: string, rest: object = {}) => ({ remotes: [{ type: 'streamable-http', url, ...rest }] });
const npm = { registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } };
const has = (document: unknown, config: object = {}) => hasOwnRemote(document, readConfig({ ...config }));

describe('A remote server of a listing', () => {
  it.each([
    ['by Streamable HTTP', at('https://a.example/mcp'), {}],
    [
      'beside packages, whatever the configuration selects',
      { packages: [npm], ...at('https://a.example') },
      { run_with: 'npm' },
    ],
    ['whose address needs values', at('https://a.example/{tenant}', { variables: { tenant: {} } }), {}],
    [
      'that needs a secret',
      at('https://a.example', { headers: [{ name: 'X', isSecret: true, isRequired: true }] }),
      {},
    ],
    ['whose whole address is configured', at('{base}/mcp'), { variables: { base: 'https://a.example' } }],
  ])('counts: %s', (_, document, config) => {
    expect(has(document, config)).toBe(true);
  });

  it.each([
    ['a package', { packages: [npm] }],
    ['a package that speaks HTTP', { packages: [{ ...npm, transport: { type: 'streamable-http', url: 'http://x' } }] }],
    ['a server with SSE', { remotes: [{ type: 'sse', url: 'https://a.example/sse' }] }],
    ['something else than an address', at('ftp://a.example')],
    ['an address that nobody has given', at('{base}/mcp')],
    ['nothing', {}],
    ['no document', null],
  ])('is not %s', (_, document) => {
    expect(has(document)).toBe(false);
  });
});
