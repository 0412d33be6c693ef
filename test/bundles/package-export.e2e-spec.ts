import { parse, parseAllDocuments } from 'yaml';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { exportReport } from '../support/bundles';
import { type Cast, createBundle, createCast, createListing } from '../support/factories';
import { statementsOf } from '../support/statements';

const DIGEST = `sha256:${'0f'.repeat(32)}`;
const IMAGE = `registry.acme.example/supergateway:4.0.0@${DIGEST}`;
let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', PACKAGE_BRIDGE_IMAGE_NPM: IMAGE } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const NPM = {
  packages: [
    {
      registryType: 'npm',
      identifier: '@acme/weather',
      version: '1.0.0',
      transport: { type: 'stdio' },
      environmentVariables: [
        { name: 'API_KEY', isSecret: true, isRequired: true, description: 'From the portal.' },
        { name: 'TRACE_KEY', isSecret: true },
        { name: 'REGION', default: 'us' },
      ],
    },
  ],
};
const PYPI = {
  packages: [{ ...NPM.packages[0], registryType: 'pypi', identifier: 'acme-weather', environmentVariables: [] }],
};
const REMOTE = { remotes: [{ type: 'streamable-http', url: 'https://mcp.acme.example/mcp' }] };
const OCI = {
  packages: [{ registryType: 'oci', identifier: 'docker.io/acme/weather:1.0.0', transport: { type: 'stdio' } }],
};

async function listing(server: object, fields = {}): Promise<string> {
  const id = await createListing(test.dataSource, fields);
  await test.dataSource.query(
    `UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1 AND is_latest`,
    [id, server],
  );
  return id;
}

async function bundleOf(servers: (object | string)[], fields = {}): Promise<{ id: string; keys: string[] }> {
  const entries = [];
  for (const server of servers)
    entries.push({ listing_id: typeof server === 'string' ? server : await listing(server) });
  const { id } = await createBundle(cast.owner, fields);
  await cast.owner.put(`/v1/bundles/${id}/entries`, { entries }, 200);
  const { body } = await cast.owner.get(`/v1/bundles/${id}/entries`);
  return { id, keys: body.map(({ key }) => key as string) };
}

const exported = (api: Api, id: string, query: string) => api.get(`/v1/bundles/${id}/export?${query}`);

interface ComposeFile {
  name: string;
  services: Record<string, { image: string; command: string[]; environment: Record<string, string>; runtime?: string }>;
}
const composeOf = async (id: string, query = '') =>
  parse((await exported(cast.owner, id, `client=compose${query}`)).text) as ComposeFile;

describe('The export that runs servers', () => {
  it('is a file for Compose: what is a package and has no remote server, in YAML', async () => {
    const { id, keys } = await bundleOf([NPM, PYPI, REMOTE, OCI]);
    const answer = await exported(cast.owner, id, 'client=compose');
    expect(answer.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('inline; filename="compose.yaml"');
    expect(answer.headers['x-skipped-entries']).toBe('2');
    const { name, services } = parse(answer.text) as ComposeFile;
    expect(name).toBe(`toolyard-${id}`);
    expect(Object.keys(services)).toEqual(keys.slice(0, 2).map((key) => `mcp-${key}`));
    const [npm, pypi] = Object.values(services);
    const variable = (keys[0] as string).toUpperCase().replaceAll('-', '_');
    expect(npm).toMatchObject({
      image: IMAGE,
      environment: { API_KEY: `\${${variable}__API_KEY:?a value for ${variable}__API_KEY}`, REGION: 'us' },
    });
    expect(npm?.command.slice(0, 2)).toEqual(['--stdio', 'exec npx -y @acme/weather@1.0.0']);
    expect(pypi?.image).toMatch(/^docker\.io\/supercorp\/supergateway@\$\{SUPERGATEWAY_UVX_DIGEST:\?/);
    expect(pypi?.command.slice(0, 2)).toEqual(['--stdio', 'exec uvx acme-weather==1.0.0']);
  });

  it('are manifests for Kubernetes, for whose bridge the operator has set an image', async () => {
    const { id, keys } = await bundleOf([NPM, PYPI]);
    const answer = await exported(cast.owner, id, 'client=kubernetes&runtime_class=gvisor');
    expect(answer.headers['content-type']).toBe('application/yaml; charset=utf-8');
    expect(answer.headers['content-disposition']).toBe('inline; filename="kubernetes.yaml"');
    const documents = parseAllDocuments(answer.text).map((each) => each.toJS() as { kind: string });
    expect(documents.map(({ kind }) => kind)).toEqual(['Namespace', 'NetworkPolicy', 'Deployment', 'Service']);
    expect(documents[2]).toMatchObject({
      metadata: { name: `mcp-${keys[0] ?? ''}`, namespace: `toolyard-${id}` },
      spec: { template: { spec: { runtimeClassName: 'gvisor', containers: [{ image: IMAGE }] } } },
    });
    const { skipped } = await exportReport(cast.owner, id, 'client=kubernetes');
    expect(skipped).toMatchObject([
      { key: keys[1], reason: 'no_bridge', detail: expect.stringContaining('PACKAGE_BRIDGE_IMAGE_PYPI') as string },
    ]);
  });

  it.each(['compose', 'kubernetes'])(
    'reports what is left out, what to provide, and where servers are: %s',
    async (client) => {
      const { id, keys } = await bundleOf([NPM, REMOTE, OCI]);
      const report = await exportReport(cast.owner, id, `client=${client}`);
      expect(report).toMatchObject({ client, path: `${client}.yaml`, warnings: [] });
      expect(report.skipped.map(({ key, reason }) => [key, reason])).toEqual([
        [keys[1], 'remote'],
        [keys[2], 'no_bridge'],
      ]);
      expect(
        report.inputs.map(({ name, is_secret, is_required, placeholder }) => [
          name,
          is_secret,
          is_required,
          typeof placeholder,
        ]),
      ).toEqual([
        ['API_KEY', true, true, 'string'],
        ['TRACE_KEY', true, false, 'object'],
      ]);
      expect(report.servers).toEqual([
        expect.objectContaining({
          key: keys[0],
          endpoint_url: expect.stringMatching(
            client === 'compose'
              ? /^http:\/\/127\.0\.0\.1:2\d{4}\/mcp$/
              : new RegExp(`^http://mcp-${keys[0] ?? ''}\\.toolyard-${id}\\.svc:8000/mcp$`),
          ) as string,
        }),
      ]);
      expect(report.notes.join('\n')).toContain('endpoint_url');
      const { text } = await exported(cast.owner, id, `client=${client}`);
      const documents = parseAllDocuments(text).map((each) => each.toJS() as object);
      expect(report.configuration).toEqual(
        client === 'compose' ? documents[0] : { apiVersion: 'v1', kind: 'List', items: documents },
      );
    },
  );

  it.each(['compose', 'kubernetes'])('has no value of what became a secret later: %s', async (client) => {
    const id = await listing({ packages: [{ ...NPM.packages[0], environmentVariables: [{ name: 'TOKEN' }] }] });
    const bundle = await createBundle(cast.owner);
    const entries = [{ listing_id: id, config: { env: { TOKEN: 'sk-12345', HOME: '/root' } } }];
    await cast.owner.put(`/v1/bundles/${bundle.id}/entries`, { entries }, 200);
    const secret = [
      { ...NPM.packages[0], environmentVariables: [{ name: 'TOKEN', isSecret: true, isRequired: true }] },
    ];
    await test.dataSource.query(
      `UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1 AND is_latest`,
      [id, { packages: secret }],
    );
    const report = await exportReport(cast.owner, bundle.id, `client=${client}`);
    expect(JSON.stringify(report)).not.toContain('sk-12345');
    expect((await exported(cast.owner, bundle.id, `client=${client}`)).text).not.toContain('sk-12345');
    expect(report.warnings.map(({ detail }) => detail)).toEqual([
      expect.stringContaining('TOKEN is a secret'),
      expect.stringContaining('HOME is set by the container'),
    ]);
  });

  it('is of the requested version, and for those who may read the bundle', async () => {
    const { id } = await bundleOf([NPM], { org_id: cast.orgId });
    await cast.owner.put(`/v1/bundles/${id}/entries`, { entries: [{ listing_id: await listing(PYPI) }] }, 200);
    const lines = async (query: string) =>
      Object.values((await composeOf(id, query)).services).map(({ command }) => command[1]);
    expect(await lines('&version=2')).toEqual(['exec npx -y @acme/weather@1.0.0']);
    expect(await lines('')).toEqual(['exec uvx acme-weather==1.0.0']);
    expect((await exported(cast.member, id, 'client=compose')).status).toBe(200);
    await cast.outsider.get(`/v1/bundles/${id}/export?client=compose`, 404);
  });

  it('does not show the package of a listing that the caller cannot see', async () => {
    const hidden = await listing(NPM, { visibility: 'PRIVATE', orgId: cast.orgId });
    const { id } = await bundleOf([hidden, PYPI], { org_id: cast.orgId, visibility: 'PUBLIC' });
    expect((await exported(cast.member, id, 'client=compose')).text).toContain('@acme/weather');
    expect((await exported(cast.outsider, id, 'client=compose')).text).not.toContain('@acme/weather');
  });

  it('takes the name of a runtime, and no other text for it', async () => {
    const { id } = await bundleOf([NPM]);
    expect(Object.values((await composeOf(id, '&runtime_class=runsc')).services).map(({ runtime }) => runtime)).toEqual(
      ['runsc'],
    );
    for (const query of [
      'client=compose&runtime_class=a%0Ab',
      'client=kubernetes&runtime_class=Up',
      `client=compose&runtime_class=${'a'.repeat(64)}`,
      'client=compose&runtime_class=a-',
      'client=vscode&runtime_class=runsc',
    ]) {
      const refused = await cast.owner.get(`/v1/bundles/${id}/export?${query}`, 422);
      expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'runtime_class'] }] });
    }
  });

  it('sends the same three statements for one entry and for twenty, and one more per further batch', async () => {
    const counts: number[] = [];
    for (const count of [1, 30]) {
      const { id } = await bundleOf(Array.from({ length: count }, () => NPM));
      counts.push((await statementsOf(test, () => exported(cast.owner, id, 'client=compose'))).length);
    }
    expect(counts).toEqual([3, 4]);
  });

  it('is refused above 4 MiB', async () => {
    const args = Array.from({ length: 100 }, () => ({ type: 'positional', value: "'".repeat(600) }));
    const large = { packages: [{ ...NPM.packages[0], packageArguments: args }] };
    const { id } = await bundleOf(Array.from({ length: 20 }, () => large));
    const refused = await cast.owner.get(`/v1/bundles/${id}/export?client=compose`, 409);
    expect(refused.body).toMatchObject({ code: 'bundle_conflict' });
  });
});
