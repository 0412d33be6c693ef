import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint } from '../support/factories';

const BODY = { target_url: 'https://hooks.example.com/in', event_types: [] };

describe('The number of webhook endpoints', () => {
  let test: TestApp;
  let cast: Cast;

  beforeAll(async () => {
    test = await createTestApp({
      env: { RUN: 'api', LIMIT_ENDPOINTS_PER_PERSON: '2', LIMIT_ENDPOINTS_PER_ORGANISATION: '3' },
    });
    cast = await createCast(test);
  });

  afterAll(() => test.close());

  /** How many of that many created concurrently exist afterwards. */
  async function rush(api: Api, fields: object): Promise<number[]> {
    const answers = await Promise.all(
      Array.from({ length: 12 }, () => api.raw('post', '/v1/webhooks').send({ ...BODY, ...fields })),
    );
    return answers.map(({ status }) => status).sort();
  }

  it('is limited for a person, even under concurrent creation', async () => {
    const person = await test.as('person');
    expect(await rush(person, {})).toEqual([...Array<number>(2).fill(201), ...Array<number>(10).fill(409)]);
    expect((await person.get('/v1/webhooks')).body).toHaveLength(2);
    expect((await person.post('/v1/webhooks', BODY, 409)).body).toEqual({
      code: 'webhook_conflict',
      detail: 'You have 2 personal webhook endpoints, which is the limit. Delete one first.',
    });
    await createEndpoint(await test.as('somebody-else'));
  });

  it('is limited for an organisation, whoever creates them', async () => {
    const { orgId, owner, admin } = cast;
    const [one, other] = await Promise.all([rush(owner, { org_id: orgId }), rush(admin, { org_id: orgId })]);
    expect([...one, ...other].filter((status) => status === 201)).toHaveLength(3);
    const refused = await admin.post('/v1/webhooks', { ...BODY, org_id: orgId }, 409);
    expect(refused.body).toEqual({
      code: 'webhook_conflict',
      detail: 'The organisation has 3 webhook endpoints, which is the limit. Delete one first.',
    });
    const [{ id } = { id: '' }] = (await owner.get(`/v1/webhooks?org_id=${orgId}`)).body;
    await owner.delete(`/v1/webhooks/${id}`);
    await createEndpoint(owner, { org_id: orgId });
    // Personal ones do not count, nor do those of another organisation.
    await createEndpoint(owner);
    const another = await createCast(test);
    await createEndpoint(another.owner, { org_id: another.orgId });
  });

  it('is checked after authentication, validation and permission', async () => {
    const { orgId, member, outsider } = cast;
    await member.post('/v1/webhooks', { ...BODY, org_id: orgId }, 403);
    await outsider.post('/v1/webhooks', { ...BODY, org_id: orgId }, 404);
    await cast.owner.post('/v1/webhooks', { ...BODY, org_id: orgId, target_url: 'x' }, 422);
  });
});
