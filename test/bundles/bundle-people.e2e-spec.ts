import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, idOf, join, unique } from '../support/factories';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const someone = () => test.as(unique('somebody'));
const shown = async (api: Api, id: string) => (await api.get(`/v1/bundles/${id}`)).body;
const eventsOf = (bundleId: string, ...types: string[]) =>
  test.dataSource.query<{ type: string; org_id: string | null; owner_id: string | null; data: object }[]>(
    `SELECT type, org_id, owner_id, data FROM events WHERE type = ANY ($2) AND data->>'bundle_id' = $1 ORDER BY id`,
    [bundleId, types],
  );

describe('Following a bundle', () => {
  it('is open to anyone who can see it, counts once, and can be undone', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const { updated_at } = await shown(cast.owner, id);
    for (let time = 0; time < 2; time++) {
      for (const api of [cast.member, cast.outsider]) {
        expect((await api.put(`/v1/bundles/${id}/follow`)).text).toBe('');
      }
    }
    expect(await shown(cast.outsider, id)).toMatchObject({ follower_count: 2, is_followed: true });
    expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 2, is_followed: false, updated_at });
    for (let time = 0; time < 2; time++) await cast.outsider.delete(`/v1/bundles/${id}/follow`);
    expect(await shown(cast.outsider, id)).toMatchObject({ follower_count: 1, is_followed: false });
    const data = { bundle_id: id, user_id: await idOf(cast.outsider), org_id: cast.orgId };
    const owners = { org_id: cast.orgId, owner_id: null };
    expect(await eventsOf(id, 'bundle.followed', 'bundle.unfollowed')).toEqual([
      { ...owners, type: 'bundle.followed', data: { ...data, user_id: await idOf(cast.member) } },
      { ...owners, type: 'bundle.followed', data },
      { ...owners, type: 'bundle.unfollowed', data },
    ]);
  });

  it('is refused for a hidden bundle; a follow from before it was hidden can still be ended', async () => {
    const { id } = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    await cast.outsider.put(`/v1/bundles/${id}/follow`);
    await cast.owner.patch(`/v1/bundles/${id}`, { visibility: 'PRIVATE' });
    await cast.outsider.put(`/v1/bundles/${id}/follow`, undefined, 404);
    await cast.outsider.delete(`/v1/bundles/${id}/follow`);
    await cast.outsider.delete(`/v1/bundles/${id}/follow`, 404);
    await cast.outsider.delete(`/v1/bundles/${newId()}/follow`, 404);
    expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 0 });
  });

  it('is counted correctly under concurrent follows and changes of the bundle', async () => {
    const { id } = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    const people = await Promise.all(Array.from({ length: 8 }, someone));
    await Promise.all(people.map(idOf));
    const follow = (api: Api) => api.put(`/v1/bundles/${id}/follow`);
    const rename = (n: number) => cast.owner.patch(`/v1/bundles/${id}`, { name: `Name ${n}` });
    await Promise.all([...people.map(follow), ...people.map(follow), ...[1, 2, 3, 4].map(rename)]);
    expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 8 });
    await Promise.all([...people.slice(0, 5).map((api) => api.delete(`/v1/bundles/${id}/follow`)), rename(5)]);
    expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 3 });
    expect(await eventsOf(id, 'bundle.followed')).toHaveLength(8);
  });

  it('ends with the follower’s account, in the count too', async () => {
    const bundles = [await createBundle(cast.owner), await createBundle(cast.owner)];
    const userId = newId();
    await test.dataSource.query(`INSERT INTO users (id) VALUES ($1)`, [userId]);
    for (const { id } of bundles) {
      await test.dataSource.query(`INSERT INTO bundle_follows (bundle_id, user_id) VALUES ($1, $2)`, [id, userId]);
      expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 1 });
    }
    await test.dataSource.query(`DELETE FROM users WHERE id = $1`, [userId]);
    for (const { id } of bundles) expect(await shown(cast.owner, id)).toMatchObject({ follower_count: 0 });
  });
});

describe('The followers of a bundle', () => {
  it('are listed newest first, page by page, without addresses, to the people of the bundle', async () => {
    const { id } = await createBundle(cast.member, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const people = await Promise.all(Array.from({ length: 5 }, someone));
    for (const api of people) await api.put(`/v1/bundles/${id}/follow`);
    // Two in the same millisecond are ordered by their ids.
    await test.dataSource.query(
      `UPDATE bundle_follows SET created_at = '2026-01-01' WHERE bundle_id = $1 AND user_id = ANY ($2)`,
      [id, await Promise.all(people.slice(0, 3).map(idOf))],
    );
    const rows = await allPages(cast.member, `/v1/bundles/${id}/followers?limit=2`);
    const [a, b, c, d, e] = await Promise.all(people.map(idOf));
    expect(rows.map(({ user_id }) => user_id)).toEqual([e, d, ...[a, b, c].sort().reverse()]);
    expect(Object.keys(rows[0] ?? {})).toEqual(['user_id', 'name', 'followed_at']);
    await cast.outsider.get(`/v1/bundles/${id}/followers`, 403);
  });
});

describe('The names of a bundle’s followers', () => {
  it('are shown only to people who share an organisation with them, and to themselves', async () => {
    const { id } = await createBundle(cast.owner, { visibility: 'PUBLIC' });
    const [owner, member, outsider] = [await idOf(cast.owner), await idOf(cast.member), await idOf(cast.outsider)];
    await test.dataSource.query(`UPDATE users SET name = 'A Name' WHERE id = ANY ($1)`, [[owner, member, outsider]]);
    for (const api of [cast.owner, cast.member, cast.outsider]) await api.put(`/v1/bundles/${id}/follow`);
    const rows = await allPages(cast.owner, `/v1/bundles/${id}/followers`);
    expect(new Map(rows.map(({ user_id, name }) => [user_id, name]))).toEqual(
      new Map([
        [owner, 'A Name'],
        [member, 'A Name'],
        [outsider, null],
      ]),
    );
  });
});

describe('The editors of a bundle', () => {
  it('can change it from when they are added until they are removed', async () => {
    const { id } = await createBundle(cast.owner);
    const editor = await someone();
    const userId = await join(cast.owner, cast.orgId, editor);
    await editor.get(`/v1/bundles/${id}`, 404);
    for (let time = 0; time < 2; time++) await cast.owner.put(`/v1/bundles/${id}/editors/${userId}`);
    await editor.patch(`/v1/bundles/${id}`, { name: 'By the editor' });
    expect((await cast.owner.get(`/v1/bundles/${id}/editors`)).body).toEqual([
      {
        user_id: userId,
        email: expect.stringContaining('@example.com') as string,
        name: null,
        may_modify: true,
        created_at: expect.any(String) as string,
      },
    ]);
    // An editor can leave, too.
    await editor.delete(`/v1/bundles/${id}/editors/${userId.toUpperCase()}`);
    await editor.get(`/v1/bundles/${id}`, 404);
    await cast.owner.delete(`/v1/bundles/${id}/editors/${userId}`);
    const changedFields = (await eventsOf(id, 'bundle.updated')).map(
      ({ data }) => (data as { changed: string[] }).changed,
    );
    expect(changedFields).toEqual([['editors'], ['name'], ['editors']]);
  });

  it('must share an organisation with the owner of a personal bundle; anyone else is not found', async () => {
    const { id } = await createBundle(cast.owner);
    const stranger = await idOf(await someone());
    for (const userId of [stranger, newId()]) {
      const refused = await cast.owner.put(`/v1/bundles/${id}/editors/${userId}`, undefined, 404);
      expect(refused.body).toEqual({ detail: `User ${userId} was not found.`, code: 'user_not_found' });
    }
    await cast.owner.put(`/v1/bundles/${id}/editors/${await idOf(cast.owner)}`);
    expect((await cast.owner.get(`/v1/bundles/${id}/editors`)).body).toEqual([]);
  });

  it('are shown with address and name only to people who share an organisation with them', async () => {
    const other = await createCast(test);
    await join(other.owner, other.orgId, cast.admin);
    const { id } = await createBundle(cast.admin);
    const [here, there] = [await idOf(cast.member), await idOf(other.member)];
    for (const userId of [here, there]) await cast.admin.put(`/v1/bundles/${id}/editors/${userId}`);
    await test.dataSource.query(`UPDATE users SET name = 'Known To Some' WHERE id = ANY ($1)`, [[here, there]]);
    const known = { email: expect.stringContaining('@') as string, name: 'Known To Some' };
    const unknown = { email: null, name: null };
    const expectSeen = async (api: Api, ofHere: object, ofThere: object) => {
      const rows = await allPages(api, `/v1/bundles/${id}/editors`);
      const of = (userId: string) => rows.find(({ user_id }) => user_id === userId);
      expect([of(here), of(there)]).toMatchObject([ofHere, ofThere]);
    };
    await expectSeen(cast.admin, known, known);
    await expectSeen(cast.member, known, unknown);
    await expectSeen(other.member, unknown, known);
  });

  it('must be members of the organisation that owns the bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const stranger = await idOf(cast.outsider);
    for (const userId of [stranger, newId()]) {
      const refused = await cast.owner.put(`/v1/bundles/${id}/editors/${userId}`, undefined, 404);
      expect(refused.body).toEqual({ detail: `Member ${userId} was not found.`, code: 'member_not_found' });
    }
    const member = await idOf(cast.member);
    await cast.member.patch(`/v1/bundles/${id}`, { name: 'No' }, 403);
    await cast.admin.put(`/v1/bundles/${id}/editors/${member}`);
    await cast.member.patch(`/v1/bundles/${id}`, { name: 'Yes' });
    expect(await eventsOf(id, 'bundle.updated')).toMatchObject([
      { org_id: cast.orgId, data: { changed: ['editors'] } },
      { data: { changed: ['name'] } },
    ]);
  });

  it('lose their rights when they leave the organisation, and are then marked in the list', async () => {
    const leaver = await someone();
    const userId = await join(cast.owner, cast.orgId, leaver);
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    await cast.owner.put(`/v1/bundles/${id}/editors/${userId}`);
    await cast.owner.delete(`/v1/organisations/${cast.orgId}/members/${userId}`);
    await leaver.patch(`/v1/bundles/${id}`, { name: 'No' }, 404);
    expect((await cast.member.get(`/v1/bundles/${id}/editors`)).body).toMatchObject([
      { user_id: userId, may_modify: false },
    ]);
    await cast.owner.delete(`/v1/bundles/${id}/editors/${userId}`);
  });

  it('cannot be users without an account; adding the owner has no effect', async () => {
    const { id } = await createBundle(cast.owner);
    const nobody = newId();
    const refused = await cast.owner.put(`/v1/bundles/${id}/editors/${nobody}`, undefined, 404);
    expect(refused.body).toEqual({ detail: `User ${nobody} was not found.`, code: 'user_not_found' });
    await cast.owner.put(`/v1/bundles/${id}/editors/${(await idOf(cast.owner)).toUpperCase()}`);
    expect((await cast.owner.get(`/v1/bundles/${id}/editors`)).body).toEqual([]);
    expect(await eventsOf(id, 'bundle.updated')).toEqual([]);
  });
});
