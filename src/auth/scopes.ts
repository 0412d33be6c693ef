/** The scopes of the REST API. */
const API_SCOPES = {
  'catalog:read': 'See the catalogue, including private listings you can see',
  'bundles:read': 'See your bundles and those of your organisations',
  'bundles:write': 'Create, change and delete bundles and listings',
  'organisations:read': 'See your account, your organisations and their members',
  'organisations:admin': 'Manage your account, your organisations, their members and their directories',
  'webhooks:read': 'See webhook endpoints and their deliveries',
  'webhooks:write': 'Create, change and delete webhook endpoints',
  'platform:admin': 'Administer this whole instance, if you may',
} as const;

/** The scopes of bundles and deployments as MCP endpoints. */
const ENDPOINT_SCOPES = {
  'mcp:read': 'See the tools, prompts and resources of an MCP endpoint, and read them',
  'mcp:call': 'Call the tools of an MCP endpoint in your name',
} as const;

/**
 * What OAuth clients may do only if the person allowed exactly this: everything else that they do can be undone, or ends
 * with the grant. Never part of a default or of what metadata advertise, asked about every time, and not for personal
 * access tokens (contract, section 13.1).
 */
const DELETION_SCOPES = {
  'account:delete': 'Delete your account for good, without asking you again; for administrators, any account',
  'organisations:delete':
    'Delete organisations that you own for good, with everything in them, without asking you again',
} as const;

/**
 * What a token may be limited to, with the words of the consent page. A scope only takes away from what the roles of
 * its account allow; it never grants anything.
 */
export const SCOPES = { ...API_SCOPES, ...DELETION_SCOPES, ...ENDPOINT_SCOPES } as const;

/** A scope that limits what an access token may do. */
export type Scope = keyof typeof SCOPES;

/** One that limits what it may do with the REST API. */
export type ApiScope = keyof typeof API_SCOPES;

/** One that allows to delete what cannot be restored. */
export type DeletionScope = keyof typeof DELETION_SCOPES;

/** A scope of OAuth itself: asks for a refresh token and has no effect on access. */
export const OFFLINE_ACCESS = 'offline_access';

/** What routes require that are about the account of the caller. */
export const ACCOUNT_SCOPES = { read: 'organisations:read', write: 'organisations:admin' } as const;

/** The REST API has these scopes, in the order of the consent page. */
export const SCOPE_NAMES = Object.keys(API_SCOPES) as readonly ApiScope[];

/** These scopes allow deleting what cannot be restored. */
export const DELETION_SCOPE_NAMES = Object.keys(DELETION_SCOPES) as readonly DeletionScope[];

/** A token for the whole REST API can have these scopes. */
export const TOKEN_SCOPE_NAMES: readonly (ApiScope | DeletionScope)[] = [...SCOPE_NAMES, ...DELETION_SCOPE_NAMES];

/** MCP endpoints have these scopes, in the same order. */
export const ENDPOINT_SCOPE_NAMES = Object.keys(ENDPOINT_SCOPES) as readonly (keyof typeof ENDPOINT_SCOPES)[];

/**
 * @param scopes those of a credential; undefined: it is not limited to any
 * @returns whether it may be used for what requires the scope
 */
export function allows(scopes: ReadonlySet<Scope> | undefined, scope: Scope): boolean {
  return scopes === undefined || scopes.has(scope);
}

/** @returns whether it is one of the REST API, the only ones that personal access tokens can have */
export function isApiScope(word: string): word is ApiScope {
  return Object.hasOwn(API_SCOPES, word);
}

/** @returns whether it allows to delete what cannot be restored */
export function isDeletionScope(word: string): word is DeletionScope {
  return Object.hasOwn(DELETION_SCOPES, word);
}

/** @returns whether a word of a `scope` parameter or claim is one of ours */
export function isScope(word: string): word is Scope {
  return Object.hasOwn(SCOPES, word);
}

/** How the page at `/docs` obtains access tokens. */
export const SIGN_IN_FLOW = {
  authorizationUrl: '/oauth2/authorize',
  tokenUrl: '/oauth2/token',
  scopes: { ...API_SCOPES, openid: 'Know who you are' },
} as const;
