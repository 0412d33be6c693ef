import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, FakeClock, TestApp } from '../support/app';
import { Cast, createCast, createEndpoint, idOf, join, unique } from '../support/factories';
import { statementsOf } from '../support/statements';
import type { Query } from '../support/typed-paths';

const SEVEN = ['created_at', 'description', 'event_types', 'id', 'is_active', 'target_url', 'updated_at'];
/** The reference time of `ap`. In the past, so that no token has expired. */
const clock = new FakeClock(new Date('2020-06-01T00:00:00.000Z'));

let test: TestApp;

beforeAll(async () => {
  // Without a worker, whose statements would be counted too.
  test = await createTestApp({ clock, env: { RUN: 'api' } });
});

afterAll(() => test.close());

interface Insert {
  orgId?: string;
  ownerId: string;
  isActive?: boolean;
  createdAt?: string;
}

/** In SQL, since callers cannot set `created_at`. */
async function insert({ orgId, ownerId, isActive = true, createdAt }: Insert): Promise<string> {
  const id = newId();
  await test.dataSource.query(
    `INSERT INTO webhook_endpoints (id, org_id, owner_id, target_url, is_active, event_types, encrypted_secret, created_at)
     VALUES ($1, $2, $3, 'https://hooks.example.com/', $4, '{}', '', coalesce($5, now()))`,
    [id, orgId ?? null, ownerId, isActive, createdAt ?? null],
  );
  return id;
}

async function insertMany(count: number, row: Insert): Promise<string[]> {
  const ids: string[] = [];
  for (let n = 0; n < count; n++) ids.push(await insert(row));
  return ids;
}

async function list(api: Api, query: Query = ''): Promise<{ ids: string[]; truncated: string | undefined }> {
  const { body, headers } = await api.get(`/v1/webhooks${query}`);
  return { ids: body.map(({ id }) => id), truncated: headers['x-result-truncated'] };
}

/** A cast whose MEMBER reads the list, with the member's own id. */
async function createReader(): Promise<Cast & { api: Api; userId: string }> {
  const cast = await createCast(test);
  return { ...cast, api: cast.member, userId: await idOf(cast.member) };
}

describe('The list of webhook endpoints', () => {
  it('returns exactly the seven fields, with and without org_id', async () => {
    const { owner, member, orgId } = await createCast(test);
    const { id } = await createEndpoint(owner, { org_id: orgId, description: 'For the pager.' });
    for (const query of ['', `?org_id=${orgId}`] as const) {
      const { body } = await member.get(`/v1/webhooks${query}`);
      expect(body).toHaveLength(1);
      expect(Object.keys(body[0] ?? {}).sort()).toEqual(SEVEN);
      expect(body[0]).toMatchObject({ id, description: 'For the pager.', event_types: ['bundle.created'] });
    }
  });

  it('contains the caller’s own and those of all their organisations, newest first, then by id', async () => {
    const { api, userId, orgId, outsider } = await createReader();
    const second = await createCast(test);
    await join(second.owner, second.orgId, api);
    await insert({ ownerId: await idOf(outsider) });
    await insert({ orgId: (await createCast(test)).orgId, ownerId: userId });
    const at = (createdAt: string, fields: object) => insert({ ownerId: userId, createdAt, ...fields });
    const oldest = await at('2020-01-01T00:00:00Z', { orgId });
    const [low, high] = [
      await at('2020-01-02T00:00:00Z', { orgId: second.orgId }),
      await at('2020-01-02T00:00:00Z', {}),
    ];
    const newest = await at('2020-01-03T00:00:00Z', {});
    expect(await list(api)).toEqual({ ids: [newest, high, low, oldest], truncated: undefined });
  });

  it('is limited to 100 over all owners, and reports truncation only if something was cut off', async () => {
    const { api, userId, orgId, owner } = await createReader();
    const second = await createCast(test);
    await join(second.owner, second.orgId, api);
    const endpointIds = await insertMany(40, { ownerId: userId, createdAt: '2020-01-01T00:00:00Z' });
    endpointIds.push(...(await insertMany(40, { ownerId: userId, orgId, createdAt: '2020-01-02T00:00:00Z' })));
    endpointIds.push(
      ...(await insertMany(20, { ownerId: userId, orgId: second.orgId, createdAt: '2020-01-03T00:00:00Z' })),
    );
    expect(await list(api)).toEqual({ ids: [...endpointIds].reverse(), truncated: undefined });
    endpointIds.push(await insert({ ownerId: userId, orgId }));
    expect(await list(api)).toEqual({ ids: [...endpointIds].reverse().slice(0, 100), truncated: 'true' });
    await api.get('/v1/webhooks?org_id=null');
    // Filters apply before the limit.
    expect(await list(api, '?created_at=lt2020-01-03')).toMatchObject({ truncated: undefined });
    expect((await list(api, '?created_at=lt2020-01-03')).ids).toHaveLength(80);
    expect((await list(owner)).ids).toHaveLength(41);
  });

  it('is limited within one organisation too, but not if requested by org_id', async () => {
    const { api, userId, orgId } = await createReader();
    const endpointIds = (await insertMany(150, { ownerId: userId, orgId })).reverse();
    const personal = await insert({ ownerId: userId });
    expect(await list(api)).toEqual({ ids: [personal, ...endpointIds.slice(0, 99)], truncated: 'true' });
    expect(await list(api, `?org_id=${orgId}`)).toEqual({ ids: endpointIds, truncated: undefined });
    for (const absent of ['?org_id=', '?org_id=null', '?org_id=Null'] as const) {
      expect((await list(api, absent)).ids).toHaveLength(100);
    }
  });

  it('shows nothing of an organisation to a former member, whatever they created in it', async () => {
    const { api, userId, orgId, owner } = await createReader();
    await insert({ ownerId: userId, orgId });
    const personal = await insert({ ownerId: userId });
    expect((await list(api)).ids).toHaveLength(2);
    // Deactivated by the directory, the membership stays without a role.
    await test.dataSource.query(
      `UPDATE memberships SET suspended = true, role = NULL WHERE org_id = $1 AND user_id = $2`,
      [orgId, userId],
    );
    expect((await list(api)).ids).toEqual([personal]);
    await api.get(`/v1/webhooks?org_id=${orgId}`, 404);
    await test.dataSource.query(
      `UPDATE memberships SET suspended = false, role = 'MEMBER' WHERE org_id = $1 AND user_id = $2`,
      [orgId, userId],
    );
    expect((await list(api)).ids).toHaveLength(2);
    await owner.delete(`/v1/organisations/${orgId}/members/${userId}`);
    expect((await list(api)).ids).toEqual([personal]);
    await api.get(`/v1/webhooks?org_id=${orgId}`, 404);
  });

  it('answers 404 for an organisation of which the caller is not a member', async () => {
    const { orgId, outsider } = await createCast(test);
    for (const id of [orgId, newId()]) {
      const refused = await outsider.get(`/v1/webhooks?org_id=${id}`, 404);
      expect(refused.body).toEqual({ detail: `Organisation ${id} was not found.`, code: 'organisation_not_found' });
    }
    // Errors of the request come first.
    await outsider.get(`/v1/webhooks?org_id=${orgId}&created_at=yesterday`, 422);
  });

  it.each([
    ['org_id=acme', ['query', 'org_id'], 'uuid_parsing'],
    ['org_id=%20', ['query', 'org_id'], 'uuid_parsing'],
    [`org_id=${newId()}&org_id=${newId()}`, ['query', 'org_id'], 'string_type'],
    ['is_active=', ['query', 'is_active'], 'bool_parsing'],
    ['is_active=2', ['query', 'is_active'], 'bool_parsing'],
    ['is_active=active', ['query', 'is_active'], 'bool_parsing'],
    ['is_active=true&is_active=true', ['query', 'is_active'], 'bool_parsing'],
    ['created_at=', ['query', 'created_at', '0'], 'datetime_parsing'],
    ['created_at=yesterday', ['query', 'created_at', '0'], 'datetime_parsing'],
    ['created_at=ge2020&created_at=2020-02-30', ['query', 'created_at', '1'], 'datetime_parsing'],
    ['created_at=2020&created_at=2020&created_at=2020,', ['query', 'created_at', '2'], 'datetime_parsing'],
    ['created_at=GE2020', ['query', 'created_at', '0'], 'datetime_parsing'],
    ['created_at=2020-03-01T10:00:00%2B25:00', ['query', 'created_at', '0'], 'datetime_parsing'],
    [`created_at=2020%00`, ['query', 'created_at', '0'], 'value_error'],
    ['created_at[]=2020&created_at[]=soon', ['query', 'created_at', '1'], 'datetime_parsing'],
    ['created_at[0]=soon', ['query', 'created_at', '0'], 'datetime_parsing'],
    ['created_at[gt]=2020', ['query', 'created_at[gt]'], 'extra_forbidden'],
    ['created_at[][]=2020', ['query', 'created_at[][]'], 'extra_forbidden'],
    ['Created_At=2020', ['query', 'Created_At'], 'extra_forbidden'],
    ['is_active[]=true&is_active=true', ['query', 'is_active'], 'bool_parsing'],
    ['IS_ACTIVE[]=true', ['query', 'IS_ACTIVE'], 'extra_forbidden'],
  ])('rejects ?%s', async (query, loc, type) => {
    const refused = await (await test.as(unique('somebody'))).get(`/v1/webhooks?${query}`, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc, type }] });
  });

  it('reports every invalid date', async () => {
    const query = 'created_at=never&created_at=2020&created_at=soon,2020';
    const refused = await (await test.as(unique('somebody'))).get(`/v1/webhooks?${query}`, 422);
    const { detail } = refused.body;
    expect(detail.map(({ loc }) => loc.join('.'))).toEqual(['query.created_at.0', 'query.created_at.2']);
  });

  it('accepts is_active in every spelling of a boolean, and ignores unknown parameters', async () => {
    const { api, userId, orgId } = await createReader();
    const on = await insert({ ownerId: userId, orgId });
    const off = await insert({ ownerId: userId, orgId, isActive: false });
    for (const narrowed of ['', `&org_id=${orgId}`]) {
      for (const spelling of ['true', 'TRUE', 'True', '1', 'yes', 'on', 'ON']) {
        expect((await list(api, `?is_active=${spelling}${narrowed}`)).ids).toEqual([on]);
      }
      for (const spelling of ['false', 'FALSE', '0', 'no', 'NO', 'off']) {
        expect((await list(api, `?is_active=${spelling}${narrowed}`)).ids).toEqual([off]);
      }
      expect((await list(api, `?page=7&verify_locally=true&filter[created_at]=x${narrowed}`)).ids).toEqual([off, on]);
    }
  });
});

describe('The created_at filters of the webhook endpoint list', () => {
  const TIMES = {
    february: '2020-02-28T23:59:59.999Z',
    march: '2020-03-01T00:00:00.000Z',
    noon: '2020-03-15T12:30:45.678Z',
    evening: '2020-03-31T23:59:59.999Z',
    april: '2020-04-01T00:00:00.000Z',
  };
  type Name = keyof typeof TIMES;
  const all = Object.keys(TIMES) as Name[];
  const inactive: Name[] = ['march', 'april'];
  const ids = new Map<string, Name>();
  let api: Api;
  let orgId: string;

  beforeAll(async () => {
    const cast = await createCast(test);
    ({ orgId } = cast);
    api = cast.member;
    const ownerId = await idOf(cast.owner);
    for (const name of all) {
      const fields = { orgId, ownerId, createdAt: TIMES[name], isActive: !inactive.includes(name) };
      ids.set(await insert(fields), name);
    }
  });

  const named = async (query: Query) => (await list(api, query)).ids.map((id) => ids.get(id)).reverse();

  it.each<[string, Name[]]>([
    ['created_at=2020-03', ['march', 'noon', 'evening']],
    ['created_at=eq2020-03', ['march', 'noon', 'evening']],
    ['created_at=ne2020-03', ['february', 'april']],
    ['created_at=gt2020-03', ['april']],
    ['created_at=sa2020-03', ['april']],
    ['created_at=ge2020-03', ['march', 'noon', 'evening', 'april']],
    ['created_at=lt2020-03', ['february']],
    ['created_at=eb2020-03', ['february']],
    ['created_at=le2020-03', ['february', 'march', 'noon', 'evening']],
    ['created_at=2020', all],
    ['created_at=2019', []],
    ['created_at=2020-03-15', ['noon']],
    ['created_at=2020-03-15T12:30', ['noon']],
    ['created_at=2020-03-15T12:30:45', ['noon']],
    ['created_at=2020-03-15T12:30:45.678Z', ['noon']],
    ['created_at=2020-03-15T12:30:45.679Z', []],
    // 61 days away, so six more on both sides; 77 days, so almost eight; and 152 days, so fifteen are not enough.
    ['created_at=ap2020-03', all],
    ['created_at=ap2020-03-15', ['noon']],
    ['created_at=ap2019', []],
    // Offsets: escaped, with the "+" that form decoding turns into a space, and west of Greenwich.
    ['created_at=2020-03-15T14:30:45%2B02:00', ['noon']],
    ['created_at=2020-03-15T14:30:45+02:00', ['noon']],
    ['created_at=2020-03-15T14:30:45%2002:00', ['noon']],
    ['created_at=2020-03-15T07:30:45-05:00', ['noon']],
    ['created_at=ge2020-04-01T00:00:00+01:00', ['evening', 'april']],
    // AND between parameters, OR within one.
    ['created_at=ge2020-03&created_at=lt2020-04', ['march', 'noon', 'evening']],
    ['created_at[]=ge2020-03&created_at[]=lt2020-04', ['march', 'noon', 'evening']],
    ['created_at%5B0%5D=ge2020-03&created_at%5B1%5D=lt2020-04', ['march', 'noon', 'evening']],
    ['created_at[]=lt2000', []],
    ['created_at[]=2020-03&created_at=ge2020-03-15', ['noon', 'evening']],
    // Second 60 is the next minute.
    ['created_at=ge2020-03-15T12:30:60', ['evening', 'april']],
    ['created_at=ge2020-03&created_at=lt2020-04&created_at=ne2020-03-15', ['march', 'evening']],
    ['created_at=lt2020-03,gt2020-03', ['february', 'april']],
    ['created_at=2020-02,2020-03-15,2020-03-15', ['february', 'noon']],
    ['created_at=2020-02,2020-04&created_at=ge2020-03', ['april']],
    ['created_at=2020-02&created_at=2020-04', []],
    // Together with the other filter.
    ['created_at=2020-03&is_active=true', ['noon', 'evening']],
    ['created_at=2020-03&is_active=false', ['march']],
    ['is_active=false', ['march', 'april']],
  ])('select the same rows by ?%s with and without org_id', async (query, expected) => {
    expect(await named(`?${query}`)).toEqual(expected);
    expect(await named(`?${query}&org_id=${orgId}`)).toEqual(expected);
  });

  it('find a row by its own created_at', async () => {
    const { body } = await api.get('/v1/webhooks');
    for (const { id, created_at } of body) {
      expect((await list(api, `?created_at=${created_at}`)).ids).toEqual([id]);
    }
  });

  it('accept up to 50 parameters with 20 values each', async () => {
    const many = (count: number) => Array.from({ length: count }, () => 'created_at=ge2020-03').join('&');
    expect(await named(`?${many(50)}`)).toEqual(['march', 'noon', 'evening', 'april']);
    await api.get(`/v1/webhooks?${many(51)}`, 422);
    const either = (count: number) => `created_at=${Array.from({ length: count }, () => 'ne2020-03').join(',')}`;
    expect(await named(`?${either(20)}&org_id=${orgId}`)).toEqual(['february', 'april']);
    const refused = await api.get(`/v1/webhooks?${either(21)}`, 422);
    expect(refused.body).toMatchObject({ detail: [{ loc: ['query', 'created_at', '0'], type: 'datetime_parsing' }] });
  });

  /** The application's statements, from TypeORM's logger; the token is cached, so the account needs no query. */
  it('take two statements with org_id and one without', async () => {
    for (const [query, statements] of [
      ['', 1],
      [`?org_id=${orgId}`, 2],
      ['?is_active=true&created_at=ge2020&created_at=lt2020-04,gt2020-05', 1],
      [`?org_id=${orgId}&is_active=true&created_at=ge2020&created_at=lt2020-04,gt2020-05`, 2],
      ['?created_at=yesterday', 0],
      [`?org_id=${newId()}`, 1],
    ] as const) {
      const sent = await statementsOf(test, () => api.call('get', `/v1/webhooks${query}`, undefined));
      expect([query, sent.length]).toEqual([query, statements]);
    }
  });
});
