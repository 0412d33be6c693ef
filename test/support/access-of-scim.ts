import { newId } from '../../src/database/id';
import { given, type Recipe, type Row } from './access-table';
import { createScimGroup, createScimUser, join, unique } from './factories';
import { createProvider } from './scim';

export const organisation: Recipe = ({ orgId }) => ({ path: { org_id: String(orgId) } });

export const member: Recipe = async ({ test, api, orgId }) => {
  const user_id = await join(api, String(orgId), await test.as(unique('somebody')));
  return { path: { org_id: String(orgId), user_id } };
};

const syncRun: Recipe = async ({ api, orgId }) => {
  const { headers } = await api.post(`/v1/organisations/${orgId}/scim/sync`, undefined, 200);
  return { path: { org_id: String(orgId), run_id: String(headers.location?.split('/').at(-1)) } };
};
const roleMapping: Recipe = async ({ api, orgId }) => {
  const body = { group_name: unique('Awaited group'), role: 'MEMBER' } as const;
  const made = await api.post(`/v1/organisations/${orgId}/scim/role-mappings`, body);
  return { path: { org_id: String(orgId), mapping_id: made.body.id } };
};
const scimUser: Recipe = async ({ test, orgId }) => ({
  path: { org_id: String(orgId), scim_user_id: (await createScimUser(test.dataSource, String(orgId))).id },
});
const scimGroup: Recipe = async ({ test, orgId }) => ({
  path: { org_id: String(orgId), group_id: await createScimGroup(test.dataSource, String(orgId)) },
});
const scimToken: Recipe = async ({ api, orgId }) => {
  const made = await api.post(`/v1/organisations/${orgId}/scim/tokens`, { name: unique('Provider') });
  return { path: { org_id: String(orgId), token_id: made.body.id } };
};
const scimLogEntry: Recipe = async ({ test, api, orgId }) => {
  const { api: provider, base } = await createProvider(test, { owner: api, orgId: String(orgId) });
  await provider.get(`${base}/Schemas`);
  const [entry] = (await api.get(`/v1/organisations/${orgId}/scim/log?limit=1`)).body;
  return { path: { org_id: String(orgId), entry_id: String(entry?.id) } };
};
const scimProtocol: Recipe = ({ orgId }) => ({
  path: { org_id: String(orgId), id: newId(), name: 'User', urn: 'urn:ietf:params:scim:schemas:core:2.0:User' },
});

/** The SCIM protocol takes SCIM tokens only: an access token is refused, also an owner's. */
const scimRow = (operation: string): Row => [
  operation.replace(' ', ' /v1/organisations/{org_id}/scim/v2'),
  [401, 401, 401, 401, 401, null],
  scimProtocol,
];

/** Below the base address of an organisation's SCIM service. */
const SCIM_PROTOCOL = [
  ...['Users', 'Groups'].flatMap((name) => [
    `GET /${name}`,
    `POST /${name}`,
    `POST /${name}/.search`,
    ...['GET', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /${name}/{id}`),
  ]),
  ...['GET', 'POST', 'PUT', 'PATCH', 'DELETE'].map((method) => `${method} /Me`),
  'POST /.search',
  'POST /Bulk',
  'GET /ServiceProviderConfig',
  'GET /ResourceTypes',
  'GET /ResourceTypes/{name}',
  'GET /Schemas',
  'GET /Schemas/{urn}',
];

/** Rows of `test/access.e2e-spec.ts`: the directory of an organisation and who may look after it. */
export const SCIM_ROWS: readonly Row[] = [
  ['POST /v1/organisations/{org_id}/scim/sync', [401, 404, 403, 200, 200, null], organisation],
  ['POST /v1/organisations/{org_id}/scim/sync/preview', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/scim/sync-runs', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/audit-log', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/scim/sync-runs/{run_id}', [401, 404, 403, 200, 200, null], syncRun],
  ['GET /v1/organisations/{org_id}/scim/settings', [401, 404, 403, 200, 200, null], organisation],
  [
    'PUT /v1/organisations/{org_id}/scim/settings',
    [401, 404, 403, 200, 200, null],
    given(organisation, () => ({ default_role: 'MEMBER', allow_owner_mapping: false, last_owner_policy: 'retain' })),
  ],
  ['GET /v1/organisations/{org_id}/scim/role-mappings', [401, 404, 403, 200, 200, null], organisation],
  [
    'POST /v1/organisations/{org_id}/scim/role-mappings',
    [401, 404, 403, 201, 201, null],
    given(organisation, () => ({ group_name: unique('Awaited group'), role: 'MEMBER' })),
  ],
  ['GET /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}', [401, 404, 403, 200, 200, null], roleMapping],
  [
    'PATCH /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}',
    [401, 404, 403, 200, 200, null],
    given(roleMapping, () => ({ role: 'ADMIN' })),
  ],
  ['DELETE /v1/organisations/{org_id}/scim/role-mappings/{mapping_id}', [401, 404, 403, 204, 204, null], roleMapping],
  ['GET /v1/organisations/{org_id}/scim/directory/users', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/scim/directory/users/{scim_user_id}', [401, 404, 403, 200, 200, null], scimUser],
  ['GET /v1/organisations/{org_id}/scim/directory/groups', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}', [401, 404, 403, 200, 200, null], scimGroup],
  [
    'GET /v1/organisations/{org_id}/scim/directory/groups/{group_id}/members',
    [401, 404, 403, 200, 200, null],
    scimGroup,
  ],
  ['GET /v1/organisations/{org_id}/members/{user_id}/role-explanation', [401, 404, 403, 200, 200, null], member],

  ['GET /v1/organisations/{org_id}/scim/tokens', [401, 404, 403, 200, 200, null], organisation],
  [
    'POST /v1/organisations/{org_id}/scim/tokens',
    [401, 404, 403, 201, 201, null],
    given(organisation, () => ({ name: unique('Provider') })),
  ],
  ['GET /v1/organisations/{org_id}/scim/tokens/{token_id}', [401, 404, 403, 200, 200, null], scimToken],
  ['DELETE /v1/organisations/{org_id}/scim/tokens/{token_id}', [401, 404, 403, 204, 204, null], scimToken],
  ['GET /v1/organisations/{org_id}/scim/log', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/scim/log/{entry_id}', [401, 404, 403, 200, 200, null], scimLogEntry],
  ...SCIM_PROTOCOL.map(scimRow),
];
