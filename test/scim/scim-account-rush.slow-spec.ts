import type { Api } from '../support/api';
import { createTestApp, type TestApp } from '../support/app';
import { idOf, unique, vouch } from '../support/factories';
import { answer, myInvitations } from '../support/invitations';
import { holding, untilBlocked } from '../support/held-lock';
import { patch } from '../support/scim';
import { Directory } from '../support/scim-directory';
import { statementsOf } from '../support/statements';

/** Whoever comes first, and however little later the other: one address, one account. */
describe('An address claimed concurrently', () => {
  let test: TestApp;
  let directory: Directory;
  let subject: string;
  let address: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
    await vouch(test.dataSource, directory.orgId);
    subject = unique('newcomer');
    address = `${subject}@example.com`;
  });

  /** In another case than the issuer's. */
  const provision = async (one: Directory): Promise<string> =>
    (await one.createUser({ userName: address.toUpperCase() })).id;

  const accounts = () =>
    test.dataSource.query<{ id: string; is_claimed: boolean }[]>(
      `SELECT id, claimed_at IS NOT NULL AS is_claimed FROM users WHERE lower(email) = lower($1)`,
      [address],
    );

  async function expectOneAccount(id: string, provisioned = '', one = directory): Promise<void> {
    expect(await one.accountOf(provisioned)).toBe(id);
    expect(await accounts()).toEqual([{ id, is_claimed: true }]);
  }

  /** Makes two operations collide: the first holds its lock until the second waits for it or is done. */
  async function collide<A, B>(table: string, first: () => Promise<A>, second: () => Promise<B>): Promise<[A, B]> {
    return holding(test.dataSource, `LOCK TABLE ${table} IN SHARE MODE`, async (release) => {
      const one = first();
      await untilBlocked(test.dataSource, 1);
      let isDone = false;
      const other = second().finally(() => (isDone = true));
      await untilBlocked(test.dataSource, 2, () => isDone);
      await release();
      return Promise.all([one, other]);
    });
  }

  it('belongs to the person signing in, even if a directory pushes it meanwhile', async () => {
    const api = await test.as(subject);
    const [id, provisioned] = await collide(
      'identities',
      () => idOf(api),
      () => provision(directory),
    );
    await expectOneAccount(id, provisioned);
    expect((await api.get(`/v1/organisations/${directory.orgId}`)).body).toMatchObject({ role: 'MEMBER' });
  });

  it('belongs to the pushed entry’s account, even if the person signs in meanwhile', async () => {
    const api = await test.as(subject);
    const [provisioned, id] = await collide(
      'scim_users',
      () => provision(directory),
      () => idOf(api),
    );
    await expectOneAccount(id, provisioned);
    expect((await api.get(`/v1/organisations/${directory.orgId}`)).body).toMatchObject({ role: 'MEMBER' });
  });

  it('gets one account when two directories push it', async () => {
    const other = await Directory.create(test);
    const [one, two] = await collide(
      'scim_users',
      () => provision(directory),
      () => provision(other),
    );
    const id = await idOf(await test.as(subject));
    await expectOneAccount(id, one);
    await expectOneAccount(id, two, other);
  });

  it('gets one account from concurrent pushes and sign-ins, and no request fails', async () => {
    const directories = await Promise.all(Array.from({ length: 4 }, () => Directory.create(test)));
    for (const { orgId } of directories) await vouch(test.dataSource, orgId);
    const api = await test.as(subject);
    const owner = await test.as(unique('owner'));
    const name = unique('host');
    const { id: orgId } = (await owner.post('/v1/organisations', { name, slug: name })).body;
    const [ids, provisioned] = await Promise.all([
      Promise.all(Array.from({ length: 4 }, () => idOf(api))),
      Promise.all(directories.map(provision)),
      owner.post(`/v1/organisations/${orgId}/members`, { email: address, role: 'MEMBER' }),
    ]);
    const [id = ''] = ids;
    expect(new Set(ids)).toEqual(new Set([id]));
    for (const [index, one] of directories.entries()) await expectOneAccount(id, provisioned[index], one);
    const [invited] = await myInvitations(api);
    await answer(api, String(invited?.id), 'accept');
    expect((await api.get(`/v1/organisations/${orgId}`)).body).toMatchObject({ role: 'MEMBER' });
  });

  it('causes no deadlock: entry changes and sign-ins take their locks in the same order', async () => {
    const user = await directory.createUser({ userName: address });
    const hold = `SELECT pg_advisory_xact_lock(hashtextextended('address ${address}', 0))`;
    const api: Api = await test.as(subject);
    const change = patch({ op: 'replace', value: { title: 'Dr' } });
    const statements = await statementsOf(test, () =>
      holding(test.dataSource, hold, async (release) => {
        const signedIn = idOf(api);
        await untilBlocked(test.dataSource, 1);
        const changed = directory.provider.api.patch(directory.path(`Users/${user.id}`), change);
        await untilBlocked(test.dataSource, 2);
        await release();
        expect(await signedIn).toBe(await directory.accountOf(user.id));
        expect((await changed).body).toMatchObject({ title: 'Dr' });
      }),
    );
    expect(statements.filter(({ sql }) => sql === 'ROLLBACK')).toEqual([]);
    expect(await accounts()).toHaveLength(1);
  });
});
