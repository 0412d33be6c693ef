import { readConfig } from '../../bundles/entries/entry-config';
import { entryUpstream, credentialedUpstream } from './entry-upstream';
import { isLeftAside } from './effective-server';

const URL_ = 'https://mcp.example.com:8443/weather/mcp?tools=all';
const stdio = {
  registryType: 'npm',
  identifier: 'weather',
  version: '1.0.0',
  transport: { type: 'stdio' },
  environmentVariables: [
    { name: 'WEATHER_TOKEN', isSecret: true, isRequired: true },
    { name: 'REGION', isRequired: true },
  ],
  packageArguments: [
    { type: 'named', name: '--key', isSecret: true, isRequired: true },
    { type: 'named', name: '-e', value: 'PIN={pin}', variables: { pin: { isSecret: true } } },
    { type: 'named', name: '--region', value: 'eu' },
  ],
};
const http = (headers: readonly object[], registryType = 'oci') => ({
  registryType,
  identifier: 'weather',
  version: '1.0.0',
  transport: { type: 'streamable-http', url: 'http://127.0.0.1:{port}/mcp', headers },
});
const of = (document: unknown, config: object = {}, endpointUrl = URL_) => {
  return { document, config: readConfig({ ...config }), endpointUrl };
};

describe('The server of an entry with an endpoint_url', () => {
  it.each([
    ['of a package', { packages: [stdio] }],
    ['of a package that speaks HTTP', { packages: [http([])] }],
    ['of a listing with SSE', { remotes: [{ type: 'sse', url: 'https://sse.example' }] }],
    ['of a listing without anything', {}],
    [
      'of a listing that has got a remote server',
      { remotes: [{ type: 'streamable-http', url: 'https://new.example' }] },
    ],
  ])('is at that address, %s', (_, document) => {
    expect(entryUpstream(of(document))).toEqual({ url: URL_, headers: {} });
    expect(credentialedUpstream(of(document))).toMatchObject({
      url: URL_,
      origin: 'https://mcp.example.com:8443',
      placements: {},
    });
  });

  it('is there whatever way its configuration selects, with the headers of the configuration', () => {
    const config = { run_with: 'npm', headers: { 'X-Team': 'a' }, env: { REGION: 'eu' }, args: ['--fast'] };
    expect(entryUpstream(of({ packages: [stdio] }, config))).toEqual({ url: URL_, headers: { 'x-team': 'a' } });
  });

  it('takes no secrets of the package: those are set where it runs', () => {
    expect(credentialedUpstream(of({ packages: [stdio] }))).toMatchObject({
      secrets: [],
      setElsewhere: ['WEATHER_TOKEN', '--key', 'pin'],
    });
  });

  it('takes the secret headers of a package that speaks HTTP, none of which is required', () => {
    const headers = [
      { name: 'X-Api-Key', isSecret: true, isRequired: true },
      {
        name: 'Authorization',
        value: 'Bearer {token}',
        isRequired: true,
        variables: { token: { isSecret: true, isRequired: true } },
      },
      { name: 'X-Region', value: 'eu' },
      { name: 'X-Tenant', isRequired: true },
    ];
    const document = { packages: [stdio, http(headers)] };
    expect(entryUpstream(of(document))).toEqual({ url: URL_, headers: { 'x-region': 'eu' } });
    expect(credentialedUpstream(of(document))).toMatchObject({
      headers: { 'x-region': 'eu' },
      placements: {
        headers: { 'x-api-key': [{ secret: 'X-Api-Key' }], authorization: ['Bearer ', { secret: 'token' }] },
      },
      secrets: [
        { name: 'X-Api-Key', isRequired: false, isToken: false },
        { name: 'token', isRequired: false, isToken: true },
      ],
    });
  });

  it('has the headers of the package that its configuration selects', () => {
    const document = {
      packages: [http([{ name: 'X-One', isSecret: true }]), http([{ name: 'X-Two', isSecret: true }], 'npm')],
    };
    const namesFor = (config: object) => {
      const found = credentialedUpstream(of(document, config));
      return 'secrets' in found ? found.secrets.map(({ name }) => name) : [];
    };
    expect([namesFor({}), namesFor({ run_with: 'npm' }), namesFor({ run_with: 'pypi' })]).toEqual([
      ['X-One'],
      ['X-Two'],
      [],
    ]);
  });

  it('never gets what the document marks as secret from the configuration', () => {
    const headers = { 'X-Api-Key': 'leaked', Authorization: 'leaked', 'X-Old': 'leaked' };
    const document = {
      packages: [http([{ name: 'X-Api-Key', isSecret: true }])],
      remotes: [{ type: 'sse', url: 'https://sse.example', headers: [{ name: 'X-Old', isSecret: true }] }],
    };
    for (const found of [entryUpstream(of(document, { headers })), credentialedUpstream(of(document, { headers }))])
      expect(JSON.stringify(found)).not.toContain('leaked');
  });

  it('is said to be kept once its listing has a remote server', () => {
    const remote = { remotes: [{ type: 'streamable-http', url: 'https://new.example' }] };
    expect(isLeftAside(of({ packages: [stdio], ...remote }))).toBe(true);
    expect(isLeftAside(of({ packages: [stdio] }))).toBe(false);
    expect(isLeftAside({ ...of(remote), endpointUrl: null })).toBe(false);
    const hosted = { remotes: [{ type: 'streamable-http', url: 'https://{host}/mcp', variables: { host: {} } }] };
    expect(isLeftAside(of(hosted, { variables: { host: 'no host' } }))).toBe(true);
  });

  it('reads documents of any form', () => {
    for (const document of [null, [], 'x', { packages: 'x', remotes: {} }, { packages: [null, { transport: null }] }])
      expect(entryUpstream(of(document))).toEqual({ url: URL_, headers: {} });
    const odd = {
      ...http([]),
      transport: { type: 'streamable-http', headers: [null, 'x', { name: 'X', variables: [] }] },
    };
    expect(entryUpstream(of({ packages: [odd] }))).toEqual({ url: URL_, headers: {} });
  });
});
