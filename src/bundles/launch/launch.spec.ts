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
    expect(run(found)).toBe('npx -y pkg --rm --read-only --project <--project> --level info <dir>/x <path> odd');
    const variables = {
      '--verbose': true,
      '--project': 'p',
      '--optional': 'o',
      '--level': 'debug',
      dir: '/d',
      path: '/p',
    };
    expect(run(found, { variables })).toBe(
      'npx -y pkg --rm --verbose --read-only --project p --optional o --level debug /d/x /p odd',
    );
  });

  it('with the flags of which only the name is given, unless the bundle says otherwise', () => {
    const found = { registryType: 'pypi', runtimeArguments: [named('--mcp')], packageArguments: [named('--x')] };
    expect(run(found)).toBe('uvx --mcp pkg --x');
    expect(run(found, { variables: { '--mcp': false, '--x': 'y' } })).toBe('uvx pkg --x y');
    const docker = [named('--rm'), named('-i', { isRequired: false }), named('--net', { description: 'Which.' })];
    expect(run({ registryType: 'oci', runtimeArguments: docker })).toBe('docker run --rm -i pkg');
  });

  it('never as another package, of which a document has the name of a command before the package', () => {
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

  it('by what of the package a document names itself', () => {
    const module = { runtimeHint: 'python', runtimeArguments: [positional('-m'), positional('pkg_server')] };
    expect(run({ registryType: 'pypi', version: '1.0', ...module })).toBe('uvx --from pkg==1.0 python -m pkg_server');
    const from = [named('--from', { value: 'pkg' }), positional('server')];
    expect(run({ registryType: 'pypi', version: '1.0', runtimeArguments: from })).toBe('uvx --from pkg server');
    expect(run({ registryType: 'pypi', runtimeArguments: [positional('pkg[cli]@1.0')] })).toBe('uvx pkg[cli]@1.0');
    const npx = [positional('-p'), positional('pkg'), positional('server')];
    expect(run({ registryType: 'npm', runtimeArguments: npx })).toBe('npx -y -p pkg server');
    expect(run({ registryType: 'npm', runtimeArguments: [positional('pkgs')] })).toBe('npx -y pkg pkgs');
  });

  it('in a container by the whole command, if a document spells it out', () => {
    const described = { description: 'Sets an environment variable.' };
    const environmentVariables = [{ name: 'TOKEN', isSecret: true }];
    const found = (image: string, ...more: object[]) => ({
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
      expect(run(found(image))).toBe(command);
      expect(run(found(image, positional('serve')))).toBe(`${command} serve`);
    }
    expect(run(found('acme/xy'))).toBe(`${command} acme/xy`);
    expect(run({ registryType: 'oci', runtimeArguments: [named('--gpus'), positional('pkg:2')] })).toBe(
      'docker run -i --rm --gpus pkg',
    );
  });

  it('without the secrets that a bundle has from before they were called so', () => {
    const secret = { isSecret: true, isRequired: true };
    const runtimeArguments = [named('-e', { value: 'TOKEN={token}', variables: { token: secret } })];
    const packageArguments = [named('--key', secret)];
    const found = { registryType: 'oci', identifier: 'x', runtimeArguments, packageArguments };
    const config = {
      env: { TOKEN: 'sk-1' },
      variables: { '-e': 'TOKEN=sk-2', token: 'sk-3', '--key': 'sk-4' },
      args: ['--key', 'sk-5', '--key=sk-6', 'rest'],
    };
    const packages = [{ transport: { type: 'stdio' }, ...found }];
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
