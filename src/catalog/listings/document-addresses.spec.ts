import fc from 'fast-check';
import { addressFaults, withoutBadAddresses } from './document-addresses';

const GOOD = [
  'https://example.com/',
  'http://example.com:8080/a@b?c=d@e#f@g',
  'HTTPS://EXAMPLE.COM',
  'https://{tenant}.example.com/{path}',
  'https://bücher.example/ü',
];
const BAD_SCHEMES = [
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  ' \tjavascript:alert(1)',
  'data:text/html,x',
  'file:///etc/passwd',
  'ftp://example.com/x',
  'vbscript:x',
  'git+ssh://git@example.com/x',
];
const BAD_USERS = [
  'https://user:password@example.com/mcp',
  'https://user@example.com',
  'https://:password@example.com',
  'https:\\\\user:password@example.com/',
  'https:user@example.com/',
  'https://{user}:{password}@example.com/mcp',
  'https://us\ner@example.com/',
];

const documentWith = (address: string) => ({
  name: 'com.example/x',
  websiteUrl: address,
  repository: { url: address, source: 'github' },
  icons: [{ src: 'https://example.com/i.png' }, { src: address }],
  remotes: [
    { type: 'sse', url: address },
    { type: 'sse', url: 'https://example.com/sse' },
  ],
  packages: [
    { identifier: 'a', transport: { type: 'stdio' } },
    { identifier: 'b', transport: { type: 'sse', url: address } },
    { identifier: 'c', registryBaseUrl: address, transport: { type: 'sse', url: 'http://localhost:{port}/sse' } },
  ],
  _meta: { kept: { url: address } },
});

describe('The addresses of a document', () => {
  it.each(GOOD)('may be %s', (address) => {
    const document = documentWith(address);
    expect(addressFaults(document)).toEqual([]);
    expect(withoutBadAddresses(document).document).toBe(document);
  });

  it.each([
    ...BAD_SCHEMES.map((address) => [address, 'url_scheme']),
    ...BAD_USERS.map((address) => [address, 'value_error']),
  ])('may not be %j, wherever it is: %s', (address = '', type) => {
    expect(addressFaults(documentWith(address))).toMatchObject([
      { loc: ['websiteUrl'], type },
      { loc: ['repository', 'url'], type },
      { loc: ['icons', '1', 'src'], type },
      { loc: ['remotes', '0', 'url'], type },
      { loc: ['packages', '2', 'registryBaseUrl'], type },
      { loc: ['packages', '1', 'transport', 'url'], type },
    ]);
  });

  it('that may not be go with what they belong to, and nothing else does', () => {
    for (const address of [...BAD_SCHEMES, ...BAD_USERS]) {
      const { document, dropped } = withoutBadAddresses(documentWith(address));
      expect(document).toEqual({
        name: 'com.example/x',
        icons: [{ src: 'https://example.com/i.png' }],
        remotes: [{ type: 'sse', url: 'https://example.com/sse' }],
        packages: [
          { identifier: 'a', transport: { type: 'stdio' } },
          { identifier: 'c', transport: { type: 'sse', url: 'http://localhost:{port}/sse' } },
        ],
        _meta: { kept: { url: address } },
      });
      expect(Object.keys(document)).toEqual(['name', 'icons', 'remotes', 'packages', '_meta']);
      const inPackages = ['/packages/2/registryBaseUrl', '/packages/1'];
      expect(dropped).toEqual(['/websiteUrl', '/repository', '/icons/1', '/remotes/0', ...inPackages]);
    }
  });

  it('are looked for in anything', () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.constantFrom('websiteUrl', 'repository', 'icons', 'remotes', 'packages'), fc.anything()),
        (any) => {
          const { document } = withoutBadAddresses(any);
          expect(addressFaults(document)).toEqual([]);
          expect(withoutBadAddresses(document).document).toBe(document);
        },
      ),
    );
  });

  it('are read as a browser reads them', () => {
    fc.assert(
      fc.property(fc.webUrl({ withFragments: true, withQueryParameters: true }), (url) => {
        expect(addressFaults({ websiteUrl: url })).toEqual([]);
        const { host } = new URL(url);
        const withUser = url.replace(`//${host}`, `//user:secret@${host}`);
        expect(addressFaults({ websiteUrl: withUser })).toHaveLength(new URL(withUser).password === 'secret' ? 1 : 0);
      }),
    );
  });
});
