import { Ajv2020 } from 'ajv/dist/2020';
import type { EventType } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { expectDeclared, expectDeclaredEvents } from '../support/declared-events';
import { createBundle, createCast } from '../support/factories';

/** From section 8 of the contract. */
const CATALOGUE: [group: string, eventTypes: string[]][] = [
  ['Listings', ['listing.published', 'listing.updated', 'listing.archived']],
  // Issue 39.
  [
    'Reviews',
    ['review.created', 'review.updated', 'review.deleted', 'review.answered', 'review.hidden', 'review.shown'],
  ],
  // Issue 40.
  ['Categories', ['category.created', 'category.updated', 'category.deleted', 'category.merged', 'category.reordered']],
  [
    'Imports',
    ['import_document.edited', 'import_document.dismissed', 'import_document.reopened', 'import_document.retried'],
  ],
  [
    'Bundles',
    [
      'bundle.created',
      'bundle.updated',
      'bundle.deleted',
      'bundle.entry_added',
      'bundle.entry_removed',
      'bundle.followed',
      'bundle.unfollowed',
      'bundle.access_token_created',
      'bundle.access_token_revoked',
    ],
  ],
  ['Deployments', ['deployment.created', 'deployment.updated', 'deployment.deleted']],
  ['MCP Endpoints', ['endpoint.enabled', 'endpoint.disabled', 'endpoint.upstream_down', 'endpoint.upstream_recovered']],
  ['Policies of bundles', ['policy.changed']],
  ['Tools of bundles', ['tool.added', 'tool.removed', 'tool.definition_changed', 'tool.approved']],
  [
    'Credentials',
    ['credential.connected', 'credential.reconnect_needed', 'credential.origin_changed', 'credential.revoked'],
  ],
  [
    'Organisations',
    [
      'organisation.updated',
      'member.added',
      'member.role_changed',
      'member.removed',
      'organisation.deleted',
      'member.invited',
    ],
  ],
  [
    'Server requests',
    ['server_request.created', 'server_request.approved', 'server_request.declined', 'server_request.withdrawn'],
  ],
  [
    'SCIM',
    [
      'scim.user_provisioned',
      'scim.user_updated',
      'scim.user_deactivated',
      'scim.user_deleted',
      'scim.group_changed',
      'scim.group_deleted',
      'scim.role_mapping_changed',
      'scim.sync_completed',
    ],
  ],
  ['Webhooks', ['webhook.endpoint_disabled']],
  // Issue 13.
  [
    'Accounts',
    [
      'session.started',
      'account.closed',
      'account.reopened',
      'identity.linked',
      'access_token.created',
      'access_token.revoked',
    ],
  ],
  [
    'OAuth clients',
    ['oauth_client.created', 'oauth_client.updated', 'oauth_client.deleted', 'oauth_client.secret_rotated'],
  ],
];

const ALL = CATALOGUE.flatMap(([, eventTypes]) => eventTypes);

describe('The list of subscribable event types', () => {
  const path = '/v1/webhooks/event-types';
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  it('is the catalogue of the contract, in its order and groups', async () => {
    const { body } = await (await test.as('alice')).get(path);
    expect(body.map(({ group, event_type }) => [group, event_type])).toEqual(
      CATALOGUE.flatMap(([group, eventTypes]) => eventTypes.map((eventType) => [group, eventType])),
    );
    for (const entry of body) {
      expect(Object.keys(entry)).toEqual(['event_type', 'group', 'label', 'description']);
      expect(entry.label).toMatch(/^[A-Z].*[^.]$/);
      expect(entry.description).toMatch(/^[A-Z].*\.$/);
    }
    expect(new Set(body.map(({ label }) => label)).size).toBe(body.length);
  });

  it('is identical for every tenant, and requires a token', async () => {
    const [first, second] = [await createCast(test), await createCast(test)];
    const answers = await Promise.all(
      [first.owner, first.member, second.admin, second.outsider].map((api) => api.get(path)),
    );
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(new Set(answers.map(({ headers }) => headers.etag as string)).size).toBe(1);
    await test.anonymous.get(path, 401);
  });

  it('has a strong ETag and answers 304 to a matching If-None-Match', async () => {
    const alice = await test.as('alice');
    const { etag, 'content-type': type } = (await alice.get(path)).headers;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(type).toBe('application/json; charset=utf-8');
    for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await alice.get(path, 304, { 'If-None-Match': String(tag) });
      expect(unchanged.text).toBe('');
      expect(unchanged.headers.etag).toBe(etag);
    }
    for (const other of ['"other"', 'W/"other"', String(etag).replaceAll('"', '')]) {
      await alice.get(path, 200, { 'If-None-Match': other });
    }
  });

  it('contains exactly what an endpoint can subscribe to, all at once', async () => {
    const alice = await test.as('alice');
    const body = { target_url: 'https://hooks.example.com/', event_types: ([...ALL] as EventType[]).reverse() };
    expect((await alice.post('/v1/webhooks', body)).body).toMatchObject({ event_types: ALL });
  });
});

describe('One event type', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  const read = async (eventType: string) =>
    (await (await test.as('alice')).get(`/v1/webhooks/event-types/${eventType}`)).body;

  it.each(ALL)('%s matches its entry in the list, and its schema accepts its example', async (eventType) => {
    const { schema, example, ...entry } = await read(eventType);
    const list = (await (await test.as('alice')).get('/v1/webhooks/event-types')).body;
    expect(entry).toEqual(list.find(({ event_type }) => event_type === eventType));
    expect(schema).toMatchObject({
      $id: `urn:toolyard:event:${eventType}`,
      $schema: 'https://json-schema.org/draft/2020-12/schema',
    });
    const validate = new Ajv2020({ strict: true, formats: { uuid: true, 'date-time': true, uri: true } }).compile(
      schema,
    );
    expect([validate(example), validate.errors]).toEqual([true, null]);
    expect(validate({ ...example, type: 'other.type' })).toBe(false);
    expectDeclared(example);
  });

  it('webhook.ping is described too, although it cannot be subscribed to', async () => {
    const { example, ...ping } = await read('webhook.ping');
    expect(ping).toMatchObject({ event_type: 'webhook.ping', group: 'Webhooks', label: 'Ping' });
    expectDeclared(example);
    const body = { target_url: 'https://hooks.example.com/', event_types: ['webhook.ping'] };
    await (await test.as('alice')).post('/v1/webhooks', body, 422);
  });

  it('is not found under an unknown name', async () => {
    const alice = await test.as('alice');
    for (const name of ['bundle.painted', 'Bundle.Created', 'bundle', 'constructor', '__proto__', 'bundle.created.']) {
      const answer = await alice.get(`/v1/webhooks/event-types/${name}`, 404);
      expect(answer.body).toEqual({ detail: `Event type ${name} was not found.`, code: 'event_type_not_found' });
    }
    await test.anonymous.get('/v1/webhooks/event-types/bundle.painted', 401);
  });

  it('has a strong ETag of its own and answers 304 to a matching If-None-Match', async () => {
    const alice = await test.as('alice');
    const tags = new Set<string>();
    for (const name of [...ALL, 'webhook.ping']) {
      const path = `/v1/webhooks/event-types/${name}` as const;
      const etag = String((await alice.get(path)).headers.etag);
      expect(etag).toMatch(/^"[^"]+"$/);
      expect((await alice.get(path, 304, { 'If-None-Match': etag })).text).toBe('');
      tags.add(etag);
    }
    expect(tags.size).toBe(ALL.length + 1);
  });
});

describe('Every event recorded during a test', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(async () => {
    await test.dataSource.query(`DELETE FROM events`);
    await test.close();
  });

  const change = (sql: string) => test.dataSource.query(`UPDATE events SET ${sql} WHERE type = 'bundle.created'`);

  it.each([
    ['a field that is not declared', `data = data || '{"colour": "red"}'`, /must NOT have additional .*colour/],
    ['a declared field less', `data = data - 'slug'`, /must have required property 'slug'/],
    ['a value of another type', `data = data || '{"org_id": 7}'`, /\/data\/org_id must be string,null/],
    [
      'a time that is not written as times are',
      `type = 'webhook.endpoint_disabled', data = data || '{"disabled_at": "2027-02-01 00:00:00+00"}'`,
      /disabled_at must match format "date-time"/,
    ],
    [
      'a value that an open list does not have',
      `type = 'bundle.updated', data = data || '{"changed": ["colour"]}'`,
      /changed\/0 must be equal to one of the allowed values/,
    ],
    ['a type that is in no catalogue', `type = 'bundle.painted'`, /bundle\.painted is not in the catalogue/],
  ])('fails the test if it has %s', async (_, sql, message) => {
    await test.dataSource.query(`DELETE FROM events`);
    await createBundle(await test.as('alice'));
    await expectDeclaredEvents(test.dataSource);
    await change(sql);
    await expect(expectDeclaredEvents(test.dataSource)).rejects.toThrow(message);
  });

  it('is checked when the test application closes', async () => {
    const other = await createTestApp();
    await createBundle(await other.as('alice'));
    await other.dataSource.query(`UPDATE events SET data = data || '{"colour": "red"}'`);
    await expect(other.close()).rejects.toThrow(/bundle\.created is not as its schema says/);
  });
});
