import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, TestApp } from '../support/app';
import { idOf, unique, vouch } from '../support/factories';
import { newUser, patch } from '../support/scim';
import { Directory } from '../support/scim-directory';

interface Account {
  id: string;
  email: string | null;
  name: string | null;
  claimed_at: Date | null;
}

describe('The account of a SCIM user', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp();
  });

  afterAll(() => test.close());

  beforeEach(async () => {
    directory = await Directory.create(test);
    // These tests are about which entry belongs to which account, not about consent.
    await vouch(test.dataSource, directory.orgId);
  });

  /** A person who has signed in, with an address of their own. */
  async function person(): Promise<{ api: Api; id: string; email: string }> {
    const subject = unique('somebody');
    const api = await test.as(subject);
    return { api, id: await idOf(api), email: `${subject}@example.com` };
  }

  async function account(id: string): Promise<Account | undefined> {
    const [row] = await test.dataSource.query<Account[]>(
      `SELECT id, email, name, claimed_at FROM users WHERE id = $1`,
      [id],
    );
    return row;
  }

  const emails = (...values: string[]) => ({ emails: values.map((value) => ({ value })) });
  const change = (id: string, value: object) =>
    directory.provider.api.patch(directory.path(`Users/${id}`), patch({ op: 'replace', value }));

  it('is the existing one with the address, in any case, and stays unchanged', async () => {
    const { api, id, email } = await person();
    const before = await account(id);
    const user = await directory.createUser({
      userName: 'ada',
      displayName: 'Somebody Else',
      ...emails(email.toUpperCase()),
    });
    expect(await directory.accountOf(user.id)).toBe(id);
    expect(await account(id)).toEqual(before);
    expect((await api.get(`/v1/organisations/${directory.orgId}`)).body).toMatchObject({ role: 'MEMBER' });
  });

  it('is created for an unknown address, and claimed when its owner signs in', async () => {
    const subject = unique('newcomer');
    const user = await directory.createUser({ userName: `${subject}@example.com` });
    const waiting = await directory.accountOf(user.id);
    expect(await account(waiting)).toMatchObject({ email: `${subject}@example.com`, name: null, claimed_at: null });
    const api = await test.as(subject);
    expect(await idOf(api)).toBe(waiting);
    expect((await api.get(`/v1/organisations/${directory.orgId}`)).body).toMatchObject({ role: 'MEMBER' });
  });

  it('is the same for an address in several organisations, without revealing that', async () => {
    const address = `${unique('shared')}@example.com`;
    const other = await Directory.create(test);
    const first = await directory.createUser({ userName: address });
    const second = await other.createUser({ userName: address });
    expect(await other.accountOf(second.id)).toBe(await directory.accountOf(first.id));
    const blank = ({ id, meta, ...rest }: typeof first) => ({
      ...rest,
      meta: { ...meta, location: '', created: '', lastModified: '' },
      id: id.length,
    });
    expect(blank(second)).toEqual(blank(first));
    // Data from one directory is not visible to the other.
    await change(first.id, { active: false, displayName: 'Changed' });
    expect(await other.read(`Users/${second.id}`)).toEqual(second);
    expect(await other.roleOf(second.id)).toBe('MEMBER');
    expect(await directory.roleOf(first.id)).toBeUndefined();
  });

  it('is a separate one without an address if the directory sends none', async () => {
    const [first, second] = [
      await directory.createUser({ userName: unique('plain') }),
      await directory.createUser({ userName: unique('plain'), ...emails('n/a') }),
    ];
    const [one, two] = [await directory.accountOf(first.id), await directory.accountOf(second.id)];
    expect(one).not.toBe(two);
    expect(await account(one)).toMatchObject({ email: null, claimed_at: null });
    expect(await directory.roleOf(first.id)).toBe('MEMBER');
  });

  it('is matched by the primary address', async () => {
    const { id, email } = await person();
    const { email: other } = await person();
    const user = await directory.createUser({
      emails: [
        { value: other, type: 'work' },
        { value: email, type: 'home', primary: true },
      ],
    });
    expect(await directory.accountOf(user.id)).toBe(id);
  });

  it('is still matched by the primary address after a PATCH that replaces a part of it', async () => {
    const { id: otherId, email: otherEmail } = await person();
    const [typo, corrected] = [`${unique('typo')}@example.com`, `${unique('ada')}@example.com`];
    const user = await directory.createUser({
      emails: [
        { value: otherEmail, type: 'work' },
        { value: typo, type: 'home', primary: true },
      ],
    });
    const path = 'emails[type eq "home"]';
    const replace = (value: object) =>
      directory.provider.api.patch(directory.path(`Users/${user.id}`), patch({ op: 'replace', path, value }));
    await replace({ display: 'At home' });
    expect(await account(await directory.accountOf(user.id))).toMatchObject({ email: typo });
    await replace({ value: corrected });
    expect(await account(await directory.accountOf(user.id))).toMatchObject({ email: corrected });
    const memberships = await test.dataSource.query<object[]>(
      `SELECT 1 FROM memberships WHERE org_id = $1 AND user_id = $2`,
      [directory.orgId, otherId],
    );
    expect(memberships).toEqual([]);
    expect((await directory.read(`Users/${user.id}`)).emails).toEqual([
      { value: otherEmail, type: 'work' },
      { value: corrected, display: 'At home', type: 'home', primary: true },
    ]);
  });

  it('stays the same if the address changes after the person has signed in', async () => {
    const { id, email } = await person();
    const { id: otherId, email: otherEmail } = await person();
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    await change(user.id, emails(otherEmail));
    expect(await directory.accountOf(user.id)).toBe(id);
    expect(await account(id)).toMatchObject({ email });
    expect(await account(otherId)).toMatchObject({ email: otherEmail });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
  });

  it('is replaced if the address changes before anyone has signed in, and the role moves with it', async () => {
    const { id, email } = await person();
    const user = await directory.createUser({ userName: 'ada', ...emails(`${unique('typo')}@example.com`) });
    await directory.map({ name: 'Admins', role: 'ADMIN' });
    await directory.createGroup([user.id], { displayName: 'Admins' });
    const waiting = await directory.accountOf(user.id);
    await directory.events();
    await change(user.id, emails(email));
    expect(await directory.accountOf(user.id)).toBe(id);
    expect(await directory.roleOf(user.id)).toBe('ADMIN');
    const memberships = await test.dataSource.query<object[]>(
      `SELECT 1 FROM memberships WHERE org_id = $1 AND user_id = $2`,
      [directory.orgId, waiting],
    );
    expect(memberships).toEqual([]);
    const events = (await directory.events()).map(({ type, data }) => [type, data.user_id]).sort();
    expect(events).toEqual([
      ['member.added', id],
      ['member.removed', waiting],
      ['scim.user_updated', id],
    ]);
    expect(await account(waiting)).toMatchObject({ claimed_at: null });
  });

  it('loses its address if the directory removes it', async () => {
    const subject = unique('former');
    const user = await directory.createUser({ userName: 'ada', ...emails(`${subject}@example.com`) });
    await directory.provider.api.patch(directory.path(`Users/${user.id}`), patch({ op: 'remove', path: 'emails' }));
    expect(await account(await directory.accountOf(user.id))).toMatchObject({ email: null });
    const api = await test.as(subject);
    await api.get(`/v1/organisations/${directory.orgId}`, 404);
  });

  it('stays if only the case of the address changes, or an address that does not count', async () => {
    const address = `${unique('same')}@example.com`;
    const user = await directory.createUser({ userName: 'ada', ...emails(address) });
    const before = await directory.accountOf(user.id);
    await change(user.id, emails(address.toUpperCase()));
    await change(user.id, emails(address, `${unique('second')}@example.com`));
    await change(user.id, { userName: `${unique('name')}@example.com` });
    expect(await directory.accountOf(user.id)).toBe(before);
  });

  it('follows the userName if that is the address', async () => {
    const { id, email } = await person();
    const user = await directory.createUser({ userName: `${unique('old')}@example.com` });
    await change(user.id, { userName: email });
    expect(await directory.accountOf(user.id)).toBe(id);
  });

  it('is never a closed one', async () => {
    const { id, email } = await person();
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    expect(await directory.accountOf(user.id)).not.toBe(id);
  });

  it('is replaced by an open one at the next change after it was closed', async () => {
    const { id, email } = await person();
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    await test.dataSource.query(`UPDATE users SET closed_at = now() WHERE id = $1`, [id]);
    await change(user.id, { title: 'Dr' });
    const open = await directory.accountOf(user.id);
    expect(open).not.toBe(id);
    expect(await account(open)).toMatchObject({ email });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
  });

  it('keeps the manual role that the person has in the organisation', async () => {
    const { id, email } = await person();
    await test.dataSource.query(
      `INSERT INTO memberships (org_id, user_id, manual_role, role) VALUES ($1, $2, 'ADMIN', 'ADMIN')`,
      [directory.orgId, id],
    );
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    expect(await directory.roleOf(user.id)).toBe('ADMIN');
  });

  it('does not get a deactivated person’s manual role back under their former address', async () => {
    const subject = unique('leaver');
    const email = `${subject}@example.com`;
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    const waiting = await directory.accountOf(user.id);
    await test.dataSource.query(
      `UPDATE memberships SET manual_role = 'ADMIN', role = 'ADMIN' WHERE org_id = $1 AND user_id = $2`,
      [directory.orgId, waiting],
    );
    await change(user.id, { active: false });
    await change(user.id, emails(`former-${email}`));
    const leaver = await test.as(subject);
    expect(await idOf(leaver)).toBe(waiting);
    await leaver.get(`/v1/organisations/${directory.orgId}`, 404);
  });

  it('keeps its manual role if an active entry’s address was a mistake', async () => {
    const subject = unique('bystander');
    const email = `${subject}@example.com`;
    const user = await directory.createUser({ userName: 'ada', ...emails(email) });
    await test.dataSource.query(
      `UPDATE memberships SET manual_role = 'ADMIN', role = 'ADMIN' WHERE org_id = $1 AND user_id = $2`,
      [directory.orgId, await directory.accountOf(user.id)],
    );
    await change(user.id, emails(`${unique('right')}@example.com`));
    await (await test.as(subject)).get(`/v1/organisations/${directory.orgId}`);
  });

  it('is not revealed to the identity provider', async () => {
    const { id, email } = await person();
    const answer = await directory.provider.api.post(
      directory.path('Users'),
      newUser({ userName: email, externalId: newId() }),
    );
    expect(answer.text).not.toContain(id);
  });

  it('is only one, even if several organisations provision the address at once', async () => {
    const address = `${unique('rush')}@example.com`;
    const others = await Promise.all(Array.from({ length: 5 }, () => Directory.create(test)));
    const accounts = await Promise.all(
      others.map(async (other) => other.accountOf((await other.createUser({ userName: address })).id)),
    );
    expect(new Set(accounts).size).toBe(1);
  });
});
