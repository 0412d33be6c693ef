import { readConfig } from '../entries/entry-config';
import { secretFaults, withoutSecrets } from './secrets';

const SERVER = {
  packages: [
    {
      environmentVariables: [
        { name: 'API_KEY', isSecret: true },
        { name: 'REGION' },
        { name: 'URL', value: '{key}', variables: { key: { isSecret: true } } },
      ],
      packageArguments: [
        { type: 'named', name: '--token', isSecret: true },
        { type: 'positional', valueHint: 'password', isSecret: true },
      ],
    },
  ],
  remotes: [
    {
      type: 'sse',
      url: 'https://{tenant}.example',
      headers: [{ name: 'Authorization', isSecret: true }],
      variables: { tenant: { isSecret: true } },
    },
  ],
};
const faults = (config: Record<string, unknown>, server: unknown = SERVER) =>
  secretFaults(config, server).map(({ loc }) => loc.join('.'));

describe('Secrets in the configuration of a bundle entry', () => {
  it('are found wherever the document declares them', () => {
    expect(faults({ env: { API_KEY: 'sk', REGION: 'eu' } })).toEqual(['env.API_KEY']);
    expect(faults({ headers: { authorization: 'Bearer sk', 'X-Team': 'ops' } })).toEqual(['headers.authorization']);
    expect(faults({ variables: { key: 'a', tenant: 'b', '--token': 'c', password: 'd', other: 'e' } })).toEqual(
      ['key', 'tenant', '--token', 'password'].map((name) => `variables.${name}`),
    );
    expect(secretFaults({ env: { API_KEY: 'sk-123' } }, SERVER)[0]?.msg).not.toContain('sk-123');
  });

  it('are not reported where nothing is secret', () => {
    expect(faults({ env: { REGION: 'eu' }, args: ['x'], ours: { API_KEY: 1 } })).toEqual([]);
    for (const server of [1, null, {}, { packages: 'no' }])
      expect(faults({ env: { API_KEY: 'x' } }, server)).toEqual([]);
  });

  it('are also found in a value that contains them', () => {
    const bearer = { name: 'X-Auth', value: 'Bearer {token}', variables: { token: { isSecret: true } } };
    const packages = [
      {
        environmentVariables: [{ ...bearer, name: 'DSN' }, { name: 'REGION' }],
        runtimeArguments: [{ ...bearer, type: 'named', name: '-e', value: 'GITHUB_TOKEN={token}' }],
        packageArguments: [
          { type: 'named', name: '--api-key', isSecret: true },
          { ...bearer, type: 'named', name: '--auth' },
        ],
        transport: {
          type: 'sse',
          headers: [{ name: 'X-Pat', isSecret: true }],
          variables: { pin: { isSecret: true } },
        },
      },
    ];
    const server = { packages, remotes: [{ type: 'sse', url: 'https://a.example', headers: [bearer] }] };
    expect(faults({ env: { DSN: 'a', GITHUB_TOKEN: 'b', REGION: 'eu' } }, server)).toEqual([
      'env.DSN',
      'env.GITHUB_TOKEN',
    ]);
    expect(faults({ headers: { 'x-auth': 'a', 'X-PAT': 'b', 'X-Team': 'c' } }, server)).toEqual([
      'headers.x-auth',
      'headers.X-PAT',
    ]);
    const variables = { '-e': 'a', '--auth': 'b', pin: 'c', '--other': 'd' };
    expect(faults({ variables }, server)).toEqual(['variables.-e', 'variables.--auth', 'variables.pin']);
    const args = ['--fast', '--api-key', 'sk', '--auth=sk', '-e', 'x', '--api-keys'];
    expect(faults({ args }, server)).toEqual(['args.1', 'args.3']);
    expect(withoutSecrets(readConfig({ args, env: { DSN: 'a', REGION: 'eu' } }), server)).toMatchObject({
      config: { args: ['--fast', '-e', 'x', '--api-keys'], env: new Map([['REGION', 'eu']]) },
      ignored: ['DSN', '--api-key', '--auth'],
    });
  });

  it('include all variables in a secret value, unless the document marks the secret ones', () => {
    const remote = (header: object) => ({
      remotes: [{ type: 'sse', url: 'https://a.example', headers: [{ name: 'X-Auth', isSecret: true, ...header }] }],
    });
    const variables = { kind: 'Bearer', key: 'sk' };
    const value = '{kind} {key}';
    const all = ['variables.kind', 'variables.key'];
    expect(faults({ variables }, remote({ value }))).toEqual(all);
    expect(faults({ variables }, remote({ value, variables: { kind: {}, key: {} } }))).toEqual(all);
    const declared = { kind: {}, key: { isSecret: true } };
    expect(faults({ variables }, remote({ value, variables: declared }))).toEqual(['variables.key']);
  });

  it('include credential headers and the variables in them, whatever the document says', () => {
    const headers = { authorization: 'Bearer sk', Cookie: 'a=b', 'Proxy-Authorization': 'x', Accept: '*/*' };
    const refused = ['headers.authorization', 'headers.Cookie', 'headers.Proxy-Authorization'];
    expect(faults({ headers }, {})).toEqual(refused);
    const open = { name: 'Authorization', value: 'Bearer {smithery_api_key}' };
    const server = { remotes: [{ type: 'sse', url: 'https://a.example', headers: [open] }] };
    expect(faults({ headers, variables: { smithery_api_key: 'sk' } }, server)).toEqual([
      ...refused,
      'variables.smithery_api_key',
    ]);
  });
});
