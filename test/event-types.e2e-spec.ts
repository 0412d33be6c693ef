import { createTestApp, TestApp } from './support/app';
import { createCast } from './support/factories';

/** Section 8 of the contract, by hand. */
const CATALOGUE: [group: string, eventTypes: string[]][] = [
  ['Listings', ['listing.published', 'listing.updated', 'listing.archived']],
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
  ['Organisations', ['organisation.updated', 'member.added', 'member.role_changed', 'member.removed']],
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
];

interface Entry {
  event_type: string;
  group: string;
  label: string;
  description: string;
}

describe('The list of subscribable event types', () => {
  const path = '/v1/webhooks/event-types';
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  it('is the catalogue of the contract, in its order and its groups', async () => {
    const { body } = (await (await test.as('alice')).get(path)) as { body: Entry[] };
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

  it('is the same to the byte for every tenant, and only for those with a token', async () => {
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
    const { etag, 'content-type': type } = (await alice.get(path)).headers as Record<string, string>;
    expect(etag).toMatch(/^"[^"]+"$/);
    expect(type).toBe('application/json; charset=utf-8');
    for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
      const unchanged = await alice.get(path, 304, { 'If-None-Match': String(known) });
      expect(unchanged.text).toBe('');
      expect(unchanged.headers.etag).toBe(etag);
    }
    for (const other of ['"other"', 'W/"other"', String(etag).replaceAll('"', '')]) {
      await alice.get(path, 200, { 'If-None-Match': other });
    }
  });

  it('names what an endpoint may subscribe to: all of it at once', async () => {
    const alice = await test.as('alice');
    const all = CATALOGUE.flatMap(([, eventTypes]) => eventTypes);
    const body = { target_url: 'https://hooks.example.com/', event_types: [...all].reverse() };
    expect((await alice.post('/v1/webhooks', body)).body).toMatchObject({ event_types: all });
  });
});
