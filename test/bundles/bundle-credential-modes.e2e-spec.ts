import { createTestApp, type TestApp } from '../support/app';
import type { Api } from '../support/api';
import { createBundle, createListing, unique } from '../support/factories';

interface Entry {
  id: string;
  credential_mode: string;
}

describe('The credential mode of an entry', () => {
  let test: TestApp;
  let api: Api;
  let path: string;
  let entryId: string;

  beforeAll(async () => {
    test = await createTestApp({ env: { RUN: 'api' } });
    api = await test.as(unique('editor'));
  });
  beforeEach(async () => {
    const { id } = await createBundle(api);
    path = `/v1/bundles/${id}`;
    const listing_id = await createListing(test.dataSource);
    const body = await ask('post', `${path}/entries`, { listing_id });
    entryId = (body as Entry).id;
    expect(body).toMatchObject({ credential_mode: 'NONE' });
  });
  afterAll(() => test.close());

  /** @returns the body of an answer, whatever it is */
  const ask = async (method: 'get' | 'post' | 'put' | 'patch' | 'delete', at: string, body?: object) => {
    const answer = await api.raw(method, at).send(body);
    return answer.body as unknown;
  };
  const entries = async (at = 'entries') => {
    const body = await ask('get', `${path}/${at}`);
    return (Array.isArray(body) ? body : (body as { entries: Entry[] }).entries) as Entry[];
  };
  const set = (credential_mode: string) => api.raw('patch', `${path}/entries/${entryId}`).send({ credential_mode });

  it('is changed like its configuration, as a version of the bundle', async () => {
    expect((await set('PERSONAL')).body).toMatchObject({ credential_mode: 'PERSONAL' });
    expect((await set('EVERYONE')).status).toBe(422);
    const update = [{ id: entryId, credential_mode: 'SHARED' }];
    const body = await ask('patch', `${path}/entries`, { update });
    expect(body).toMatchObject({ version: 4, entries: [{ credential_mode: 'SHARED' }] });
    const replaced = await ask('put', `${path}/entries`, { entries: [{ id: entryId }] });
    expect(replaced).toMatchObject({ version: 4, entries: [{ credential_mode: 'SHARED' }] });
    const versions = await ask('get', `${path}/versions`);
    expect(versions).toMatchObject([{ number: 4, changes: { reconfigured: 1 } }, { number: 3 }, {}, {}]);
  });

  it('is recorded by versions, compared and restored', async () => {
    await set('PERSONAL');
    await set('SHARED');
    expect(await entries('versions/3')).toMatchObject([{ id: entryId, credential_mode: 'PERSONAL' }]);
    const compared = await ask('get', `${path}/versions/3/compare?with=4`);
    expect(compared).toMatchObject({
      reconfigured: [{ before: { credential_mode: 'PERSONAL' }, after: { credential_mode: 'SHARED' } }],
    });
    await api.raw('post', `${path}/versions/3/restore`).send({});
    expect(await entries()).toMatchObject([{ id: entryId, credential_mode: 'PERSONAL' }]);
    await api.raw('delete', `${path}/entries/${entryId}`);
    await api.raw('post', `${path}/versions/4/restore`).send({});
    expect(await entries()).toMatchObject([{ id: entryId, credential_mode: 'SHARED' }]);
  });

  it('is NONE in versions of earlier releases, of which an entry that is there takes nothing back', async () => {
    await set('SHARED');
    await test.dataSource.query(
      `UPDATE bundle_versions SET entries = jsonb_build_array((entries->0) - 'credential_mode')
       WHERE bundle_id = $1 AND number = 2`,
      [path.split('/').at(-1)],
    );
    expect(await entries('versions/2')).toMatchObject([{ credential_mode: 'NONE' }]);
    await api.raw('post', `${path}/versions/2/restore`).send({});
    expect(await entries()).toMatchObject([{ credential_mode: 'SHARED' }]);
  });
});
