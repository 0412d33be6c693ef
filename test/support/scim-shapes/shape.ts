import { ENTERPRISE_URN, USER_URN, GROUP_URN } from '../../../src/scim/protocol/urns';

export type Provider =
  'Okta' | 'Entra ID' | 'Entra ID (aadOptscim062020)' | 'Google Workspace' | 'OneLogin' | 'JumpCloud';

/**
 * One request as an identity provider sends it, and what follows from it. In every string `{base}` stands for the
 * address of the service, and `{ada}` for the id of what is called ada in `given` (`{new}` for what the request made).
 */
export interface Shape {
  provider: Provider;
  /** What the provider is about. */
  name: string;
  /** What the directory holds before, in the order in which it is made; an id is known to what comes after. */
  given?: { users?: Record<string, object>; groups?: Record<string, object> };
  request: {
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
    /** Below the address of the service; a query string is encoded by the test. */
    path: string;
    query?: Record<string, string>;
    body?: object;
    /** `application/scim+json` unless it says otherwise. */
    contentType?: string;
  };
  status: number;
  /** The body of the answer, exactly but for `id` and `meta` of resources; only where it is no resource. */
  answer?: object;
  /**
   * What a GET gives afterwards, exactly but for `id` and `meta`; null: it is not found any more. What is given and not
   * named here must be as it was, but for the `groups` of a user, who cannot help being put into one.
   */
  stored?: Record<string, object | null>;
}

export { ENTERPRISE_URN, GROUP_URN, USER_URN };

export const PATCH_URN = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';
export const LIST_URN = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
export const ERROR_URN = 'urn:ietf:params:scim:api:messages:2.0:Error';

/** As every identity provider would have made her: nothing but what all of them send. */
export const ADA = {
  schemas: [USER_URN],
  externalId: 'ext-ada',
  userName: 'ada@acme.example',
  name: { givenName: 'Ada', familyName: 'Lovelace' },
  displayName: 'Ada Lovelace',
  emails: [{ value: 'ada@acme.example', type: 'work', primary: true }],
  active: true,
};

export const GRACE = {
  schemas: [USER_URN],
  externalId: 'ext-grace',
  userName: 'grace@acme.example',
  name: { givenName: 'Grace', familyName: 'Hopper' },
  displayName: 'Grace Hopper',
  emails: [{ value: 'grace@acme.example', type: 'work', primary: true }],
  active: true,
};

/** Nothing but what is required. */
export const BARE = { schemas: [USER_URN], userName: 'bare@acme.example', active: true };

/** The same user with something more of the enterprise extension. */
export function enterprise<T extends { schemas: string[] }>(user: T, attributes: object): T {
  return { ...user, schemas: [...user.schemas, ENTERPRISE_URN], [ENTERPRISE_URN]: attributes };
}

/** The members of a group as they are answered. */
export function membersOf(...names: ('ada' | 'grace')[]): object[] {
  const display = { ada: ADA.displayName, grace: GRACE.displayName };
  return names.map((name) => ({
    value: `{${name}}`,
    $ref: `{base}/Users/{${name}}`,
    display: display[name],
    type: 'User',
  }));
}

export const ENGINEERS = { schemas: [GROUP_URN], externalId: 'ext-engineers', displayName: 'Engineers' };

/** A group of those two, to be made before the request. */
export const WITH_BOTH = { ...ENGINEERS, members: [{ value: '{ada}' }, { value: '{grace}' }] };
export const WITH_ADA = { ...ENGINEERS, members: [{ value: '{ada}' }] };

export const BOTH = { ada: ADA, grace: GRACE };

/** The body of a PATCH. */
export function patch(...operations: object[]): object {
  return { schemas: [PATCH_URN], Operations: operations };
}

/** A whole list on one page. */
export function listOf(...resources: object[]): object {
  return {
    schemas: [LIST_URN],
    totalResults: resources.length,
    itemsPerPage: resources.length,
    startIndex: 1,
    Resources: resources,
  };
}

export function errorBody(status: number, scimType?: string): object {
  return { schemas: [ERROR_URN], status: String(status), ...(scimType ? { scimType } : {}) };
}
