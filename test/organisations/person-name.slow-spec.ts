import { createTestApp, type TestApp } from '../support/app';
import { type Cast, createCast, unique } from '../support/factories';
import { createProvider, newUser, type Provider } from '../support/scim';

describe('The name that an organisation sees for a person', () => {
  let test: TestApp;
  let cast: Cast;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp();
    cast = await createCast(test);
    provider = await createProvider(test, cast);
  });

  afterAll(() => test.close());

  const push = async (fields: object, to = provider): Promise<string> => {
    const { id } = (await to.api.post(`${to.base}/Users`, newUser(fields))).body;
    const [row] = await test.dataSource.query<{ user_id: string }[]>(`SELECT user_id FROM scim_users WHERE id = $1`, [
      id,
    ]);
    return String(row?.user_id);
  };
  const namesOf = async (userId: string, { owner, orgId } = cast): Promise<(string | null | undefined)[]> => {
    const members = `/v1/organisations/${orgId}/members` as const;
    const list = (await owner.get(`${members}?limit=100`)).body;
    const one = (await owner.get(`${members}/${userId}`)).body;
    const explained = (await owner.get(`${members}/${userId}/role-explanation`)).body;
    return [list.find(({ user_id }) => user_id === userId)?.name, one.name, explained.name];
  };

  it('is the one in its directory, as long as the account has no name of its own', async () => {
    expect(await namesOf(await push({ displayName: 'Ada Lovelace' }))).toEqual(Array(3).fill('Ada Lovelace'));
    expect(await namesOf(await push({ name: { formatted: 'Dr. Ada King' } }))).toEqual(Array(3).fill('Dr. Ada King'));
    expect(await namesOf(await push({}))).toEqual(Array(3).fill(null));
  });

  it('is never one from another organisation’s directory, and is not stored in the account', async () => {
    const other = await createCast(test);
    const theirs = await createProvider(test, other);
    const address = `${unique('shared')}@example.com`;
    const emails = [{ value: address }];
    const userId = await push({ displayName: 'Ours', emails });
    expect(await push({ displayName: 'Theirs', emails }, theirs)).toBe(userId);
    expect(await namesOf(userId)).toEqual(Array(3).fill('Ours'));
    expect(await namesOf(userId, other)).toEqual(Array(3).fill('Theirs'));
    const rows = await test.dataSource.query<object[]>(`SELECT name FROM users WHERE id = $1`, [userId]);
    expect(rows).toEqual([{ name: null }]);
  });

  it('is the account’s own name as soon as it has one', async () => {
    const userId = await push({ displayName: 'As pushed' });
    await test.dataSource.query(`UPDATE users SET name = 'Own name', claimed_at = now() WHERE id = $1`, [userId]);
    expect(await namesOf(userId)).toEqual(Array(3).fill('Own name'));
  });
});
