import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { RoleExplanation, ScimSettingsPut } from '../support/api-types';
import { createTestApp, type TestApp } from '../support/app';
import { createEndpoint, idOf, join, unique, vouch } from '../support/factories';
import { codeOf } from '../support/faults';
import { answer, myInvitations } from '../support/invitations';
import { syncOf } from '../support/organisations';
import { newUser, patch } from '../support/scim';
import { Directory, type Resource } from '../support/scim-directory';

let test: TestApp;
let directory: Directory;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  directory = await Directory.create(test);
});

afterAll(() => test.close());

/** A person who signed in before any directory pushed them. */
async function someone(): Promise<{ api: Api; id: string; email: string }> {
  const subject = unique('claimed');
  const api = await test.as(subject);
  return { api, id: await idOf(api), email: `${subject}@example.com` };
}

const organisation = (of = directory) => `/v1/organisations/${of.orgId}` as const;
const explain = async (userId: string): Promise<RoleExplanation> =>
  (await directory.owner.get(`${organisation()}/members/${userId}/role-explanation`)).body;
const shown = async (scimUserId: string) =>
  (await directory.owner.get(`${organisation()}/scim/directory/users/${scimUserId}`)).body;
const change = (id: string, value: object) =>
  directory.provider.api.patch(directory.path(`Users/${id}`), patch({ op: 'replace', value }));
const remove = (id: string) => directory.provider.api.delete(directory.path(`Users/${id}`));
const leave = (api: Api, userId: string, status = 204) => api.delete(`${organisation()}/members/${userId}`, status);
const auditOf = async (subjectId: string) =>
  (await directory.owner.get(`${organisation()}/audit-log?subject_id=${subjectId}`)).body.reverse();

describe('A person who already has an account and is pushed by a directory', () => {
  it('has no access until they accept, and the organisation sees why', async () => {
    const { api, id, email } = await someone();
    await test.dataSource.query(`UPDATE users SET name = 'Told To Nobody' WHERE id = $1`, [id]);
    await createEndpoint(directory.owner, { org_id: directory.orgId });
    await directory.events();
    const user = await directory.createUser({ userName: email, displayName: 'As The Directory Says' });
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await api.get(organisation(), 404);
    for (const list of ['organisations', 'webhooks', 'bundles'])
      expect((await api.get(`/v1/${list}`)).body).toEqual([]);
    expect(await directory.events()).toMatchObject([{ type: 'scim.user_provisioned', data: { user_id: null } }]);

    expect(await shown(user.id)).toMatchObject({ user_id: null, role: null, reason: 'pending' });
    const explained = await explain(user.id);
    expect(explained).toMatchObject({
      user_id: null,
      role: null,
      reason: 'pending',
      is_member: false,
      is_up_to_date: true,
      name: 'As The Directory Says',
    });
    expect(explained.summary).toMatch(/have to accept/);
    expect(JSON.stringify(explained)).not.toContain('Told To Nobody');
    expect(await auditOf(user.id)).toMatchObject([{ action: 'member.pending', reason: 'pending' }]);
    const log = await directory.owner.get(`${organisation()}/scim/log?resource_id=${user.id}`);
    expect(log.body).toMatchObject([{ method: 'POST', status: 201, consent: 'pending' }]);
    const members = (await directory.owner.get(`${organisation()}/members`)).body;
    expect(members.map(({ user_id }) => user_id)).not.toContain(id);

    expect(await myInvitations(api)).toMatchObject([
      { id: user.id, kind: 'DIRECTORY', org_id: directory.orgId, role: null, status: 'PENDING', expires_at: null },
    ]);
    expect(await answer(api, user.id, 'accept')).toMatchObject({ status: 'ACCEPTED' });
    expect((await api.get(organisation())).body).toMatchObject({ role: 'MEMBER' });
    expect(await myInvitations(api)).toEqual([]);
    expect(await directory.events()).toEqual([
      {
        type: 'member.added',
        data: { org_id: directory.orgId, user_id: id, role: 'MEMBER', role_before: null, reason: 'default_role' },
      },
    ]);
    expect(await shown(user.id)).toMatchObject({ user_id: id });
    for (const either of [id, user.id])
      expect(await explain(either)).toMatchObject({ user_id: id, reason: 'default_role', name: 'Told To Nobody' });
    expect((await auditOf(id)).map(({ action }) => action)).toEqual(['member.accepted', 'member.added']);
    const again = await api.post(`/v1/users/me/invitations/${user.id}/accept`, undefined, 409);
    expect(codeOf(again)).toBe('invitation_conflict');
  });

  it('is a group member without an account id until they accept', async () => {
    const { api, id, email } = await someone();
    const pending = await directory.createUser({ userName: email });
    const provisioned = await directory.createUser();
    const group = await directory.createGroup([pending.id, provisioned.id]);
    const members = async () =>
      new Map(
        (await directory.owner.get(`${organisation()}/scim/directory/groups/${group.id}/members`)).body.map(
          ({ id, user_id, role }) => [id, { user_id, role }],
        ),
      );
    const before = await members();
    expect(before.get(pending.id)).toEqual({ user_id: null, role: null });
    expect(before.get(provisioned.id)).toEqual({ user_id: expect.any(String) as string, role: 'MEMBER' });

    await answer(api, pending.id, 'accept');
    expect((await members()).get(pending.id)).toEqual({ user_id: id, role: 'MEMBER' });
  });

  it('stays pending through every push and sync, and gets their groups’ role when they accept', async () => {
    const { api, email } = await someone();
    const user = await directory.createUser({ userName: email });
    await directory.map({ name: 'Admins', role: 'ADMIN' });
    await directory.createGroup([user.id], { displayName: 'Admins' });
    await change(user.id, { title: 'Dr', active: false });
    await change(user.id, { active: true });
    const run = await syncOf(directory.owner, directory.orgId);
    expect(run.changes).toEqual([]);
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await answer(api, user.id, 'accept');
    expect(await directory.roleOf(user.id)).toBe('ADMIN');
    await syncOf(directory.owner, directory.orgId);
    expect(await directory.roleOf(user.id)).toBe('ADMIN');
  });

  it('has no access either if the directory changes an entry to their address later', async () => {
    const { api, id, email } = await someone();
    const user = await directory.createUser({ userName: 'bait', emails: [{ value: `${unique('bait')}@example.com` }] });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
    await change(user.id, { emails: [{ value: email }] });
    expect(await directory.accountOf(user.id)).toBe(id);
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await api.get(organisation(), 404);
    expect(await shown(user.id)).toMatchObject({ reason: 'pending' });
    expect(await myInvitations(api)).toMatchObject([{ id: user.id, status: 'PENDING' }]);
  });

  it('is pending even if their entry was linked without any further check', async () => {
    const { id } = await someone();
    const user = await directory.createUser();
    await test.dataSource.query(`UPDATE scim_users SET user_id = $2 WHERE id = $1`, [user.id, id]);
    expect(await shown(user.id)).toMatchObject({ role: null, reason: 'pending' });
    expect(await explain(user.id)).toMatchObject({ reason: 'pending' });
    const preview = await directory.owner.post(`${organisation()}/scim/sync/preview`, {}, 200);
    expect(preview.body).toMatchObject({ joined: 0 });
  });

  it('has no access through an entry that was deleted before they signed in', async () => {
    const subject = unique('later');
    const userName = `${subject}@example.com`;
    await remove((await directory.createUser({ userName })).id);
    const api = await test.as(subject);
    await idOf(api);
    const again = await directory.createUser({ userName });
    expect(await directory.roleOf(again.id)).toBeUndefined();
    await api.get(organisation(), 404);
  });

  it('can decline, after which the directory cannot make them a member', async () => {
    const { api, email } = await someone();
    const user = await directory.createUser({ userName: email });
    expect(await answer(api, user.id, 'decline')).toMatchObject({ status: 'DECLINED' });
    expect(await shown(user.id)).toMatchObject({ user_id: null, role: null, reason: 'opted_out' });
    const audited = await auditOf(user.id);
    expect(audited.at(-1)).toMatchObject({ action: 'member.opted_out', actor: { id: null } });
    await syncOf(directory.owner, directory.orgId);
    await change(user.id, { displayName: 'Again' });
    await remove(user.id);
    const again = await directory.createUser({ userName: email });
    expect(await shown(again.id)).toMatchObject({ role: null, reason: 'opted_out' });
    await api.post(`/v1/users/me/invitations/${again.id}/decline`, undefined, 409);
    await answer(api, again.id, 'accept');
    expect(await directory.roleOf(again.id)).toBe('MEMBER');
  });

  it('is the only one who can accept or decline', async () => {
    const { email } = await someone();
    const user = await directory.createUser({ userName: email });
    for (const api of [(await someone()).api, directory.owner]) {
      for (const word of ['accept', 'decline']) {
        const refused = await api.post(`/v1/users/me/invitations/${user.id}/${word}`, undefined, 404);
        expect(codeOf(refused)).toBe('invitation_not_found');
      }
    }
    expect(await shown(user.id)).toMatchObject({ reason: 'pending' });
  });

  it('is a member at once if they accepted an invitation before', async () => {
    const { api, email, id } = await someone();
    await join(directory.owner, directory.orgId, api);
    await directory.map({ name: 'Admins', role: 'ADMIN' });
    const user = await directory.createUser({ userName: email });
    await directory.createGroup([user.id], { displayName: 'Admins' });
    expect((await directory.owner.get(`${organisation()}/members/${id}`)).body).toMatchObject({
      role: 'ADMIN',
      manual_role: 'MEMBER',
      scim_role: 'ADMIN',
    });
  });

  it('accepts the directory membership by accepting an invitation', async () => {
    const { api, email, id } = await someone();
    await directory.map({ name: 'Admins', role: 'ADMIN' });
    const user = await directory.createUser({ userName: email });
    await directory.createGroup([user.id], { displayName: 'Admins' });
    await join(directory.owner, directory.orgId, api);
    expect((await directory.owner.get(`${organisation()}/members/${id}`)).body).toMatchObject({
      role: 'ADMIN',
      manual_role: 'MEMBER',
      scim_role: 'ADMIN',
    });
    expect(await myInvitations(api)).toEqual([]);
  });

  it('does not count as an OWNER while pending', async () => {
    const { email } = await someone();
    const settings: ScimSettingsPut = {
      default_role: 'MEMBER',
      allow_owner_mapping: true,
      last_owner_policy: 'retain',
    };
    await directory.owner.put(`${organisation()}/scim/settings`, settings, 200);
    await directory.map({ name: 'Owners', role: 'OWNER' });
    const user = await directory.createUser({ userName: email });
    await directory.createGroup([user.id], { displayName: 'Owners' });
    expect(codeOf(await leave(directory.owner, await idOf(directory.owner), 409))).toBe('last_owner');
  });

  it('is a member at once if the directory created the account and the organisation is vouched for', async () => {
    const subject = unique('provisioned');
    const user = await directory.createUser({ userName: `${subject}@example.com` });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
    await vouch(test.dataSource, directory.orgId);
    const api = await test.as(subject);
    expect((await api.get(organisation())).body).toMatchObject({ role: 'MEMBER' });
    // It stays, although the account has been claimed since.
    await change(user.id, { title: 'Dr' });
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation());
    await remove(user.id);
    const again = await directory.createUser({ userName: `${subject}@example.com` });
    expect(await directory.roleOf(again.id)).toBe('MEMBER');
  });

  it('is a member at once where only platform administrators create organisations', async () => {
    const closed = await createTestApp({
      env: { RUN: 'api', ORGANISATION_CREATION: 'platform_admins', PLATFORM_ADMINS: 'root@example.com' },
    });
    try {
      const root = await closed.as('root');
      const anybody = await closed.as('anybody');
      expect((await anybody.post('/v1/organisations', { name: 'Mine' }, 403)).body).toMatchObject({
        code: 'forbidden',
      });
      const { id: orgId } = (await root.post('/v1/organisations', { name: 'Ours' })).body;
      const token = await root.post(`/v1/organisations/${orgId}/scim/tokens`, { name: 'Provider' });
      await idOf(anybody);
      const provider = await fetch(`${closed.url}/v1/organisations/${orgId}/scim/v2/Users`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${token.body.token}`,
          'Content-Type': 'application/scim+json',
        },
        body: JSON.stringify(newUser({ userName: 'anybody@example.com' })),
      });
      expect(provider.status).toBe(201);
      expect((await anybody.get(`/v1/organisations/${orgId}`)).body).toMatchObject({ role: 'MEMBER' });
    } finally {
      await closed.close();
    }
  });
});

describe('Leaving an organisation that pushes the membership from its directory', () => {
  /** Pushes a person as active. */
  async function provision(email: string): Promise<void> {
    const { Resources } = await directory.list('Users', { filter: `userName eq "${email}"` });
    for (const { id } of Resources) await change(id, { active: true });
    if (Resources.length === 0) await directory.createUser({ userName: email });
  }

  /** A member only by the directory. */
  async function provisioned(): Promise<{ api: Api; id: string; user: Resource; email: string }> {
    const subject = unique('employee');
    const email = `${subject}@example.com`;
    const user = await directory.createUser({ userName: email });
    const api = await test.as(subject);
    const id = await idOf(api);
    await answer(api, user.id, 'accept');
    return { api, id, user, email };
  }

  it('is possible, and lasts through every push and sync', async () => {
    const { api, id, user, email } = await provisioned();
    await directory.events();
    await leave(api, id);
    expect(await directory.events()).toEqual([
      {
        type: 'member.removed',
        data: { org_id: directory.orgId, user_id: id, role: null, role_before: 'MEMBER', reason: 'opted_out' },
      },
    ]);
    await api.get(organisation(), 404);
    await directory.map({ name: 'Admins', role: 'ADMIN' });
    await directory.createGroup([user.id], { displayName: 'Admins' });
    await change(user.id, { active: false });
    await change(user.id, { active: true });
    expect((await syncOf(directory.owner, directory.orgId)).changes).toEqual([]);
    await remove(user.id);
    const again = await directory.createUser({ userName: email });
    expect(await directory.roleOf(again.id)).toBeUndefined();
    expect(await shown(again.id)).toMatchObject({ role: null, reason: 'opted_out' });
    const explained = await explain(again.id);
    expect(explained).toMatchObject({ user_id: null, role: null, reason: 'opted_out', is_up_to_date: true });
    const log = await directory.owner.get(`${organisation()}/scim/log?resource_id=${again.id}&limit=1`);
    expect(log.body).toMatchObject([{ consent: 'opted_out' }]);
    expect(explained.summary).toMatch(/left the organisation/);
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'member.removed', reason: 'opted_out', actor: { id } });
  });

  it('can be undone only by the person, by accepting the directory membership', async () => {
    const { api, id, user } = await provisioned();
    await leave(api, id);
    expect(await myInvitations(api)).toMatchObject([{ id: user.id, kind: 'DIRECTORY', status: 'DECLINED' }]);
    await answer(api, user.id, 'accept');
    expect((await api.get(organisation())).body).toMatchObject({ role: 'MEMBER' });
    expect(await explain(id)).toMatchObject({ reason: 'default_role' });
  });

  it('can also be undone by accepting an invitation', async () => {
    const { api, id } = await provisioned();
    await leave(api, id);
    await join(directory.owner, directory.orgId, api, 'ADMIN');
    expect((await directory.owner.get(`${organisation()}/members/${id}`)).body).toMatchObject({
      manual_role: 'ADMIN',
      scim_role: 'MEMBER',
    });
  });

  it('removes the manual role too', async () => {
    const { api, id, user } = await provisioned();
    await directory.owner.patch(`${organisation()}/members/${id}`, { role: 'ADMIN' });
    await leave(api, id);
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await answer(api, user.id, 'accept');
    expect((await directory.owner.get(`${organisation()}/members/${id}`)).body).toMatchObject({
      role: 'MEMBER',
      manual_role: null,
    });
  });

  it('is up to the person: an ADMIN cannot remove a membership from the directory', async () => {
    const { id } = await provisioned();
    expect(codeOf(await directory.owner.delete(`${organisation()}/members/${id}`, 409))).toBe('member_conflict');
  });

  it('is not possible for the last OWNER', async () => {
    const { api, id, user } = await provisioned();
    const settings: ScimSettingsPut = {
      default_role: 'MEMBER',
      allow_owner_mapping: true,
      last_owner_policy: 'retain',
    };
    await directory.owner.put(`${organisation()}/scim/settings`, settings, 200);
    await directory.map({ name: 'Owners', role: 'OWNER' });
    await directory.createGroup([user.id], { displayName: 'Owners' });
    await leave(directory.owner, await idOf(directory.owner));
    expect(codeOf(await leave(api, id, 409))).toBe('last_owner');
    expect(await directory.roleOf(user.id)).toBe('OWNER');
  });

  it('does not affect other organisations', async () => {
    const { api, id, email } = await provisioned();
    const other = await Directory.create(test);
    const there = await other.createUser({ userName: email });
    // The other directory pushed them when they already had an account.
    await answer(api, there.id, 'accept');
    await leave(api, id);
    await api.get(organisation(), 404);
    await api.get(organisation(other));
  });

  it.each([
    ['deactivated', (id: string) => change(id, { active: false })],
    ['deleted', (id: string) => remove(id)],
  ])('is possible for a member who is %s in the directory, and lasts', async (_, suspend) => {
    const { api, email, id } = await someone();
    await join(directory.owner, directory.orgId, api);
    const user = await directory.createUser({ userName: email });
    await suspend(user.id);
    await api.get(organisation(), 404);
    expect((await api.get('/v1/users/me')).body).toMatchObject({
      organisations: [{ org_id: directory.orgId, role: null, suspended: true }],
    });
    expect(codeOf(await api.delete(`${organisation()}/members/${newId()}`, 404))).toBe('organisation_not_found');
    await leave(api, id);
    expect((await api.get('/v1/users/me')).body).toMatchObject({ organisations: [] });
    const members = (await directory.owner.get(`${organisation()}/members`)).body;
    expect(members.map(({ user_id }) => user_id)).not.toContain(id);
    expect((await auditOf(id)).at(-1)).toMatchObject({ action: 'member.removed', reason: 'opted_out', actor: { id } });
    expect(codeOf(await leave(api, id, 404))).toBe('organisation_not_found');
    await provision(email);
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation(), 404);
    expect(await myInvitations(api)).toMatchObject([{ org_id: directory.orgId, status: 'DECLINED' }]);
  });

  it.each([
    ['deactivated', (id: string) => change(id, { active: false })],
    ['deleted', (id: string) => remove(id)],
  ])('differs from being removed while %s: a member by invitation is asked again', async (_, suspend) => {
    const { api, email, id } = await someone();
    await join(directory.owner, directory.orgId, api);
    const user = await directory.createUser({ userName: email });
    await suspend(user.id);
    await directory.owner.delete(`${organisation()}/members/${id}`);
    await provision(email);
    await api.get(organisation(), 404);
    expect(await myInvitations(api)).toMatchObject([{ org_id: directory.orgId, status: 'PENDING' }]);
  });

  it('is possible for a member by hand; the directory can still ask them later', async () => {
    const { api, id, email } = await someone();
    await join(directory.owner, directory.orgId, api);
    await leave(api, id);
    const user = await directory.createUser({ userName: email });
    expect(await shown(user.id)).toMatchObject({ reason: 'pending' });
  });
});
