import { member, organisation } from './access-of-scim';
import { given, nothing, type Recipe, type Row } from './access-table';
import type { InvitationCreate, ServerRequestCreate } from './api-types';
import { unique } from './factories';

const newcomer = (): InvitationCreate => ({ email: `${unique('newcomer')}@example.com`, role: 'MEMBER' });

const invitation: Recipe = async ({ api, orgId }) => {
  const sent = await api.post(`/v1/organisations/${orgId}/members`, newcomer());
  const invitation_id = sent.body.id;
  return { path: { org_id: String(orgId), invitation_id } };
};

/** Sent to the person themself: nobody else has it. */
const ownInvitation: Recipe = async ({ test, api }) => {
  const owner = await test.as(unique('host'));
  const { id: orgId } = (await owner.post('/v1/organisations', { name: unique('Host') })).body;
  const { email } = (await api.get('/v1/users/me')).body;
  const sent = await owner.post(`/v1/organisations/${orgId}/members`, { email, role: 'MEMBER' });
  return { path: { invitation_id: sent.body.id } };
};

const domainOf: Recipe = async ({ api, orgId }) => {
  const made = await api.post(`/v1/organisations/${orgId}/domains`, { domain: `${unique('acme')}.example` });
  return { path: { org_id: String(orgId), domain_id: made.body.id } };
};
const vouched: Recipe = ({ orgId }) => ({ path: { org_id: String(orgId), domain: `${unique('acme')}.example` } });

const newRequest = (): ServerRequestCreate => ({ name: unique('Server'), why: 'For a test.' });

/** Of the owner: others of the organisation are not who asked. */
const serverRequest: Recipe = async ({ api, orgId }) => {
  const made = await api.post(`/v1/organisations/${orgId}/server-requests`, newRequest());
  return { path: { org_id: String(orgId), request_id: made.body.id } };
};

/** Rows of `test/access.e2e-spec.ts`: organisations, their members, invitations and domains. */
export const ORGANISATION_ROWS: readonly Row[] = [
  [
    'POST /v1/organisations',
    [401, 201, 201, 201, 201, 201],
    given(nothing, () => ({ name: unique('New organisation') })),
  ],
  ['GET /v1/organisations', [401, 200, 200, 200, 200, 200], nothing],
  ['GET /v1/organisations/{org_id}', [401, 404, 200, 200, 200, null], organisation],
  [
    'PATCH /v1/organisations/{org_id}',
    [401, 404, 403, 200, 200, null],
    given(organisation, () => ({ name: unique('Renamed') })),
  ],

  ['GET /v1/organisations/{org_id}/members', [401, 404, 200, 200, 200, null], organisation],
  ['POST /v1/organisations/{org_id}/members', [401, 404, 403, 201, 201, null], given(organisation, newcomer)],
  ['GET /v1/organisations/{org_id}/members/{user_id}', [401, 404, 200, 200, 200, null], member],
  [
    'PATCH /v1/organisations/{org_id}/members/{user_id}',
    [401, 404, 403, 200, 200, null],
    given(member, () => ({ role: 'ADMIN' })),
  ],
  ['DELETE /v1/organisations/{org_id}/members/{user_id}', [401, 404, 403, 204, 204, null], member],

  ['GET /v1/organisations/{org_id}/invitations', [401, 404, 403, 200, 200, null], organisation],
  ['GET /v1/organisations/{org_id}/invitations/{invitation_id}', [401, 404, 403, 200, 200, null], invitation],
  ['DELETE /v1/organisations/{org_id}/invitations/{invitation_id}', [401, 404, 403, 204, 204, null], invitation],
  ['GET /v1/organisations/{org_id}/server-requests', [401, 404, 200, 200, 200, null], organisation],
  ['POST /v1/organisations/{org_id}/server-requests', [401, 404, 201, 201, 201, null], given(organisation, newRequest)],
  ['GET /v1/organisations/{org_id}/server-requests/{request_id}', [401, 404, 404, 200, 200, null], serverRequest],
  [
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/withdraw',
    [401, 404, 404, 403, 200, null],
    serverRequest,
  ],
  [
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/approve',
    [401, 404, 403, 200, 200, null],
    serverRequest,
  ],
  [
    'POST /v1/organisations/{org_id}/server-requests/{request_id}/decline',
    [401, 404, 403, 200, 200, null],
    serverRequest,
  ],
  ['GET /v1/users/me/invitations', [401, 200, 200, 200, 200, 200], nothing],
  ['POST /v1/users/me/invitations/{invitation_id}/accept', [401, 404, 404, 404, 200, 200], ownInvitation],
  ['POST /v1/users/me/invitations/{invitation_id}/decline', [401, 404, 404, 404, 200, 200], ownInvitation],

  ['GET /v1/organisations/{org_id}/domains', [401, 404, 403, 200, 200, null], organisation],
  [
    'POST /v1/organisations/{org_id}/domains',
    [401, 404, 403, 201, 201, null],
    given(organisation, () => ({ domain: `${unique('acme')}.example` })),
  ],
  ['GET /v1/organisations/{org_id}/domains/{domain_id}', [401, 404, 403, 200, 200, null], domainOf],
  // There is no such record in the DNS of this test.
  ['POST /v1/organisations/{org_id}/domains/{domain_id}/verify', [401, 404, 403, 409, 409, null], domainOf],
  ['DELETE /v1/organisations/{org_id}/domains/{domain_id}', [401, 404, 403, 204, 204, null], domainOf],
  ['PUT /v1/organisations/{org_id}/domains/{domain}/vouch', [401, 403, 403, 403, 403, null], vouched],
  ['DELETE /v1/organisations/{org_id}/domains/{domain}/vouch', [401, 403, 403, 403, 403, null], vouched],
];
