import { createTestApp, type TestApp } from './support/app';
import { createCast, createEndpoint, unique } from './support/factories';
import { codeOf } from './support/faults';
import { answer, createPerson } from './support/invitations';
import { syncOf } from './support/organisations';
import { newUser, patch } from './support/scim';
import { Directory } from './support/scim-directory';

let test: TestApp;
let directory: Directory;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

beforeEach(async () => {
  directory = await Directory.create(test);
});

afterAll(() => test.close());

const organisation = () => `/v1/organisations/${directory.orgId}` as const;
const change = (id: string, value: object) =>
  directory.provider.api.patch(directory.path(`Users/${id}`), patch({ op: 'replace', value }));
const remove = (id: string) => directory.provider.api.delete(directory.path(`Users/${id}`));

describe('An outsider who tries an address or a user id', () => {
  it('learns nothing by pushing the address to a directory, whatever the person answers', async () => {
    const [silent, declining] = [await createPerson(test), await createPerson(test)];
    await createEndpoint(directory.owner, { org_id: directory.orgId });
    await directory.events();
    const users = [];
    for (const { email } of [silent, declining]) users.push(await directory.createUser({ userName: email }));
    const [first, second] = users.map(({ id }) => id);
    await answer(declining.api, String(second), 'decline');
    await change(String(first), { displayName: 'Changed', active: false });
    await change(String(first), { active: true });
    for (const group of [[String(first)], [String(second)]]) await directory.createGroup(group);
    const texts: string[] = [];
    const lists = [
      'scim/directory/users',
      'scim/directory/groups',
      'scim/log',
      'scim/sync-runs',
      'audit-log',
      'members',
    ];
    const run = await syncOf(directory.owner, directory.orgId);
    texts.push(JSON.stringify(run));
    for (const id of [first, second])
      lists.push(`scim/directory/users/${id}`, `members/${id}/role-explanation`, `audit-log?subject_id=${id}`);
    for (const list of lists) texts.push((await directory.owner.get(`${organisation()}/${list}`)).text);
    for (const entry of (await directory.owner.get(`${organisation()}/scim/log`)).body)
      texts.push((await directory.owner.get(`${organisation()}/scim/log/${entry.id}`)).text);
    texts.push((await directory.owner.post(`${organisation()}/scim/sync/preview`, {}, 200)).text);
    texts.push(JSON.stringify(await directory.list('Users')));
    for (const { id } of [silent, declining]) {
      const refused = await directory.owner.get(`${organisation()}/members/${id}/role-explanation`, 404);
      expect(codeOf(refused)).toBe('member_not_found');
      expect((await directory.owner.get(`${organisation()}/audit-log?subject_id=${id}`)).body).toEqual([]);
    }
    await remove(String(first));
    texts.push(JSON.stringify(await directory.events()));
    texts.push((await directory.owner.get(`${organisation()}/members/${first}/role-explanation`)).text);
    await directory.owner.get(`${organisation()}/members/${silent.id}/role-explanation`, 404);
    for (const { id } of [silent, declining]) for (const text of texts) expect(text).not.toContain(id);
  });

  it('learns nothing by pushing many addresses at once', async () => {
    const people = [await createPerson(test), await createPerson(test)];
    const fresh = `${unique('fresh')}@example.com`;
    await createEndpoint(directory.owner, { org_id: directory.orgId });
    await directory.events();
    const Operations = [...people.map(({ email }) => email), fresh].map((userName, n) => ({
      method: 'POST',
      path: '/Users',
      bulkId: `n${n}`,
      data: newUser({ userName }),
    }));
    const schemas = ['urn:ietf:params:scim:api:messages:2.0:BulkRequest'];
    await directory.provider.api.post(directory.path('Bulk'), { schemas, Operations }, 200);
    const provisioned = (await directory.events()).filter(({ type }) => type === 'scim.user_provisioned');
    // The account that the directory itself created is not a secret.
    expect(provisioned.map(({ data }) => data.user_id)).toEqual([null, null, expect.any(String) as string]);
  });

  it('learns nothing by inviting the id or adding it as an editor', async () => {
    const victim = await createPerson(test);
    await test.dataSource.query(`UPDATE users SET name = 'A Victim' WHERE id = $1`, [victim.id]);
    const { owner, orgId } = await createCast(test);
    const texts: string[] = [];
    texts.push(
      (await owner.post(`/v1/organisations/${orgId}/members`, { user_id: victim.id, role: 'OWNER' }, 404)).text,
    );
    const { id: bundleId } = (await owner.post('/v1/bundles', { name: unique('Bait') })).body;
    texts.push((await owner.put(`/v1/bundles/${bundleId}/editors/${victim.id}`, undefined, 404)).text);
    texts.push((await owner.get(`/v1/bundles/${bundleId}/editors`)).text);
    const invited = await owner.post(`/v1/organisations/${orgId}/members`, { email: victim.email, role: 'OWNER' });
    texts.push(invited.text, (await owner.get(`/v1/organisations/${orgId}/invitations`)).text);
    await victim.api.post(`/v1/users/me/invitations/${invited.body.id}/decline`, undefined, 200);
    texts.push((await owner.get(`/v1/organisations/${orgId}/audit-log`)).text);
    for (const text of texts) expect(text).not.toContain('A Victim');
    for (const text of [...texts.slice(3)]) expect(text).not.toContain(victim.id);
    expect((await victim.api.get('/v1/organisations')).body).toEqual([]);
    expect((await victim.api.get('/v1/bundles')).body).toEqual([]);
  });
});
