import fc from 'fast-check';
import { packagePage, packagesOf, publisherOf, remotesOf, repositoryOf, type ServerPackage } from './server-document';

const aPackage = (more: Partial<ServerPackage>): ServerPackage => ({
  ...packagesOf({ packages: [{ registryType: 'npm', identifier: 'weather' }] })[0]!,
  ...more,
});

describe('Reading a server.json', () => {
  it('gives packages with all that they need', () => {
    const server = {
      packages: [
        {
          registryType: 'npm',
          identifier: '@acme/weather',
          version: '1.0.0',
          runtimeHint: 'npx',
          transport: { type: 'stdio' },
          packageArguments: [
            { type: 'named', name: '--port', default: 8080, isRepeated: true },
            { type: 'positional', valueHint: 'folder' },
          ],
          environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true, choices: ['a', 1] }],
        },
      ],
    };
    const [read] = packagesOf(server);
    expect(read).toMatchObject({ registryType: 'npm', identifier: '@acme/weather', transport: { type: 'stdio' } });
    expect(read?.packageArguments).toMatchObject([
      { name: '--port', default: '8080', isRepeated: true },
      { name: 'folder' },
    ]);
    expect(read?.environment).toMatchObject([{ name: 'API_KEY', isSecret: true, isRequired: true, choices: ['a'] }]);
  });

  it('gives remotes with headers and variables', () => {
    const remote = {
      type: 'sse',
      url: 'https://{host}/mcp',
      headers: [{ name: 'X-Key', isSecret: true }],
      variables: { host: { description: 'Yours' }, bad: 1 },
    };
    expect(remotesOf({ remotes: [remote] })).toMatchObject([
      {
        type: 'sse',
        url: 'https://{host}/mcp',
        headers: [{ name: 'X-Key' }],
        variables: [{ name: 'host', description: 'Yours' }],
      },
    ]);
  });

  it('throws for no document', () => {
    const hostile = fc.record({ packages: fc.anything(), remotes: fc.anything() });
    fc.assert(
      fc.property(fc.oneof(fc.anything(), hostile), (server) => {
        expect(() => [packagesOf(server), remotesOf(server), repositoryOf(server)]).not.toThrow();
      }),
    );
    expect(packagesOf({ packages: [null, 1, 'x', [], {}] })).toHaveLength(1);
  });
});

describe('The page of a package', () => {
  it.each([
    [{ identifier: '@acme/weather', version: '1.0.0' }, 'https://www.npmjs.com/package/@acme/weather/v/1.0.0'],
    [{ identifier: 'a b?c#d/../x' }, 'https://www.npmjs.com/package/a%20b%3Fc%23d/%2E%2E/x'],
    [{ registryType: 'pypi', registryBaseUrl: 'https://pypi.org/' }, 'https://pypi.org/project/weather/'],
    [{ registryBaseUrl: 'https://npm.acme.example' }, 'https://npm.acme.example'],
    [{ registryType: 'mcpb', identifier: 'https://acme.example/x.mcpb' }, 'https://acme.example/x.mcpb'],
    [{ registryType: 'oci' }, undefined],
    [{ registryType: 'oci', registryBaseUrl: 'javascript:alert(1)' }, undefined],
    [{ registryType: 'constructor' }, undefined],
  ])('of %j is %j', (more, page) => expect(packagePage(aPackage(more))).toBe(page));
});

describe('The publisher', () => {
  it.each([
    ['io.github.acme/weather', 'io.github.acme'],
    ['weather', 'weather'],
  ])('of %j is %j', (name, publisher) => expect(publisherOf(name)).toBe(publisher));
});
