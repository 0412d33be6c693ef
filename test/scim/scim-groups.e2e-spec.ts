import { newId } from '../../src/database/id';
import type { ScimPatchOperation } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { unique } from '../support/factories';
import type { Told } from '../support/organisations';
import { GROUP_URN, newGroup, patch } from '../support/scim';
import { Directory, type Resource, resourceIn } from '../support/scim-directory';

describe('SCIM groups', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
  });

  const createUser = async (fields: object = {}) => (await directory.createUser(fields)).id;

  const groupChanges = (list: Told[]) =>
    list
      .filter(({ type }) => type === 'scim.group_changed')
      .map(({ data }) => [data.change, data.changed, data.members_added, data.members_removed]);

  describe('can be created', () => {
    it('with members, whose names and addresses are returned', async () => {
      const ada = await createUser({ displayName: 'Ada Lovelace' });
      const bob = await createUser({ userName: 'bob' });
      await directory.events();
      const answer = await directory.provider.api.post(
        directory.path('Groups'),
        newGroup([ada, bob], { displayName: 'Eng', externalId: 'g1' }),
      );
      const group = resourceIn(answer);
      expect(group).toMatchObject({ schemas: [GROUP_URN], displayName: 'Eng', externalId: 'g1' });
      const $ref = (id: string) => `${directory.provider.location}/Users/${id}`;
      expect(group.members).toEqual([
        { value: ada, display: 'Ada Lovelace', $ref: $ref(ada), type: 'User' },
        { value: bob, display: 'bob', $ref: $ref(bob), type: 'User' },
      ]);
      expect(group.meta.location).toBe(`${directory.provider.location}/Groups/${group.id}`);
      expect(answer.headers).toMatchObject({ location: group.meta.location, etag: group.meta.version });
      expect(await directory.read(`Groups/${group.id}`)).toEqual(group);
      expect(groupChanges(await directory.events())).toEqual([
        ['created', ['display_name', 'external_id', 'members'], 2, 0],
      ]);
    });

    it('empty, and with the name of another group', async () => {
      const { displayName } = await directory.createGroup();
      await directory.events();
      const group = (await directory.provider.api.post(directory.path('Groups'), { schemas: [GROUP_URN], displayName }))
        .body;
      expect(group.displayName).toBe(displayName);
      expect(groupChanges(await directory.events())).toEqual([['created', ['display_name'], 0, 0]]);
    });

    it('only once per externalId', async () => {
      await directory.createGroup([], { externalId: 'g1' });
      const body = (
        await directory.provider.api.post(directory.path('Groups'), newGroup([], { externalId: 'g1' }), 409)
      ).body;
      expect(body).toMatchObject({ scimType: 'uniqueness' });
      expect(body.detail).toContain('externalId');
      await directory.createGroup([], { externalId: 'G1' });
    });

    it('but not with members who are not users of the organisation', async () => {
      const other = await Directory.create(test);
      const foreign = (await other.createUser()).id;
      const member = await createUser();
      const gone = await createUser();
      await directory.provider.api.delete(`${directory.provider.base}/Users/${gone}`);
      const { id: group } = await directory.createGroup();
      for (const unknown of [foreign, gone, group, newId(), 'nobody', "'", '']) {
        const body = (await directory.provider.api.post(directory.path('Groups'), newGroup([member, unknown]), 400))
          .body;
        expect(body).toMatchObject({ scimType: 'invalidValue' });
        if (unknown !== '') expect(body.detail).toContain(`"${unknown}"`);
      }
      const body = (
        await directory.provider.api.post(directory.path('Groups'), newGroup(Array.from({ length: 9 }, newId)), 400)
      ).body;
      expect(body.detail).toContain('and 4 more');
      expect((await directory.provider.api.get(directory.path('Groups'))).body).toMatchObject({ totalResults: 1 });
    });

    it('with member ids in capitals', async () => {
      const ada = await createUser();
      const { id } = await directory.createGroup([ada.toUpperCase(), ada]);
      expect(await directory.membersOf(id)).toEqual([ada]);
      await directory.changeGroup(id, { op: 'remove', path: 'members', value: [{ value: ada.toUpperCase() }] });
      expect(await directory.membersOf(id)).toEqual([]);
    });
  });

  describe('can change their members:', () => {
    let ada: string;
    let bob: string;
    let eve: string;
    let group: Resource;

    beforeEach(async () => {
      ada = await createUser({ userName: 'ada' });
      bob = await createUser({ userName: 'bob' });
      eve = await createUser({ userName: 'eve' });
      group = await directory.createGroup([ada, bob]);
      await directory.events();
    });

    const value = (...ids: string[]) => ids.map((id) => ({ value: id }));

    it.each<[string, () => ScimPatchOperation[], () => string[], number, number]>([
      ['by adding one', () => [{ op: 'add', path: 'members', value: value(eve) }], () => [ada, bob, eve], 1, 0],
      ['by adding some', () => [{ op: 'Add', value: { members: value(ada, eve) } }], () => [ada, bob, eve], 1, 0],
      ['by removing one', () => [{ op: 'Remove', path: `members[value eq "${ada}"]` }], () => [bob], 0, 1],
      ['by removing some', () => [{ op: 'remove', path: 'members', value: value(ada, eve) }], () => [bob], 0, 1],
      ['by removing all', () => [{ op: 'remove', path: 'members' }], () => [], 0, 2],
      ['by a filter', () => [{ op: 'remove', path: 'members[display sw "a"]' }], () => [bob], 0, 1],
      [
        'by a filter without a match',
        () => [{ op: 'remove', path: 'members[not (value pr)]' }],
        () => [ada, bob],
        0,
        0,
      ],
      ['by replacing', () => [{ op: 'replace', path: 'members', value: value(bob, eve) }], () => [bob, eve], 1, 1],
      [
        'step by step',
        () => [
          { op: 'remove', path: 'members', value: value(ada) },
          { op: 'add', path: 'members', value: value(eve) },
          { op: 'add', path: 'members', value: value(ada) },
          { op: 'remove', path: 'members', value: value(bob) },
        ],
        () => [ada, eve],
        1,
        1,
      ],
      [
        'by a filter and back, without a change',
        () => [
          { op: 'remove', path: 'members[display sw "a"]' },
          { op: 'add', path: 'members', value: value(ada) },
        ],
        () => [ada, bob],
        0,
        0,
      ],
      [
        'to the same members, without a change',
        () => [
          { op: 'remove', path: 'members', value: value(ada) },
          { op: 'add', path: 'members', value: value(ada, bob) },
        ],
        () => [ada, bob],
        0,
        0,
      ],
    ])('%s', async (_, operations, members, added, removed) => {
      await directory.changeGroup(group.id, ...operations());
      expect(await directory.membersOf(group.id)).toEqual(members().sort());
      const isChanged = added + removed > 0;
      expect(groupChanges(await directory.events())).toEqual(
        isChanged ? [['updated', ['members'], added, removed]] : [],
      );
      expect((await directory.read(`Groups/${group.id}`)).meta.version === group.meta.version).toBe(!isChanged);
    });

    it('all operations of a PATCH or none', async () => {
      const operations = [
        { op: 'replace', path: 'displayName', value: 'Other' },
        { op: 'remove', path: 'members', value: value(ada) },
        { op: 'add', path: 'members', value: value(newId()) },
      ];
      await directory.provider.api.patch(directory.path(`Groups/${group.id}`), patch(...operations), 400);
      expect(await directory.read(`Groups/${group.id}`)).toEqual(group);
      expect(await directory.events()).toEqual([]);
    });

    it('keeping the date of members who stay', async () => {
      const since = () =>
        test.dataSource.query<object[]>(
          `SELECT scim_user_id, created_at, xmin::text FROM scim_group_members WHERE group_id = $1 AND scim_user_id = $2`,
          [group.id, ada],
        );
      const before = await since();
      await directory.changeGroup(group.id, { op: 'replace', path: 'members', value: value(ada, eve) });
      await directory.changeGroup(group.id, { op: 'add', path: 'members', value: value(ada) });
      expect(await since()).toEqual(before);
    });

    it('by PUT, which keeps the members if it does not contain the attribute', async () => {
      const path = directory.path(`Groups/${group.id}`);
      const body = { schemas: [GROUP_URN], displayName: 'Other' };
      expect((await directory.provider.api.put(path, body, 200)).body).toMatchObject({ displayName: 'Other' });
      expect(await directory.membersOf(group.id)).toEqual([ada, bob].sort());
      expect(groupChanges(await directory.events())).toEqual([['updated', ['display_name'], 0, 0]]);
      await directory.provider.api.put(path, { ...body, members: value(bob, eve) }, 200);
      expect(await directory.membersOf(group.id)).toEqual([bob, eve].sort());
      expect(groupChanges(await directory.events())).toEqual([['updated', ['members'], 1, 1]]);
      const { meta } = await directory.read(`Groups/${group.id}`);
      await directory.provider.api.put(path, { ...body, members: value(eve, bob) }, 200);
      expect((await directory.read(`Groups/${group.id}`)).meta).toEqual(meta);
      await directory.provider.api.put(path, { ...body, members: [] }, 200);
      expect(await directory.membersOf(group.id)).toEqual([]);
    });

    it('only if the version matches If-Match', async () => {
      const path = directory.path(`Groups/${group.id}`);
      const add = patch({ op: 'add', path: 'members', value: value(eve) });
      const old = { 'If-Match': group.meta.version };
      await directory.provider.api.patch(path, add, 204, old);
      await directory.provider.api.patch(path, add, 412, old);
      await directory.provider.api.put(path, newGroup(), 412, old);
      await directory.provider.api.delete(path, 412, old);
      expect(await directory.membersOf(group.id)).toEqual([ada, bob, eve].sort());
      await directory.provider.api.get(path, 200, { 'If-None-Match': group.meta.version });
    });

    it('with the current name of a renamed member', async () => {
      const user = await directory.createUser({ displayName: 'Before' });
      const group = await directory.createGroup([user.id]);
      const rename = patch({ op: 'replace', path: 'displayName', value: 'After' });
      await directory.provider.api.patch(directory.path(`Users/${user.id}`), rename, 200);
      const path = directory.path(`Groups/${group.id}`);
      await directory.provider.api.get(path, 304, { 'If-None-Match': group.meta.version });
      expect(await directory.read(`Groups/${group.id}`)).toMatchObject({
        members: [{ value: user.id, display: 'After' }],
        meta: { version: group.meta.version },
      });
    });

    it('with a body in the answer if attributes are requested, and always the version', async () => {
      const path = directory.path(`Groups/${group.id}`);
      const add = patch({ op: 'add', path: 'members', value: value(eve) });
      const answer = await directory.provider.api.patch(`${path}?excludedAttributes=members`, add);
      expect(answer.body).toMatchObject({ id: group.id, displayName: group.displayName });
      expect(answer.body).not.toHaveProperty('members');
      expect(answer.headers.etag).not.toBe(group.meta.version);
      const nothing = await directory.provider.api.patch(path, add, 204);
      expect(nothing.headers).toMatchObject({ etag: answer.headers.etag as string });
    });

    it('and the roles of those who come or go follow', async () => {
      await directory.map({ groupId: group.id, name: group.displayName, role: 'ADMIN' });
      await directory.changeGroup(group.id, { op: 'add', path: 'members', value: value(ada, eve) });
      // Ada joined before the mapping, which this test inserted directly into the table.
      expect(await Promise.all([ada, bob, eve].map((id) => directory.roleOf(id)))).toEqual([
        'MEMBER',
        'MEMBER',
        'ADMIN',
      ]);
      await directory.changeGroup(group.id, { op: 'remove', path: `members[value eq "${eve}"]` });
      expect(await directory.roleOf(eve)).toBe('MEMBER');
    });
  });

  it('are not found after their deletion', async () => {
    const ada = await createUser();
    const { id } = await directory.createGroup([ada], { externalId: 'x' });
    const path = directory.path(`Groups/${id}`);
    await directory.provider.api.delete(path);
    await directory.provider.api.get(path, 404);
    await directory.provider.api.put(path, newGroup(), 404);
    await directory.provider.api.patch(path, patch({ op: 'replace', path: 'displayName', value: 'x' }), 404);
    await directory.provider.api.delete(path, 404);
    expect((await directory.provider.api.get(directory.path('Groups'))).body).toMatchObject({ totalResults: 0 });
    expect((await directory.createGroup([], { externalId: 'x' })).id).not.toBe(id);
  });

  it('of another organisation are not found', async () => {
    const group = await directory.createGroup([await createUser()]);
    const other = await Directory.create(test);
    const path = other.path(`Groups/${group.id}`);
    await other.provider.api.get(path, 404);
    await other.provider.api.put(path, newGroup(), 404);
    await other.provider.api.patch(path, patch({ op: 'remove', path: 'members' }), 404);
    await other.provider.api.delete(path, 404);
    expect(await directory.read(`Groups/${group.id}`)).toEqual(group);
  });

  it('can be changed concurrently without losing anything', async () => {
    const { id } = await directory.createGroup([], { displayName: unique('Busy') });
    const members = await Promise.all(Array.from({ length: 12 }, () => createUser()));
    await Promise.all(
      members.map((member) => directory.changeGroup(id, { op: 'add', path: 'members', value: [{ value: member }] })),
    );
    expect(await directory.membersOf(id)).toEqual([...members].sort());
    expect((await directory.read(`Groups/${id}`)).meta.version).toBe('W/"13"');
  });
});
