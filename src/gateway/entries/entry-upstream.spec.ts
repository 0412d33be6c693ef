import { readConfig } from '../../bundles/entries/entry-config';
import { entryUpstream, credentialedUpstream } from './entry-upstream';

const remote = {
  type: 'streamable-http',
  url: 'https://mcp.example.com/{tenant}/mcp',
  variables: { tenant: { isRequired: true } },
};
const at = (url: string, rest: object = {}) => ({ remotes: [{ type: 'streamable-http', url, ...rest }] });
const find = (document: object, config: object = {}) =>
  entryUpstream({ document, config: readConfig({ ...config }), endpointUrl: null });

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

  it('is not the package that its configuration selects, which the reason says', () => {
    const document = {
      packages: [{ registryType: 'npm', identifier: 'a', version: '1', transport: { type: 'stdio' } }],
      ...at('https://a.example'),
    };
    const found = find(document, { run_with: 'npm' });
    expect(found).toMatchObject({ code: 'no_remote', detail: expect.stringContaining('run_with') as string });
  });

  it.each(['stdio', 'streamable-http'])(
    'is out of reach for a package that speaks %s, which says how to get on',
    (type) => {
      const packages = [
        { registryType: 'npm', identifier: 'a', version: '1', transport: { type, url: 'http://x/mcp' } },
      ];
      const { code, detail } = find({ packages }) as { code: string; detail: string };
      expect([code, detail.includes('endpoint_url'), detail.includes('/export?client=compose')]).toEqual([
        'no_remote',
        true,
        true,
      ]);
    },
  );

  it('may have a secret header that it can do without', () => {
    const document = at('https://a.example', {
      headers: [{ name: 'Authorization', isRequired: false, isSecret: true }],
    });
    expect(find(document)).toEqual({ url: 'https://a.example', headers: {} });
  });
});

describe('The server of an entry that uses credentials', () => {
  const open = (document: object, config: object = {}) =>
    credentialedUpstream({ document, config: readConfig({ ...config }), endpointUrl: null });

  it('has places for what its document marks as secret', () => {
    const headers = [
      { name: 'X-Api-Key', isSecret: true, isRequired: true, description: 'From the console.' },
      { name: 'Authorization', value: 'Bearer {token}', variables: { token: { isSecret: true } } },
      { name: 'X-Region', value: 'eu' },
    ];
    const variables = { tenant: { isSecret: true } };
    expect(open(at('https://a.example/{tenant}/mcp', { headers, variables }))).toEqual({
      url: 'https://a.example/{tenant}/mcp',
      headers: { 'x-region': 'eu' },
      origin: 'https://a.example',
      placements: {
        url: ['https://a.example/', { secret: 'tenant' }, '/mcp'],
        headers: { 'x-api-key': [{ secret: 'X-Api-Key' }], authorization: ['Bearer ', { secret: 'token' }] },
      },
      secrets: [
        { name: 'tenant', isRequired: true, isToken: false, description: undefined },
        { name: 'X-Api-Key', isRequired: true, isToken: false, description: 'From the console.' },
        { name: 'token', isRequired: false, isToken: true, description: undefined },
      ],
      setElsewhere: [],
    });
  });

  it('never has a value of the configuration in the place of a secret', () => {
    const document = at('https://a.example', { headers: [{ name: 'X-Api-Key', isSecret: true }] });
    const found = open(document, { headers: { 'X-Api-Key': 'leaked' } });
    expect(found).toMatchObject({ headers: {}, placements: { headers: { 'x-api-key': [{ secret: 'X-Api-Key' }] } } });
    expect(JSON.stringify(found)).not.toContain('leaked');
  });

  it('still needs what is no secret', () => {
    expect(open({ remotes: [remote] })).toMatchObject({ code: 'missing_values' });
    const headers = [{ name: 'X-Team', isRequired: false }];
    expect(open(at('https://a.example', { headers }))).toMatchObject({ headers: {}, secrets: [] });
  });

  it.each([
    'https://{secret}/mcp',
    'https://{secret}.example.com/mcp',
    'https://mcp.example.com{secret}',
    'https://mcp.example.com:{secret}/mcp',
    'https://mcp.example{secret}.com/mcp',
    'https://{secret}@mcp.example.com/mcp',
    'https://user:{secret}@mcp.example.com/mcp',
  ])('is out of reach if a secret decides where that is: %s', (url) => {
    expect(open(at(url, { variables: { secret: { isSecret: true } } }))).toMatchObject({ code: 'invalid_server' });
  });

  it.each([
    ['https://A.example/mcp', 'https://a.example'],
    ['https://a.example:443/{secret}', 'https://a.example'],
    ['http://127.0.0.1:9000/?key={secret}', 'http://127.0.0.1:9000'],
    ['https://a.example#{secret}', 'https://a.example'],
  ])('has the origin of its address without secrets: %s', (url, origin) => {
    expect(open(at(url, { variables: { secret: { isSecret: true } } }))).toMatchObject({ origin });
  });
});
