import { newId } from '../../src/database/id';
import { WebhookSecrets } from '../../src/webhooks/endpoints/webhook-secrets';
import type { Api } from '../support/api';
import type { EventType, WebhookEndpointDetail, WebhookEndpointUpdate } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint, idOf, unique } from '../support/factories';
import { faultsOf } from '../support/faults';

/** The fields of the specification. */
const SEVEN = ['created_at', 'description', 'event_types', 'id', 'is_active', 'target_url', 'updated_at'];
const TARGET = 'https://hooks.example.com/in';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp();
  cast = await createCast(test);
});

afterAll(() => test.close());

const read = async (api: Api, id: string) => (await api.get(`/v1/webhooks/${id}`)).body;
const patch = async (api: Api, id: string, body: WebhookEndpointUpdate) =>
  (await api.patch(`/v1/webhooks/${id}`, body)).body;

describe('Creating a webhook endpoint', () => {
  it('creates it with the defaults, and its Location', async () => {
    const alice = await test.as(unique('alice'));
    const created = await alice.post('/v1/webhooks', { target_url: TARGET, event_types: ['bundle.created'] });
    const { secret, ...endpoint } = created.body;
    expect(endpoint).toEqual({
      id: endpoint.id,
      target_url: TARGET,
      is_active: true,
      description: '',
      event_types: ['bundle.created'],
      created_at: endpoint.created_at,
      updated_at: endpoint.created_at,
      org_id: null,
      owner_id: await idOf(alice),
      disabled_reason: null,
      disabled_at: null,
      headers: {},
      rate_limit_per_second: null,
    });
    expect(secret).toMatch(/^whsec_/);
    expect(created.headers.location).toBe(`/v1/webhooks/${endpoint.id}`);
    expect(await read(alice, endpoint.id)).toEqual(endpoint);
  });

  it('uses the fields sent; null means absent', async () => {
    const fields = { org_id: cast.orgId, description: 'For the pager.', is_active: false, event_types: [] };
    const created = await cast.admin.post('/v1/webhooks', { ...fields, target_url: TARGET });
    expect(created.body).toMatchObject({ ...fields, owner_id: await idOf(cast.admin) });
    const nulls = { org_id: null, target_url: TARGET, description: null, is_active: null, event_types: [] };
    expect((await cast.admin.post('/v1/webhooks', nulls)).body).toMatchObject({
      org_id: null,
      description: '',
      is_active: true,
    });
  });

  it('shows a secret of 32 bytes once, and keeps it encrypted', async () => {
    const { id, secret } = await createEndpoint(cast.owner, { org_id: cast.orgId });
    expect(Buffer.from(secret.replace(/^whsec_/, ''), 'base64')).toHaveLength(32);
    expect((await createEndpoint(cast.owner)).secret).not.toBe(secret);

    const answers = [
      await cast.owner.get(`/v1/webhooks/${id}`),
      await cast.owner.get('/v1/webhooks'),
      await cast.owner.get(`/v1/webhooks?org_id=${cast.orgId}`),
      await cast.owner.patch(`/v1/webhooks/${id}`, { description: 'Changed.' }),
    ];
    const bare = secret.slice('whsec_'.length);
    for (const { text } of answers) {
      expect(text).toContain(id);
      expect(text).not.toMatch(/secret|whsec_/);
      expect(text).not.toContain(bare);
    }
    expect(test.log.join('\n')).not.toContain(bare);

    const [row] = await test.dataSource.query<{ encrypted_secret: Buffer; whole: string }[]>(
      `SELECT encrypted_secret, endpoints::text AS whole FROM webhook_endpoints AS endpoints WHERE id = $1`,
      [id],
    );
    for (const clear of [
      secret,
      bare,
      Buffer.from(secret).toString('hex'),
      Buffer.from(bare, 'base64').toString('hex'),
    ])
      expect(row?.whole).not.toContain(clear);
    expect(test.app.get(WebhookSecrets).decrypt(id, row?.encrypted_secret ?? Buffer.alloc(0))).toBe(secret);
  });

  it('returns each event type once, in the order of the catalogue', async () => {
    const event_types: EventType[] = [
      'webhook.endpoint_disabled',
      'bundle.deleted',
      'listing.published',
      'bundle.deleted',
    ];
    const created = await cast.owner.post('/v1/webhooks', { target_url: TARGET, event_types });
    expect(created.body).toMatchObject({
      event_types: ['listing.published', 'bundle.deleted', 'webhook.endpoint_disabled'],
    });
  });

  it('reports all errors of a body at once', async () => {
    expect(faultsOf(await cast.owner.post('/v1/webhooks', {}, 422)).sort()).toEqual([
      'body.event_types missing',
      'body.target_url missing',
    ]);
    const body = {
      target_url: 1,
      description: 'x'.repeat(2_001),
      is_active: 'true',
      event_types: ['bundle.created', 'bundle.exploded', '*'],
      org_id: 'acme',
      secret: 'whsec_mine',
    };
    expect(faultsOf(await cast.owner.post('/v1/webhooks', body, 422)).sort()).toEqual([
      'body.description string_too_long',
      'body.event_types.1 enum',
      'body.event_types.2 enum',
      'body.is_active bool_type',
      'body.org_id uuid_parsing',
      'body.secret extra_forbidden',
      'body.target_url string_type',
    ]);
  });

  // The rules themselves: src/webhooks/sending/target-url.spec.ts and src/outbound/address-rules.spec.ts.
  it.each([
    ['http://hooks.example.com/', 'url_scheme'],
    ['/in', 'url_parsing'],
    ['https://alice:secret@hooks.example.com/', 'value_error'],
    ['https://hooks.example.com/#part', 'value_error'],
    ['https://127.0.0.1/', 'value_error'],
    ['https://2130706433/', 'value_error'],
    ['https://[::ffff:10.0.0.1]/', 'value_error'],
    ['https://169.254.169.254/latest/meta-data', 'value_error'],
    ['https://localhost./', 'value_error'],
    [`https://hooks.example.com/${'a'.repeat(2_048)}`, 'string_too_long'],
  ])('rejects the target %.50s, as does an update', async (target_url, type) => {
    const before = await createEndpoint(cast.owner);
    const fault = [`body.target_url ${type}`];
    expect(faultsOf(await cast.owner.post('/v1/webhooks', { target_url, event_types: [] }, 422))).toEqual(fault);
    expect(faultsOf(await cast.owner.patch(`/v1/webhooks/${before.id}`, { target_url }, 422))).toEqual(fault);
    expect(await read(cast.owner, before.id)).toMatchObject({ target_url: TARGET });
  });

  it('accepts http and private networks where the operator allows them', async () => {
    const env = { WEBHOOKS_ALLOW_HTTP: 'true', WEBHOOKS_ALLOWED_NETWORKS: '127.0.0.0/8' };
    const lenient = await createTestApp({ env });
    try {
      const alice = await lenient.as('alice');
      await createEndpoint(alice, { target_url: 'http://127.0.0.1:4000/in' });
      const refused = { target_url: 'http://10.0.0.1/', event_types: [] };
      expect(faultsOf(await alice.post('/v1/webhooks', refused, 422))).toEqual(['body.target_url value_error']);
    } finally {
      await lenient.close();
    }
  });

  it('checks the body, then the organisation, then the role', async () => {
    const body = { target_url: TARGET, event_types: [], org_id: cast.orgId };
    await cast.outsider.post('/v1/webhooks', { ...body, target_url: 'https://10.0.0.1/' }, 422);
    const hidden = await cast.outsider.post('/v1/webhooks', body, 404);
    expect(hidden.body).toMatchObject({ code: 'organisation_not_found' });
    const refused = await cast.member.post('/v1/webhooks', body, 403);
    expect(refused.body).toMatchObject({ code: 'insufficient_role' });
  });
});

describe('Updating a webhook endpoint', () => {
  const create = (fields: object = {}) =>
    createEndpoint(cast.owner, { description: 'Before.', event_types: ['bundle.deleted'], ...fields });

  it('returns exactly the seven fields, with the changes', async () => {
    const { id } = await create({ org_id: cast.orgId });
    const fields: WebhookEndpointUpdate = {
      target_url: 'https://elsewhere.example.com/',
      description: 'After.',
      is_active: false,
      event_types: ['member.added', 'listing.published', 'member.added'],
    };
    const updated = await patch(cast.admin, id, fields);
    expect(Object.keys(updated).sort()).toEqual(SEVEN);
    expect(updated).toMatchObject({ id, ...fields, event_types: ['listing.published', 'member.added'] });
    expect(await read(cast.admin, id)).toMatchObject({ ...updated });
  });

  it('keeps values whose fields are absent or null', async () => {
    const { id } = await create();
    const before = await read(cast.owner, id);
    const nulls = { target_url: null, description: null, is_active: null, event_types: null };
    for (const body of [{}, nulls]) {
      expect(await patch(cast.owner, id, body)).toEqual(
        Object.fromEntries(SEVEN.map((field) => [field, before[field as keyof WebhookEndpointDetail]])),
      );
    }
    const changed = await patch(cast.owner, id, { ...nulls, description: 'After.' });
    expect(changed).toMatchObject({ target_url: TARGET, is_active: true, event_types: ['bundle.deleted'] });
    expect(changed.description).toBe('After.');
  });

  it('clears the description with an empty string, and unsubscribes with an empty list', async () => {
    const { id } = await create();
    expect(await patch(cast.owner, id, { description: '' })).toMatchObject({
      description: '',
      event_types: ['bundle.deleted'],
    });
    expect(await patch(cast.owner, id, { event_types: [] })).toMatchObject({ description: '', event_types: [] });
  });

  it('disables and enables it, as often as requested', async () => {
    const { id } = await create();
    for (const is_active of [false, false, true, true, false]) {
      expect(await patch(cast.owner, id, { is_active })).toMatchObject({ is_active });
      expect(await read(cast.owner, id)).toMatchObject({ is_active });
    }
  });

  it('increases updated_at with every change, and only then', async () => {
    const { id } = await create({ event_types: ['bundle.created', 'bundle.deleted'] });
    const { updated_at, created_at } = await read(cast.owner, id);
    let last = updated_at;
    for (let n = 0; n < 20; n++) {
      const changed = await patch(cast.owner, id, { description: `Change ${n}.` });
      expect(changed.updated_at > last).toBe(true);
      last = changed.updated_at;
    }
    for (const same of <WebhookEndpointUpdate[]>[
      {},
      { description: 'Change 19.' },
      { is_active: true, target_url: TARGET },
      // The same subscription, written differently.
      { event_types: ['bundle.deleted', 'bundle.created', 'bundle.deleted'] },
    ]) {
      expect(await patch(cast.owner, id, same)).toMatchObject({ updated_at: last, created_at });
    }
  });

  it('rejects read-only fields and values of other types', async () => {
    const { id } = await create();
    const before = await read(cast.owner, id);
    const body = {
      id: newId(),
      org_id: cast.orgId,
      owner_id: newId(),
      created_at: before.created_at,
      secret: 'whsec_mine',
      disabled_reason: null,
      target_url: false,
      description: 1,
      is_active: 'true',
      event_types: 'bundle.created',
    };
    expect(faultsOf(await cast.owner.patch(`/v1/webhooks/${id}`, body, 422)).sort()).toEqual([
      'body.created_at extra_forbidden',
      'body.description string_type',
      'body.disabled_reason extra_forbidden',
      'body.event_types list_type',
      'body.id extra_forbidden',
      'body.is_active bool_type',
      'body.org_id extra_forbidden',
      'body.owner_id extra_forbidden',
      'body.secret extra_forbidden',
      'body.target_url string_type',
    ]);
    const unknown = { event_types: ['bundle.created', 'bundle.exploded'] };
    expect(faultsOf(await cast.owner.patch(`/v1/webhooks/${id}`, unknown, 422))).toEqual(['body.event_types.1 enum']);
    expect(faultsOf(await cast.owner.call('patch', `/v1/webhooks/${id}`, 422, []))).toEqual(['body dict_type']);
    expect(faultsOf(await cast.owner.patch('/v1/webhooks/1', {}, 422))).toEqual(['path.endpoint_id uuid_parsing']);
    expect(await read(cast.owner, id)).toEqual(before);
  });

  it('loses neither of two concurrent changes of different fields', async () => {
    const { id } = await create({ org_id: cast.orgId });
    for (let n = 0; n < 10; n++) {
      const changes: WebhookEndpointUpdate[] = [
        { description: `Description ${n}.` },
        { target_url: `https://hooks.example.com/${n}` },
        { is_active: n % 2 === 0 },
        { event_types: n % 2 ? ['bundle.created'] : ['bundle.updated'] },
      ];
      await Promise.all(changes.map((change, k) => patch(k % 2 ? cast.owner : cast.admin, id, change)));
      expect(await read(cast.owner, id)).toMatchObject(Object.assign({}, ...changes) as object);
    }
  });

  it('clears disabled_reason and disabled_at when it is enabled', async () => {
    const { id } = await create();
    await test.dataSource.query(
      `UPDATE webhook_endpoints SET is_active = false, disabled_reason = 'It kept failing.', disabled_at = now() WHERE id = $1`,
      [id],
    );
    await patch(cast.owner, id, { is_active: false, description: 'After.' });
    expect(await read(cast.owner, id)).toMatchObject({ is_active: false, disabled_reason: 'It kept failing.' });
    await patch(cast.owner, id, { is_active: true });
    expect(await read(cast.owner, id)).toMatchObject({ is_active: true, disabled_reason: null, disabled_at: null });
  });
});

describe('Deleting a webhook endpoint', () => {
  it('answers 204 with an empty body, after which it is not found', async () => {
    const { id } = await createEndpoint(cast.owner, { org_id: cast.orgId });
    expect((await cast.admin.delete(`/v1/webhooks/${id}`)).text).toBe('');
    const missing = { detail: `Webhook endpoint ${id} was not found.`, code: 'webhook_endpoint_not_found' };
    expect((await cast.admin.delete(`/v1/webhooks/${id}`, 404)).body).toEqual(missing);
    expect((await cast.admin.get(`/v1/webhooks/${id}`, 404)).body).toEqual(missing);
    expect((await cast.admin.patch(`/v1/webhooks/${id}`, {}, 404)).body).toEqual(missing);
  });
});
