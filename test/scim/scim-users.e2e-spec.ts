import { newId } from '../../src/database/id';
import { createTestApp, TestApp } from '../support/app';
import { idOf, unique } from '../support/factories';
import type { Told } from '../support/organisations';
import { createDirectory, newGroup, newUser, patch, type Provider } from '../support/scim';
import { Directory, resourceIn } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

interface Row {
  user_id: string;
  user_name: string;
  version: number;
  updated_at: Date;
  deleted_at: Date | null;
}

describe('SCIM users', () => {
  let test: TestApp;
  let directory: Directory;
  let provider: Provider;

  beforeAll(async () => {
    // Without a worker, whose statements would interfere.
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
    ({ provider } = directory);
  });

  const users = () => directory.path('Users');
  const create = (fields: object = {}) => directory.createUser(fields);
  const read = (id: string) => directory.read(`Users/${id}`);
  const roleOf = (id: string) => directory.roleOf(id);
  const events = () => directory.events();

  async function row(id: string): Promise<Row> {
    const [stored] = await test.dataSource.query<Row[]>(`SELECT * FROM scim_users WHERE id = $1`, [id]);
    if (!stored) throw new Error('Entries are never removed.');
    return stored;
  }

  /** Sorted by type: the ids of events in one millisecond are not ordered. */
  const typesOf = (list: Told[]) =>
    list.map(({ type, data: { changed } }) => (changed ? `${type} ${(changed as string[]).join(',')}` : type)).sort();

  describe('can be created', () => {
    it('with all attributes, a location and a role', async () => {
      const name = { givenName: 'Ada', familyName: 'Lovelace' };
      const answer = await provider.api.post(
        users(),
        newUser({ userName: 'Ada@Example.com', externalId: '00u1', displayName: 'Ada', name, password: 'secret' }),
      );
      const user = resourceIn(answer);
      expect(user).toMatchObject({ userName: 'Ada@Example.com', externalId: '00u1', displayName: 'Ada', name });
      expect(user).not.toHaveProperty('password');
      expect(user.meta.location).toBe(`${provider.location}/Users/${user.id}`);
      expect(answer.headers).toMatchObject({ location: user.meta.location, etag: user.meta.version });
      expect(await read(user.id)).toEqual(user);
      expect(await roleOf(user.id)).toBe('MEMBER');
      expect(typesOf(await events())).toEqual(['member.added', 'scim.user_provisioned']);
    });

    it('inactive, without access', async () => {
      const user = await create({ active: false });
      expect(await roleOf(user.id)).toBeUndefined();
      expect(await events()).toMatchObject([{ type: 'scim.user_provisioned', data: { active: false } }]);
    });

    it.each([
      ['userName in another case', { userName: 'ADA@clash.example' }, 'userName'],
      ['externalId', { externalId: 'x1' }, 'externalId'],
    ])('only once: the same %s is a conflict', async (_, clash, word) => {
      const first = { userName: 'ada@clash.example', externalId: 'x1' };
      const { id } = await create(first);
      await events();
      const body = (await provider.api.post(users(), newUser(clash), 409)).body;
      expect(body).toMatchObject({ status: '409', scimType: 'uniqueness' });
      expect(body.detail).toContain(word);
      expect(await events()).toEqual([]);
      expect(await read(id)).toMatchObject(first);
    });

    it('in another organisation with the same names', async () => {
      const fields = { userName: `${unique('both')}@example.com`, externalId: 'same' };
      await create(fields);
      const { provider: other } = await createDirectory(test);
      const body = (await other.api.post(`${other.base}/Users`, newUser(fields))).body;
      expect(body).toMatchObject({ ...fields, meta: { version: 'W/"1"' } });
    });

    it('with an externalId that differs only in case', async () => {
      await create({ externalId: 'abc' });
      await create({ externalId: 'ABC' });
    });

    it('only once by concurrent requests with the same name', async () => {
      const body = newUser();
      const answers = await Promise.all(
        Array.from({ length: 8 }, () => provider.api.call('post', users(), undefined, body)),
      );
      expect(answers.map(({ status }) => status).sort()).toEqual([201, ...Array<number>(7).fill(409)]);
    });

    it('with a constant number of statements', async () => {
      const make = () => create({ emails: [{ value: `${unique('count')}@example.com` }] });
      const first = await directory.costOf(make);
      for (let i = 0; i < 20; i++) await make();
      expect(await directory.costOf(make)).toBe(first);
    });
  });

  describe('can be replaced', () => {
    it('completely: attributes left out are removed', async () => {
      const { id, meta } = await create({ userName: 'old', externalId: 'x', title: 'Dr', nickName: 'A' });
      await events();
      const answer = await provider.api.put(`${users()}/${id}`, newUser({ userName: 'new', nickName: 'A' }), 200);
      const user = resourceIn(answer);
      expect(user).toMatchObject({ id, userName: 'new', nickName: 'A' });
      expect(user).not.toHaveProperty('title');
      expect(user).not.toHaveProperty('externalId');
      expect(user.meta.created).toBe(meta.created);
      expect(user.meta.lastModified > meta.lastModified).toBe(true);
      expect(answer.headers.etag).toBe(user.meta.version);
      expect(typesOf(await events())).toEqual(['scim.user_updated user_name,external_id,other']);
    });

    it('by identical data without any write or event', async () => {
      const body = newUser({
        externalId: 'x',
        displayName: 'D',
        name: { familyName: 'L', givenName: 'A' },
        emails: [{ value: `${unique('same')}@example.com`, type: 'work' }],
        [ENTERPRISE_URN]: { department: 'Engines', manager: { value: '26118915', displayName: 'Charles' } },
      });
      const created = (await provider.api.post(users(), body)).body;
      const before = await row(created.id);
      await events();
      const again = (await provider.api.put(`${users()}/${created.id}`, body, 200)).body;
      expect(again).toEqual(created);
      expect(await row(created.id)).toEqual(before);
      expect(await events()).toEqual([]);
    });

    it('but not with the userName of another user', async () => {
      const taken = await create();
      const user = await create();
      const body = (
        await provider.api.put(`${users()}/${user.id}`, newUser({ userName: taken.userName.toUpperCase() }), 409)
      ).body;
      expect(body).toMatchObject({ scimType: 'uniqueness' });
      expect(await read(user.id)).toEqual(user);
    });

    it('only if the version matches If-Match', async () => {
      const user = await create();
      const path = `${users()}/${user.id}`;
      const body = newUser({ userName: user.userName, title: 'Dr' });
      await provider.api.put(path, body, 412, { 'If-Match': 'W/"9"' });
      expect(await read(user.id)).toEqual(user);
      const { headers } = await provider.api.put(path, body, 200, { 'If-Match': user.meta.version });
      await provider.api.put(path, newUser({ userName: user.userName }), 412, { 'If-Match': user.meta.version });
      await provider.api.delete(path, 412, { 'If-Match': user.meta.version });
      await provider.api.delete(path, 204, { 'If-Match': headers.etag as string });
    });

    it('even if their groups have changed since the version in If-Match', async () => {
      const user = await create();
      await provider.api.post(`${provider.base}/Groups`, newGroup([user.id]));
      await provider.api.put(`${users()}/${user.id}`, newUser({ userName: user.userName, title: 'Dr' }), 200, {
        'If-Match': user.meta.version,
      });
    });

    it('and stay inactive if active is left out', async () => {
      const { id, userName } = await create({ active: false });
      await provider.api.put(`${users()}/${id}`, newUser({ userName, active: undefined, title: 'Dr' }), 200);
      expect(await read(id)).toMatchObject({ active: false, title: 'Dr' });
    });
  });

  describe('can be patched', () => {
    it('by all operations or none', async () => {
      const user = await create();
      const path = `${users()}/${user.id}`;
      await provider.api.patch(
        path,
        patch({ op: 'replace', path: 'title', value: 'Dr' }, { op: 'remove', path: 'userName' }),
        400,
      );
      expect(await read(user.id)).toEqual(user);
      const answer = await provider.api.patch(path, patch({ op: 'replace', path: 'title', value: 'Dr' }));
      const body = resourceIn(answer);
      expect(body).toMatchObject({ id: user.id, title: 'Dr' });
      expect(answer.headers.etag).toBe(body.meta.version);
    });

    it('to their current values without any write or event', async () => {
      const { id } = await create({ title: 'Dr' });
      const before = await row(id);
      await events();
      await provider.api.patch(`${users()}/${id}`, patch({ op: 'Replace', path: 'title', value: 'Dr' }));
      expect(await row(id)).toEqual(before);
      expect(await events()).toEqual([]);
    });
  });

  describe('can be deactivated and reactivated', () => {
    const active = (value: boolean) => patch({ op: 'replace', path: 'active', value });

    it('with an event each, losing and regaining access', async () => {
      const { id } = await create();
      await events();
      await provider.api.patch(`${users()}/${id}`, active(false));
      expect(typesOf(await events())).toEqual(['member.removed', 'scim.user_deactivated']);
      expect(await roleOf(id)).toBeUndefined();
      expect(await read(id)).toMatchObject({ active: false });
      await provider.api.patch(`${users()}/${id}`, active(true));
      expect(typesOf(await events())).toEqual(['member.added', 'scim.user_updated active']);
      expect(await roleOf(id)).toBe('MEMBER');
    });

    it('together with other changes, which are reported too', async () => {
      const { id } = await create();
      await events();
      await provider.api.patch(`${users()}/${id}`, patch({ op: 'replace', value: { active: false, title: 'Dr' } }));
      expect(typesOf(await events())).toEqual(['member.removed', 'scim.user_deactivated', 'scim.user_updated other']);
    });
  });

  describe('can be deleted', () => {
    it('with their access and their groups, and then no client can see them', async () => {
      const user = await create({ externalId: 'gone' });
      const stays = await create();
      const group = resourceIn(
        await provider.api.post(`${provider.base}/Groups?excludedAttributes=members`, newGroup([user.id, stays.id])),
      );
      await events();
      await provider.api.delete(`${users()}/${user.id}`);
      const happened = await events();
      expect(typesOf(happened)).toEqual(['member.removed', 'scim.group_changed members', 'scim.user_deleted']);
      expect(happened.find(({ type }) => type === 'scim.group_changed')?.data).toEqual({
        org_id: provider.orgId,
        group_id: group.id,
        display_name: group.displayName,
        change: 'updated',
        changed: ['members'],
        members_added: 0,
        members_removed: 1,
      });
      const path = `${users()}/${user.id}`;
      await provider.api.get(path, 404);
      await provider.api.put(path, newUser(), 404);
      await provider.api.patch(path, patch({ op: 'replace', path: 'active', value: true }), 404);
      await provider.api.delete(path, 404);
      const list = (await provider.api.get(`${users()}?filter=externalId eq "gone" or id eq "${user.id}"`)).body;
      expect(list).toMatchObject({ totalResults: 0, Resources: [] });
      const after = resourceIn(await provider.api.get(`${provider.base}/Groups/${group.id}`));
      expect(after.members).toEqual([expect.objectContaining({ value: stays.id })]);
      expect(after.meta.version).not.toBe(group.meta.version);
      expect(await roleOf(user.id)).toBeUndefined();
    });

    it('and created again under the same name as a new user', async () => {
      const fields = { userName: unique('again'), externalId: 'again', emails: [{ value: 'again@example.com' }] };
      const first = await create(fields);
      await provider.api.delete(`${users()}/${first.id}`);
      const second = await create(fields);
      expect(second.id).not.toBe(first.id);
      expect((await row(second.id)).user_id).toBe((await row(first.id)).user_id);
      expect(await roleOf(second.id)).toBe('MEMBER');
      await provider.api.delete(`${users()}/${second.id}`);
      expect((await create(fields)).id).not.toBe(second.id);
    });

    it('in one statement, whatever the number of groups', async () => {
      const remove = async (groups: number) => {
        const { id } = await create();
        for (let i = 0; i < groups; i++) await provider.api.post(`${provider.base}/Groups`, newGroup([id]));
        return directory.costOf(() => provider.api.delete(`${users()}/${id}`));
      };
      expect(await remove(6)).toBe(await remove(1));
    });
  });

  describe('can be read', () => {
    it('with 304 unless they changed', async () => {
      const { id, meta } = await create();
      const path = `${users()}/${id}`;
      const conditional = { 'If-None-Match': meta.version };
      expect((await provider.api.get(path, 304, conditional)).headers.etag).toBe(meta.version);
      await provider.api.post(`${provider.base}/Groups`, newGroup([id]));
      const { headers } = await provider.api.get(path, 200, conditional);
      await provider.api.get(path, 304, { 'If-None-Match': headers.etag as string });
      await provider.api.get(path, 200, { 'If-None-Match': 'W/"none"' });
    });

    it('with their groups, which are read only if requested', async () => {
      const { id } = await create();
      const group = (await provider.api.post(`${provider.base}/Groups`, newGroup([id]))).body;
      const path = `${users()}/${id}`;
      expect((await read(id)).groups).toEqual([
        expect.objectContaining({ value: group.id, display: group.displayName }),
      ]);
      for (const query of ['excludedAttributes=groups', 'attributes=userName']) {
        const statements = await statementsOf(test, async () => {
          expect((await provider.api.get(`${path}?${query}`)).body).not.toHaveProperty('groups');
        });
        expect(statements.filter(({ sql }) => sql.includes('scim_group_members'))).toEqual([]);
      }
    });

    it.each(['nobody', '019a9f5e-7c1d-7b3e-9a44-0d8f6f1f2a10', "' OR 1=1", newId().slice(1)])(
      'but not by the id %s',
      async (id) => {
        const body = (await provider.api.get(`${users()}/${id}`, 404)).body;
        expect(body).toMatchObject({ status: '404', detail: `User ${id} does not exist.` });
      },
    );

    it('by id in capitals', async () => {
      const user = await create();
      expect(await read(user.id.toUpperCase())).toEqual(user);
    });
  });

  it('of another organisation are not found', async () => {
    const user = await create();
    const { provider: other } = await createDirectory(test);
    const path = `${other.base}/Users/${user.id}`;
    await other.api.get(path, 404);
    await other.api.put(path, newUser(), 404);
    await other.api.patch(path, patch({ op: 'replace', path: 'active', value: false }), 404);
    await other.api.delete(path, 404);
    const body = (await other.api.get(`${other.base}/Users?filter=userName eq "${user.userName}"`)).body;
    expect(body).toMatchObject({ totalResults: 0 });
    expect(await read(user.id)).toEqual(user);
  });

  it('can be the last OWNER of the organisation, who is then retained when deleted', async () => {
    const { owner, provider: own, orgId } = await createDirectory(test);
    const { email } = (await owner.get('/v1/users/me')).body;
    const body = (await own.api.post(`${own.base}/Users`, newUser({ userName: email }))).body;
    await own.api.delete(`${own.base}/Users/${body.id}`);
    const [membership] = await test.dataSource.query<object[]>(
      `SELECT role, retained_last_owner FROM memberships WHERE org_id = $1 AND user_id = $2`,
      [orgId, await idOf(owner)],
    );
    expect(membership).toEqual({ role: 'OWNER', retained_last_owner: true });
  });
});
