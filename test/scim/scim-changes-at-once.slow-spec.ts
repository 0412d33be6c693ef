import type { Response } from 'supertest';
import type { Role } from '../../src/organisations/members/role';
import { roleInForce } from '../../src/scim/roles/resolution/role-resolution';
import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { loadOrganisation, resolved } from '../support/directory';
import { createCast, createScimUser, idOf, join, unique } from '../support/factories';
import { createMembership, syncOf } from '../support/organisations';
import { createProvider, newGroup, newUser, patch } from '../support/scim';

const ROLES: readonly Role[] = ['MEMBER', 'ADMIN', 'OWNER'];
const GROUPS = 4;

/**
 * Everything that changes roles, concurrently and over HTTP: the identity provider, the mapping table, the settings,
 * the members and the sync. Each change updates the roles it affects, so no further sync is needed at the end.
 */
describe('Fifty concurrent SCIM changes', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api', DATABASE_POOL_SIZE: '20' } });
  });

  afterAll(() => test.close());

  const at = <T>(list: readonly T[], index: number): T => list[index % list.length] as T;

  /** Two OWNERs and an ADMIN who are in the directory too, 20 more people, 4 mapped groups, one of them to OWNER. */
  async function createBusyOrganisation() {
    const cast = await createCast(test);
    const path = `/v1/organisations/${cast.orgId}` as const;
    const provider = await createProvider(test, cast);
    await cast.owner.put(
      `${path}/scim/settings`,
      { default_role: 'MEMBER', allow_owner_mapping: true, last_owner_policy: 'retain' },
      200,
    );
    const partner = await test.as(unique('partner'));
    await join(cast.owner, cast.orgId, partner, 'OWNER');
    const people: string[] = [];
    for (const api of [cast.owner, partner, cast.admin]) {
      people.push((await createScimUser(test.dataSource, cast.orgId, { userId: await idOf(api) })).id);
    }
    const idOfNew = async (below: 'Users' | 'Groups', body: object) =>
      (await provider.api.call('post', `${provider.base}/${below}`, 201, body)).body.id;
    for (let n = 0; n < 20; n++) people.push(await idOfNew('Users', newUser()));
    const groups: string[] = [];
    const mappings: string[] = [];
    for (let n = 0; n < GROUPS; n++) {
      groups.push(await idOfNew('Groups', newGroup(people.filter((_, index) => index % (n + 2) === 0))));
      const body = { group_id: at(groups, n), role: at(ROLES, n) };
      const mapping = await cast.owner.post(`${path}/scim/role-mappings`, body);
      mappings.push(mapping.body.id);
    }
    const manual: string[] = [];
    for (let n = 0; n < 4; n++) manual.push(await createMembership(test.dataSource, cast.orgId, { manual: 'MEMBER' }));
    await syncOf(cast.owner, cast.orgId);
    return { ...cast, path, provider, partner, people, groups, mappings, manual };
  }

  type Busy = Awaited<ReturnType<typeof createBusyOrganisation>>;

  /** 27 requests of the identity provider. */
  function fromTheProvider({ provider, people, groups }: Busy, round: number): Promise<Response>[] {
    const send = (method: 'post' | 'patch' | 'delete', below: string, body?: object) =>
      provider.api.call(method, `${provider.base}/${below}`, undefined, body);
    const users = Array.from({ length: 10 }, (_, turn) =>
      // Including the OWNERs.
      send(
        'patch',
        `Users/${at(people, turn < 3 ? turn : turn * 3)}`,
        patch({ op: 'replace', path: 'active', value: turn % 2 === round % 2 }),
      ),
    );
    const members = Array.from({ length: 10 }, (_, turn) =>
      send(
        'patch',
        `Groups/${at(groups, turn)}`,
        turn % 3 === 0
          ? patch({ op: 'remove', path: `members[value eq "${at(people, turn)}"]` })
          : patch({ op: 'add', path: 'members', value: [{ value: at(people, turn * 5 + round) }] }),
      ),
    );
    return [
      ...users,
      ...members,
      send('delete', `Users/${at(people, 21 + round)}`),
      send('delete', `Users/${at(people, 5 + round)}`),
      send('delete', `Groups/${at(groups, 3)}`),
      send('post', 'Users', newUser()),
      send('post', 'Users', newUser({ active: false })),
      send('post', 'Groups', newGroup([at(people, 8), at(people, 9)], { displayName: 'Awaited' })),
      send('post', 'Groups', newGroup([at(people, 0)])),
    ];
  }

  /** 25 requests of users. */
  function fromPeople({ owner, partner, admin, path, groups, mappings, manual }: Busy): Promise<Response>[] {
    const by = (turn: number): Api => at([owner, partner, admin], turn);
    const mapping = `${path}/scim/role-mappings` as const;
    return [
      ...Array.from({ length: 8 }, (_, turn) =>
        by(turn).call('patch', `${mapping}/${at(mappings, turn)}?confirm=true`, undefined, {
          role: at(ROLES, turn + 1),
        }),
      ),
      owner.call('delete', `${mapping}/${at(mappings, 1)}?confirm=true`, undefined),
      partner.call('post', `${mapping}?confirm=true`, undefined, { group_id: at(groups, 1), role: 'ADMIN' }),
      owner.call('post', `${mapping}?confirm=true`, undefined, { group_name: 'Awaited', role: 'ADMIN' }),
      admin.call('post', `${mapping}?confirm=true`, undefined, { group_name: 'awaited', role: 'MEMBER' }),
      ...Array.from({ length: 5 }, (_, turn) =>
        by(turn).call('put', `${path}/scim/settings?confirm=true`, undefined, {
          default_role: at([null, 'MEMBER', 'ADMIN'], turn),
          allow_owner_mapping: turn % 2 === 0,
          last_owner_policy: turn === 2 ? 'refuse' : 'retain',
        }),
      ),
      ...Array.from({ length: 4 }, (_, turn) =>
        by(turn).call('patch', `${path}/members/${at(manual, turn)}`, undefined, { role: at(ROLES, turn) }),
      ),
      partner.call('post', `${path}/members`, undefined, { email: `${unique('new')}@example.com`, role: 'ADMIN' }),
      ...Array.from({ length: 3 }, (_, turn) => by(turn).call('post', `${path}/scim/sync`, undefined)),
    ];
  }

  it('end in the state of the pure function, always with an OWNER, and none fails because of another', async () => {
    for (let round = 0; round < 3; round++) {
      const busy = await createBusyOrganisation();
      const { orgId } = busy;
      let done = false;
      const sampled = (async () => {
        const counts: number[] = [];
        while (!done) {
          const [row] = await test.dataSource.query<{ owners: number }[]>(
            `SELECT count(*)::int AS owners FROM memberships WHERE org_id = $1 AND role = 'OWNER'`,
            [orgId],
          );
          counts.push(row?.owners ?? 0);
        }
        return counts;
      })();
      const changes = [...fromTheProvider(busy, round), ...fromPeople(busy)];
      expect(changes.length).toBeGreaterThanOrEqual(50);
      const answers = await Promise.all(changes).finally(() => (done = true));
      const statuses = answers.map(({ status }) => status);
      // Callers that lost a role, user, member or mapping meanwhile, or asked for a second sync, got an error.
      const odd = answers.filter(({ status }) => ![200, 201, 204, 400, 403, 404, 409, 429].includes(status));
      expect(odd.map(({ status, text }) => `${status} ${text}`)).toEqual([]);
      expect(statuses.filter((status) => status < 300).length).toBeGreaterThan(25);
      const samples = await sampled;
      expect(samples.length).toBeGreaterThan(3);
      expect(Math.min(...samples)).toBeGreaterThan(0);

      const after = await loadOrganisation(test.dataSource, orgId);
      expect(after.members).toEqual(resolved(after, Number.NaN));
      expect(after.members.filter((state) => roleInForce(state) === 'OWNER')).not.toEqual([]);
    }
  });
});
