import { readConfig } from '../entries/entry-config';
import { type ClientAbilities, planLaunch } from './launch';
import type { Template } from './template';

const ANY: ClientAbilities = { remotes: true, asks: true };
const LOCAL: ClientAbilities = { remotes: false, asks: false };

const textOf = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `<${part.name}>`)).join('');

/** A launch as one would read it: a command line with its environment, or an address with its headers. */
function plan(document: unknown, config: Record<string, unknown> = {}, client = ANY): unknown {
  const launch = planLaunch(document, readConfig(config), client);
  if ('reason' in launch) return launch.reason;
  const { server } = launch;
  const texts = (map: Map<string, Template>) =>
    Object.fromEntries([...map].map(([name, value]) => [name, textOf(value)]));
  return server.kind === 'local'
    ? { run: [server.command, ...server.args.map(textOf)].join(' '), env: texts(server.env) }
    : { type: server.type, url: textOf(server.url), headers: texts(server.headers) };
}
const run = (found: object, config = {}, client = ANY) => {
  const planned = plan({ packages: [{ transport: { type: 'stdio' }, identifier: 'pkg', ...found }] }, config, client);
  return typeof planned === 'string' ? planned : (planned as { run: string }).run;
};
const named = (name: string, fields = {}) => ({ type: 'named', name, ...fields });
const positional = (value: string, fields = {}) => ({ type: 'positional', value, ...fields });

describe('A package is run', () => {
  it('by what belongs to its registry, in its version', () => {
    expect(run({ registryType: 'npm', identifier: '@acme/x', version: '1.2.0' })).toBe('npx -y @acme/x@1.2.0');
    expect(run({ registryType: 'npm' })).toBe('npx -y pkg');
    expect(run({ registryType: 'pypi', version: '1.2.0' })).toBe('uvx pkg==1.2.0');
    expect(run({ registryType: 'nuget', version: '1.2.0' })).toBe('dnx pkg@1.2.0 --yes');
    expect(run({ registryType: 'oci', identifier: 'docker.io/acme/x:1.2' })).toBe(
      'docker run -i --rm docker.io/acme/x:1.2',
    );
  });

  it('as the document prefers, within reason', () => {
    expect(run({ registryType: 'npm', runtimeHint: 'bunx' })).toBe('bunx pkg');
    expect(run({ registryType: 'oci', runtimeHint: 'podman' })).toBe('podman run -i --rm pkg');
    for (const runtimeHint of ['bash', '/tmp/evil', 'node'])
      expect(run({ registryType: 'npm', runtimeHint })).toBe('npx -y pkg');
  });

  it('with the arguments of what runs it before it, and its own and those of the bundle behind it', () => {
    const found = {
      runtimeArguments: [positional('--quiet')],
      packageArguments: [positional('mcp'), named('--port', { value: '1' })],
    };
    const config = { args: ['--ours', 'x'] };
    expect(run({ registryType: 'npm', ...found }, config)).toBe('npx -y --quiet pkg mcp --port 1 --ours x');
    expect(run({ registryType: 'pypi', ...found }, config)).toBe('uvx --quiet pkg mcp --port 1 --ours x');
    expect(run({ registryType: 'nuget', ...found }, config)).toBe('dnx --quiet pkg --yes -- mcp --port 1 --ours x');
    expect(run({ registryType: 'oci', ...found }, config)).toBe('docker run -i --rm --quiet pkg mcp --port 1 --ours x');
  });

  it('once, where a document names it or the quiet flag among the arguments of what runs it', () => {
    const twice = [named('-y', { value: 'pkg@latest' })];
    expect(run({ registryType: 'npm', version: '1.0.0', runtimeArguments: twice })).toBe('npx -y pkg@latest');
    expect(run({ registryType: 'npm', runtimeArguments: [positional('--yes')] })).toBe('npx --yes pkg');
  });

  it('from its own registry, since one of the same name may be somebody else’s', () => {
    const from = (registryType: string, registryBaseUrl: string) => run({ registryType, registryBaseUrl });
    expect(from('npm', 'https://npm.acme.example')).toBe('npx -y --registry=https://npm.acme.example pkg');
    expect(from('pypi', 'https://pypi.acme.example/simple')).toBe(
      'uvx --default-index https://pypi.acme.example/simple pkg',
    );
    expect(from('nuget', 'https://nuget.acme.example')).toBe('dnx pkg --yes --source https://nuget.acme.example');
    expect(from('oci', 'https://oci.acme.example/')).toBe('docker run -i --rm oci.acme.example/pkg');
    expect(from('npm', 'https://registry.npmjs.org')).toBe('npx -y pkg');
    expect(from('pypi', 'https://pypi.org')).toBe('uvx pkg');
    expect(from('nuget', 'https://api.nuget.org/v3/index.json')).toBe('dnx pkg --yes');
    expect(from('oci', 'https://docker.io')).toBe('docker run -i --rm pkg');
  });

  it('in a container with its tag once, and with its environment', () => {
    const image = (identifier: string, version?: string) =>
      run({ registryType: 'oci', identifier, version }).split(' ').at(-1);
    expect(image('acme/x', '1.0')).toBe('acme/x:1.0');
    expect(image('acme/x:2.0', '1.0')).toBe('acme/x:2.0');
    expect(image('localhost:5000/acme/x', '1.0')).toBe('localhost:5000/acme/x:1.0');
    expect(image('acme/x@sha256:ab', '1.0')).toBe('acme/x@sha256:ab');
    const environmentVariables = [
      { name: 'A', value: '1' },
      { name: 'B', isSecret: true },
    ];
    const found = { registryType: 'oci', identifier: 'x', transport: { type: 'stdio' }, environmentVariables };
    expect(plan({ packages: [found] }, { env: { C: 'c' } })).toEqual({
      run: 'docker run -i --rm -e A -e B -e C x',
      env: { A: '1', B: '<B>', C: 'c' },
    });
  });

  it('with flags, values and questions', () => {
    const packageArguments = [
      named('--rm'),
      named('--verbose', { format: 'boolean' }),
      named('--read-only', { format: 'boolean', value: 'true' }),
      named('--project', { isRequired: true }),
      named('--optional', { description: 'Not needed.' }),
      named('--level', { default: 'info' }),
      positional('{dir}/x', { variables: { dir: { isRequired: true } } }),
      { type: 'positional', valueHint: 'path', isRequired: true },
      { type: '', value: 'odd' },
    ];
    const found = { registryType: 'npm', packageArguments };
    expect(run(found)).toBe('npx -y pkg --read-only --project <--project> --level info <dir>/x <path> odd');
    const variables = {
      '--verbose': true,
      '--project': 'p',
      '--optional': 'o',
      '--level': 'debug',
      dir: '/d',
      path: '/p',
    };
    expect(run(found, { variables })).toBe(
      'npx -y pkg --verbose --read-only --project p --optional o --level debug /d/x /p odd',
    );
  });

  it('not at all when nobody could, and says why', () => {
    expect(run({ registryType: 'mcpb', identifier: 'https://x.example/a.mcpb' })).toBe('mcpb');
    expect(run({ registryType: 'npm', transport: { type: 'streamable-http', url: 'http://localhost:1' } })).toBe(
      'not_stdio',
    );
    expect(run({ registryType: 'cargo' })).toBe('unknown_registry');
    for (const identifier of ['', '--evil', 'a b', ' a'])
      expect(run({ registryType: 'npm', identifier })).toBe('invalid_package');
    for (const document of [undefined, null, 1, [], {}, { packages: 1, remotes: [{}] }])
      expect(plan(document)).toBe('no_server');
  });
});

describe('A remote server is reached', () => {
  const remote = (fields = {}) => ({ type: 'streamable-http', url: 'https://mcp.acme.example/mcp', ...fields });

  it('at its address with its headers, and those of the bundle', () => {
    const headers = [
      { name: 'Authorization', value: 'Bearer {key}' },
      { name: 'X-Team', default: 'none' },
    ];
    expect(plan({ remotes: [remote({ headers })] }, { headers: { 'x-team': 'ops', 'X-More': '1' } })).toEqual({
      type: 'http',
      url: 'https://mcp.acme.example/mcp',
      headers: { Authorization: 'Bearer <key>', 'X-Team': 'ops', 'X-More': '1' },
    });
  });

  it('with what is open in its address filled in or asked for', () => {
    const url = 'https://{tenant}.acme.example/{path}';
    const found = remote({ url, variables: { tenant: { isRequired: true } } });
    expect(plan({ remotes: [found] })).toMatchObject({ url: 'https://<tenant>.acme.example/<path>' });
    const variables = { tenant: 't', path: 'p' };
    expect(plan({ remotes: [found] }, { variables })).toMatchObject({ url: 'https://t.acme.example/p' });
  });

  it('only by http or https', () => {
    for (const url of ['ftp://a.example', 'javascript:alert(1)', '{url}', 'https://', 'a.example']) {
      expect(plan({ remotes: [remote({ url })] })).toBe('invalid_address');
    }
    expect(plan({ remotes: [remote({ url: 'http://localhost:3000' })] })).toMatchObject({ type: 'http' });
  });

  it('by streamable HTTP rather than SSE, and after a package', () => {
    const both = [remote({ type: 'sse', url: 'https://a.example/sse' }), remote()];
    expect(plan({ remotes: both })).toMatchObject({ type: 'http' });
    expect(plan({ remotes: both.slice(0, 1) })).toMatchObject({ type: 'sse' });
    const npm = { registryType: 'npm', identifier: 'pkg', transport: { type: 'stdio' } };
    const mcpb = { registryType: 'mcpb', identifier: 'https://a.example/a.mcpb' };
    expect(plan({ packages: [mcpb, npm], remotes: both })).toEqual({ run: 'npx -y pkg', env: {} });
    expect(plan({ packages: [mcpb], remotes: both })).toMatchObject({ type: 'http' });
    expect(plan({ packages: [npm], remotes: both }, { run_with: 'remote' })).toMatchObject({ type: 'http' });
    expect(plan({ packages: [npm], remotes: both }, { run_with: 'oci' })).toBe('run_with');
  });
});

describe('A client that reads local servers only and cannot ask', () => {
  it('is told of remote servers that they are not for it', () => {
    expect(plan({ remotes: [{ type: 'sse', url: 'https://a.example' }] }, {}, LOCAL)).toBe('not_local');
  });

  it('gets no text in the place of a value that the server can do without', () => {
    const environmentVariables = [
      { name: 'MAY', isSecret: true },
      { name: 'MUST', isSecret: true, isRequired: true },
    ];
    const packageArguments = [named('--may', { isSecret: true })];
    const found = {
      registryType: 'oci',
      identifier: 'x',
      transport: { type: 'stdio' },
      environmentVariables,
      packageArguments,
    };
    expect(plan({ packages: [found] }, {}, LOCAL)).toEqual({
      run: 'docker run -i --rm -e MUST x',
      env: { MUST: '<MUST>' },
    });
    const launch = planLaunch({ packages: [found] }, readConfig({}), LOCAL);
    expect('unasked' in launch && launch.unasked.map(({ name }) => name)).toEqual(['MAY', '--may']);
  });
});
