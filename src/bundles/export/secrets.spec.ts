import { secretFaults } from './secrets';

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

describe('Secrets in a configuration', () => {
  it('are found wherever the document calls them so', () => {
    expect(faults({ env: { API_KEY: 'sk', REGION: 'eu' } })).toEqual(['env.API_KEY']);
    expect(faults({ headers: { authorization: 'Bearer sk', 'X-Team': 'ops' } })).toEqual(['headers.authorization']);
    expect(faults({ variables: { key: 'a', tenant: 'b', '--token': 'c', password: 'd', other: 'e' } })).toEqual(
      ['key', 'tenant', '--token', 'password'].map((name) => `variables.${name}`),
    );
    expect(secretFaults({ env: { API_KEY: 'sk-123' } }, SERVER)[0]?.msg).not.toContain('sk-123');
  });

  it('are not found where nothing is secret', () => {
    expect(faults({ env: { REGION: 'eu' }, args: ['x'], ours: { API_KEY: 1 } })).toEqual([]);
    for (const server of [1, null, {}, { packages: 'no' }])
      expect(faults({ env: { API_KEY: 'x' } }, server)).toEqual([]);
  });
});
