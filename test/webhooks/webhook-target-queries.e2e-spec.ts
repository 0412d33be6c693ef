import { QueryEncryption } from '../../src/webhooks/engine/query-encryption';
import { WebhookSecrets } from '../../src/webhooks/endpoints/webhook-secrets';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { eventually } from '../support/eventually';
import { Cast, createBundle, createCast, createEndpoint, unique } from '../support/factories';
import { Receiver } from '../support/receiver';
import { SENDING } from '../support/sending';
import type { Query } from '../support/typed-paths';

const QUERY = '?token=never-shown-to-members&a=%2F%3F';

let test: TestApp;
let cast: Cast;
let receiver: Receiver;

beforeAll(async () => {
  receiver = await Receiver.start((webhook, response) => {
    response.writeHead(webhook.path.startsWith('/gone') ? 410 : 204).end();
  });
  test = await createTestApp({ env: { ...SENDING } });
  cast = await createCast(test);
});

afterAll(async () => {
  await test.close();
  await receiver.close();
});

const target = (path = '/in') => `${receiver.url}${path}${QUERY}`;
const masked = (path = '/in') => `${receiver.url}${path}?…`;
const create = (fields: object = {}, api: Api = cast.owner) =>
  createEndpoint(api, { org_id: cast.orgId, target_url: target(), event_types: [], ...fields });
const read = async (id: string, api: Api) => (await api.get(`/v1/webhooks/${id}`)).body;
const listed = async (id: string, api: Api, query: Query = '') =>
  (await api.get(`/v1/webhooks${query}`)).body.find((one) => one.id === id)?.target_url;

async function row(id: string): Promise<{ target_url: string; encrypted_query: Buffer | null; whole: string }> {
  const [stored] = await test.dataSource.query<{ target_url: string; encrypted_query: Buffer | null; whole: string }[]>(
    `SELECT target_url, encrypted_query, endpoints::text AS whole FROM webhook_endpoints AS endpoints WHERE id = $1`,
    [id],
  );
  return stored as { target_url: string; encrypted_query: Buffer | null; whole: string };
}

describe('The query of a webhook target URL', () => {
  it('is shown to those who can change the endpoint, and to MEMBERs as ?…', async () => {
    const { id } = await create();
    for (const api of [cast.owner, cast.admin]) {
      expect((await read(id, api)).target_url).toBe(target());
      expect(await listed(id, api)).toBe(target());
      expect(await listed(id, api, `?org_id=${cast.orgId}`)).toBe(target());
    }
    expect((await read(id, cast.member)).target_url).toBe(masked());
    expect(await listed(id, cast.member)).toBe(masked());
    expect(await listed(id, cast.member, `?org_id=${cast.orgId}`)).toBe(masked());
  });

  it('of a personal endpoint is shown to its owner', async () => {
    const { id } = await create({ org_id: null }, cast.member);
    expect((await read(id, cast.member)).target_url).toBe(target());
    expect(await listed(id, cast.member)).toBe(target());
  });

  it.each(['/in', '/in?', '/?a', '?b=1', '/in?c=?d?'])('is stored literally: %s', async (end) => {
    const address = receiver.url + end;
    const { id } = await create({ target_url: address });
    expect((await read(id, cast.admin)).target_url).toBe(address);
    expect((await read(id, cast.member)).target_url).toBe(address.replace(/\?.*$/, '?…'));
  });

  it('is in answers to changes, and updates updated_at only when it changes', async () => {
    const { id } = await create();
    const { updated_at: before } = await read(id, cast.admin);
    const stored = await row(id);
    const patch = async (target_url: string) => (await cast.admin.patch(`/v1/webhooks/${id}`, { target_url })).body;
    expect(await patch(target())).toMatchObject({ target_url: target(), updated_at: before });
    expect((await row(id)).encrypted_query).toEqual(stored.encrypted_query);
    const changed = await patch(`${target()}&b`);
    expect(changed.target_url).toBe(`${target()}&b`);
    expect(changed.updated_at > before).toBe(true);
    const rotated = await cast.admin.post(`/v1/webhooks/${id}/rotate-secret`, {}, 200);
    expect(rotated.body).toMatchObject({ target_url: `${target()}&b` });
    expect(await patch(`${receiver.url}/in`)).toMatchObject({ target_url: `${receiver.url}/in` });
    expect(await row(id)).toMatchObject({ target_url: `${receiver.url}/in`, encrypted_query: null });
  });

  it('cannot be replaced by its masked form', async () => {
    const { id } = await create();
    const refused = await cast.admin.patch(`/v1/webhooks/${id}`, { target_url: masked() }, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['body', 'target_url'], type: 'value_error' }] });
    expect((await read(id, cast.admin)).target_url).toBe(target());
  });

  it('is encrypted at rest, for its endpoint only', async () => {
    const { id } = await create();
    const { target_url, encrypted_query, whole } = await row(id);
    expect(target_url).toBe(`${receiver.url}/in#`);
    for (const text of ['never-shown', Buffer.from('never-shown').toString('hex')]) expect(whole).not.toContain(text);
    const secrets = test.app.get(WebhookSecrets);
    expect(secrets.decryptQuery(id, encrypted_query ?? Buffer.alloc(0))).toBe(QUERY);
    const other = await create();
    expect(() => secrets.decryptQuery(other.id, encrypted_query ?? Buffer.alloc(0))).toThrow();
    expect(() => secrets.decryptHeaders(id, encrypted_query ?? Buffer.alloc(0))).toThrow();
  });

  it('is sent with pings and deliveries', async () => {
    const path = `/${unique('sent')}`;
    const { id } = await create({ target_url: target(path), event_types: ['bundle.created'] });
    expect((await cast.admin.post(`/v1/webhooks/${id}/ping`, undefined, 200)).body).toMatchObject({
      status: 'SUCCEEDED',
    });
    await createBundle(cast.owner, { org_id: cast.orgId });
    const came = () => receiver.requests.filter((request) => request.path === path + QUERY).length;
    await eventually(came, (count) => count === 2, 10_000);
  });

  it('is not in events or logs, even when the endpoint is disabled', async () => {
    const { id } = await create({ target_url: target('/gone'), event_types: ['bundle.created'] });
    await createBundle(cast.owner, { org_id: cast.orgId });
    const events = () =>
      test.dataSource.query<{ data: { endpoint_id: string; target_url: string } }[]>(
        `SELECT data FROM events WHERE type = 'webhook.endpoint_disabled' AND data ->> 'endpoint_id' = $1`,
        [id],
      );
    const [event] = await eventually(events, (rows) => rows.length === 1, 10_000);
    expect(event?.data.target_url).toBe(masked('/gone'));
    expect((await cast.admin.get(`/v1/webhooks/${id}`)).body).toMatchObject({ disabled_reason: 'gone' });
    expect(test.log.join('\n')).not.toContain('never-shown');
    const [everything] = await test.dataSource.query<{ text: string }[]>(
      `SELECT string_agg(row::text, '') AS text FROM (
         SELECT events::text FROM events UNION ALL SELECT attempts::text FROM webhook_attempts AS attempts
         UNION ALL SELECT entries::text FROM audit_log AS entries) AS row`,
    );
    expect(everything?.text).not.toContain('never-shown');
  });

  it('stored by an older release is encrypted by the worker, without a visible change', async () => {
    const { id } = await create();
    const { id: foreign } = await create();
    const plain = (endpointId: string) =>
      test.dataSource.query(`UPDATE webhook_endpoints SET target_url = $2, encrypted_query = NULL WHERE id = $1`, [
        endpointId,
        target(),
      ]);
    await test.dataSource.query(`UPDATE webhook_endpoints SET encrypted_secret = '\\x00' WHERE id = $1`, [foreign]);
    const before = await read(id, cast.admin);
    await Promise.all([plain(id), plain(foreign)]);
    expect((await read(id, cast.member)).target_url).toBe(masked());
    while (await test.app.get(QueryEncryption).step());
    await eventually(
      () => row(id),
      ({ target_url }) => target_url.endsWith('#'),
      5_000,
    );
    expect((await row(id)).whole).not.toContain('never-shown');
    expect(await read(id, cast.admin)).toEqual(before);
    expect((await read(id, cast.member)).target_url).toBe(masked());
    // With a key that cannot decrypt its secret, nothing is encrypted that the right key could not read.
    expect(await row(foreign)).toMatchObject({ target_url: target(), encrypted_query: null });
    await test.dataSource.query(`DELETE FROM webhook_endpoints WHERE id = $1`, [foreign]);
  });

  it('that cannot be decrypted does not prevent listing or changing the endpoint', async () => {
    const { id } = await create();
    await test.dataSource.query(`UPDATE webhook_endpoints SET encrypted_query = $2 WHERE id = $1`, [
      id,
      Buffer.alloc(64),
    ]);
    expect(await listed(id, cast.admin)).toBe(masked());
    const changed = await cast.admin.patch(`/v1/webhooks/${id}`, { is_active: false });
    expect(changed.body).toMatchObject({ target_url: masked(), is_active: false });
    await cast.admin.delete(`/v1/webhooks/${id}`);
  });

  it('left behind by an older release is not appended to another address', async () => {
    const { id } = await create();
    await test.dataSource.query(`UPDATE webhook_endpoints SET target_url = $2 WHERE id = $1`, [
      id,
      `${receiver.url}/other`,
    ]);
    expect((await read(id, cast.admin)).target_url).toBe(`${receiver.url}/other`);
    expect((await read(id, cast.member)).target_url).toBe(`${receiver.url}/other`);
  });
});
