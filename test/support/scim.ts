import { Api } from './api';
import type { ScimGroupWrite, ScimPatch, ScimPatchOperation, ScimUserWrite } from './api-types';
import type { TestApp } from './app';
import { type Cast, createCast, unique } from './factories';

/** Where the SCIM service of an organisation is. */
export type ScimBase = `/v1/organisations/${string}/scim/v2`;

/** An identity provider: it calls the SCIM service of one organisation with a token of its own. */
export interface Provider {
  api: Api;
  orgId: string;
  tokenId: string;
  token: string;
  /** The path of the SCIM service: `/v1/organisations/{org_id}/scim/v2`. */
  base: ScimBase;
  /** The same as a client sees it, in `meta.location`. */
  location: string;
}

/** A new SCIM token of the organisation, through the API. */
export async function createProvider(
  test: TestApp,
  { owner, orgId }: Pick<Cast, 'owner' | 'orgId'>,
): Promise<Provider> {
  const made = await owner.post(`/v1/organisations/${orgId}/scim/tokens`, { name: unique('Provider') });
  const { id: tokenId, token } = made.body;
  const base = `/v1/organisations/${orgId}/scim/v2` as const;
  return {
    api: new Api(test.url, test.document, token),
    orgId,
    tokenId,
    token,
    base,
    location: `https://toolyard.test${base}`,
  };
}

/** A new organisation with a provider. */
export async function createDirectory(test: TestApp): Promise<Cast & { provider: Provider }> {
  const cast = await createCast(test);
  return { ...cast, provider: await createProvider(test, cast) };
}

export const USER_URN = 'urn:ietf:params:scim:schemas:core:2.0:User';
export const GROUP_URN = 'urn:ietf:params:scim:schemas:core:2.0:Group';
export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** A user as an identity provider creates it. */
export function newUser(fields: object = {}): ScimUserWrite {
  return { schemas: [USER_URN], userName: `${unique('person')}@example.com`, active: true, ...fields };
}

/** @param members ids of SCIM users */
export function newGroup(members: string[] = [], fields: object = {}): ScimGroupWrite {
  return {
    schemas: [GROUP_URN],
    displayName: unique('Group'),
    members: members.map((value) => ({ value })),
    ...fields,
  };
}

export function patch(...operations: ScimPatchOperation[]): ScimPatch {
  return { schemas: [PATCH_URN], Operations: operations };
}
