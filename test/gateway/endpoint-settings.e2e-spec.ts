import { newId } from '../../src/database/id';
import type { Api } from '../support/api';
import { createTestApp, PUBLIC_URL, TestApp } from '../support/app';
import { Cast, createBundle, createCast, idOf } from '../support/factories';
import { faultsOf } from '../support/faults';
import { statementsOf } from '../support/statements';

let test: TestApp;
let cast: Cast;

beforeAll(async () => {
  test = await createTestApp({ env: { RUN: 'api' } });
  cast = await createCast(test);
});

afterAll(() => test.close());

const pathOf = (bundleId: string) => `/v1/bundles/${bundleId}/endpoint` as const;
const listOf = (bundleId: string) => `/v1/bundles/${bundleId}/deployments` as const;
const FIELDS = { name: 'On-call desk', environment: 'production' };
const eventsOf = (bundleId: string) =>
  test.dataSource.query<{ type: string; org_id: string | null; data: Record<string, unknown> }[]>(
    `SELECT type, org_id, data FROM events
     WHERE (type LIKE 'endpoint.%' OR type LIKE 'deployment.%') AND data->>'bundle_id' = $1 ORDER BY id`,
    [bundleId],
  );
const stampOf = async (bundleId: string) =>
  (
    await test.dataSource.query<{ stamp: string }[]>(`SELECT stamp FROM bundle_endpoints WHERE bundle_id = $1`, [
      bundleId,
    ])
  )[0]?.stamp;
const deploy = async (api: Api, bundleId: string, fields: object = {}) =>
  (await api.post(listOf(bundleId), { ...FIELDS, kind: 'ENDPOINT', ...fields })).body;

describe('The endpoint of a bundle', () => {
  it('is disabled at first, and shown to everyone who sees the bundle', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId, visibility: 'PUBLIC' });
    for (const api of [cast.owner, cast.member, cast.outsider]) {
      expect((await api.get(pathOf(id))).body).toEqual({
        bundle_id: id,
        url: `${PUBLIC_URL}/mcp/bundles/${id}`,
        is_enabled: false,
        naming: 'PREFIX',
        name_budget: 48,
        default_access: 'ALLOW',
        presentation: 'ALL',
        record: 'BUFFERED',
        record_arguments: 'NONE',
        updated_at: null,
      });
    }
    expect(await stampOf(id)).toBeUndefined();
  });

  it('changes only the fields sent; every change raises its stamp', async () => {
    const { id } = await createBundle(cast.owner);
    const enabled = (await cast.owner.patch(pathOf(id), { is_enabled: true })).body;
    expect(enabled).toMatchObject({ is_enabled: true, naming: 'PREFIX', name_budget: 48 });
    expect(await stampOf(id)).toBe('1');
    const plain = (await cast.owner.patch(pathOf(id), { naming: 'PLAIN', name_budget: null })).body;
    expect(plain).toEqual({ ...enabled, naming: 'PLAIN', updated_at: plain.updated_at });
    expect((await cast.owner.patch(pathOf(id), { name_budget: 64, is_enabled: null })).body.name_budget).toBe(64);
    expect(await stampOf(id)).toBe('3');
    const strict = (await cast.owner.patch(pathOf(id), { record: 'STRICT', record_arguments: 'DIGEST' })).body;
    expect(strict).toMatchObject({ naming: 'PLAIN', name_budget: 64, record: 'STRICT', record_arguments: 'DIGEST' });
    expect((await cast.owner.patch(pathOf(id), { record_arguments: 'KEYS', record: null })).body).toMatchObject({
      record: 'STRICT',
      record_arguments: 'KEYS',
    });
    const before = (await cast.owner.get(pathOf(id))).body;
    for (const body of [{}, { is_enabled: true }, { naming: 'PLAIN', name_budget: 64 }] as const)
      expect((await cast.owner.patch(pathOf(id), body)).body).toEqual(before);
    expect(await stampOf(id)).toBe('5');
  });

  it('writes nothing when the defaults are asked for', async () => {
    const { id } = await createBundle(cast.owner);
    const statements = await statementsOf(test, () =>
      cast.owner.patch(pathOf(id), { is_enabled: false, naming: 'PREFIX', name_budget: 48 }),
    );
    const written = statements.filter(({ sql }) => /^\s*(?:INSERT|UPDATE|DELETE)/.test(sql));
    expect(written).toEqual([]);
  });

  it('rejects names that are too short or too long for clients, and unknown ways to name', async () => {
    const { id } = await createBundle(cast.owner);
    for (const [body, fault] of [
      [{ name_budget: 23 }, 'body.name_budget greater_than_equal'],
      [{ name_budget: 65 }, 'body.name_budget less_than_equal'],
      [{ name_budget: 30.5 }, 'body.name_budget int_parsing'],
      [{ naming: 'SUFFIX' }, 'body.naming enum'],
      [{ record: 'SOMETIMES' }, 'body.record enum'],
      [{ record_arguments: 'ALL' }, 'body.record_arguments enum'],
      [{ is_enabled: 'yes' }, 'body.is_enabled bool_parsing'],
      [{ default_access: 'NONE' }, 'body.default_access enum'],
      [{ presentation: 'SOME' }, 'body.presentation enum'],
      [{ is_public: true }, 'body.is_public extra_forbidden'],
    ] as const) {
      const refused = await cast.owner.call('patch', pathOf(id), 422, body);
      expect(faultsOf(refused).map((one) => one.replace('bool_type', 'bool_parsing'))).toEqual([fault]);
    }
  });

  it('emits an event when it is enabled and when it is disabled, and no other', async () => {
    const bundle = await createBundle(cast.owner, { org_id: cast.orgId });
    for (const body of [{ name_budget: 40 }, { is_enabled: true }, { is_enabled: true }, { is_enabled: false }])
      await cast.admin.patch(pathOf(bundle.id), body);
    const by = await idOf(cast.admin);
    const data = {
      bundle_id: bundle.id,
      name: bundle.name,
      url: `${PUBLIC_URL}/mcp/bundles/${bundle.id}`,
      naming: 'PREFIX',
      org_id: cast.orgId,
    };
    expect(await eventsOf(bundle.id)).toEqual([
      { type: 'endpoint.enabled', org_id: cast.orgId, data: { ...data, enabled_by: by } },
      { type: 'endpoint.disabled', org_id: cast.orgId, data: { ...data, disabled_by: by } },
    ]);
  });

  it('survives ten changes at the same moment, each of which counts', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        (n % 2 ? cast.owner : cast.admin).patch(pathOf(id), { name_budget: 30 + n }),
      ),
    );
    expect(await stampOf(id)).toBe('10');
  });
});

describe('A deployment of kind ENDPOINT', () => {
  it('has an address here, and runs while the endpoint of its bundle is enabled', async () => {
    const { id } = await createBundle(cast.owner, { org_id: cast.orgId });
    const deployment = await deploy(cast.owner, id);
    const url = `${PUBLIC_URL}/mcp/deployments/${deployment.id}`;
    expect(deployment).toMatchObject({ kind: 'ENDPOINT', status: 'STOPPED', url, bundle_version: 1 });
    const external = await deploy(cast.owner, id, { kind: 'EXTERNAL', status: 'RUNNING' });
    await cast.owner.patch(pathOf(id), { is_enabled: true });
    const running = { ...deployment, status: 'RUNNING', updated_at: expect.any(String) as string };
    expect((await cast.member.get(listOf(id))).body).toEqual([external, running]);
    expect(await deploy(cast.owner, id)).toMatchObject({ status: 'RUNNING' });
    await cast.owner.patch(pathOf(id), { is_enabled: false });
    expect((await cast.member.get(`${listOf(id)}/${deployment.id}`)).body.status).toBe('STOPPED');
    expect((await cast.member.get(`${listOf(id)}?kind=EXTERNAL`)).body).toEqual([external]);
    expect((await cast.member.get(`${listOf(id)}?kind=ENDPOINT&status=STOPPED`)).body).toHaveLength(2);
    const state = (status: string) => ({
      deployment_id: deployment.id,
      kind: 'ENDPOINT',
      status,
      url,
      changed: ['status'],
    });
    const updates = (await eventsOf(id)).filter(
      ({ type, data }) => type === 'deployment.updated' && data.deployment_id === deployment.id,
    );
    expect(updates).toMatchObject([{ data: state('RUNNING') }, { data: state('STOPPED') }]);
  });

  it('is rolled out and back by its version; its status and address are not given', async () => {
    const { id } = await createBundle(cast.owner);
    const deployment = await deploy(cast.owner, id);
    const path = `${listOf(id)}/${deployment.id}` as const;
    for (const body of [{ status: 'RUNNING' }, { url: 'https://desk.example' }, { url: '' }] as const) {
      const [field = ''] = Object.keys(body);
      const fault = [`body.${field} value_error`];
      expect(faultsOf(await cast.owner.patch(path, body, 422))).toEqual(fault);
      const refused = await cast.owner.post(listOf(id), { ...FIELDS, kind: 'ENDPOINT', ...body }, 422);
      expect(faultsOf(refused)).toEqual(fault);
    }
    const unknown = await cast.owner.call('patch', path, 422, { kind: 'EXTERNAL' });
    expect(faultsOf(unknown)).toEqual(['body.kind extra_forbidden']);
    const renamed = (await cast.owner.patch(path, { name: 'Desk', status: null, url: null })).body;
    expect(renamed).toEqual({ ...deployment, name: 'Desk', updated_at: renamed.updated_at });
    // Its address follows from PUBLIC_URL, so it is not stored.
    const [row] = await test.dataSource.query<{ url: string | null }[]>(
      `SELECT url FROM bundle_deployments WHERE id = $1`,
      [deployment.id],
    );
    expect(row).toEqual({ url: null });
  });
});

describe('Protected resource metadata', () => {
  it('of an endpoint says where clients get tokens for exactly that one', async () => {
    const id = newId();
    for (const kind of ['bundles', 'deployments'] as const) {
      const { body } = await test.anonymous.call('get', `/.well-known/oauth-protected-resource/mcp/${kind}/${id}`, 200);
      expect(body).toEqual({
        resource: `${PUBLIC_URL}/mcp/${kind}/${id}`,
        resource_name: 'Toolyard',
        resource_documentation: `${PUBLIC_URL}/docs`,
        authorization_servers: [PUBLIC_URL],
        bearer_methods_supported: ['header'],
        scopes_supported: ['mcp:read', 'mcp:call'],
      });
    }
    await test.anonymous.call('get', '/.well-known/oauth-protected-resource/mcp/bundles/x', 422);
    await test.anonymous.raw('get', `/.well-known/oauth-protected-resource/mcp/listings/${id}`).expect(404);
  });
});
