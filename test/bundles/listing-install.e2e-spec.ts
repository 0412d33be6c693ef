import { execFileSync } from 'node:child_process';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createBundle, createCast, createListing } from '../support/factories';
import { faultsOf } from '../support/faults';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
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
      environmentVariables: [{ name: 'API_KEY', isSecret: true, isRequired: true, default: 'from the portal' }],
    },
  ],
};
const REMOTE = {
  remotes: [
    {
      type: 'streamable-http',
      url: 'https://{tenant}.acme.example/mcp',
      variables: { tenant: { isRequired: true, choices: ['eu', 'us'] } },
    },
  ],
};

/** A listing with this latest `server.json`. */
async function listing(server: object, fields = {}): Promise<string> {
  const id = await createListing(test.dataSource, fields);
  await setServer(id, server);
  return id;
}
const setServer = (id: string, server: object) =>
  test.dataSource.query(
    `UPDATE listing_versions SET server = server::jsonb || $2 WHERE listing_id = $1 AND is_latest`,
    [id, server],
  );
const install = async (id: string, query: string, api = cast.outsider) =>
  (await api.get(`/v1/mcp/listings/${id}/install?${query}`)).body;

describe('The installation of a listing', () => {
  it('is what the export of a bundle with it has', async () => {
    const id = await listing(NPM);
    const { id: bundleId } = await createBundle(cast.owner);
    await cast.owner.post(`/v1/bundles/${bundleId}/entries`, { listing_id: id });
    for (const client of ['vscode', 'cursor', 'claude-code', 'claude-desktop']) {
      const { file, is_possible, problem, runs } = await install(id, `client=${client}`);
      const exported = (await cast.owner.get(`/v1/bundles/${bundleId}/export?client=${client}`)).body;
      expect([is_possible, problem, runs]).toEqual([true, null, 'npx -y @acme/weather@1.0.0']);
      expect(JSON.parse(file?.content ?? '')).toEqual(exported);
    }
  });

  it('has a link for VS Code and Cursor, and a command for Claude Code, without secrets', async () => {
    const id = await listing(NPM);
    const vscode = await install(id, 'client=vscode');
    const { key } = vscode;
    expect(vscode).toMatchObject({
      client: 'vscode',
      listing_id: id,
      version: '1.0.0',
      endpoint_url: null,
      link: { prefix: 'vscode:mcp/install?', encoding: 'percent' },
      inputs: [
        {
          name: 'API_KEY',
          description: null,
          is_secret: true,
          is_required: true,
          placeholder: `\${input:${key}.API_KEY}`,
          default: 'from the portal',
          choices: null,
        },
      ],
    });
    expect(JSON.parse(vscode.link?.content ?? '')).toMatchObject({
      name: key,
      env: { API_KEY: `\${input:${key}.API_KEY}` },
    });
    const cursor = await install(id, 'client=cursor');
    expect(cursor.link?.prefix).toBe(`cursor://anysphere.cursor-deeplink/mcp/install?name=${key}&config=`);
    const { command, link } = await install(id, 'client=claude-code');
    expect(link).toBeNull();
    const words = execFileSync('/bin/sh', ['-c', `claude() { printf '%s\\0' "$@"; }\n${command ?? ''}`], {
      encoding: 'utf8',
    });
    expect(words.split('\0').slice(0, 5)).toEqual(['mcp', 'add-json', '--scope', 'user', key]);
  });

  it('asks for the parts of an address, and explains where Claude Desktop has remote servers', async () => {
    const id = await listing(REMOTE);
    const cursor = await install(id, 'client=cursor');
    expect(cursor).toMatchObject({
      is_possible: true,
      runs: null,
      endpoint_url: 'https://{tenant}.acme.example/mcp',
      inputs: [{ name: 'tenant', is_secret: false, choices: ['eu', 'us'], default: null }],
    });
    const desktop = await install(id, 'client=claude-desktop');
    expect(desktop).toMatchObject({
      is_possible: false,
      problem: { reason: 'not_local' },
      endpoint_url: 'https://{tenant}.acme.example/mcp',
      link: null,
      command: null,
      file: null,
      inputs: [],
    });
    expect(desktop.notes.join()).toContain('Connectors');
  });

  it('is of any version that is there, and of the newest by default', async () => {
    const id = await listing(NPM);
    await test.dataSource.query(
      `INSERT INTO listing_versions (listing_id, version, server, is_latest, status)
       SELECT listing_id, '0.9.0', jsonb_set(server::jsonb, '{packages,0,version}', '"0.9.0"'), false, 'active'
       FROM listing_versions WHERE listing_id = $1`,
      [id],
    );
    const old = await install(id, 'client=cursor&version=0.9.0');
    expect([old.version, old.runs]).toEqual(['0.9.0', 'npx -y @acme/weather@0.9.0']);
    await test.dataSource.query(
      `UPDATE listing_versions SET status = 'deprecated' WHERE listing_id = $1 AND version = '0.9.0'`,
      [id],
    );
    expect((await install(id, 'client=cursor&version=0.9.0')).notes[0]).toBe('Version 0.9.0 is deprecated.');
    await test.dataSource.query(
      `UPDATE listing_versions SET status = 'deleted' WHERE listing_id = $1 AND version = '0.9.0'`,
      [id],
    );
    const deleted = await install(id, 'client=cursor&version=0.9.0');
    expect(deleted).toMatchObject({ is_possible: false, problem: { reason: 'unavailable' }, notes: [] });
    const missing = await cast.outsider.get(`/v1/mcp/listings/${id}/install?client=cursor&version=7`, 404);
    expect(missing.body.code).toBe('listing_version_not_found');
  });

  it('says why there is none', async () => {
    const reasonOf = async (server: object, query = 'client=cursor') =>
      (await install(await listing(server), query)).problem?.reason;
    expect(await reasonOf({})).toBe('no_server');
    const foreign = {
      remotes: [{ type: 'sse', url: 'https://a.example', headers: [{ name: 'X', value: '${HOME}' }] }],
    };
    for (const client of ['vscode', 'cursor', 'claude-code']) {
      expect(await reasonOf(foreign, `client=${client}`)).toBe('client_variables');
    }
    const mine = await listing(NPM, { orgId: cast.orgId });
    await test.dataSource.query(`UPDATE listings SET status = 'ARCHIVED' WHERE id = $1`, [mine]);
    expect((await install(mine, 'client=cursor', cast.owner)).problem?.reason).toBe('unavailable');
  });

  it('avoids the names that Claude Code uses itself', async () => {
    const id = await listing(NPM);
    await test.dataSource.query(`UPDATE listings SET name = 'com.acme/workspace' WHERE id = $1`, [id]);
    expect((await install(id, 'client=cursor')).key).toBe('workspace');
    expect((await install(id, 'client=claude-code')).key).toBe('acme-workspace');
  });

  it('names a client', async () => {
    const id = await listing(NPM);
    for (const [query, fault] of [
      ['', 'query.client missing'],
      ['client=compose', 'query.client enum'],
      ['client=curl', 'query.client enum'],
    ]) {
      expect(faultsOf(await cast.outsider.get(`/v1/mcp/listings/${id}/install?${query}`, 422))).toEqual([fault]);
    }
  });
});
