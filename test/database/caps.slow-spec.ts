import type { Answer, Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Cast, createCast, createListing, createScimGroup, idOf, join, unique } from '../support/factories';

const CAP = 3;
const CAPS = [
  ...['LIMIT_ORGANISATIONS_PER_PERSON', 'LIMIT_BUNDLES_PER_PERSON', 'LIMIT_BUNDLES_PER_ORGANISATION'],
  ...['LIMIT_DRAFTS_PER_OWNER', 'LIMIT_VERSIONS_PER_LISTING', 'LIMIT_TOKENS_PER_BUNDLE'],
  ...['LIMIT_SCIM_TOKENS_PER_ORGANISATION', 'LIMIT_DEPLOYMENTS_PER_BUNDLE', 'LIMIT_EDITORS_PER_BUNDLE'],
  ...['LIMIT_ROLE_MAPPINGS_PER_ORGANISATION', 'LIMIT_TOKENS_PER_PERSON'],
];

let test: TestApp;
const clock = new FakeClock(new Date());

beforeAll(async () => {
  const env = {
    RUN: 'api',
    LIMIT_LISTINGS_PER_OWNER: '5',
    ...Object.fromEntries(CAPS.map((name) => [name, `${CAP}`])),
  };
  test = await createTestApp({ env, clock });
  await createListing(test.dataSource); // creates the category, too
});

afterAll(() => test.close());

/** Calls as a new user who owns nothing yet. */
const newPerson = () => test.as(unique('collector'));
const newBundle = async (api: Api) => (await api.post('/v1/bundles', { name: unique('Bundle') })).body.id;
const listing = (fields: object = {}) => {
  const server = { name: `io.github.acme/${unique('capped')}`, description: 'A server.', version: '1.0.0' };
  return { category: 'testing', server, ...fields };
};

/** A kind of thing whose number is limited. */
interface Capped {
  code: string;
  /** Creates what is needed, and returns how to create one. */
  prepare: (cast: Cast) => Promise<() => Promise<Answer>>;
  /** Deletes one to make room. */
  free: (cast: Cast, made: Answer) => Promise<unknown>;
}

/** @returns a call whose answer can have any status */
const posting =
  (api: Api, path: string, body: () => object): (() => Promise<Answer>) =>
  () =>
    api.call('post', path, undefined, body());

const locationOf = ({ headers }: Answer) => headers.location as string;

const THINGS: Record<string, Capped> = {
  'organisations that a person creates': {
    code: 'organisation_conflict',
    prepare: async () => posting(await newPerson(), '/v1/organisations', () => ({ name: unique('Org') })),
    free: (_, made) =>
      test.dataSource.query(`DELETE FROM organisations WHERE id = $1`, [locationOf(made).split('/').at(-1)]),
  },
  'personal bundles': {
    code: 'bundle_conflict',
    prepare: async ({ outsider }) => Promise.resolve(posting(outsider, '/v1/bundles', () => ({ name: unique('B') }))),
    free: ({ outsider }, made) => outsider.delete(locationOf(made)),
  },
  'bundles of an organisation': {
    code: 'bundle_conflict',
    prepare: ({ member, orgId }) =>
      Promise.resolve(posting(member, '/v1/bundles', () => ({ name: unique('B'), org_id: orgId.toUpperCase() }))),
    free: ({ owner }, made) => owner.delete(locationOf(made)),
  },
  'drafts of a person': {
    code: 'listing_conflict',
    prepare: ({ outsider }) => Promise.resolve(posting(outsider, '/v1/mcp/listings', listing)),
    free: ({ outsider }, made) => outsider.post(`${locationOf(made)}/publish`, undefined, 200),
  },
  'drafts of an organisation': {
    code: 'listing_conflict',
    prepare: ({ member, orgId }) =>
      Promise.resolve(posting(member, '/v1/mcp/listings', () => listing({ org_id: orgId }))),
    free: ({ member }, made) => member.delete(locationOf(made)),
  },
  'personal access tokens': {
    code: 'personal_access_token_conflict',
    prepare: async () =>
      posting(await newPerson(), '/v1/users/me/access-tokens', () => ({ name: 'CI', scopes: ['catalog:read'] })),
    free: (_, made) =>
      test.dataSource.query(`DELETE FROM personal_access_tokens WHERE id = $1`, [locationOf(made).split('/').at(-1)]),
  },
  'access tokens of a bundle': {
    code: 'bundle_access_token_conflict',
    prepare: async ({ outsider }) =>
      posting(outsider, `/v1/bundles/${await newBundle(outsider)}/access-tokens`, () => ({ name: 'CI' })),
    free: ({ outsider }, made) => outsider.delete(locationOf(made)),
  },
  'SCIM tokens of an organisation': {
    code: 'scim_token_conflict',
    prepare: ({ admin, orgId }) =>
      Promise.resolve(posting(admin, `/v1/organisations/${orgId}/scim/tokens`, () => ({ name: 'IdP' }))),
    free: ({ admin }, made) => admin.delete(locationOf(made)),
  },
  'deployments of a bundle': {
    code: 'deployment_conflict',
    prepare: async ({ outsider }) => {
      const path = `/v1/bundles/${await newBundle(outsider)}/deployments` as const;
      return posting(outsider, path, () => ({ name: 'Desk', environment: 'test' }));
    },
    free: ({ outsider }, made) => outsider.delete(locationOf(made)),
  },
  'role mappings of an organisation': {
    code: 'role_mapping_conflict',
    prepare: async ({ admin, orgId }) => {
      const groups = await Promise.all(Array.from({ length: 40 }, () => createScimGroup(test.dataSource, orgId)));
      const path = `/v1/organisations/${orgId}/scim/role-mappings` as const;
      return posting(admin, path, () => ({ group_id: groups.pop(), role: 'MEMBER' }));
    },
    free: ({ admin }, made) => admin.delete(locationOf(made)),
  },
};

describe.each(Object.entries(THINGS))('The cap on %s', (_, { code, prepare, free }) => {
  it('holds under concurrent creations, names the number, and allows more once there is room', async () => {
    const cast = await createCast(test);
    const make = await prepare(cast);
    const answers = await Promise.all(Array.from({ length: 12 }, make));
    const [created, refused] = [201, 409].map((status) => answers.filter((answer) => answer.status === status));
    expect([created?.length, refused?.length]).toEqual([CAP, 12 - CAP]);
    for (const answer of refused ?? []) {
      expect(answer.body).toEqual({ code, detail: expect.stringMatching(new RegExp(`\\b${CAP}\\b`)) as string });
    }
    if (!created?.[0]) throw new Error('None was made.');
    await free(cast, created[0]);
    expect((await make()).status).toBe(201);
    expect((await make()).status).toBe(409);
  });
});

describe('The cap', () => {
  it('on editors still lets an existing editor be added again', async () => {
    const owner = await newPerson();
    const path = `/v1/bundles/${await newBundle(owner)}/editors` as const;
    // Only people who share an organisation can edit each other's bundles.
    const { id: orgId } = (await owner.post('/v1/organisations', { name: unique('Collectors') })).body;
    const editors: string[] = [];
    for (let n = 0; n <= CAP; n++) editors.push(await join(owner, orgId, await newPerson()));
    const answers = await Promise.all(editors.map((id) => owner.call('put', `${path}/${id}`, undefined)));
    expect(answers.map(({ status }) => status).sort()).toEqual([...Array<number>(CAP).fill(204), 409]);
    const refused = answers.findIndex(({ status }) => status === 409);
    expect(answers[refused]?.body).toMatchObject({ code: 'bundle_editor_conflict' });
    const kept = editors.filter((_, index) => index !== refused);
    for (const id of kept) await owner.put(`${path}/${id}`);
    await owner.delete(`${path}/${kept[0]}`);
    await owner.put(`${path}/${editors[refused]}`);
  });

  it('on versions of a listing does not block anything else', async () => {
    const owner = await newPerson();
    const body = listing();
    const { id } = (await owner.post('/v1/mcp/listings', body)).body;
    const add = (version: string, status: number) =>
      owner.post(`/v1/mcp/listings/${id}/versions`, { server: { ...body.server, version } }, status);
    await add('1.1.0', 201);
    await add('1.2.0', 201);
    expect((await add('1.3.0', 409)).body).toMatchObject({ code: 'listing_version_conflict' });
    await owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
  });

  it('on listings counts published and archived ones too, so publishing drafts makes no room', async () => {
    const owner = await newPerson();
    for (let n = 0; n < 5; n++) {
      const { id } = (await owner.post('/v1/mcp/listings', listing())).body;
      await owner.post(`/v1/mcp/listings/${id}/publish`, undefined, 200);
      if (n === 0) await owner.post(`/v1/mcp/listings/${id}/archive`, undefined, 200);
    }
    const answer = await owner.post('/v1/mcp/listings', listing(), 409);
    expect(answer.body).toMatchObject({ code: 'listing_conflict', detail: expect.stringMatching(/\b5\b/) as string });
  });

  it.each(['bundles', 'organisations'])(
    'on tokens of %s ignores expired ones, which are removed before they pile up',
    async (of) => {
      const { owner, orgId } = await createCast(test);
      const path =
        of === 'bundles'
          ? (`/v1/bundles/${await newBundle(owner)}/access-tokens` as const)
          : (`/v1/organisations/${orgId}/scim/tokens` as const);
      const create = async () => {
        const expires_at = new Date(clock.now().getTime() + 60_000).toISOString();
        return (await owner.post(path, { name: 'Short', expires_at })).body.id;
      };
      const tokens: string[] = [];
      for (let n = 0; n < 3 * CAP; n++) {
        tokens.push(await create());
        if (tokens.length % CAP === 0) clock.advance(61_000);
      }
      tokens.push(await create());
      const listed = (await owner.get(path)).body.map(({ id }) => id);
      expect(listed).toEqual(tokens.slice(-1 - CAP).reverse());
    },
  );

  it('on role mappings holds in a preview too', async () => {
    const { owner, orgId } = await createCast(test);
    const scim = `/v1/organisations/${orgId}/scim` as const;
    const mapping = (n: number) => ({ group_name: `Group ${n}`, role: 'MEMBER' as const });
    const { id } = (await owner.post(`${scim}/role-mappings`, mapping(0))).body;
    const preview = (create: object[], status: number, others: object = {}) =>
      owner.call('post', `${scim}/sync/preview`, status, { role_mappings: { create, ...others } });
    const more = Array.from({ length: CAP }, (_, n) => mapping(n + 1));
    await preview(more.slice(1), 200);
    await preview(more, 200, { delete: [id] });
    const refused = await preview(more, 409);
    expect(refused.body).toEqual({
      code: 'role_mapping_conflict',
      detail: 'The organisation has 3 role mappings, which is the limit. Delete one first.',
    });
  });

  it('leaves an owner above the cap what they have', async () => {
    const owner = await newPerson();
    const userId = await idOf(owner);
    for (let n = 0; n < CAP + 2; n++) {
      await test.dataSource.query(`INSERT INTO bundles (id, name, slug, owner_id) VALUES (uuid_v7(), 'Old', $1, $2)`, [
        unique('old'),
        userId,
      ]);
    }
    expect((await owner.get('/v1/bundles?scope=mine')).body).toHaveLength(CAP + 2);
    await owner.post('/v1/bundles', { name: 'One more' }, 409);
  });
});
