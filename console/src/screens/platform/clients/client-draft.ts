import type { OAuthClient, OAuthClientCreate, OAuthClientUpdate, Scope } from '../../../api/schema';

export const GRANTS = [
  'authorization_code',
  'refresh_token',
  'client_credentials',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;
/** Those that mean something to people; others stay as they are. */
export const SCOPES = [
  'catalog:read',
  'bundles:read',
  'bundles:write',
  'organisations:read',
  'organisations:admin',
  'webhooks:read',
  'webhooks:write',
  'platform:admin',
] as const satisfies Scope[];

export const METHODS = ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'none'] as const;

/** What is typed about a client; lists of addresses as one text, an address a line. */
export interface ClientDraft {
  name: string;
  redirects: string;
  grants: (typeof GRANTS)[number][];
  method: (typeof METHODS)[number];
  /** Whether it may ask only for some of what a person may do. */
  isLimited: boolean;
  scopes: Scope[];
  logouts: string;
  backchannel: string;
  jwks: string;
  isTrusted: boolean;
}

export const NEW_CLIENT: ClientDraft = {
  name: '',
  redirects: '',
  grants: ['authorization_code', 'refresh_token'],
  method: 'client_secret_basic',
  isLimited: false,
  scopes: [],
  logouts: '',
  backchannel: '',
  jwks: '',
  isTrusted: false,
};

/** @returns the scopes of a text that mean something to people: those of OAuth itself allow nothing of their own */
export function scopesOf(scope: string): Scope[] {
  return SCOPES.filter((one) => scope.split(' ').includes(one));
}

/** @returns whether a client proves who it is by a secret */
export function hasSecrets({ token_endpoint_auth_method: method }: OAuthClient): boolean {
  return method.startsWith('client_secret_');
}

/** @returns what is typed when a client is changed */
export function draftOf(client: OAuthClient): ClientDraft {
  return {
    ...NEW_CLIENT,
    name: client.name,
    redirects: client.redirect_uris.join('\n'),
    isLimited: client.scope !== null,
    scopes: client.scope === null ? [] : scopesOf(client.scope),
    logouts: client.post_logout_redirect_uris.join('\n'),
    backchannel: client.backchannel_logout_uri ?? '',
    jwks: client.jwks_uri ?? '',
    isTrusted: client.is_trusted,
  };
}

/** @returns the body that creates the client; what was left empty is left out, so that the defaults hold */
export function creation(draft: ClientDraft): OAuthClientCreate {
  const [redirects, logouts] = [linesOf(draft.redirects), linesOf(draft.logouts)];
  const [backchannel, jwks] = [draft.backchannel.trim(), draft.jwks.trim()];
  return {
    name: draft.name.trim(),
    grant_types: draft.grants,
    token_endpoint_auth_method: draft.method,
    is_trusted: draft.isTrusted,
    ...(redirects.length > 0 && { redirect_uris: redirects }),
    ...(logouts.length > 0 && { post_logout_redirect_uris: logouts }),
    ...(draft.isLimited && { scope: draft.scopes.join(' ') }),
    ...(backchannel !== '' && { backchannel_logout_uri: backchannel }),
    ...(jwks !== '' && { jwks_uri: jwks }),
  };
}

/** @returns the body that changes the client: only what differs, so that the changes of others stay */
export function changes(client: OAuthClient, draft: ClientDraft): OAuthClientUpdate {
  const before = draftOf(client);
  const emptied = (text: string) => (text.trim() === '' ? null : text.trim());
  const isOther = (field: keyof ClientDraft) => JSON.stringify(before[field]) !== JSON.stringify(draft[field]);
  return {
    ...(isOther('name') && { name: draft.name.trim() }),
    ...(isOther('redirects') && { redirect_uris: linesOf(draft.redirects) }),
    ...((isOther('scopes') || isOther('isLimited')) && {
      scope: draft.isLimited ? scopeOf(client, draft.scopes) : null,
    }),
    ...(isOther('logouts') && { post_logout_redirect_uris: linesOf(draft.logouts) }),
    ...(isOther('backchannel') && { backchannel_logout_uri: emptied(draft.backchannel) }),
    ...(isOther('jwks') && { jwks_uri: emptied(draft.jwks) }),
    ...(isOther('isTrusted') && { is_trusted: draft.isTrusted }),
  };
}

/** Other scopes, such as `openid`, are not shown, and stay. */
function scopeOf({ scope }: OAuthClient, scopes: readonly string[]): string {
  const hidden = (scope ?? '').split(' ').filter((one) => one !== '' && !SCOPES.some((known) => known === one));
  return [...hidden, ...scopes].join(' ');
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
