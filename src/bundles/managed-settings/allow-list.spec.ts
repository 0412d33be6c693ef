import { AllowList, type ApprovedServer } from './allow-list';

async function allowListOf(servers: ApprovedServer[]): Promise<Pick<AllowList, 'allowed' | 'unlisted'>> {
  const list = new AllowList();
  for (const server of servers) await list.add(server);
  return list;
}

const approved = (server: object, config: Record<string, unknown> = {}): ApprovedServer => ({
  listing_id: '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10',
  name: 'io.github.acme/weather',
  server: { name: 'io.github.acme/weather', description: 'Forecasts.', version: '1.4.0', ...server },
  config,
});
const npm = { registryType: 'npm', identifier: '@acme/weather', version: '1.4.0', transport: { type: 'stdio' } };
const oci = { registryType: 'oci', identifier: 'acme/weather:1.4.0', transport: { type: 'stdio' } };
const remote = (url: string) => ({ type: 'streamable-http', url });

describe('The allow list of servers', () => {
  it('contains every way to run a server: packages by command, remotes by address', async () => {
    const { allowed, unlisted } = await allowListOf([
      approved({ packages: [npm, oci], remotes: [remote('https://weather.example.com/mcp')] }),
    ]);
    expect(allowed).toEqual([
      { serverCommand: ['npx', '-y', '@acme/weather@1.4.0'] },
      { serverCommand: ['docker', 'run', '-i', '--rm', 'acme/weather:1.4.0'] },
      { serverUrl: 'https://weather.example.com/mcp' },
    ]);
    expect(unlisted).toEqual([]);
  });

  it('has a * for the part of an address that each user sets', async () => {
    const { allowed } = await allowListOf([
      approved({ remotes: [remote('https://weather.example.com/{tenant}/mcp')] }),
    ]);
    expect(allowed).toEqual([{ serverUrl: 'https://weather.example.com/*/mcp' }]);
  });

  it.each([
    'https://{host}/mcp',
    'https://{all}',
    'https://*/mcp',
    'https://a.example.com/*',
    'https://{tenant}.example.com/mcp',
    'https://a-{tenant}.example.com/mcp',
    'https://example.com{rest}',
    'https://example.com:{port}/mcp',
    'https://example.com@{host}/mcp',
  ])('omits addresses that would allow other hosts: %s', async (url) => {
    const { allowed, unlisted } = await allowListOf([approved({ remotes: [remote(url)] })]);
    expect(allowed).toEqual([]);
    expect(unlisted).toHaveLength(1);
  });

  it('is empty without servers', async () => {
    expect(await allowListOf([])).toMatchObject({ allowed: [], unlisted: [] });
  });

  it('contains the command that a bundle configures, without duplicates', async () => {
    const { allowed } = await allowListOf([
      approved({ packages: [npm] }),
      approved({ packages: [npm] }),
      approved({ packages: [npm] }, { args: ['--units', 'metric'] }),
    ]);
    expect(allowed).toEqual([
      { serverCommand: ['npx', '-y', '@acme/weather@1.4.0'] },
      { serverCommand: ['npx', '-y', '@acme/weather@1.4.0', '--units', 'metric'] },
    ]);
  });

  it('reports what it cannot express, without duplicates', async () => {
    const secret = { type: 'named', name: '--key', isSecret: true, isRequired: true };
    const server = approved({ packages: [{ ...npm, packageArguments: [secret] }] });
    const { allowed, unlisted } = await allowListOf([server, server]);
    expect(allowed).toEqual([]);
    expect(unlisted).toHaveLength(1);
    expect(unlisted).toMatchObject([
      { name: 'io.github.acme/weather', detail: expect.stringContaining('each user') as string },
    ]);
  });

  it('names only the ways among which the configuration leaves a choice', async () => {
    const server = { packages: [npm, oci], remotes: [remote('https://weather.example.com/mcp')] };
    const { allowed, unlisted } = await allowListOf([approved(server, { run_with: 'npm' })]);
    expect(allowed).toEqual([{ serverCommand: ['npx', '-y', '@acme/weather@1.4.0'] }]);
    expect(unlisted).toEqual([]);
  });

  it('reports a server once if nothing in its document runs with what the configuration names', async () => {
    const { allowed, unlisted } = await allowListOf([approved({ packages: [npm, oci] }, { run_with: 'pypi' })]);
    expect(allowed).toEqual([]);
    expect(unlisted).toMatchObject([{ detail: 'Its server.json has nothing that runs with pypi.' }]);
  });

  it('has the commands that the export writes: a value is secret in every package if it is in one', async () => {
    const secretInOci = { ...oci, environmentVariables: [{ name: 'REGION', isSecret: true }] };
    const plain = {
      ...npm,
      packageArguments: [{ type: 'positional', value: '{REGION}', variables: { REGION: { default: 'us' } } }],
    };
    const variables = [{ type: 'positional', value: '{REGION}', variables: { REGION: { isSecret: true } } }];
    const server = { packages: [plain, { ...secretInOci, packageArguments: variables }] };
    const { allowed } = await allowListOf([approved(server, { run_with: 'npm', variables: { REGION: 'eu' } })]);
    expect(allowed).toEqual([{ serverCommand: ['npx', '-y', '@acme/weather@1.4.0', 'us'] }]);
  });
});
