import { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, type TestApp } from '../support/app';
import { idOf, unique, vouch } from '../support/factories';
import { answer, myInvitations } from '../support/invitations';
import { createLocalAccount, signedIn } from '../support/local-accounts';
import { syncOf } from '../support/organisations';
import { patch } from '../support/scim';
import { Directory, type Resource } from '../support/scim-directory';
import { allowed, signIn } from '../support/sign-in';
import { begin, stranger } from '../support/stranger';

let test: TestApp;
let directory: Directory;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api', OAUTH_REGISTRATION: 'open' } });
});

beforeEach(async () => {
  directory = await Directory.create(test);
});

afterAll(() => test.close());

const organisation = (of = directory) => `/v1/organisations/${of.orgId}` as const;
const shown = async (id: string) => (await directory.owner.get(`${organisation()}/scim/directory/users/${id}`)).body;

/** Pushed before the person had an account. */
async function waiting(fields: object = {}): Promise<{ subject: string; email: string; user: Resource }> {
  const subject = unique('newcomer');
  const email = `${subject}@example.com`;
  return { subject, email, user: await directory.createUser({ userName: email, ...fields }) };
}

/** Everything in which an administrator could find a person. */
async function seen(): Promise<string> {
  const paths = ['members', 'audit-log', 'scim/directory/users', 'scim/log', 'deletion-preview', 'invitations'];
  const answers = await Promise.all(paths.map((path) => directory.owner.call('get', `${organisation()}/${path}`, 200)));
  return answers.map(({ text }) => text).join('\n');
}

describe('A membership that a directory gave to an account nobody had claimed', () => {
  it('counts at once, and becomes an offer when the person claims the account', async () => {
    const { subject, user } = await waiting({ displayName: 'As Pushed' });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
    const accountId = await directory.accountOf(user.id);
    expect(await directory.events()).toMatchObject([{ type: 'scim.user_provisioned' }, { type: 'member.added' }]);

    const api = new Api(test.url, test.document, await test.token(subject, { name: 'Told To Nobody' }));
    expect(await idOf(api)).toBe(accountId);
    await api.get(organisation(), 404);
    expect((await api.get('/v1/users/me')).body.organisations).toEqual([]);
    for (const list of ['organisations', 'webhooks', 'bundles'])
      expect((await api.get(`/v1/${list}`)).body).toEqual([]);
    expect(await directory.events()).toEqual([
      {
        type: 'member.removed',
        data: { org_id: directory.orgId, user_id: accountId, role: null, role_before: 'MEMBER', reason: 'pending' },
      },
    ]);
    expect(await shown(user.id)).toMatchObject({ user_id: null, role: null, reason: 'pending' });
    expect(await seen()).not.toContain('Told To Nobody');

    expect(await myInvitations(api)).toMatchObject([{ id: user.id, kind: 'DIRECTORY', status: 'PENDING' }]);
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation(), 404);
    expect(await answer(api, user.id, 'accept')).toMatchObject({ status: 'ACCEPTED' });
    await api.get(organisation());
    expect(await directory.events()).toMatchObject([
      { type: 'scim.sync_completed' },
      { type: 'member.added', data: { user_id: accountId, role: 'MEMBER' } },
    ]);
    expect(await shown(user.id)).toMatchObject({ user_id: accountId, role: 'MEMBER' });
  });

  it('can be declined, which lasts', async () => {
    const { subject, user } = await waiting();
    const api = await test.as(subject);
    await idOf(api);
    await answer(api, user.id, 'decline');
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation(), 404);
    expect(await shown(user.id)).toMatchObject({ user_id: null, reason: 'opted_out' });
  });

  it('stays where the organisation is vouched for, and the others become offers', async () => {
    const other = await Directory.create(test);
    const { subject, email, user } = await waiting();
    const second = await other.createUser({ userName: email });
    await vouch(test.dataSource, other.orgId);
    const api = await test.as(subject);
    await idOf(api);
    expect((await api.get('/v1/organisations')).body).toMatchObject([{ id: other.orgId, role: 'MEMBER' }]);
    expect(await myInvitations(api)).toMatchObject([{ id: user.id, org_id: directory.orgId }]);
    expect(await other.roleOf(second.id)).toBe('MEMBER');
    await vouch(test.dataSource, directory.orgId);
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation());
  });

  it('also becomes an offer for somebody who was invited to have an account, and signs in with a password', async () => {
    const { email, user } = await waiting();
    await createLocalAccount(test, email);
    expect(await shown(user.id)).toMatchObject({ user_id: null, reason: 'pending' });
    await signedIn(test, email);
    expect(await directory.roleOf(user.id)).toBeUndefined();
  });

  it('leaves no organisation without an OWNER, whatever its policy, and nobody without a sign-in', async () => {
    const { subject, user } = await waiting();
    const settings = { default_role: 'MEMBER', allow_owner_mapping: true, last_owner_policy: 'refuse' } as const;
    await directory.owner.put(`${organisation()}/scim/settings`, settings, 200);
    await directory.map({ name: 'Owners', role: 'OWNER' });
    await directory.createGroup([user.id], { displayName: 'Owners' });
    const founder = await idOf(directory.owner);
    await directory.owner.delete(`${organisation()}/members/${founder}`);
    const api = await test.as(subject);
    await idOf(api);
    expect((await api.get(organisation())).body).toMatchObject({ role: 'OWNER' });
  });

  it('is not touched if it was claimed before, or the person had agreed', async () => {
    const { subject, user } = await waiting();
    const api = await test.as(subject);
    const id = await idOf(api);
    // As before this rule.
    await test.dataSource.query(`UPDATE scim_users SET consent = 'NOT_NEEDED' WHERE id = $1`, [user.id]);
    await syncOf(directory.owner, directory.orgId);
    await api.get(organisation());
    await directory.provider.api.patch(
      directory.path(`Users/${user.id}`),
      patch({ op: 'replace', value: { title: 'Dr' } }),
    );
    expect(await idOf(await test.as(subject))).toBe(id);
    await api.get(organisation());
  });

  it('is decided for several organisations at once, and for two who claim the account at the same time', async () => {
    const subject = unique('wanted');
    const email = `${subject}@example.com`;
    const all = [directory, ...(await Promise.all(Array.from({ length: 5 }, () => Directory.create(test))))];
    for (const one of all) await one.createUser({ userName: email });
    const [first, second] = [await test.as(subject), await test.as(subject)];
    const ids = await Promise.all([idOf(first), idOf(second)]);
    expect(new Set(ids).size).toBe(1);
    expect((await first.get('/v1/organisations')).body).toEqual([]);
    expect(await myInvitations(first)).toHaveLength(all.length);
  });
});

describe('The consent page of an endpoint', () => {
  const CALLBACK = 'https://stranger.example/callback';

  it('offers the membership of its organisation, and makes nobody a member who does not choose it', async () => {
    const { browser, email } = await signIn(test, unique('ada'));
    const user = await directory.createUser({ userName: email });
    const { id } = (await directory.owner.post('/v1/bundles', { name: 'Shared', org_id: directory.orgId })).body;
    const deployment = (
      await directory.owner.post(`/v1/bundles/${id}/deployments`, {
        kind: 'ENDPOINT',
        name: 'x',
        environment: 'PRODUCTION',
      })
    ).body;
    const own = (await (await test.as(unique('grace'))).post('/v1/bundles', { name: 'Own' })).body;
    const config = await stranger(test, { redirect_uris: [CALLBACK] });
    const pageOf = async (path: string) => {
      const resource = `${PUBLIC_URL}/mcp/${path}`;
      const asked = await begin(config, { redirect_uri: CALLBACK, scope: 'mcp:read', prompt: 'consent', resource });
      return browser.open(asked.address);
    };
    for (const path of [`bundles/${own.id}`, `bundles/${user.id}`])
      expect((await pageOf(path)).text).not.toContain('Become a member');
    const page = await pageOf(`bundles/${id}`);
    expect(page.text).toContain(`name="membership" value="${user.id}"`);
    await allowed(browser, page);
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await browser.submit(await pageOf(`bundles/${id}`), { decision: 'deny', membership: user.id });
    await browser.submit(await pageOf(`bundles/${own.id}`), { decision: 'allow', membership: user.id });
    expect(await directory.roleOf(user.id)).toBeUndefined();
    await browser.submit(await pageOf(`deployments/${deployment.id}`), { decision: 'allow', membership: user.id });
    expect(await directory.roleOf(user.id)).toBe('MEMBER');
    expect((await pageOf(`bundles/${id}`)).text).not.toContain('Become a member');
  });
});
