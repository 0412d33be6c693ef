import { execFileSync } from 'node:child_process';
import { PUBLIC_URL } from '../support/app';
import { createBundle, unique } from '../support/factories';
import { faultsOf } from '../support/faults';
import { createStage, type Person, type Stage } from './support/endpoint-stage';
import { TestUpstream } from './support/test-upstream';

let stage: Stage;
let ada: Person;
let upstream: TestUpstream;

beforeAll(async () => {
  stage = await createStage(1, { env: { RUN: 'api,worker' } });
  ada = await stage.person(unique('ada'));
  upstream = await TestUpstream.start();
});

afterAll(async () => {
  await stage.close();
  await upstream.close();
});

const connect = async (bundleId: string, query: string, api = ada.api) =>
  (await api.get(`/v1/bundles/${bundleId}/connect?${query}`)).body;
const bundle = async (slug: string) => {
  const { id } = await createBundle(ada.api, { slug, visibility: 'PUBLIC' });
  await ada.api.patch(`/v1/bundles/${id}/endpoint`, { is_enabled: true });
  return id;
};

/** What `curl` gets as its arguments when a shell runs the line, as a request. */
function requestOf(line: string, env: Record<string, string>): { url: string; init: RequestInit } {
  const stub = `curl() { printf '%s\\0' "$@"; }\n`;
  const words = execFileSync('/bin/sh', ['-c', stub + line], { encoding: 'utf8', env })
    .split('\0')
    .slice(0, -1);
  const headers: Record<string, string> = {};
  const rest: string[] = [];
  for (let place = 0; place < words.length; place++) {
    const [name = '', ...value] = words[place] === '-H' ? (words[++place] ?? '').split(': ') : [];
    if (name === '') rest.push(words[place] ?? '');
    else headers[name] = value.join(': ');
  }
  const [silent, data, body = '', url = '', ...others] = rest;
  expect([silent, data, others]).toEqual(['-sS', '-d', []]);
  return { url, init: { method: 'POST', headers, body } };
}

describe('The connection of a client to a bundle', () => {
  it('is by the address alone where the client signs in', async () => {
    const id = await bundle('incident-response');
    const url = `${PUBLIC_URL}/mcp/bundles/${id}`;
    const stranger = (await stage.person()).api;
    const vscode = await connect(id, 'client=vscode', stranger);
    expect(vscode).toMatchObject({
      client: 'vscode',
      bundle_id: id,
      key: 'incident-response',
      is_possible: true,
      problem: null,
      endpoint_url: url,
      authentication: 'oauth',
      link: { prefix: 'vscode:mcp/install?', content: `{"name":"incident-response","type":"http","url":"${url}"}` },
      file: { path: '.vscode/mcp.json' },
      inputs: [],
    });
    expect(await connect(id, 'client=cursor', stranger)).toMatchObject({
      link: { encoding: 'base64', content: `{"url":"${url}"}` },
      command: null,
    });
    const { command, notes } = await connect(id, 'client=claude-code', stranger);
    expect(command).toBe(`claude mcp add-json --scope user incident-response '{"type":"http","url":"${url}"}'`);
    expect(notes.join()).toContain('/mcp');
  });

  it('has a placeholder for an access token of the bundle, if that is wanted', async () => {
    const id = await bundle('on-call');
    const cursor = await connect(id, 'client=cursor&authentication=token');
    expect(cursor).toMatchObject({
      authentication: 'token',
      inputs: [{ name: 'TOKEN', is_secret: true, is_required: true, placeholder: '${env:ON_CALL__TOKEN}' }],
    });
    expect(JSON.parse(cursor.link?.content ?? '')).toEqual({
      url: `${PUBLIC_URL}/mcp/bundles/${id}`,
      headers: { Authorization: 'Bearer ${env:ON_CALL__TOKEN}' },
    });
  });

  it('lists the tools by a command of curl, with the token filled in or from the environment', async () => {
    const endpoint = await ada.endpoint([upstream.url]);
    const token = await endpoint.bundleToken(['read']);
    const { command, inputs, authentication } = await connect(endpoint.bundleId, 'client=curl');
    expect(authentication).toBe('token');
    const [input] = inputs;
    const filled = (command ?? '').replace(input?.placeholder ?? '', () => token.replace(/[\\"$`]/g, '\\$&'));
    for (const { url, init } of [requestOf(command ?? '', { TOOLYARD_TOKEN: token }), requestOf(filled, {})]) {
      expect(url).toBe(PUBLIC_URL + endpoint.path);
      const response = await fetch(url.replace(PUBLIC_URL, stage.test.url), init);
      expect(response.status).toBe(200);
      const answer = (await response.json()) as { result: { tools: { name: string }[] } };
      expect(answer.result.tools.map(({ name }) => name)).toEqual(
        expect.arrayContaining([expect.stringMatching(/__echo$/)]),
      );
    }
  });

  it('is not possible while the endpoint is off, nor by the file of Claude Desktop', async () => {
    const { id } = await createBundle(ada.api);
    const nothing = { is_possible: false, link: null, command: null, file: null, inputs: [] };
    for (const client of ['vscode', 'cursor', 'claude-code', 'claude-desktop', 'curl'])
      expect(await connect(id, `client=${client}`)).toMatchObject({
        ...nothing,
        problem: { reason: 'endpoint_off' },
        notes: [],
      });
    await ada.api.patch(`/v1/bundles/${id}/endpoint`, { is_enabled: true });
    const desktop = await connect(id, 'client=claude-desktop');
    expect(desktop).toMatchObject({ ...nothing, problem: { reason: 'not_local' } });
    expect(desktop.notes.join()).toContain('Connectors');
  });

  it('has a short name that the client takes', async () => {
    const keyOf = async (slug: string, client: string) => (await connect(await bundle(slug), `client=${client}`)).key;
    expect(await keyOf(`${'a'.repeat(31)}-bc`, 'cursor')).toBe('a'.repeat(31));
    expect(await keyOf('workspace', 'claude-code')).toBe('workspace-bundle');
  });

  it('does not sign in by curl', async () => {
    const refused = await ada.api.get(
      `/v1/bundles/${await bundle('plain')}/connect?client=curl&authentication=oauth`,
      422,
    );
    expect(faultsOf(refused)).toEqual(['query.authentication value_error']);
  });
});
