import { readConfig } from '../../entries/entry-config';
import { planContainer } from './container-plan';
import { shellLine } from './shell-line';

const npm = (fields: object = {}) => ({ registryType: 'npm', identifier: '@acme/weather', version: '1.2.3', transport: { type: 'stdio' }, ...fields }); // prettier-ignore
const pypi = (fields: object = {}) => npm({ registryType: 'pypi', identifier: 'acme-weather', ...fields });
const named = (name: string, value?: string, fields: object = {}) => ({ type: 'named', name, ...(value === undefined ? {} : { value }), ...fields }); // prettier-ignore
const positional = (value: string, fields: object = {}) => ({ type: 'positional', value, ...fields });

/** The command, or the reason without one. */
function plan(document: object, config: Record<string, unknown> = {}): string {
  const planned = planContainer(document, readConfig(config));
  return 'reason' in planned ? planned.reason : shellLine(planned.words, ({ name }) => name);
}
const run = (serverPackage: object, config = {}) => plan({ packages: [serverPackage] }, config);

describe('What runs in a container', () => {
  it('is a package of npm or PyPI, at its version', () => {
    expect(run(npm())).toBe('npx -y @acme/weather@1.2.3');
    expect(run(pypi())).toBe('uvx acme-weather==1.2.3');
    expect(run(pypi({ identifier: 'acme[x,y]' }))).toBe("uvx 'acme[x,y]==1.2.3'");
    expect(run(npm({ packageArguments: [positional('serve'), named('-p', '80')] }), { args: ['a b'] })).toBe(
      "npx -y @acme/weather@1.2.3 serve -p 80 'a b'",
    );
  });

  it('is no server that is reached without', () => {
    const remote = { type: 'streamable-http', url: 'https://mcp.acme.example/mcp' };
    expect(plan({ packages: [npm()], remotes: [remote] })).toBe('remote');
    expect(plan({ remotes: [remote] })).toBe('remote');
    expect(plan({ remotes: [{ ...remote, type: 'sse' }] })).toBe('remote');
    expect(plan({})).toBe('no_server');
  });

  it('is a package of which the remote server cannot be used', () => {
    const remote = { type: 'streamable-http', url: 'https://mcp.acme.example/mcp' };
    expect(plan({ packages: [npm()], remotes: [{ ...remote, type: 'sse' }] })).toBe('npx -y @acme/weather@1.2.3');
    expect(plan({ packages: [npm()], remotes: [{ ...remote, url: 'javascript:1' }] })).toBe(
      'npx -y @acme/weather@1.2.3',
    );
    expect(plan({ packages: [npm()] }, { run_with: 'pypi' })).toBe('run_with');
  });

  it('is no package beside a remote server, even if the entry selects it: the entry takes no endpoint_url', () => {
    const remote = { type: 'streamable-http', url: 'https://mcp.acme.example/mcp' };
    const document = { packages: [npm()], remotes: [remote] };
    for (const runWith of ['npm', 'remote', 'pypi']) expect(plan(document, { run_with: runWith })).toBe('remote');
    expect(planContainer(document, readConfig({ run_with: 'npm' }))).toMatchObject({
      detail: expect.stringContaining('run_with') as string,
    });
    expect(plan({ ...document, remotes: [{ ...remote, type: 'sse' }] }, { run_with: 'npm' })).toBe(
      'npx -y @acme/weather@1.2.3',
    );
  });

  it('is the first package that can be run; of none, the first one says why', () => {
    const oci = { registryType: 'oci', identifier: 'docker.io/acme/weather:1.2.3' };
    expect(plan({ packages: [oci, pypi(), npm()] })).toBe('uvx acme-weather==1.2.3');
    expect(plan({ packages: [oci, npm({ version: undefined })] })).toBe('no_bridge');
  });

  it.each([
    ['no_bridge', { registryType: 'oci', identifier: 'docker.io/acme/weather@sha256:0f' }],
    ['no_bridge', { registryType: 'nuget', identifier: 'Acme.Weather', version: '1.0.0' }],
    ['no_bridge', npm({ runtimeHint: 'bunx' })],
    ['mcpb', { registryType: 'mcpb', identifier: 'https://acme.example/a.mcpb', fileSha256: '0f' }],
    ['unknown_registry', { registryType: 'cargo', identifier: 'weather', version: '1.0.0' }],
    ['not_stdio', npm({ transport: { type: 'streamable-http', url: 'http://localhost:1/mcp' } })],
    ['invalid_package', npm({ identifier: '' })],
    ['invalid_package', npm({ identifier: 'weather;id' })],
    ['invalid_package', npm({ identifier: '$(id)' })],
    ['invalid_package', npm({ identifier: 'git+https://evil.example/x.git' })],
    ['invalid_package', npm({ identifier: 'https://evil.example/x.tgz' })],
    ['invalid_package', npm({ identifier: '../x' })],
    ['invalid_package', npm({ identifier: 'weather@1.0.0' })],
    ['invalid_package', pypi({ identifier: 'weather @ https://evil.example/x.whl' })],
    ['invalid_package', npm({ environmentVariables: [{ name: 'A B', value: 'x' }] })],
    ['invalid_package', npm({ environmentVariables: [{ name: 'A=B', value: 'x' }] })],
    ['invalid_package', npm({ packageArguments: [positional('a\0b')] })],
    ['unpinned', npm({ version: undefined })],
    ['unpinned', npm({ version: 'latest' })],
    ['unpinned', npm({ version: '^1.2.3' })],
    ['unpinned', npm({ version: '1.x' })],
    ['unpinned', pypi({ version: '1.*' })],
    ['unpinned', pypi({ version: '1.0,<2' })],
    ['unpinned', npm({ runtimeArguments: [positional('@acme/weather')] })],
    ['unpinned', npm({ runtimeArguments: [positional('@acme/weather@latest')] })],
    ['unpinned', npm({ runtimeArguments: [named('-p', 'other@latest')] })],
    ['unpinned', npm({ runtimeArguments: [named('--package', 'other')] })],
    ['unpinned', npm({ runtimeArguments: [named('--call', 'id')] })],
    [
      'unpinned',
      npm({
        runtimeArguments: [named('--package', '{x}', { isRequired: true, variables: { x: { isRequired: true } } })],
      }),
    ],
    ['unpinned', pypi({ runtimeArguments: [named('--from', 'git+https://acme.example/x.git')] })],
    ['unpinned', pypi({ runtimeArguments: [named('--with', 'other')] })],
    ['unpinned', pypi({ runtimeArguments: [named('--from', 'other==1.0.0'), positional('acme-weather')] })],
    ['unpinned', pypi({ runtimeArguments: [named('--with', 'acme-weather==1.2.3'), positional('other')] })],
  ])('is not what ends as %s: %j', (reason, serverPackage) => {
    expect(run(serverPackage)).toBe(reason);
  });

  it('is pinned by options, too', () => {
    const other = [named('-p', 'other@2.0.0'), named('--package=@acme/weather@1.2.3'), positional('weather')];
    expect(run(npm({ runtimeArguments: other }))).toBe('npx -y -p other@2.0.0 --package=@acme/weather@1.2.3 weather');
    const from = [named('--python', '3.12'), named('--from', 'acme-weather==1.2.3'), positional('weather')];
    expect(run(pypi({ runtimeArguments: from }))).toBe('uvx --python 3.12 --from acme-weather==1.2.3 weather');
    expect(run(pypi({ runtimeArguments: [named('-m', 'acme.server')] }))).toBe(
      'uvx --from acme-weather==1.2.3 python -m acme.server',
    );
    expect(run(pypi({ runtimeArguments: [named('--with', 'other==2.0.0')] }))).toBe(
      'uvx --with other==2.0.0 acme-weather==1.2.3',
    );
    expect(run(npm({ registryBaseUrl: 'https://npm.acme.example' }))).toBe(
      'npx -y --registry=https://npm.acme.example @acme/weather@1.2.3',
    );
  });

  it('needs no files but those that it makes itself', () => {
    const path = (fields: object) =>
      npm({ packageArguments: [named('--dir', undefined, { format: 'filepath', ...fields })] });
    expect(run(path({ isRequired: true }))).toBe('needs_files');
    expect(run(path({ default: './data' }))).toBe('needs_files');
    expect(run(path({}))).toBe('npx -y @acme/weather@1.2.3');
    expect(run(path({ isRequired: true }), { variables: { '--dir': '/tmp/data' } })).toBe(
      'npx -y @acme/weather@1.2.3 --dir /tmp/data',
    );
    for (const outside of ['/etc', '/tmp/../etc', '/tmpx', 'tmp', '/tmp/a/..'])
      expect(run(path({ isRequired: true }), { variables: { '--dir': outside } })).toBe('needs_files');
    const inside = { variables: { root: { format: 'filepath', isRequired: true } } };
    expect(run(npm({ packageArguments: [positional('{root}', inside)] }))).toBe('needs_files');
    expect(run(npm({ environmentVariables: [{ name: 'FILE', format: 'filepath', isRequired: true }] }))).toBe(
      'needs_files',
    );
    expect(
      run(npm({ environmentVariables: [{ name: 'FILE', format: 'filepath' }] }), { env: { FILE: '/tmp/x' } }),
    ).toBe('npx -y @acme/weather@1.2.3');
  });

  it('is asked for what it needs, and for nothing else', () => {
    const server = npm({
      environmentVariables: [
        { name: 'KEY', isSecret: true, isRequired: true },
        { name: 'MAY', isSecret: true },
        { name: 'REGION', default: 'eu' },
      ],
    });
    const planned = planContainer({ packages: [server] }, readConfig({ env: { KEY: 'sk-1' } }));
    expect(planned).toMatchObject({ unasked: [{ name: 'MAY' }], ignored: ['KEY'] });
    const env = 'reason' in planned ? [] : [...planned.env];
    expect(env).toEqual([
      ['KEY', [expect.objectContaining({ name: 'KEY', isSecret: true })]],
      ['REGION', ['eu']],
    ]);
  });
});
