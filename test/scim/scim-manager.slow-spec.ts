import type { ScimPatchOperation } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { patch } from '../support/scim';
import { Directory, type Resource } from '../support/scim-directory';

const ENTERPRISE_URN = 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User';

describe('The manager attribute of a SCIM user', () => {
  let test: TestApp;
  let directory: Directory;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    directory = await Directory.create(test);
  });

  afterAll(() => test.close());

  const reportTo = (manager: unknown, fields: object = {}) =>
    directory.createUser({ [ENTERPRISE_URN]: { manager }, ...fields });
  const managerOf = (user: Resource) => (user[ENTERPRISE_URN] as { manager?: object } | undefined)?.manager;
  const read = (user: Resource) => directory.read(`Users/${user.id}`);
  const change = (user: Resource, ...operations: ScimPatchOperation[]) =>
    directory.provider.api.patch(directory.path(`Users/${user.id}`), patch(...operations), 200);
  const addressOf = ({ id }: Resource) => `${directory.provider.location}/Users/${id}`;

  it('shows the name and address of the actual user, whatever the client sent', async () => {
    const boss = await directory.createUser({ displayName: 'Charles' });
    const ada = await reportTo({ value: boss.id, $ref: '../Users/elsewhere', displayName: 'Somebody Else' });
    const shown = { value: boss.id, $ref: addressOf(boss), displayName: 'Charles' };
    expect(managerOf(ada)).toEqual(shown);
    expect(managerOf(await read(ada))).toEqual(shown);
    const { Resources } = await directory.list('Users', { filter: `id eq "${ada.id}"` });
    expect(Resources.map(managerOf)).toEqual([shown]);
  });

  it('can be set by its $ref alone', async () => {
    const boss = await directory.createUser();
    const ada = await reportTo({ $ref: `../Users/${boss.id}` });
    expect(managerOf(ada)).toEqual({ value: boss.id, $ref: addressOf(boss) });
  });

  it('is found under the id that is shown, however the client wrote it', async () => {
    const boss = await directory.createUser();
    const ada = await reportTo({ value: boss.id.toUpperCase() });
    expect(managerOf(ada)).toMatchObject({ value: boss.id });
    const { Resources } = await directory.list('Users', { filter: `manager.value eq "${boss.id}"` });
    expect(Resources.map(({ id }) => id)).toEqual([ada.id]);
  });

  it('shows the manager’s current name, and the ETag changes with it', async () => {
    const boss = await directory.createUser({ displayName: 'Charles' });
    const ada = await reportTo(boss.id);
    await change(boss, { op: 'replace', path: 'displayName', value: 'Charles Babbage' });
    const after = await read(ada);
    expect(managerOf(after)).toMatchObject({ displayName: 'Charles Babbage' });
    expect(after.meta.version).not.toBe(ada.meta.version);
    const answer = await directory.provider.api
      .raw('get', directory.path(`Users/${ada.id}`))
      .set('If-None-Match', ada.meta.version);
    expect(answer.status).toBe(200);
    // The attributes that the client can write have not changed, so If-Match still fits.
    const written = await directory.provider.api
      .raw('patch', directory.path(`Users/${ada.id}`))
      .set('If-Match', ada.meta.version)
      .send(patch({ op: 'replace', path: 'title', value: 'Analyst' }));
    expect(written.status).toBe(200);
  });

  it('disappears when the manager is deleted, from filters too', async () => {
    const boss = await directory.createUser({ displayName: 'Gone' });
    const ada = await reportTo(boss.id);
    const countOf = async (filter: string) => {
      const { Resources } = await directory.list('Users', { filter: `id eq "${ada.id}" and (${filter})` });
      return Resources.length;
    };
    const filters = ['manager pr', `manager.value eq "${boss.id}"`, 'manager.displayName eq "gone"', 'manager.$ref pr'];
    expect(await Promise.all(filters.map(countOf))).toEqual([1, 1, 1, 1]);
    await directory.provider.api.delete(directory.path(`Users/${boss.id}`));
    const after = await read(ada);
    expect(after).not.toHaveProperty([ENTERPRISE_URN]);
    expect(after.schemas).not.toContain(ENTERPRISE_URN);
    expect(after.meta.version).not.toBe(ada.meta.version);
    expect(await Promise.all(filters.map(countOf))).toEqual([0, 0, 0, 0]);
  });

  it('is returned as sent if it is not a user of the organisation', async () => {
    const other = await Directory.create(test);
    const stranger = await other.createUser({ displayName: 'A stranger' });
    expect(managerOf(await reportTo({ value: '00u9', $ref: 'https://idp.example/00u9' }))).toEqual({
      value: '00u9',
      $ref: 'https://idp.example/00u9',
    });
    expect(managerOf(await reportTo(stranger.id))).toEqual({ value: stranger.id });
  });

  it.each(['manager.displayName', `${ENTERPRISE_URN}:manager.displayName`])('cannot be changed by %s', async (path) => {
    const ada = await reportTo('00u9');
    const error = await directory.fail(
      'patch',
      directory.path(`Users/${ada.id}`),
      400,
      patch({ op: 'replace', path, value: 'x' }),
    );
    expect(error).toMatchObject({ scimType: 'mutability' });
  });

  it('takes one statement per page, and none if it is not requested', async () => {
    const boss = await directory.createUser({ displayName: 'Boss' });
    const costs: number[] = [];
    for (const reports of [1, 5]) {
      for (let n = 0; n < reports; n++) await reportTo(boss.id, { title: `Reports ${reports}` });
      const query = { filter: `title eq "Reports ${reports}"` };
      costs.push(await directory.costOf(() => directory.list('Users', query)));
      costs.push(await directory.costOf(() => directory.list('Users', { ...query, excludedAttributes: 'manager' })));
    }
    const [one, without] = costs;
    expect(costs).toEqual([one, without, one, without]);
    expect(one).toBe(Number(without) + 1);
  });
});
