import { WebhookSecrets } from '../../src/webhooks/endpoints/webhook-secrets';
import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint } from '../support/factories';
import { faultsOf } from '../support/faults';

const TARGET = 'https://hooks.example.com/in';
const HEADERS = { Authorization: 'Bearer 7c1d7b3e9a440d8f', 'X-Team': 'the pagers' };

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp();
  cast = await createCast(test);
});

afterAll(() => test.close());

const create = (headers: Record<string, string> | null = HEADERS) =>
  createEndpoint(cast.owner, { org_id: cast.orgId, headers });
const read = async (id: string) => (await cast.admin.get(`/v1/webhooks/${id}`)).body;
const patch = <S extends number = 200>(id: string, headers: object | null, status = 200 as S, api: Api = cast.admin) =>
  api.call('patch', `/v1/webhooks/${id}`, status, { headers });

/** The stored headers, decrypted and as bytes. */
async function stored(id: string): Promise<{ headers: Record<string, string>; bytes: string | undefined }> {
  const [row] = await test.dataSource.query<{ encrypted_headers: Buffer | null }[]>(
    `SELECT encrypted_headers FROM webhook_endpoints WHERE id = $1`,
    [id],
  );
  const bytes = row?.encrypted_headers ?? undefined;
  return {
    headers: bytes ? test.app.get(WebhookSecrets).decryptHeaders(id, bytes) : {},
    bytes: bytes?.toString('hex'),
  };
}

const postFaults = async (headers: unknown, more: object = {}) =>
  faultsOf(
    await cast.owner.post('/v1/webhooks', { target_url: TARGET, event_types: [], headers, ...more }, 422),
  ).sort();

describe('The custom headers of a webhook endpoint', () => {
  it('are shown without values, not at all in lists, and encrypted at rest', async () => {
    const created = await cast.owner.post('/v1/webhooks', {
      org_id: cast.orgId,
      target_url: TARGET,
      event_types: [],
      headers: HEADERS,
    });
    const { id } = created.body;
    const names = { Authorization: null, 'X-Team': null };
    expect(created.body.headers).toEqual(names);
    expect((await read(id)).headers).toEqual(names);
    expect((await stored(id)).headers).toEqual(HEADERS);
    const list = await cast.owner.get(`/v1/webhooks?org_id=${cast.orgId}`);
    expect(list.text).toContain(id);
    expect(list.text).not.toContain('headers');
    const [row] = await test.dataSource.query<{ whole: string }[]>(
      `SELECT endpoints::text AS whole FROM webhook_endpoints AS endpoints WHERE id = $1`,
      [id],
    );
    for (const value of Object.values(HEADERS)) {
      expect(created.text).not.toContain(value);
      expect(row?.whole).not.toContain(value);
      expect(row?.whole).not.toContain(Buffer.from(value).toString('hex'));
    }
  });

  it('are empty by default', async () => {
    for (const headers of [undefined, null, {}]) {
      const { id } = await createEndpoint(cast.owner, { headers });
      expect((await cast.owner.get(`/v1/webhooks/${id}`)).body).toMatchObject({ headers: {} });
      expect((await stored(id)).bytes).toBeUndefined();
    }
  });

  it('are replaced as a whole; null keeps a value, and an empty object removes them', async () => {
    const { id } = await create();
    expect(Object.keys((await patch(id, { Authorization: null, 'X-New': 'n' })).body)).toHaveLength(7);
    expect((await stored(id)).headers).toEqual({ Authorization: HEADERS.Authorization, 'X-New': 'n' });
    expect((await read(id)).headers).toEqual({ Authorization: null, 'X-New': null });
    await patch(id, { authorization: null });
    expect((await stored(id)).headers).toEqual({ authorization: HEADERS.Authorization });
    await patch(id, {});
    expect((await read(id)).headers).toEqual({});
    expect((await stored(id)).bytes).toBeUndefined();
  });

  it('stay unchanged if absent, null or sent back as read', async () => {
    const { id } = await create();
    const before = await read(id);
    const { bytes } = await stored(id);
    await cast.admin.patch(`/v1/webhooks/${id}`, {});
    await patch(id, null);
    await patch(id, before.headers);
    await patch(id, HEADERS);
    await patch(id, { 'X-Team': HEADERS['X-Team'], Authorization: null });
    expect(await read(id)).toEqual(before);
    expect((await stored(id)).bytes).toBe(bytes);
  });

  it('update updated_at when they change', async () => {
    const { id } = await create();
    let { updated_at: last } = await read(id);
    for (const headers of [{ ...HEADERS, Authorization: 'other' }, { Authorization: null }, { 'X-Team': 'x' }, {}]) {
      const { updated_at } = (await patch(id, headers)).body;
      expect(updated_at > last).toBe(true);
      last = updated_at;
    }
  });

  it('cannot keep a value that does not exist; other users learn nothing about the names', async () => {
    const { id } = await create();
    const sent = { 'X-Team': null, 'X-New': null, 'X-Other': null, 'X-Fine': 'f' };
    const expected = ['body.headers.X-New value_error', 'body.headers.X-Other value_error'];
    expect(faultsOf(await patch(id, sent, 422)).sort()).toEqual(expected);
    expect((await stored(id)).headers).toEqual(HEADERS);
    // Other users do not learn which values exist.
    await patch(id, sent, 403, cast.member);
    await patch(id, sent, 404, cast.outsider);
    await patch(newId(), sent, 404);
    expect(await postFaults({ 'X-New': null })).toEqual(['body.headers.X-New string_type']);
  });

  it('are validated with the rest of the body, all errors at once, before any lookup', async () => {
    const headers = {
      Host: 'elsewhere.example.com',
      'Webhook-Id': 'mine',
      'Bad Name': 'v',
      ['x'.repeat(65)]: 'v',
      'X-Number': 1,
      'X-Empty': '',
      'X-Newline': 'a\r\nX-Injected: b',
      'X-Nul': 'a\0b',
      'X-Long': 'v'.repeat(1_025),
      'X-One': 'fine',
      'x-one': 'twice',
    };
    const expected = [
      'body.description string_type',
      'body.headers.Bad Name value_error',
      'body.headers.Host value_error',
      'body.headers.Webhook-Id value_error',
      'body.headers.X-Empty value_error',
      'body.headers.X-Long string_too_long',
      'body.headers.X-Newline value_error',
      'body.headers.X-Nul value_error',
      'body.headers.X-Number string_type',
      'body.headers.x-one value_error',
      `body.headers.${'x'.repeat(65)} string_too_long`,
    ];
    expect(await postFaults(headers, { description: 1 })).toEqual(expected);
    const { id } = await create();
    for (const [api, of] of [
      [cast.admin, id],
      [cast.outsider, id],
      [cast.admin, newId()],
    ] as const) {
      const answer = api.patch(`/v1/webhooks/${of}`, { headers, description: 1 }, 422);
      expect(faultsOf(await answer).sort()).toEqual(expected);
    }
    expect((await stored(id)).headers).toEqual(HEADERS);
  });

  it.each([[[]], ['Authorization: x'], [1], [true]])('must be an object: %j', async (headers) => {
    expect(await postFaults(headers)).toEqual(['body.headers dict_type']);
  });

  it('are limited to 20', async () => {
    const many = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`X-${n}`, 'v']));
    const { id } = await create(many(20));
    expect(Object.keys((await read(id)).headers)).toHaveLength(20);
    expect(await postFaults(many(21))).toEqual(['body.headers value_error']);
    expect(faultsOf(await patch(id, many(21), 422))).toEqual(['body.headers value_error']);
  });

  it('are limited to 4,096 characters in total, including kept ones', async () => {
    const value = 'v'.repeat(1_023);
    const full = { a: value, b: value, c: value, d: value };
    const { id } = await create(full);
    expect(await postFaults({ ...full, d: `${value}v` })).toEqual(['body.headers value_error']);
    const kept = { a: null, b: null, c: null };
    expect(faultsOf(await patch(id, { ...kept, d: `${value}v` }, 422))).toEqual(['body.headers value_error']);
    await patch(id, { ...kept, d: value });
    expect((await stored(id)).headers).toEqual(full);
  });

  it('can have the names of inherited object properties, except with underscores', async () => {
    const headers = { constructor: 'c', '1': 'one' };
    const { id } = await create(headers);
    expect(Object.entries((await stored(id)).headers).sort()).toEqual(Object.entries(headers).sort());
    expect(Object.keys((await read(id)).headers).sort()).toEqual(['1', 'constructor']);
    expect(await postFaults(JSON.parse('{"__proto__": "p"}'))).toEqual(['body.headers.__proto__ value_error']);
    expect(faultsOf(await patch(id, { toString: null }, 422))).toEqual(['body.headers.toString value_error']);
  });

  it('are never repeated in errors or logs', async () => {
    const secret = 'never-to-be-seen-again';
    const { id } = await create({ 'X-Fine': secret });
    const answers = [
      await cast.owner.post(
        '/v1/webhooks',
        { target_url: TARGET, headers: { Host: secret, 'X-Bad': `${secret}\n` } },
        422,
      ),
      await patch(id, { 'X-Fine': secret, 'X-Missing': null, 'X-Long': secret.repeat(40) }, 422),
      await patch(id, { 'X-Fine': `${secret}é` }, 422),
      await patch(id, { 'X-Fine': secret }, 403, cast.member),
    ];
    for (const { text } of answers) expect(text).not.toContain(secret);
    expect(test.log.join('\n')).toContain('"route":"/v1/webhooks/{endpoint_id}"');
    expect(test.log.join('\n')).not.toContain(secret);
  });
});
