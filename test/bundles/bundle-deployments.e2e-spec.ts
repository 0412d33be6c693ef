import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import type { Deployment } from '../support/api-types';
import { createTestApp, TestApp } from '../support/app';
import { Cast, createBundle, createCast, createListing } from '../support/factories';
import { faultsOf } from '../support/faults';
import { allPages } from '../support/pages';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const FIELDS = { name: 'On-call desk', environment: 'production' };
const URL = 'https://mcp.acme.example/on-call';
const listOf = (bundleId: string) => `/v1/bundles/${bundleId}/deployments` as const;
const pathOf = (bundleId: string, id: string) => `${listOf(bundleId)}/${id}` as const;
const deploy = async (api: Api, bundleId: string, fields: object = {}) =>
  (await api.post(listOf(bundleId), { ...FIELDS, ...fields })).body;
const read = async (api: Api, { bundle_id, id }: Deployment) => (await api.get(pathOf(bundle_id, id))).body;
const addEntry = async (bundleId: string) =>
  cast.owner.post(`/v1/bundles/${bundleId}/entries`, { listing_id: await createListing(test.dataSource) });
const eventsOf = (bundleId: string) =>
  test.dataSource.query<{ type: string; org_id: string | null; data: Record<string, unknown> }[]>(
    `SELECT type, org_id, data FROM events WHERE type LIKE 'deployment.%' AND data->>'bundle_id' = $1 ORDER BY id`,
    [bundleId],
  );

describe('A deployment of a bundle', () => {
  it('is bound to the current version of the bundle, and shows when there is a newer one', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    await addEntry(id);
    const created = await cast.owner.post(listOf(id), FIELDS);
    const deployment = created.body;
    expect(deployment).toEqual({
      ...FIELDS,
      id: deployment.id,
      bundle_id: id,
      kind: 'EXTERNAL',
      status: 'PENDING',
      url: null,
      bundle_version: 2,
      latest_version: 2,
      is_outdated: false,
      created_at: expect.any(String) as string,
      updated_at: deployment.created_at,
    });
    expect(created.headers.location).toBe(pathOf(id, deployment.id));
    await addEntry(id);
    const outdated = { ...deployment, latest_version: 3, is_outdated: true };
    expect(await read(cast.member, deployment)).toEqual(outdated);
    expect((await cast.member.get(listOf(id))).body).toEqual([outdated]);
    const moved = (await cast.owner.patch(pathOf(id, deployment.id), { bundle_version: 3 })).body;
    expect(moved).toMatchObject({ bundle_version: 3, is_outdated: false });
    // And back again, if the newer one was bad.
    expect((await cast.owner.patch(pathOf(id, deployment.id), { bundle_version: 1 })).body).toMatchObject({
      is_outdated: true,
    });
  });

  it('can be bound to an earlier version, but not to one that does not exist', async () => {
    const { id } = await createBundle(cast.owner);
    await addEntry(id);
    expect(await deploy(cast.owner, id, { bundle_version: 1 })).toMatchObject({ bundle_version: 1, is_outdated: true });
    const refused = await cast.owner.post(listOf(id), { ...FIELDS, bundle_version: 3 }, 404);
    expect(refused.body).toEqual({ detail: 'Bundle version 3 was not found.', code: 'bundle_version_not_found' });
    const deployment = await deploy(cast.owner, id);
    await cast.owner.patch(pathOf(id, deployment.id), { bundle_version: 99 }, 404);
    await cast.owner.post(listOf(id), { ...FIELDS, bundle_version: 0 }, 422);
  });

  it('changes only the fields sent, and emits events only for actual changes', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const deployment = await deploy(cast.owner, id, { url: URL, status: 'DEPLOYING' });
    const path = pathOf(id, deployment.id);
    const after = (await cast.owner.patch(path, { status: 'RUNNING', name: 'Desk', url: null })).body;
    expect(after).toEqual({ ...deployment, status: 'RUNNING', name: 'Desk', updated_at: after.updated_at });
    expect(after.updated_at > deployment.updated_at).toBe(true);
    expect((await cast.owner.patch(path, { url: '' })).body).toMatchObject({ url: null });
    const before = await read(cast.owner, deployment);
    for (const body of [{}, { url: '', status: 'RUNNING', environment: null, bundle_version: 1 }] as const) {
      expect((await cast.owner.patch(path, body)).body).toEqual(before);
    }
    await cast.owner.delete(path);
    await cast.owner.get(path, 404);
    const missing = await cast.owner.delete(path, 404);
    expect(missing.body).toEqual({
      detail: `Deployment ${deployment.id} was not found.`,
      code: 'deployment_not_found',
    });
    const data = { deployment_id: deployment.id, bundle_id: id, environment: 'production', org_id: cast.orgId };
    const kind = 'EXTERNAL';
    expect(await eventsOf(id)).toEqual(
      [
        {
          type: 'deployment.created',
          data: { ...data, kind, name: FIELDS.name, status: 'DEPLOYING', url: URL, bundle_version: 1 },
        },
        {
          type: 'deployment.updated',
          data: {
            ...data,
            kind,
            name: 'Desk',
            status: 'RUNNING',
            url: URL,
            bundle_version: 1,
            changed: ['name', 'status'],
          },
        },
        {
          type: 'deployment.updated',
          data: { ...data, kind, name: 'Desk', status: 'RUNNING', url: null, bundle_version: 1, changed: ['url'] },
        },
        { type: 'deployment.deleted', data: { ...data, name: 'Desk' } },
      ].map((event) => ({ ...event, org_id: cast.orgId })),
    );
  });

  it('rejects malformed addresses, addresses with credentials, and unknown statuses', async () => {
    const { id } = await createBundle(cast.owner);
    for (const [url, type] of [
      ['mcp.acme.example', 'url_parsing'],
      ['ftp://mcp.acme.example', 'url_scheme'],
      ['https:///mcp', 'url_parsing'],
      [' https://mcp.acme.example', 'url_parsing'],
      ['https://user:password@mcp.acme.example', 'value_error'],
      ['https://user@mcp.acme.example', 'value_error'],
      [`https://mcp.acme.example/${'a'.repeat(2_048)}`, 'string_too_long'],
    ]) {
      expect(faultsOf(await cast.owner.post(listOf(id), { ...FIELDS, url }, 422))).toEqual([`body.url ${type}`]);
    }
    const body = { name: ' ', environment: 'x'.repeat(61), status: 'running', owner: 1 };
    expect(faultsOf(await cast.owner.post(listOf(id), body, 422)).sort()).toEqual([
      'body.environment string_too_long',
      'body.name value_error',
      'body.owner extra_forbidden',
      'body.status enum',
    ]);
    for (const url of ['http://localhost:3000/mcp?a=1#b', 'https://bücher.example']) {
      expect(await deploy(cast.owner, id, { url })).toMatchObject({ url });
    }
  });

  it('is listed for its bundle only, newest first, filtered by environment and status', async () => {
    const { id } = await createBundle(cast.owner);
    const other = await createBundle(cast.owner);
    const foreign = await deploy(cast.owner, other.id);
    const deployments: Deployment[] = [];
    for (let n = 0; n < 5; n++) {
      const fields = { environment: n % 2 ? 'staging' : 'production', status: n < 3 ? 'RUNNING' : 'FAILED' };
      deployments.unshift(await deploy(cast.owner, id, fields));
    }
    const list = async (query: string) =>
      (await allPages(cast.owner, `${listOf(id)}?limit=2${query}`)).map((one) =>
        deployments.findIndex((m) => m.id === one.id),
      );
    expect(await list('')).toEqual([0, 1, 2, 3, 4]);
    expect(await list('&environment=staging')).toEqual([1, 3]);
    expect(await list('&status=RUNNING')).toEqual([2, 3, 4]);
    expect(await list('&environment=production&status=FAILED')).toEqual([0]);
    await cast.owner.get(pathOf(id, foreign.id), 404);
    await cast.owner.patch(pathOf(id, foreign.id), { status: 'STOPPED' }, 404);
    await cast.owner.delete(pathOf(id, newId()), 404);
  });

  it('is hidden from users who see the bundle only because it is public', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    const deployment = await deploy(cast.owner, id, { url: URL });
    for (const path of [listOf(id), pathOf(id, deployment.id)]) {
      const refused = await cast.outsider.get(path, 403);
      expect(refused.body).toMatchObject({ code: 'forbidden' });
      await cast.member.get(path);
    }
  });
});
