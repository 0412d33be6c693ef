import { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { idOf, unique } from '../support/factories';
import { allPages } from '../support/pages';
import { createDirectory, ERROR_URN, newUser, PATCH_URN, type Provider } from '../support/scim';
import { listIn } from '../support/scim-directory';

describe('A SCIM userName', () => {
  let test: TestApp;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());
  beforeEach(async () => {
    ({ provider } = await createDirectory(test));
  });

  const create = <S extends number = 201>(userName: string, status = 201 as S) =>
    provider.api.call('post', `${provider.base}/Users`, status, newUser({ userName }));
  const namesMatching = async (filter: string): Promise<string[]> => {
    const list = listIn(await provider.api.get(`${provider.base}/Users?filter=${encodeURIComponent(filter)}`));
    return list.Resources.map(({ userName }) => userName);
  };

  it.each([
    ['josé', 'jose\u0301'],
    ['jose\u0301', 'josé'],
    ['alice', 'ＡＬＩＣＥ'],
    ['JÜRGEN', 'jürgen'],
    ['ハンス', 'ﾊﾝｽ'],
    ['안녕', '안녕'.normalize('NFD')],
  ])('is unique across equivalent spellings: %s, %s', async (one, other) => {
    await create(one);
    const clash = await create(other, 409);
    expect(clash.body).toMatchObject({ schemas: [ERROR_URN], scimType: 'uniqueness' });
    expect(await namesMatching(`userName eq "${other}"`)).toEqual([one]);
    expect(await namesMatching(`userName sw "${Array.from(other.normalize()).slice(0, 1).join()}"`)).toEqual([one]);
    expect(await namesMatching(`userName ne "${other}"`)).toEqual([]);
  });

  it.each([
    ['ivan', 'İvan'],
    ['ivan', 'ıvan'],
    ['strasse', 'straße'],
  ])('distinguishes names that a careless comparison would merge: %s, %s', async (one, other) => {
    await create(one);
    await create(other);
    expect(await namesMatching(`userName eq "${one}"`)).toEqual([one]);
    expect(await namesMatching(`userName eq "${other}"`)).toEqual([other]);
  });

  it.each(['\u212Aim@example.com', 'alice😀', 'a\u200Bb', 'עלי@example.com', 'Ⓐlice'])(
    'cannot be "%s", in POST, PUT and PATCH',
    async (userName) => {
      const { id } = (await create(unique('before'))).body;
      const path = `${provider.base}/Users/${id}` as const;
      const patch = { schemas: [PATCH_URN], Operations: [{ op: 'replace', path: 'userName', value: userName }] };
      for (const refused of [
        await create(userName, 400),
        await provider.api.put(path, newUser({ userName }), 400),
        await provider.api.patch(path, patch, 400),
      ]) {
        expect(refused.body).toMatchObject({ schemas: [ERROR_URN], scimType: 'invalidValue' });
      }
      expect(await namesMatching(`userName eq "${userName}"`)).toEqual([]);
    },
  );

  it('from before the rule stays valid while other attributes change', async () => {
    const { id } = (await create(unique('old'))).body;
    await test.dataSource.query(`UPDATE scim_users SET user_name = 'old 😀' WHERE id = $1`, [id]);
    const path = `${provider.base}/Users/${id}` as const;
    await provider.api.put(path, newUser({ userName: 'old 😀', displayName: 'Changed' }), 200);
    expect(await namesMatching('userName eq "OLD 😀"')).toEqual(['old 😀']);
    await provider.api.put(path, newUser({ userName: 'new 😀' }), 400);
  });

  it('of duplicates from before the rule is unique again once one of them is renamed', async () => {
    const [first, second] = [(await create('twin')).body, (await create(unique('other'))).body];
    await test.dataSource.query(`UPDATE scim_users SET user_name = 'ｔwin', is_twin = true WHERE id = $1`, [second.id]);
    expect((await namesMatching('userName eq "TWIN"')).sort()).toEqual(['twin', 'ｔwin']);
    const path = `${provider.base}/Users/${second.id}` as const;
    await provider.api.put(path, newUser({ userName: 'Ｔwin' }), 200);
    await provider.api.put(path, newUser({ userName: 'another' }), 200);
    // In a spelling that the previous release's index does not cover.
    await provider.api.put(path, newUser({ userName: 'Ｔwin' }), 409);
    await provider.api.delete(`${provider.base}/Users/${first.id}`, 204);
    await provider.api.put(path, newUser({ userName: 'Twin' }), 200);
  });

  it('appears exactly once in the paged directory, duplicates included', async () => {
    const { orgId, owner, provider: other } = await createDirectory(test);
    for (const name of ['b', 'c', 'a']) await other.api.post(`${other.base}/Users`, newUser({ userName: name }));
    await test.dataSource.query(
      `UPDATE scim_users SET user_name = 'Ｂ', is_twin = true WHERE org_id = $1 AND user_name = 'c'`,
      [orgId],
    );
    const users = await allPages(owner, `/v1/organisations/${orgId}/scim/directory/users?limit=1`);
    const names = users.map(({ user_name }) => user_name);
    expect([names[0], names.slice(1).sort()]).toEqual(['a', ['b', 'Ｂ']]);
  });
});

describe('An address pushed by a directory', () => {
  let test: TestApp;

  beforeAll(async () => {
    test = await createTestApp();
  });
  afterAll(() => test.close());

  it.each([
    ['jörg@bücher.example', 'JO\u0308RG@XN--BCHER-KVA.EXAMPLE'.replace('RG', 'rg').replace('JO', 'jo'), true],
    ['a@bücher.example', 'A@XN--BCHER-KVA.EXAMPLE', true],
    ['kim@example.com', '\u212Aim@example.com', false],
    ['ivan@example.com', 'İvan@example.com', false],
    ['jurg@example.com', 'JÜRG@example.com', false],
  ])('as %s is claimed by %s: %s', async (pushed, signedIn, expected) => {
    const { orgId, provider } = await createDirectory(test);
    const user = newUser({ userName: unique('name'), emails: [{ value: pushed, primary: true }] });
    const created = (await provider.api.post(`${provider.base}/Users`, user)).body;
    const [entry] = await test.dataSource.query<{ user_id: string }[]>(`SELECT user_id FROM scim_users WHERE id = $1`, [
      created.id,
    ]);
    const subject = unique('subject');
    const person = new Api(test.url, test.document, await test.token(subject, { email: signedIn }));
    expect((await idOf(person)) === entry?.user_id).toBe(expected);
    // It is an offer, as nobody has vouched for the domain.
    await person.get(`/v1/organisations/${orgId}`, 404);
    const filter = encodeURIComponent(`emails.value eq "${signedIn}"`);
    const body = (await provider.api.get(`${provider.base}/Users?filter=${filter}`)).body;
    expect(body.totalResults).toBe(expected ? 1 : 0);
  });
});
