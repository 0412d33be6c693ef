import type { Role } from '../../src/organisations/members/role';
import { Api } from '../support/api';
import type { ScimSettingsPut } from '../support/api-types';
import { createTestApp, FakeClock, PUBLIC_URL, type TestApp } from '../support/app';
import {
  type Cast,
  createCast,
  createRoleMapping,
  createScimGroup,
  createScimUser,
  idOf,
  unique,
} from '../support/factories';
import { codeOf } from '../support/faults';
import { createMembership, syncOf, watchEvents } from '../support/organisations';
import { createProvider } from '../support/scim';
import type { OrganisationPath, Query } from '../support/typed-paths';

const DEFAULTS: ScimSettingsPut = { default_role: 'MEMBER', allow_owner_mapping: false, last_owner_policy: 'retain' };

describe('SCIM settings', () => {
  const clock = new FakeClock(new Date());
  let test: TestApp;
  let cast: Cast;
  let settings: OrganisationPath<'scim/settings'>;
  let events: ReturnType<typeof watchEvents>;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' }, clock });
  });

  beforeEach(async () => {
    clock.time = new Date();
    cast = await createCast(test);
    settings = `/v1/organisations/${cast.orgId}/scim/settings`;
    events = watchEvents(test.dataSource, cast.orgId);
    await events();
  });

  afterAll(() => test.close());

  const sql = <T>(text: string, ...parameters: unknown[]): Promise<T[]> => test.dataSource.query<T[]>(text, parameters);
  const put = (fields: object = {}, status = 200, by: Api = cast.owner, query: Query = '') =>
    by.put(`${settings}${query}`, { ...DEFAULTS, ...fields }, status);
  const provision = async (count: number): Promise<string[]> => {
    const users = await Promise.all(Array.from({ length: count }, () => createScimUser(test.dataSource, cast.orgId)));
    await syncOf(cast.owner, cast.orgId);
    await events();
    return users.map(({ userId }) => userId);
  };
  const rolesOf = async (users: string[]): Promise<Record<string, Role | null>> => {
    const rows = await sql<{ user_id: string; role: Role | null }>(
      `SELECT user_id, role FROM memberships WHERE org_id = $1 AND user_id = ANY ($2)`,
      cast.orgId,
      users,
    );
    return Object.fromEntries(rows.map(({ user_id, role }) => [user_id, role]));
  };
  const all = (users: string[], role: Role | null) => Object.fromEntries(users.map((user) => [user, role]));
  const audited = () =>
    sql(
      `SELECT action, actor_type, actor_id, subject_type, subject_id, before, after, request_id FROM audit_log
       WHERE org_id = $1 AND action = 'scim_settings.changed' ORDER BY id`,
      cast.orgId,
    );

  it('of a new organisation are the defaults, with the base address for the identity provider', async () => {
    for (const api of [cast.owner, cast.admin]) {
      expect((await api.get(settings)).body).toEqual({
        ...DEFAULTS,
        base_url: `${PUBLIC_URL}/v1/organisations/${cast.orgId}/scim/v2`,
        last_contact_at: null,
        is_stale: false,
      });
    }
    const inCapitals = await cast.owner.get(`/v1/organisations/${cast.orgId.toUpperCase()}/scim/settings`);
    expect(inCapitals.body).toMatchObject({ base_url: `${PUBLIC_URL}/v1/organisations/${cast.orgId}/scim/v2` });
  });

  it('of an organisation without a row are the defaults, and a change creates the row', async () => {
    await sql(`DELETE FROM scim_settings WHERE org_id = $1`, cast.orgId);
    expect((await cast.owner.get(settings)).body).toMatchObject(DEFAULTS);
    expect((await put({ last_owner_policy: 'refuse' })).body).toMatchObject({
      ...DEFAULTS,
      last_owner_policy: 'refuse',
    });
    expect((await cast.owner.get(settings)).body).toMatchObject({ ...DEFAULTS, last_owner_policy: 'refuse' });
  });

  it('are set all at once, with an audit entry of the values before and after', async () => {
    const after: ScimSettingsPut = { default_role: null, allow_owner_mapping: true, last_owner_policy: 'refuse' };
    const answer = await cast.owner.put(settings, after, 200, { 'X-Request-Id': 'put-1' });
    expect(answer.body).toMatchObject(after);
    expect((await cast.owner.get(settings)).body).toEqual(answer.body);
    expect(await audited()).toEqual([
      {
        action: 'scim_settings.changed',
        actor_type: 'user',
        actor_id: await idOf(cast.owner),
        subject_type: 'scim_settings',
        subject_id: null,
        before: DEFAULTS,
        after,
        request_id: 'put-1',
      },
    ]);
    // Sending the same again is not a change.
    await cast.owner.put(settings, after, 200);
    expect(await audited()).toHaveLength(1);
  });

  it('change everyone’s role at once', async () => {
    const users = await provision(3);
    const manual = await createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER' });
    await put({ default_role: 'ADMIN' });
    expect(await rolesOf([...users, manual])).toEqual({ ...all(users, 'ADMIN'), [manual]: 'MEMBER' });
    expect(await events()).toHaveLength(3);
    await put({ default_role: null });
    expect(await rolesOf([...users, manual])).toEqual({ [manual]: 'MEMBER' });
    expect((await events()).map(({ type, data }) => [type, data.reason])).toEqual(
      Array(3).fill(['member.removed', 'no_default_role']),
    );
  });

  it('decide whether mappings to OWNER have an effect', async () => {
    const { id, userId } = await createScimUser(test.dataSource, cast.orgId);
    await createRoleMapping(
      test.dataSource,
      cast.orgId,
      await createScimGroup(test.dataSource, cast.orgId, [id]),
      'OWNER',
    );
    await syncOf(cast.owner, cast.orgId);
    expect(await rolesOf([userId])).toEqual({ [userId]: 'MEMBER' });
    await put({ allow_owner_mapping: true });
    expect(await rolesOf([userId])).toEqual({ [userId]: 'OWNER' });
    await put({ allow_owner_mapping: false });
    expect(await rolesOf([userId])).toEqual({ [userId]: 'MEMBER' });
  });

  it.each([
    [
      'what is left out',
      { default_role: 'MEMBER' },
      ['body.allow_owner_mapping missing', 'body.last_owner_policy missing'],
    ],
    ['OWNER for everybody', { ...DEFAULTS, default_role: 'OWNER' }, ['body.default_role enum']],
    [
      'null where it means nothing',
      { ...DEFAULTS, allow_owner_mapping: null, last_owner_policy: null },
      ['body.allow_owner_mapping bool_type', 'body.last_owner_policy enum'],
    ],
    ['words for booleans', { ...DEFAULTS, allow_owner_mapping: 'true' }, ['body.allow_owner_mapping bool_type']],
    ['what is only answered', { ...DEFAULTS, base_url: 'https://example.com' }, ['body.base_url extra_forbidden']],
  ])('reject %s', async (_, body, faults) => {
    const { detail } = (await cast.owner.put(settings, body, 422)).body;
    expect(detail.map(({ loc, type }) => `${loc.join('.')} ${type}`).sort()).toEqual(faults);
    expect((await cast.owner.get(settings)).body).toMatchObject(DEFAULTS);
  });

  it('can be changed by ADMINs, except allow_owner_mapping, which requires an OWNER', async () => {
    expect(codeOf(await put({ allow_owner_mapping: true }, 403, cast.admin))).toBe('insufficient_role');
    await put({ default_role: 'ADMIN', last_owner_policy: 'refuse' }, 200, cast.admin);
    await put({ allow_owner_mapping: true });
    // An ADMIN cannot turn it off either: it may be what makes someone OWNER.
    expect(codeOf(await put({ allow_owner_mapping: false }, 403, cast.admin))).toBe('insufficient_role');
    await put({ allow_owner_mapping: true, default_role: null }, 200, cast.admin);
  });

  it('are separate for each organisation', async () => {
    const other = await createCast(test);
    await put({ default_role: null });
    expect((await other.owner.get(`/v1/organisations/${other.orgId}/scim/settings`)).body).toMatchObject(DEFAULTS);
  });

  it('are refused if the policy is refuse and the last OWNER would be removed', async () => {
    const { id, userId } = await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(cast.admin) });
    await createRoleMapping(
      test.dataSource,
      cast.orgId,
      await createScimGroup(test.dataSource, cast.orgId, [id]),
      'OWNER',
    );
    await put({ allow_owner_mapping: true, last_owner_policy: 'refuse' });
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${await idOf(cast.owner)}`);
    const refused = await put({ last_owner_policy: 'refuse' }, 409, cast.admin);
    expect(codeOf(refused)).toBe('last_owner');
    expect((await cast.admin.get(settings)).body).toMatchObject({ allow_owner_mapping: true });
    // The new policy applies, so there is a way out.
    await put({ last_owner_policy: 'retain' }, 200, cast.admin);
    expect(await rolesOf([userId])).toEqual({ [userId]: 'OWNER' });
  });

  describe('that lower the roles of many members', () => {
    it('require confirmation, and change nothing until then', async () => {
      const users = await provision(8);
      const before = await sql(
        `SELECT ctid::text, xmin::text, * FROM memberships WHERE org_id = $1 ORDER BY user_id`,
        cast.orgId,
      );
      const refused = await put({ default_role: null }, 409);
      expect(refused.body).toEqual({
        detail:
          'This would demote 0 and remove 8 of 11 members. Nothing was changed. Send it again with confirm=true to confirm.',
        code: 'confirmation_required',
      });
      expect(
        await sql(`SELECT ctid::text, xmin::text, * FROM memberships WHERE org_id = $1 ORDER BY user_id`, cast.orgId),
      ).toEqual(before);
      expect((await cast.owner.get(settings)).body).toMatchObject(DEFAULTS);
      expect(await audited()).toEqual([]);
      expect(await events()).toEqual([]);
      await put({ default_role: null }, 200, cast.owner, '?confirm=true');
      expect(await rolesOf(users)).toEqual({});
    });

    it('need no confirmation for fewer than five members', async () => {
      const users = await provision(4);
      await put({ default_role: null });
      expect(await rolesOf(users)).toEqual({});
    });
  });

  it('show when the identity provider last called, and whether it has been silent for long', async () => {
    const name = unique('silence');
    const { orgId, owner } = await createCast(test, name);
    // Its token outlives the jump of the clock.
    const patient = new Api(test.url, test.document, await test.token(`owner-of-${name}`, { ttl: 5 * 86_400 }));
    const read = async () => (await patient.get(`/v1/organisations/${orgId}/scim/settings`)).body;
    const provider = await createProvider(test, { owner, orgId });
    expect(await read()).toMatchObject({ last_contact_at: null, is_stale: false });
    await provider.api.get(`${provider.base}/Users`);
    const contact = Date.parse(String((await read()).last_contact_at));
    expect(Math.abs(contact - Date.now())).toBeLessThan(60_000);
    clock.advance(2 * 86_400_000);
    expect(await read()).toMatchObject({ is_stale: true });
  });
});
