import { readConfig } from '../entries/entry-config';
import { type ClientAbilities, planLaunch } from './launch';
import type { Template } from './template';

const ANY: ClientAbilities = { remotes: true, asks: true };
const LOCAL: ClientAbilities = { remotes: false, asks: false };

const textOf = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `<${part.name}>`)).join('');

/** A launch in readable form: a command line with its environment, or an address with its headers. */
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
const run = (serverPackage: object, config = {}, client = ANY) => {
  const planned = plan(
    { packages: [{ transport: { type: 'stdio' }, identifier: 'pkg', ...serverPackage }] },
    config,
    client,
  );
  return typeof planned === 'string' ? planned : (planned as { run: string }).run;
};
const named = (name: string, fields = {}) => ({ type: 'named', name, ...fields });
const positional = (value: string, fields = {}) => ({ type: 'positional', value, ...fields });

describe('The command that runs a package', () => {
  it('uses the tool of its registry, and its version', () => {
    expect(run({ registryType: 'npm', identifier: '@acme/x', version: '1.2.0' })).toBe('npx -y @acme/x@1.2.0');
    expect(run({ registryType: 'npm' })).toBe('npx -y pkg');
    expect(run({ registryType: 'pypi', version: '1.2.0' })).toBe('uvx pkg==1.2.0');
    expect(run({ registryType: 'nuget', version: '1.2.0' })).toBe('dnx pkg@1.2.0 --yes');
    expect(run({ registryType: 'oci', identifier: 'docker.io/acme/x:1.2' })).toBe(
      'docker run -i --rm docker.io/acme/x:1.2',
    );
  });

  it('respects the runtime hint of the document if it is a known tool', () => {
    expect(run({ registryType: 'npm', runtimeHint: 'bunx' })).toBe('bunx pkg');
    expect(run({ registryType: 'oci', runtimeHint: 'podman' })).toBe('podman run -i --rm pkg');
    for (const runtimeHint of ['bash', '/tmp/evil', 'node'])
      expect(run({ registryType: 'npm', runtimeHint })).toBe('npx -y pkg');
  });

  it('puts runtime arguments before the package, and its own and the bundle’s behind it', () => {
    const serverPackage = {
      runtimeArguments: [positional('--quiet')],
      packageArguments: [positional('mcp'), named('--port', { value: '1' })],
    };
    const config = { args: ['--ours', 'x'] };
    expect(run({ registryType: 'npm', ...serverPackage }, config)).toBe('npx -y --quiet pkg mcp --port 1 --ours x');
    expect(run({ registryType: 'pypi', ...serverPackage }, config)).toBe('uvx --quiet pkg mcp --port 1 --ours x');
    expect(run({ registryType: 'nuget', ...serverPackage }, config)).toBe(
      'dnx --quiet pkg --yes -- mcp --port 1 --ours x',
    );
    expect(run({ registryType: 'oci', ...serverPackage }, config)).toBe(
      'docker run -i --rm --quiet pkg mcp --port 1 --ours x',
    );
  });

  it('names the package and the quiet flag once if the document’s runtime arguments contain them', () => {
    const twice = [named('-y', { value: 'pkg@latest' })];
    expect(run({ registryType: 'npm', version: '1.0.0', runtimeArguments: twice })).toBe('npx -y pkg@latest');
    expect(run({ registryType: 'npm', runtimeArguments: [positional('--yes')] })).toBe('npx --yes pkg');
  });

  it('uses the package’s own registry, since another package could have the same name elsewhere', () => {
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

  it('runs a container with exactly one tag, and with its environment', () => {
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
    const serverPackage = { registryType: 'oci', identifier: 'x', transport: { type: 'stdio' }, environmentVariables };
    expect(plan({ packages: [serverPackage] }, { env: { C: 'c' } })).toEqual({
      run: 'docker run -i --rm -e A -e B -e C x',
      env: { A: '1', B: '<B>', C: 'c' },
    });
  });

  it('contains flags, values and questions', () => {
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
    const serverPackage = { registryType: 'npm', packageArguments };
    expect(run(serverPackage)).toBe(
      'npx -y pkg --rm --read-only --project <--project> --level info <dir>/x <path> odd',
    );
    const variables = {
      '--verbose': true,
      '--project': 'p',
      '--optional': 'o',
      '--level': 'debug',
      dir: '/d',
      path: '/p',
    };
    expect(run(serverPackage, { variables })).toBe(
      'npx -y pkg --rm --verbose --read-only --project p --optional o --level debug /d/x /p odd',
    );
  });

  it('includes flags without a value, unless the bundle sets them', () => {
    const serverPackage = {
      registryType: 'pypi',
      runtimeArguments: [named('--mcp')],
      packageArguments: [named('--x')],
    };
    expect(run(serverPackage)).toBe('uvx --mcp pkg --x');
    expect(run(serverPackage, { variables: { '--mcp': false, '--x': 'y' } })).toBe('uvx pkg --x y');
    const docker = [named('--rm'), named('-i', { isRequired: false }), named('--net', { description: 'Which.' })];
    expect(run({ registryType: 'oci', runtimeArguments: docker })).toBe('docker run --rm -i pkg');
  });

  it('never runs another package because the document names a command before the package', () => {
    const behind = { version: '1.0', runtimeArguments: [positional('--yes'), positional('mcp'), named('--fast')] };
    expect(run({ registryType: 'npm', ...behind })).toBe('npx --yes pkg@1.0 mcp --fast');
    expect(run({ registryType: 'pypi', ...behind, runtimeArguments: [positional('serve'), named('--mcp')] })).toBe(
      'uvx pkg==1.0 serve --mcp',
    );
    expect(run({ registryType: 'nuget', ...behind, runtimeArguments: [positional('serve')] })).toBe(
      'dnx pkg@1.0 --yes -- serve',
    );
    const question = [positional('{tool}', { variables: { tool: { isRequired: true } } })];
    expect(run({ registryType: 'npm', runtimeArguments: question })).toBe('npx -y pkg <tool>');
    const python = [named('--python', { value: '3.12' }), named('--with'), positional('more')];
    expect(run({ registryType: 'pypi', runtimeArguments: python })).toBe('uvx --python 3.12 --with more pkg');
  });

  it('uses the package as the document spells it in the runtime arguments', () => {
    const module = { runtimeHint: 'python', runtimeArguments: [positional('-m'), positional('pkg_server')] };
    expect(run({ registryType: 'pypi', version: '1.0', ...module })).toBe('uvx --from pkg==1.0 python -m pkg_server');
    const from = [named('--from', { value: 'pkg' }), positional('server')];
    expect(run({ registryType: 'pypi', version: '1.0', runtimeArguments: from })).toBe('uvx --from pkg server');
    expect(run({ registryType: 'pypi', runtimeArguments: [positional('pkg[cli]@1.0')] })).toBe('uvx pkg[cli]@1.0');
    const npx = [positional('-p'), positional('pkg'), positional('server')];
    expect(run({ registryType: 'npm', runtimeArguments: npx })).toBe('npx -y -p pkg server');
    expect(run({ registryType: 'npm', runtimeArguments: [positional('pkgs')] })).toBe('npx -y pkg pkgs');
  });

  it('uses the whole container command if the document spells it out', () => {
    const described = { description: 'Sets an environment variable.' };
    const environmentVariables = [{ name: 'TOKEN', isSecret: true }];
    const packageOf = (image: string, ...more: object[]) => ({
      registryType: 'oci',
      identifier: 'docker.io/acme/x:1.0',
      environmentVariables,
      runtimeArguments: [
        positional('run', described),
        named('-i', described),
        named('-e', described),
        positional('TOKEN', described),
        positional(image),
        ...more,
      ],
    });
    const command = 'docker run --rm -i -e TOKEN docker.io/acme/x:1.0';
    for (const image of ['acme/x', 'acme/x:0.9', 'docker.io/acme/x@sha256:ab']) {
      expect(run(packageOf(image))).toBe(command);
      expect(run(packageOf(image, positional('serve')))).toBe(`${command} serve`);
    }
    expect(run(packageOf('acme/xy'))).toBe(`${command} acme/xy`);
    expect(run({ registryType: 'oci', runtimeArguments: [named('--gpus'), positional('pkg:2')] })).toBe(
      'docker run -i --rm --gpus pkg',
    );
  });

  it('omits configured values that were declared secret later', () => {
    const secret = { isSecret: true, isRequired: true };
    const runtimeArguments = [named('-e', { value: 'TOKEN={token}', variables: { token: secret } })];
    const packageArguments = [named('--key', secret)];
    const serverPackage = { registryType: 'oci', identifier: 'x', runtimeArguments, packageArguments };
    const config = {
      env: { TOKEN: 'sk-1' },
      variables: { '-e': 'TOKEN=sk-2', token: 'sk-3', '--key': 'sk-4' },
      args: ['--key', 'sk-5', '--key=sk-6', 'rest'],
    };
    const packages = [{ transport: { type: 'stdio' }, ...serverPackage }];
    expect(plan({ packages }, config)).toEqual({
      run: 'docker run -i --rm -e TOKEN=<token> x --key <--key> rest',
      env: {},
    });
    const headers = { Authorization: 'Bearer sk-7', 'X-Team': 'ops' };
    const remotes = [{ type: 'sse', url: 'https://a.example' }];
    expect(plan({ remotes }, { headers })).toMatchObject({ headers: { 'X-Team': 'ops' } });
    const launch = planLaunch({ packages }, readConfig(config), ANY);
    expect('ignored' in launch && launch.ignored).toEqual(['TOKEN', '-e', 'token', '--key', '--key', '--key']);
  });

  it('does not exist if no tool can run the package, with the reason', () => {
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

describe('The launch of a remote server', () => {
  const remote = (fields = {}) => ({ type: 'streamable-http', url: 'https://mcp.acme.example/mcp', ...fields });

  it('uses its address and its headers, and those of the bundle', () => {
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

  it('fills in variables of the address, or asks for them', () => {
    const url = 'https://{tenant}.acme.example/{path}';
    const server = remote({ url, variables: { tenant: { isRequired: true } } });
    expect(plan({ remotes: [server] })).toMatchObject({ url: 'https://<tenant>.acme.example/<path>' });
    const variables = { tenant: 't', path: 'p' };
    expect(plan({ remotes: [server] }, { variables })).toMatchObject({ url: 'https://t.acme.example/p' });
  });

  it('allows only http and https', () => {
    for (const url of ['ftp://a.example', 'javascript:alert(1)', '{url}', 'https://', 'a.example']) {
      expect(plan({ remotes: [remote({ url })] })).toBe('invalid_address');
    }
    expect(plan({ remotes: [remote({ url: 'http://localhost:3000' })] })).toMatchObject({ type: 'http' });
  });

  it('prefers a package, then streamable HTTP, then SSE', () => {
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

describe('For a client that reads only local servers and cannot ask', () => {
  it('a remote server is skipped with the reason not_local', () => {
    expect(plan({ remotes: [{ type: 'sse', url: 'https://a.example' }] }, {}, LOCAL)).toBe('not_local');
  });

  it('an optional value is omitted instead of replaced by a placeholder', () => {
    const environmentVariables = [
      { name: 'MAY', isSecret: true },
      { name: 'MUST', isSecret: true, isRequired: true },
    ];
    const packageArguments = [named('--may', { isSecret: true })];
    const serverPackage = {
      registryType: 'oci',
      identifier: 'x',
      transport: { type: 'stdio' },
      environmentVariables,
      packageArguments,
    };
    expect(plan({ packages: [serverPackage] }, {}, LOCAL)).toEqual({
      run: 'docker run -i --rm -e MUST x',
      env: { MUST: '<MUST>' },
    });
    const launch = planLaunch({ packages: [serverPackage] }, readConfig({}), LOCAL);
    expect('unasked' in launch && launch.unasked.map(({ name }) => name)).toEqual(['MAY', '--may']);
  });
});
