import { readConfig } from '../../bundles/entries/entry-config';
import { entryUpstream } from './entry-upstream';

const remote = {
  type: 'streamable-http',
  url: 'https://mcp.example.com/{tenant}/mcp',
  variables: { tenant: { isRequired: true } },
};
const at = (url: string, rest: object = {}) => ({ remotes: [{ type: 'streamable-http', url, ...rest }] });
const find = (document: object, config: object = {}) => entryUpstream(document, readConfig({ ...config }));

describe('The server of an entry', () => {
  it('is the first remote one by Streamable HTTP', () => {
    const sse = { type: 'sse', url: 'https://sse.example.com' };
    const document = {
      packages: [{ registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } }],
      remotes: [sse, ...at('https://a.example').remotes],
    };
    expect(find(document)).toEqual({ url: 'https://a.example', headers: {} });
  });

  it('has the values of the bundle in its address and headers', () => {
    const headers = [{ name: 'X-Region', value: '{region}', variables: { region: { default: 'us' } } }];
    expect(
      find(
        { remotes: [{ ...remote, headers }] },
        { variables: { tenant: 'acme', region: 'eu' }, headers: { 'X-Team': 'a' } },
      ),
    ).toEqual({
      url: 'https://mcp.example.com/acme/mcp',
      headers: { 'x-region': 'eu', 'x-team': 'a' },
    });
  });

  it.each([
    ['a value is missing', { remotes: [remote] }, 'missing_values'],
    [
      'a secret is needed',
      at('https://a.example', { headers: [{ name: 'Authorization', isRequired: true, isSecret: true }] }),
      'missing_values',
    ],
    [
      'it speaks the transport of 2024',
      { remotes: [{ type: 'sse', url: 'https://a.example' }] },
      'unsupported_transport',
    ],
    [
      'it is a package',
      { packages: [{ registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } }] },
      'no_remote',
    ],
    ['its address is none', at('ftp://a.example'), 'invalid_server'],
    ['it has nothing', {}, 'no_remote'],
  ])('is out of reach if %s', (_, document, code) => {
    expect(find(document)).toMatchObject({ code });
  });

  it('may have a secret header that it can do without', () => {
    const document = at('https://a.example', {
      headers: [{ name: 'Authorization', isRequired: false, isSecret: true }],
    });
    expect(find(document)).toEqual({ url: 'https://a.example', headers: {} });
  });
});
