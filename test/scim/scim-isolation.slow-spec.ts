import { newId, UUID_PATTERN } from '../../src/database/id';
import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, unique } from '../support/factories';
import { ScimConnection } from '../support/scim-connection';
import { ADA, ENGINEERS, GRACE, GROUP_URN, patch } from '../support/scim-shapes/shape';
import { tableDigests } from '../support/table-digests';

/** An organisation with a directory, a mapping, a sync run, and everything else that has an id. */
interface Tenant {
  cast: Cast;
  connection: ScimConnection;
  ada: string;
  grace: string;
  engineers: string;
  /** By name of the path parameter. */
  ids: Record<string, string>;
}

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

interface Operation {
  method: Method;
  template: string;
  rule: string;
}

/** The body of an operation; `place` is the organisation whose ids it contains. */
const BODIES: Record<string, (place: Tenant) => object> = {
  'post /members': ({ ids }) => ({ user_id: ids.user_id, role: 'MEMBER' }),
  'patch /members/{user_id}': () => ({ role: 'ADMIN' }),
  'post /scim/tokens': () => ({ name: 'Another' }),
  'post /scim/role-mappings': ({ engineers }) => ({ group_id: engineers, role: 'ADMIN' }),
  'patch /scim/role-mappings/{mapping_id}': () => ({ role: 'MEMBER' }),
  'post /scim/sync/preview': ({ ids }) => ({ role_mappings: { delete: [ids.mapping_id] } }),
  'put /scim/settings': () => ({ default_role: null, allow_owner_mapping: false, last_owner_policy: 'refuse' }),
  'post /scim/v2/Users': () => ({ ...ADA, userName: 'stranger@acme.example', externalId: 'stranger' }),
  'put /scim/v2/Users/{id}': () => ({ ...ADA, displayName: 'Stolen' }),
  'patch /scim/v2/Users/{id}': () => patch({ op: 'replace', path: 'active', value: false }),
  'post /scim/v2/Groups': ({ ada }) => ({ schemas: [GROUP_URN], displayName: 'Thieves', members: [{ value: ada }] }),
  'put /scim/v2/Groups/{id}': () => ({ ...ENGINEERS, displayName: 'Stolen', members: [] }),
  'patch /scim/v2/Groups/{id}': ({ ada }) => patch({ op: 'remove', path: `members[value eq "${ada}"]` }),
  'post /scim/v2/Bulk': ({ ada }) => ({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
    Operations: [{ method: 'DELETE', path: `/Users/${ada}` }],
  }),
};

const SCIM = '/scim/v2';

/** Every route of the protocol and its administration, from the OpenAPI document, called across organisations. */
describe('SCIM between two organisations', () => {
  let test: TestApp;
  let ours: Tenant;
  let theirs: Tenant;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    ours = await tenant(test);
    theirs = await tenant(test);
  });

  afterAll(() => test.close());

  /** The operations below an organisation that concern its directory, its members and its roles. */
  function operations(): Operation[] {
    return Object.entries(test.document.paths).flatMap(([template, item]) =>
      /^\/v1\/organisations\/\{org_id\}\/(scim|members|audit-log)/.test(template)
        ? Object.entries(item as unknown as Record<Method, { 'x-access': { rule: string } }>).map(
            ([method, operation]) => ({
              method: method as Method,
              template,
              rule: operation['x-access'].rule,
            }),
          )
        : [],
    );
  }
  const protocol = () => operations().filter(({ template }) => template.includes(SCIM));
  const administration = () => operations().filter(({ template }) => !template.includes(SCIM));
  const nameOf = ({ method, template }: Operation) => `${method} ${template.replace('/v1/organisations/{org_id}', '')}`;

  /**
   * Calls each operation and expects the status, the same answer as for unknown ids, and no changed row.
   *
   * @param at the organisation in the path
   * @param of the organisation whose ids are in the path and the body
   * @param knowsWhy whether the caller may learn more about their own token
   * @param isLogged whether the organisation in the path finds the error in its provisioning log
   */
  async function expectRefused(
    list: readonly Operation[],
    token: string,
    {
      at,
      of,
      status,
      knowsWhy = false,
      isLogged = false,
    }: { at: Tenant; of: Tenant; status: number; knowsWhy?: boolean; isLogged?: boolean },
  ): Promise<void> {
    expect(list.length).toBeGreaterThan(0);
    const bystander = isLogged ? at.cast.orgId : theirs.cast.orgId;
    const before = await tableDigests(test.dataSource, bystander);
    const answers: string[] = [];
    for (const operation of list) {
      const answer = await request(operation, token, at, of);
      answers.push(`${answer.status} ${nameOf(operation)}`);
      if (knowsWhy) continue;
      const missing = nowhere(of);
      const unknown = await request(operation, token, at === of ? missing : at, missing);
      expect({ operation, ...withoutIds(answer) }).toEqual({ operation, ...withoutIds(unknown) });
    }
    expect(answers).toEqual(list.map((operation) => `${status} ${nameOf(operation)}`));
    expect(await tableDigests(test.dataSource, bystander)).toEqual(before);
  }

  async function request(operation: Operation, token: string, at: Tenant, of: Tenant) {
    const { method, template } = operation;
    const body = BODIES[nameOf(operation)]?.(of);
    const path = template.replace(/\{(\w+)\}/g, (_, name: string) =>
      name === 'org_id' ? at.cast.orgId : parameter(name, template, of),
    );
    const type = template.includes(SCIM) ? 'application/scim+json' : 'application/json';
    const call = test.anonymous.raw(method, path).set('Authorization', `Bearer ${token}`);
    return body ? call.set('Content-Type', type).send(JSON.stringify(body)) : call;
  }

  it('is tested on all protocol and administration routes of the document', () => {
    expect(protocol().length).toBeGreaterThanOrEqual(25);
    expect(administration().length).toBeGreaterThanOrEqual(20);
    expect(protocol().filter(({ rule }) => rule !== 'scim-token')).toEqual([]);
    expect(administration().filter(({ rule }) => !rule.startsWith('organisation-'))).toEqual([]);
  });

  it('returns nothing on any protocol route to a token of the other organisation', async () => {
    const expected = { at: ours, of: ours, status: 401 };
    await expectRefused(protocol(), theirs.connection.token, expected);
  });

  it('returns nothing on any protocol route to a user’s access token, even of its OWNER', async () => {
    for (const { cast } of [ours, theirs]) {
      await expectRefused(protocol(), String(cast.owner.token), { at: ours, of: ours, status: 401 });
    }
  });

  it('returns nothing on any protocol route to a revoked, expired, truncated or missing token', async () => {
    const { token, id } = await newToken(ours);
    await ours.cast.admin.delete(`/v1/organisations/${ours.cast.orgId}/scim/tokens/${id}`);
    const expired = await newToken(ours);
    await test.dataSource.query(`UPDATE scim_tokens SET expires_at = now() - interval '1 second' WHERE id = $1`, [
      expired.id,
    ]);
    const living = ours.connection.token;
    for (const bad of [token, expired.token, living.slice(0, -1), `${living}a`, 'tys_', '']) {
      const isLogged = bad === expired.token || bad === token;
      await expectRefused(protocol(), bad, { at: ours, of: ours, status: 401, knowsWhy: true, isLogged });
    }
  });

  it('returns nothing on any administration route to a SCIM token, even its own', async () => {
    for (const { connection } of [ours, theirs]) {
      await expectRefused(administration(), connection.token, { at: ours, of: ours, status: 401 });
    }
  });

  it('does not find the organisation on any administration route for an ADMIN or OWNER of the other one', async () => {
    for (const api of [theirs.cast.admin, theirs.cast.owner]) {
      await expectRefused(administration(), String(api.token), { at: ours, of: ours, status: 404 });
    }
  });

  it('does not find its ids under the other organisation’s path, by token or OWNER', async () => {
    const withId = (list: Operation[]) => list.filter(({ template }) => /\{(?!org_id|name|urn)\w+\}/.test(template));
    await expectRefused(withId(protocol()), theirs.connection.token, { at: theirs, of: ours, status: 404 });
    await expectRefused(withId(administration()), String(theirs.cast.owner.token), {
      at: theirs,
      of: ours,
      status: 404,
    });
  });

  it('does not find its ids in bodies and filters under the other organisation’s path', async () => {
    const { connection, cast } = theirs;
    const before = await tableDigests(test.dataSource, cast.orgId);
    const group = { schemas: [GROUP_URN], displayName: 'Thieves', members: [{ value: ours.ada }] };
    const answers = [
      await connection.send({ method: 'POST', path: '/Groups', body: group }),
      ...(await Promise.all(
        [
          patch({ op: 'add', path: 'members', value: [{ value: ours.ada }] }),
          patch({ op: 'replace', path: 'members', value: [{ value: ours.ada }] }),
        ].map((body) => connection.send({ method: 'PATCH', path: `/Groups/${theirs.engineers}`, body })),
      )),
      await connection.send({ method: 'PUT', path: `/Groups/${theirs.engineers}`, body: { ...group, ...ENGINEERS } }),
    ];
    expect(answers.map(({ status }) => status)).toEqual([400, 400, 400, 400]);
    // No member has that id, so there is nothing to remove.
    for (const path of [`members[value eq "${ours.ada}"]`, 'members']) {
      const value = path === 'members' ? { value: [{ value: ours.ada }] } : {};
      const body = patch({ op: 'remove', path, ...value });
      answers.push(await connection.call(204, { method: 'PATCH', path: `/Groups/${theirs.engineers}`, body }));
    }
    const bulk = {
      schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'],
      Operations: [
        { method: 'DELETE', path: `/Users/${ours.ada}` },
        { method: 'PATCH', path: `/Users/${ours.grace}`, data: patch({ op: 'replace', path: 'active', value: false }) },
        { method: 'DELETE', path: `/Groups/${ours.engineers}` },
      ],
    };
    const bulked = await connection.call(200, { method: 'POST', path: '/Bulk', body: bulk });
    expect((bulked.body.Operations as { status: string }[]).map(({ status }) => status)).toEqual(['404', '404', '404']);
    for (const [path, filter] of [
      ['/Users', `id eq "${ours.ada}"`],
      ['/Users', `groups.value eq "${ours.engineers}"`],
      ['/Groups', `members.value eq "${ours.ada}"`],
      ['/Groups', `id eq "${ours.engineers}" or members[value eq "${ours.grace}"]`],
    ] as const) {
      const { body } = await connection.call(200, { method: 'GET', path, query: { filter } });
      expect(body).toMatchObject({ totalResults: 0, Resources: [] });
    }
    const organisation = `/v1/organisations/${cast.orgId}` as const;
    const mapping = { group_id: ours.engineers, role: 'ADMIN' };
    await cast.owner.post(`${organisation}/scim/role-mappings`, mapping, 404);
    for (const role_mappings of [
      { create: [mapping] },
      { update: [{ id: ours.ids.mapping_id, role: 'MEMBER' }] },
      { delete: [ours.ids.mapping_id] },
    ]) {
      await cast.owner.post(`${organisation}/scim/sync/preview`, { role_mappings }, 404);
    }
    for (const list of [`audit-log?subject_id=${ours.ids.user_id}`, `scim/log?token_id=${ours.connection.tokenId}`]) {
      expect((await cast.owner.get(`${organisation}/${list}`)).body).toEqual([]);
    }
    expect(await tableDigests(test.dataSource, cast.orgId)).toEqual(before);
  });

  it('lists nothing of the other organisation', async () => {
    // An organisation whose provisioning log does not contain all the attempts above.
    const third = await tenant(test);
    const { connection, cast } = third;
    const lists = operations().filter(({ method, template }) => method === 'get' && !/\{(?!org_id)/.test(template));
    expect(lists.length).toBeGreaterThanOrEqual(10);
    for (const operation of lists) {
      const token = operation.template.includes(SCIM) ? connection.token : String(cast.owner.token);
      const { status, text } = await request(operation, token, third, third);
      expect(`${status} ${nameOf(operation)}`).toBe(
        `${operation.template.endsWith('/Me') ? 501 : 200} ${nameOf(operation)}`,
      );
      expect(foreignIn(text, idsOf(ours))).toEqual([]);
    }
    for (const path of ['/.search', '/Users/.search', '/Groups/.search']) {
      const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:SearchRequest'], count: 1_000 };
      const { text } = await connection.call(200, { method: 'POST', path, body });
      expect(foreignIn(text, idsOf(ours))).toEqual([]);
    }
  });

  async function newToken({ cast }: Tenant): Promise<{ id: string; token: string }> {
    const path = `/v1/organisations/${cast.orgId}/scim/tokens` as const;
    return (await cast.admin.post(path, { name: 'Short-lived' })).body;
  }
});

function parameter(name: string, template: string, { ids, ada, engineers }: Tenant): string {
  if (name === 'id') return template.includes('/Groups/') ? engineers : ada;
  if (name === 'name') return 'User';
  if (name === 'urn') return GROUP_URN;
  const id = ids[name];
  if (id === undefined) throw new Error(`No tenant has a ${name}, which ${template} asks for: let tenant() make one.`);
  return id;
}

/** The same, with unknown ids. */
function nowhere(tenant: Tenant): Tenant {
  const ids = Object.fromEntries(Object.keys(tenant.ids).map((name) => [name, newId()]));
  return { ...tenant, cast: { ...tenant.cast, orgId: newId() }, ada: newId(), engineers: newId(), ids };
}

/** An answer without its ids. */
function withoutIds({ status, text, headers }: { status: number; text: string; headers: object }) {
  return { status, text: text.replace(UUID, '<id>'), headers: Object.keys(headers).sort() };
}

const UUID = new RegExp(UUID_PATTERN, 'g');

const idsOf = ({ cast, ada, grace, engineers, ids }: Tenant): string[] => [
  cast.orgId,
  ada,
  grace,
  engineers,
  ...Object.values(ids),
];

const foreignIn = (text: string, ids: readonly string[]): string[] => ids.filter((id) => text.includes(id));

async function tenant(test: TestApp): Promise<Tenant> {
  const cast = await createCast(test);
  const organisation = `/v1/organisations/${cast.orgId}` as const;
  const connection = await ScimConnection.open(test, cast.admin, cast.orgId);
  // Separate people, so that no account is a member of both.
  const own = (person: typeof ADA) => {
    const email = `${unique('person')}@acme.example`;
    return { ...person, userName: email, emails: [{ value: email, type: 'work', primary: true }] };
  };
  const ada = await connection.make('/Users', own(ADA));
  const grace = await connection.make('/Users', own(GRACE));
  const members = [{ value: ada }, { value: grace }];
  const engineers = await connection.make('/Groups', { ...ENGINEERS, members });
  const mapping = await cast.admin.post(`${organisation}/scim/role-mappings`, { group_id: engineers, role: 'ADMIN' });
  const sync = await cast.admin.post(`${organisation}/scim/sync`, undefined, 200);
  const [person] = await test.dataSource.query<{ user_id: string }[]>(`SELECT user_id FROM scim_users WHERE id = $1`, [
    ada,
  ]);
  return {
    cast,
    connection,
    ada,
    grace,
    engineers,
    ids: {
      user_id: String(person?.user_id),
      scim_user_id: ada,
      group_id: engineers,
      mapping_id: mapping.body.id,
      token_id: connection.tokenId,
      run_id: String(sync.headers.location?.split('/').at(-1)),
      entry_id: await logEntry(test, cast.orgId),
    },
  };
}

/** An entry of the provisioning log, as after the next write of the log. */
async function logEntry(test: TestApp, orgId: string): Promise<string> {
  const id = newId();
  await test.dataSource.query(
    `INSERT INTO scim_log (id, org_id, token_id, request_id, method, path, status, duration_ms)
     VALUES ($1, $2, $3, 'before', 'GET', '/Users', 200, 3)`,
    [id, orgId, newId()],
  );
  return id;
}
