/**
 * What a token may be limited to, with the words of the consent page. A scope only takes away from what the roles of
 * its account allow; it never grants anything.
 */
export const SCOPES = {
  'catalog:read': 'See the catalogue, including private listings you can see',
  'bundles:read': 'See your bundles and those of your organisations',
  'bundles:write': 'Create, change and delete bundles and listings',
  'organisations:read': 'See your account, your organisations and their members',
  'organisations:admin': 'Manage your account, your organisations, their members and their directories',
  'webhooks:read': 'See webhook endpoints and their deliveries',
  'webhooks:write': 'Create, change and delete webhook endpoints',
  'platform:admin': 'Administer this whole instance, if you may',
} as const;

/** A scope that limits what an access token may do. */
export type Scope = keyof typeof SCOPES;

/** A scope of OAuth itself: asks for a refresh token and has no effect on access. */
export const OFFLINE_ACCESS = 'offline_access';

/** What routes require that are about the account of the caller. */
export const ACCOUNT_SCOPES = { read: 'organisations:read', write: 'organisations:admin' } as const;

/** In the order of the consent page. */
export const SCOPE_NAMES = Object.keys(SCOPES) as readonly Scope[];

/**
 * @param scopes those of a credential; undefined: it is not limited to any
 * @returns whether it may be used for what requires the scope
 */
export function allows(scopes: ReadonlySet<Scope> | undefined, scope: Scope): boolean {
  return scopes === undefined || scopes.has(scope);
}

/** @returns whether a word of a `scope` parameter or claim is one of ours */
export function isScope(word: string): word is Scope {
  return Object.hasOwn(SCOPES, word);
}

/** How the page at `/docs` obtains access tokens. */
export const SIGN_IN_FLOW = {
  authorizationUrl: '/oauth2/authorize',
  tokenUrl: '/oauth2/token',
  scopes: { ...SCOPES, openid: 'Know who you are' },
} as const;
