import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { idOf, unique } from '../support/factories';
import { createDirectory, newUser, patch, type Provider } from '../support/scim';
import { objectIn } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

/** Two people in one directory with the same primary e-mail address (docs/adr/0009-account-linking.md). */
describe('A SCIM user with an address that another user already has', () => {
  let test: TestApp;
  let owner: Api;
  let orgId: string;
  let provider: Provider;

  beforeAll(async () => {
    test = await createTestApp();
  });

  beforeEach(async () => {
    ({ owner, orgId, provider } = await createDirectory(test));
  });

  afterAll(() => test.close());

  const shared = () => `${unique('shared')}@example.com`;
  const withAddress = (address: string, fields: object = {}) => ({
    emails: [{ value: address, primary: true }],
    ...fields,
  });
  const push = async (fields: object) => (await provider.api.post(`${provider.base}/Users`, newUser(fields))).body.id;
  const bulk = async (users: object[]) => {
    const operations = users.map((fields, n) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `${n}`,
      data: newUser(fields),
    }));
    const body = { schemas: ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'], Operations: operations };
    const answer = await provider.api.post(`${provider.base}/Bulk`, body, 200);
    return answer.body.Operations;
  };
  const idIn = ({ location }: { location?: string }) => location?.split('/').at(-1) ?? '';
  const change = (id: string, value: object) =>
    provider.api.patch(`${provider.base}/Users/${id}`, patch({ op: 'replace', value }));
  const entry = async (id: string) => (await owner.get(`/v1/organisations/${orgId}/scim/directory/users/${id}`)).body;
  const emailOf = async (id: string) => {
    const { user_id } = await entry(id);
    const rows = await test.dataSource.query<{ email: string | null }[]>(`SELECT email FROM users WHERE id = $1`, [
      user_id,
    ]);
    return rows[0]?.email;
  };
  const latest = async () => (await owner.get(`/v1/organisations/${orgId}/scim/log?limit=1`)).body[0];

  it('is linked by a userName that is its own address, as directory and log show', async () => {
    const [address, userName] = [shared(), shared()];
    const first = await push(withAddress(address));
    const second = await push(withAddress(address.toUpperCase(), { userName }));
    expect(await entry(first)).toMatchObject({ account_note: null });
    expect(await emailOf(first)).toBe(address);
    expect(await entry(second)).toMatchObject({ account_note: 'linked_by_user_name' });
    expect(await emailOf(second)).toBe(userName);
    expect(await latest()).toMatchObject({
      status: 201,
      notes: [expect.stringContaining('linked to the account of its userName')],
    });
  });

  it.each([
    ['is not an address', () => 'second'],
    ['is that address, too', (address: string) => address],
  ])('is linked to an account that nobody can claim if its userName %s', async (_, userNameOf) => {
    const address = shared();
    await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: userNameOf(address) }));
    expect(await entry(second)).toMatchObject({ account_note: 'address_taken' });
    expect(await emailOf(second)).toBeNull();
    expect(await latest()).toMatchObject({ status: 201, notes: [expect.stringContaining('No one can sign in')] });
  });

  it('does not affect the first user’s account, and gets none of its access', async () => {
    const subject = unique('somebody');
    const person = await test.as(subject);
    const address = `${subject}@example.com`;
    const first = await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: 'second' }));
    expect((await entry(first)).user_id).toBe(await idOf(person));
    await change(first, { active: false });
    // The second user is active, but is not the person.
    expect((await entry(second)).user_id).not.toBe(await idOf(person));
    await person.get(`/v1/organisations/${orgId}`, 404);
  });

  it('is linked by the address once it is free, but only with its own next change', async () => {
    const subject = unique('somebody');
    const person = await test.as(subject);
    const address = `${subject}@example.com`;
    const first = await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: 'second' }));
    await provider.api.delete(`${provider.base}/Users/${first}`);
    // Deleting one user does not give access through another.
    expect((await entry(second)).account_note).toBe('address_taken');
    await person.get(`/v1/organisations/${orgId}`, 404);
    await change(second, { title: 'Analyst' });
    // The person has an account of their own, so they are asked first.
    expect(await entry(second)).toMatchObject({ account_note: null, user_id: null });
    const [offer] = (await person.get('/v1/users/me/invitations')).body;
    await person.post(`/v1/users/me/invitations/${offer?.id}/accept`, undefined, 200);
    expect(await entry(second)).toMatchObject({ user_id: await idOf(person) });
    await person.get(`/v1/organisations/${orgId}`);
  });

  it('is linked by the address once the first user has another one', async () => {
    const address = shared();
    const first = await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: 'second' }));
    await change(first, withAddress(shared()));
    expect(await emailOf(second)).toBeNull();
    await change(second, { active: true });
    expect(await emailOf(second)).toBe(address);
    expect((await entry(second)).account_note).toBeNull();
  });

  it('can result from a change, which is not a conflict either', async () => {
    const address = shared();
    await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(shared(), { userName: 'second' }));
    await change(second, withAddress(address));
    expect(await entry(second)).toMatchObject({ account_note: 'address_taken' });
    const { user_id } = await entry(second);
    // Sending it again changes nothing.
    await change(second, { title: 'x' });
    expect(await entry(second)).toMatchObject({ account_note: 'address_taken', user_id });
    await change(second, withAddress(shared()));
    expect(await entry(second)).toMatchObject({ account_note: null });
  });

  it('keeps an account that was already claimed, whatever address it gets', async () => {
    const subject = unique('somebody');
    const person = await test.as(subject);
    const address = shared();
    await push(withAddress(address, { userName: 'first' }));
    const userId = await idOf(person);
    const second = await push(withAddress(`${subject}@example.com`, { userName: 'second' }));
    await change(second, withAddress(address));
    expect(await entry(second)).toMatchObject({ account_note: null });
    expect(await test.dataSource.query(`SELECT user_id FROM scim_users WHERE id = $1`, [second])).toEqual([
      { user_id: userId },
    ]);
  });

  it('is shown as linked by userName until the address is its own, even after the account was claimed', async () => {
    const [address, subject] = [shared(), unique('somebody')];
    await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: `${subject}@example.com` }));
    // Who claims the account is offered the membership, and is not named before accepting it.
    await idOf(await test.as(subject));
    await change(second, { title: 'Analyst' });
    expect(await entry(second)).toMatchObject({ account_note: 'linked_by_user_name', user_id: null });
    expect((await latest())?.notes).toHaveLength(1);
    await change(second, withAddress(`${subject}@example.com`));
    expect(await entry(second)).toMatchObject({ account_note: null, user_id: null });
    expect((await latest())?.notes).toEqual([]);
  });

  it('loses that note with its next request, without a new version', async () => {
    const [address, subject] = [shared(), unique('somebody')];
    const first = await push(withAddress(address, { userName: 'first' }));
    const second = await push(withAddress(address, { userName: `${subject}@example.com` }));
    await idOf(await test.as(subject));
    await provider.api.delete(`${provider.base}/Users/${first}`);
    const before = await provider.api.get(`${provider.base}/Users/${second}`);
    await change(second, { active: true });
    expect(await entry(second)).toMatchObject({ account_note: null, user_id: null });
    expect((await latest())?.notes).toEqual([]);
    expect((await provider.api.get(`${provider.base}/Users/${second}`)).body).toEqual(before.body);
  });

  it('is treated as such within a bulk request too', async () => {
    const [address, userName] = [shared(), shared()];
    const operations = [withAddress(address, { userName: 'a' }), withAddress(address, { userName }), { userName: 'c' }];
    const results = await bulk([
      ...operations,
      withAddress(address, { userName: 'd' }),
      withAddress(address, { userName: 'A' }),
    ]);
    expect(results.map(({ status }) => status)).toEqual(['201', '201', '201', '201', '409']);
    const ids = results.slice(0, 4).map(idIn);
    const notes = await Promise.all(ids.map(async (id) => (await entry(id)).account_note));
    expect(notes).toEqual([null, 'linked_by_user_name', null, 'address_taken']);
    expect(await Promise.all(ids.map(emailOf))).toEqual([address, userName, null, null]);
    const users = await Promise.all(ids.map(async (id) => (await entry(id)).user_id));
    expect(new Set(users).size).toBe(4);
  });

  it('is linked by a bulk request as by the same requests one by one', async () => {
    const [shared1, shared2, shared3, shared4] = [shared(), shared(), shared(), shared()];
    const users = [
      withAddress(shared1, { userName: 'a' }),
      // By its userName, which is the address of the next one, and so on.
      withAddress(shared1, { userName: shared2 }),
      withAddress(shared2.toUpperCase(), { userName: shared3 }),
      withAddress(shared3, { userName: 'd' }),
      // The other way round: the address comes first.
      withAddress(shared4, { userName: 'e' }),
      withAddress(shared1, { userName: shared4 }),
    ];
    const linksOf = (ids: string[]) =>
      Promise.all(ids.map(async (id) => [await emailOf(id), (await entry(id)).account_note]));
    const oneByOne: string[] = [];
    for (const fields of users) oneByOne.push(await push(fields));
    const expected = [
      [shared1, null],
      [shared2, 'linked_by_user_name'],
      [shared3, 'linked_by_user_name'],
      [null, 'address_taken'],
      [shared4, null],
      [null, 'address_taken'],
    ];
    expect(await linksOf(oneByOne)).toEqual(expected);
    ({ owner, orgId, provider } = await createDirectory(test));
    expect(await linksOf((await bulk(users)).map(idIn))).toEqual(expected);
  });

  it('is found by an index, even with outdated statistics', async () => {
    await test.dataSource.query(
      `WITH accounts AS (INSERT INTO users (id) SELECT uuid_v7() FROM generate_series(1, 5000) RETURNING id)
       INSERT INTO scim_users (id, org_id, user_id, user_name) SELECT uuid_v7(), $1, id, id FROM accounts`,
      [orgId],
    );
    const address = shared();
    await push(withAddress(address));
    const statements = await statementsOf(test, () => push(withAddress(address)));
    const taken = statements.find(({ sql }) => sql.includes('IS DISTINCT FROM $3'));
    const plan = await test.dataSource.query<{ 'QUERY PLAN': string }[]>(`EXPLAIN ${taken?.sql}`, taken?.parameters);
    expect(plan.map((line) => line['QUERY PLAN']).join('\n')).toContain('Index Cond: (user_id = account.id)');
  });

  it('is announced in the schema: only userName is unique', async () => {
    const path = `${provider.base}/Schemas/urn:ietf:params:scim:schemas:core:2.0:User` as const;
    const { attributes } = objectIn(await provider.api.get(path)) as {
      attributes: { name: string; uniqueness: string; subAttributes?: object[] }[];
    };
    const unique = attributes.filter(({ uniqueness }) => uniqueness !== 'none').map(({ name }) => name);
    expect(unique).toEqual(['userName']);
    const emails = attributes.find(({ name }) => name === 'emails');
    expect(emails?.subAttributes).toEqual(expect.arrayContaining([expect.objectContaining({ uniqueness: 'none' })]));
  });
});
