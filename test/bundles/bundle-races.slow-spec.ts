import { ORGANISATION_BUNDLES } from '../../src/bundles/bundle-caps';
import { lockKey } from '../../src/database/cap';
import { createTestApp, TestApp } from '../support/app';
import { createBundle, createCast, createEndpoint, idOf, unique } from '../support/factories';
import { holding, untilBlocked } from '../support/held-lock';

let test: TestApp;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
});

afterAll(() => test.close());

const holdBundle = (id: string) => `SELECT FROM bundles WHERE id = '${id}' FOR UPDATE`;

describe('A change that waits for its bundle', () => {
  it('is refused when the editor is removed meanwhile', async () => {
    const [owner, editor] = [await test.as(unique('owner')), await test.as(unique('editor'))];
    const { id, name } = await createBundle(owner);
    const editorId = await idOf(editor);
    await test.dataSource.query(`INSERT INTO bundle_editors (bundle_id, user_id) VALUES ($1, $2)`, [id, editorId]);
    const removal = `${holdBundle(id)}; DELETE FROM bundle_editors WHERE bundle_id = '${id}'`;
    await holding(test.dataSource, removal, async (release) => {
      const change = editor.patch(`/v1/bundles/${id}`, { name: 'Too late' }, 404);
      await untilBlocked(test.dataSource, 1);
      await release();
      await change;
    });
    expect((await owner.get(`/v1/bundles/${id}`)).body.name).toBe(name);
  });

  it('is refused when the administrator becomes a member meanwhile', async () => {
    const { owner, admin, orgId } = await createCast(test);
    const { id } = await createBundle(owner, { org_id: orgId });
    const adminId = await idOf(admin);
    const demotion = `${holdBundle(id)}; UPDATE memberships SET manual_role = 'MEMBER', role = 'MEMBER' WHERE user_id = '${adminId}'`;
    await holding(test.dataSource, demotion, async (release) => {
      const change = admin.put(`/v1/bundles/${id}/entries`, { entries: [] }, 403);
      await untilBlocked(test.dataSource, 1);
      await release();
      await change;
    });
  });

  it('does not find the bundle when it is deleted meanwhile', async () => {
    const owner = await test.as(unique('owner'));
    const { id } = await createBundle(owner);
    await holding(test.dataSource, `DELETE FROM bundles WHERE id = '${id}'`, async (release) => {
      const change = owner.patch(`/v1/bundles/${id}`, { name: 'Too late' }, 404);
      await untilBlocked(test.dataSource, 1);
      await release();
      await change;
    });
  });
});

describe('While an account is being deleted', () => {
  it('it follows no bundle and becomes an editor of none', async () => {
    const { owner, member, orgId } = await createCast(test);
    const leaverId = await idOf(member);
    const { id: endpointId } = await createEndpoint(member);
    const [followed, edited] = [
      await createBundle(owner, { visibility: 'PUBLIC' }),
      await createBundle(owner, { org_id: orgId }),
    ];
    // The last thing that a deletion takes before it closes the account.
    const lock = `SELECT FROM webhook_endpoints WHERE id = '${endpointId}' FOR UPDATE`;
    const statuses = await holding(test.dataSource, lock, async (release) => {
      const deletion = member.call('delete', '/v1/users/me', undefined);
      await untilBlocked(test.dataSource, 1);
      const follow = member.call('put', `/v1/bundles/${followed.id}/follow`, undefined);
      const addition = owner.call('put', `/v1/bundles/${edited.id}/editors/${leaverId}`, undefined);
      await untilBlocked(test.dataSource, 3);
      await release();
      const answers = await Promise.all([deletion, follow, addition]);
      return answers.map(({ status }) => status);
    });
    expect(statuses).toEqual([204, 401, 404]);
    for (const table of ['bundle_follows', 'bundle_editors']) {
      expect(await test.dataSource.query(`SELECT FROM ${table} WHERE user_id = $1`, [leaverId])).toEqual([]);
    }
  });
});

describe('Creating a bundle', () => {
  it('creates none for a member who was removed while the creation waited for its turn', async () => {
    const { orgId: org_id, owner, member } = await createCast(test);
    const lock = `SELECT pg_advisory_xact_lock(hashtextextended('${lockKey(ORGANISATION_BUNDLES, org_id)}', 0))`;
    const answer = await holding(test.dataSource, lock, async (release) => {
      const creation = member.call('post', '/v1/bundles', undefined, { name: 'Too late', org_id });
      await untilBlocked(test.dataSource, 1);
      await owner.delete(`/v1/organisations/${org_id}/members/${await idOf(member)}`);
      await release();
      return creation;
    });
    expect(answer.status).toBe(404);
    const rows = await test.dataSource.query<object[]>(`SELECT FROM bundles WHERE org_id = $1`, [org_id]);
    const events = await test.dataSource.query<object[]>(
      `SELECT FROM events WHERE org_id = $1 AND type = 'bundle.created'`,
      [org_id],
    );
    expect([rows, events]).toEqual([[], []]);
  });
});
